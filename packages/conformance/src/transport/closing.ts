import { createServer } from "node:net";
import { ridFromText } from "@rehome/wire";
import { describe, expect, it } from "vitest";
import { END } from "./raw-peer.ts";
import { patternBytes } from "./bytes.ts";
import { inScene, later, sameFrames, until } from "./scene.ts";
import type { MakeTransport } from "./scene.ts";

const MIB = 1024 * 1024;

export function closingTests(make: MakeTransport): void {
  describe("close", () => {
    it(
      "T1: sends all that is queued to a peer that reads late, byte for byte, and then the end",
      inScene(make, async (scene) => {
        const limits = {
          maxRecordBytes: 32 * MIB,
          maxDataBytes: 64 * MIB,
          closeTimeoutMs: 15_000,
        };
        const a = await scene.node("a", { limits });
        const b = await scene.node("b", { limits });
        const proxy = await scene.proxy(b);
        await scene.link(a, b, { ...b.address, endpoint: proxy.endpoint });
        proxy.pause();
        const large = patternBytes(32 * MIB, 1);
        for (let index = 0; index < 2_000; index += 1) a.transport.send(b.rid, [patternBytes(1024, index)], "data");
        expect(a.transport.send(b.rid, [large], "data")).toBe("backedUp");
        const closed = a.transport.close();
        await later(50);
        proxy.resume();
        await closed;
        await until("the end", () => b.ofType("LinkLost").length === 1);
        expect(b.records.length).toBe(2_001);
        const wrong = b.records
          .slice(0, 2_000)
          .filter((frames, index) => !sameFrames(frames, [patternBytes(1024, index)]));
        expect(wrong.length).toBe(0);
        expect(sameFrames(b.records[2_000], [large])).toBe(true);
        expect(a.ofType("LinkLost").map((loss) => [loss.reason, loss.unacknowledged.length])).toEqual([
          ["closedLocally", 0],
        ]);
      }),
    );

    it(
      "settles by its deadline when a peer reads nothing, and lists what was not acknowledged",
      inScene(make, async (scene) => {
        const a = await scene.node("a", { limits: { closeTimeoutMs: 200 } });
        const peer = await scene.greet(a, ridFromText("deaf"));
        peer.socket.pause();
        for (let index = 0; index < 12; index += 1) a.transport.send(peer.rid, [new Uint8Array(MIB)], "data");
        await a.transport.close();
        expect(a.ofType("LinkLost").map((loss) => [loss.reason, loss.unacknowledged.length])).toEqual([
          ["closedLocally", 12],
        ]);
      }),
    );

    it(
      "announces the end, refuses everything afterwards, and delivers nothing any more",
      inScene(make, async (scene) => {
        const a = await scene.node("a", { limits: { closeTimeoutMs: 300 } });
        const peer = await scene.greet(a, ridFromText("peer"));
        a.sendText(peer, "last");
        const closed = a.transport.close();
        peer.record(1, Uint8Array.of(1));
        expect(a.sendText(peer, "too late")).toBe("noLink");
        expect(a.transport.close()).toBe(closed);
        await until("the end", () => peer.bodies(END).length === 1);
        expect(peer.bodies(END)[0]?.readBigUInt64BE()).toBe(1n);
        peer.acknowledge(1);
        await closed;
        expect(a.records.length).toBe(0);
        await expect(a.listen()).rejects.toMatchObject({ code: "closed" });
        await until("the connection's end", () => peer.isClosed);
      }),
    );

    it(
      "of a whole mesh at once is quick and quiet",
      inScene(make, async (scene) => {
        const nodes = await Promise.all(["a", "b", "c", "d"].map((name) => scene.node(name)));
        for (const from of nodes) for (const to of nodes) if (from !== to) from.transport.connect(to.address);
        await until("all links", () => nodes.every((node) => node.ofType("LinkUp").length === 3));
        for (const from of nodes) for (const to of nodes) if (from !== to) from.sendText(to, "bye");
        const startedAt = performance.now();
        await Promise.all(nodes.map((node) => node.transport.close()));
        // Well under the deadline that a link would wait for one that does not answer.
        expect(performance.now() - startedAt).toBeLessThan(1_900);
        for (const node of nodes) expect(node.ofType("LinkLost").length).toBe(3);
      }),
    );

    it(
      "frees the port",
      inScene(make, async (scene) => {
        const [a, b] = await scene.pair();
        await b.transport.close();
        await a.transport.close();
        const server = createServer();
        const port = Number(b.endpoint.slice(b.endpoint.lastIndexOf(":") + 1));
        await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
        await new Promise((resolve) => server.close(resolve));
      }),
    );

    it(
      "of one end is a loss at the other, which goes on trying until the node is back",
      inScene(make, async (scene) => {
        const [a, b] = await scene.pair();
        await b.transport.close();
        await until("a failed attempt", () => a.ofType("ConnectFailed").length > 0);
        expect(a.ofType("LinkLost").map(({ reason }) => reason)).toEqual(["closedByPeer"]);
        const again = await scene.node("b", { generation: 2n });
        await scene.link(a, again);
        a.sendText(again, "welcome back");
        await until("a record", () => again.records.length === 1);
      }),
    );
  });
}
