import { ridFromText } from "@rehome/wire";
import { describe, expect, it } from "vitest";
import { RECORD, recordBytes } from "./raw-peer.ts";
import { patternBytes } from "./bytes.ts";
import { inScene, later, sameFrames, textOf, until } from "./scene.ts";
import type { MakeTransport, SceneNode } from "./scene.ts";

/** Short enough for a test, and still a probe every so often before a link is lost. */
const QUICK_LIVENESS = { livenessProbeMs: 100, livenessTimeoutMs: 400 };
const CUTS = 60;
const MIB = 1024 * 1024;

export function lossTests(make: MakeTransport): void {
  describe("links and their connections", () => {
    cutTests(make);
    halfOpenTests(make);
    livenessTests(make);
  });
}

function cutTests(make: MakeTransport): void {
  it(
    "N1: goes on over the next connection, wherever the last one was cut: nothing is lost, doubled or reordered",
    inScene(make, async (scene) => {
      const limits = { reconnectMinMs: 1, reconnectMaxMs: 4 };
      const a = await scene.node("a", { limits });
      const b = await scene.node("b", { limits });
      const proxy = await scene.proxy(b);
      a.transport.connect({ ...b.address, endpoint: proxy.endpoint });
      const sent = { there: [] as string[], back: [] as string[] };
      const send = (from: SceneNode, to: SceneNode, texts: string[]) => {
        const text = `${texts.length} ${"x".repeat(texts.length % 90)}`;
        if (from.sendText(to, text) !== "noLink") texts.push(text);
      };
      for (let cut = 0; cut < CUTS; cut += 1) {
        // Somewhere in the handshake, in a header, in a record.
        proxy.cutAfterBytes = cut < 10 ? cut * 40 : 600 + cut * 37;
        if (cut % 2 === 0) proxy.cut();
        for (let turn = 0; turn < 10; turn += 1) {
          send(a, b, sent.there);
          send(b, a, sent.back);
          await later(1);
        }
      }
      proxy.cutAfterBytes = Number.POSITIVE_INFINITY;
      await until("everything", () => b.texts.length === sent.there.length && a.texts.length === sent.back.length);
      expect(b.texts).toEqual(sent.there);
      expect(a.texts).toEqual(sent.back);
      for (const node of [a, b]) {
        expect([node.ofType("LinkUp").length, node.ofType("LinkLost").length]).toEqual([1, 0]);
        expect(node.ofType("LinkResumed").length).toBeGreaterThan(CUTS / 4);
      }
    }),
  );

  it(
    "N1: sends again what the peer says that it has not received, and nothing else",
    inScene(make, async (scene) => {
      const a = await scene.node("a");
      const peer = await scene.greet(a, ridFromText("peer"));
      for (const text of ["1", "2", "3", "4"]) a.sendText(peer, text);
      await until("all four", () => peer.bodies(RECORD).length === 4);
      peer.acknowledge(2);
      await later(30);
      peer.socket.resetAndDestroy();
      await later(30);
      expect(a.sendText(peer, "5")).toBe("accepted");
      const again = await scene.raw(a);
      again.hello(a.identity, peer.rid, 2, 3);
      await until("the rest", () => again.bodies(RECORD).length === 2);
      expect(again.records.map(textOf)).toEqual(["4", "5"]);
      expect(again.bodies(RECORD).map((body) => body.readBigUInt64BE())).toEqual([4n, 5n]);
      expect(a.story).toEqual(["LinkUp", "LinkResumed"]);
    }),
  );

  it(
    "N2: a record that the peer has not acknowledged is listed, and one that it has is not",
    inScene(make, async (scene) => {
      const a = await scene.node("a");
      const peer = await scene.greet(a, ridFromText("peer"));
      peer.record(1, Uint8Array.of(1));
      for (const text of ["1", "2", "3", "4"]) a.sendText(peer, text);
      await until("all four", () => peer.bodies(RECORD).length === 4);
      peer.acknowledge(2);
      await later(30);
      peer.socket.resetAndDestroy();
      // The next hello knows nothing of the link.
      const again = await scene.raw(a);
      again.hello(a.identity, peer.rid, 2);
      await until("the loss", () => a.ofType("LinkLost").length === 1);
      const lost = a.ofType("LinkLost")[0]!;
      expect(lost.reason).toBe("lostByPeer");
      expect(lost.unacknowledged.map(textOf)).toEqual(["3", "4"]);
    }),
  );

  it(
    "a record that was cut off in its middle is never delivered",
    inScene(make, async (scene) => {
      const a = await scene.node("a");
      const peer = await scene.greet(a, ridFromText("peer"));
      peer.record(1, patternBytes(100, 1));
      await until("the first", () => a.records.length === 1);
      const bytes = recordBytes(2, patternBytes(100_000, 2));
      peer.socket.write(bytes.subarray(0, bytes.length - 1));
      await later(20);
      peer.socket.end();
      await until("the end", () => peer.isClosed);
      const again = await scene.raw(a);
      again.hello(a.identity, peer.rid, 2, 0);
      again.record(2, patternBytes(10, 3));
      await until("the second", () => a.records.length === 2);
      expect(sameFrames(a.records[1], [patternBytes(10, 3)])).toBe(true);
    }),
  );
}

function halfOpenTests(make: MakeTransport): void {
  it(
    "a peer that ends its half and reads nothing any more loses its connection at once, whatever waits for it",
    inScene(make, async (scene) => {
      const a = await scene.node("a");
      const peer = await scene.greet(a, ridFromText("half"));
      peer.socket.pause();
      const count = 28;
      for (let sent = 0; sent < count; sent += 1) a.transport.send(peer.rid, [new Uint8Array(MIB)], "control");
      await later(20);
      peer.socket.end();
      await later(50);
      peer.socket.resume();
      await until("its end", () => peer.isClosed);
      // No more than what the operating system had taken.
      expect(peer.receivedBytes).toBeLessThan((count * MIB) / 2);
      expect(a.story).toEqual(["LinkUp"]);
      a.transport.forget(peer.rid);
      await until("the loss", () => a.ofType("LinkLost").length === 1);
      expect(a.ofType("LinkLost")[0]?.unacknowledged.length).toBe(count);
    }),
  );
}

function livenessTests(make: MakeTransport): void {
  it(
    "L2: an idle link lives, a silent one is lost, and its late end does not hurt the next one",
    inScene(make, async (scene) => {
      const limits = { ...QUICK_LIVENESS, reconnectMinMs: 10 };
      const a = await scene.node("a", { limits });
      const b = await scene.node("b", { limits });
      const proxy = await scene.proxy(b);
      await scene.link(a, b, { ...b.address, endpoint: proxy.endpoint });
      await later(1_000);
      expect([a.story, b.story]).toEqual([["LinkUp"], ["LinkUp"]]);
      proxy.swallow();
      a.sendText(b, "into the void");
      await until("the loss", () => a.ofType("LinkLost").length === 1);
      expect(a.ofType("LinkLost")[0]?.reason).toBe("livenessTimeout");
      expect(a.ofType("LinkLost")[0]?.unacknowledged.map(textOf)).toEqual(["into the void"]);
      proxy.heal();
      await until("the next link", () => a.story.at(-1) === "LinkUp" && b.story.at(-1) === "LinkUp");
      const before = a.story.length;
      await later(500);
      expect(a.story.length).toBe(before);
      a.sendText(b, "heard again");
      await until("a record", () => b.texts.includes("heard again"));
      expect(b.texts).toEqual(["heard again"]);
    }),
  );

  it(
    "L2: traffic is no answer: a peer that talks and does not answer is lost",
    inScene(make, async (scene) => {
      const a = await scene.node("a", { limits: QUICK_LIVENESS });
      const peer = await scene.greet(a, ridFromText("talker"));
      for (let number = 1; a.ofType("LinkLost").length === 0 && number < 1_000; number += 1) {
        peer.record(number, Uint8Array.of(1));
        peer.about({ command: "livenessAck", probeId: BigInt(number) });
        await later(10);
      }
      expect(a.ofType("LinkLost")[0]?.reason).toBe("livenessTimeout");
      expect(a.records.length).toBeGreaterThan(5);
    }),
  );

  it(
    "L2: a peer that answers and says nothing else is not lost",
    inScene(make, async (scene) => {
      const a = await scene.node("a", { limits: QUICK_LIVENESS });
      const peer = await scene.greet(a, ridFromText("listener"));
      const answered = new Set<bigint>();
      for (let turn = 0; turn < 100; turn += 1) {
        for (const command of peer.commands) {
          if (command.command !== "livenessProbe" || answered.has(command.probeId)) continue;
          answered.add(command.probeId);
          peer.about({ command: "livenessAck", probeId: command.probeId });
        }
        await later(10);
      }
      expect(a.story).toEqual(["LinkUp"]);
      expect(answered.size).toBeGreaterThan(3);
      peer.about({ command: "livenessProbe", probeId: 4711n });
      await until("an answer", () => peer.commands.some((c) => c.command === "livenessAck" && c.probeId === 4711n));
    }),
  );
}
