import { ridFromBytes, ridFromText } from "@rehome/wire";
import { describe, expect, it } from "vitest";
import { inScene, isLinked, later, until } from "./scene.ts";
import type { MakeTransport, SceneNode } from "./scene.ts";

const DIAL_ROUNDS = 40;

export function identityTests(make: MakeTransport): void {
  describe("identity", () => {
    it(
      "a link is up at both ends, with the identity that the other end has",
      inScene(make, async (scene) => {
        const [a, b] = await scene.pair();
        await until("both events", () => a.story.length === 1 && b.story.length === 1);
        expect([a.story, b.story]).toEqual([["LinkUp"], ["LinkUp"]]);
        expect(a.transport.peer(b.rid)).toEqual({
          meshName: "conformance",
          nodeRid: b.rid,
          nodeGeneration: 1n,
          lease: { ownerId: "owner of b", ownerLeaseGeneration: 3n },
        });
        expect(b.transport.peer(a.rid)?.lease?.ownerId).toBe("owner of a");
      }),
    );

    it(
      "a node without a lease, and with a rid that is no text, is a peer like any other",
      inScene(make, async (scene) => {
        const a = await scene.node("a");
        const peer = await scene.greet(a, ridFromBytes(Uint8Array.of(0xff, 0x00, 0xfe)));
        expect(a.transport.peer(peer.rid)?.lease).toBeUndefined();
        expect(peer.commands.map(({ command }) => command)).toEqual(["admit"]);
      }),
    );

    it(
      "another mesh, another node than the wanted one, and nobody at all are failed attempts that say why",
      inScene(make, async (scene) => {
        const a = await scene.node("a");
        const other = await scene.node("other", { meshName: "another mesh" });
        const b = await scene.node("b");
        const closed = await scene.node("closed");
        await closed.transport.close();
        a.transport.connect(other.address);
        a.transport.connect({ ...b.address, nodeRid: ridFromText("c") });
        a.transport.connect(closed.address);
        a.transport.connect({ ...b.address, nodeRid: ridFromText("d"), endpoint: "no endpoint" });
        await until("four failures", () => new Set(failures(a).map(([rid]) => rid)).size === 4);
        const reasons = new Map(failures(a));
        expect(reasons.get(other.rid)).toContain("topologyMismatch");
        expect(reasons.get(ridFromText("c"))).toContain("identityMismatch");
        expect(reasons.get(closed.rid)).toContain("connectFailed");
        expect(reasons.get(ridFromText("d"))).toContain("invalidEndpoint");
        expect(a.ofType("LinkUp").length).toBe(0);
      }),
    );

    it(
      "a node that is not there yet is reached once it is",
      inScene(make, async (scene) => {
        const a = await scene.node("a");
        const early = await scene.node("b");
        await early.transport.close();
        a.transport.connect({ ...early.address, nodeGeneration: 2n });
        await until("a failure", () => failures(a).length > 0);
        const b = await scene.node("b", { generation: 2n });
        a.transport.connect(b.address);
        await until("a link", () => isLinked(a, b));
      }),
    );

    it(
      "a newer generation replaces the link of the older one, an older one is refused",
      inScene(make, async (scene) => {
        const a = await scene.node("a");
        const old = await scene.node("b", { generation: 5n });
        const young = await scene.node("b", { generation: 6n });
        await scene.link(old, a);
        await scene.link(young, a);
        await until("the change", () => a.transport.peer(young.rid)?.nodeGeneration === 6n);
        await until("its events", () => a.story.length >= 3);
        expect(a.story).toEqual(["LinkUp", "LinkLost", "LinkUp"]);
        expect(a.ofType("LinkLost")[0]?.reason).toBe("replacedByNewerGeneration");
        await until("the refusal", () =>
          failures(old).some(([, reason]) => reason.includes("lifecycleGenerationStale")),
        );
        expect(a.transport.peer(young.rid)?.nodeGeneration).toBe(6n);
      }),
    );

    it(
      "two nodes that connect to each other at once end with one link, and no record is lost",
      inScene(make, async (scene) => {
        for (let round = 0; round < DIAL_ROUNDS; round += 1) {
          const a = await scene.node(`a${round}`);
          const b = await scene.node(`b${round}`);
          for (const [from, to] of [
            [a, b],
            [b, a],
          ] as const)
            from.onLink = (event) => {
              if (event.type === "LinkUp") for (let count = 0; count < 10; count += 1) from.sendText(to, `${count}`);
            };
          a.transport.connect(b.address);
          if (round % 4 === 1) await later(1);
          if (round % 4 === 2) await new Promise((resolve) => setImmediate(resolve));
          b.transport.connect(a.address);
          await until("all records", () => a.records.length >= 10 && b.records.length >= 10);
          if (round % 10 === 0) await later(150);
          const expected = ["LinkUp", ...Array.from({ length: 10 }, () => "record")];
          expect([round, a.story]).toEqual([round, expected]);
          expect([round, b.story]).toEqual([round, expected]);
          await Promise.all([a.transport.close(), b.transport.close()]);
        }
      }),
    );

    it(
      "connect may be repeated, and forget ends both the link and the dialling",
      inScene(make, async (scene) => {
        const [a, b] = await scene.pair();
        a.transport.connect(b.address);
        a.transport.connect(b.address);
        a.transport.forget(b.rid);
        expect(isLinked(a, b)).toBe(false);
        expect(a.sendText(b, "x")).toBe("noLink");
        await until("the losses", () => a.ofType("LinkLost").length === 1 && b.ofType("LinkLost").length === 1);
        await later(200);
        expect(a.story).toEqual(["LinkUp", "LinkLost"]);
        expect(a.ofType("LinkLost")[0]?.reason).toBe("closedLocally");
        expect(b.ofType("LinkLost")[0]?.reason).toBe("closedByPeer");
      }),
    );
  });
}

function failures(node: SceneNode): [string, string][] {
  return node.ofType("ConnectFailed").map(({ address, reason }) => [address.nodeRid, reason]);
}
