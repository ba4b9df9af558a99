import { ridFromText } from "@rehome/wire";
import { describe, expect, it } from "vitest";
import { RawPeer } from "./support/fake-network.ts";
import { admissionOfNode, admitBytes, helloBytes, RawNode } from "./support/raw-node.ts";
import type { TestNode } from "./support/nodes.ts";
import { World } from "./support/nodes.ts";

const proof = (name: string, meshName = "mesh") => ({ meshName, nodeRid: ridFromText(name) });

function dialFailures(node: TestNode): string[] {
  return node.ofType("ConnectFailed").map(({ reason }) => reason);
}

function dropped(node: TestNode): string[] {
  return node.logged
    .filter(({ event }) => event === "connection.dropped")
    .map(({ fields }) => String(fields["detail"]));
}

/** A connection to `target` that proves this, and on which nothing has been said yet. */
function proven(world: World, target: TestNode, of: ReturnType<typeof proof>): RawNode {
  const raw = world.raw(target);
  raw.stream.other.proven = of;
  world.run();
  return new RawNode(raw, "raw");
}

describe("what a connection proves", () => {
  it("and what the peer says agree: there is a link", async () => {
    const world = new World();
    for (const name of ["a", "b"]) world.network.proofs.set(`fake://${name}`, proof(name));
    const [a, b] = await world.pair();
    expect([a.story, b.story]).toEqual([["LinkUp"], ["LinkUp"]]);
  });

  it("is held against a hello's rid and mesh, and a hello that says otherwise is refused", async () => {
    const world = new World();
    const a = await world.node("a");
    const liar = proven(world, a, proof("c"));
    liar.write(helloBytes(a, "b"));
    world.run();
    expect(liar.commands()).toEqual([{ command: "reject", reason: "identityMismatch" }]);
    const honest = proven(world, a, proof("c"));
    honest.write(helloBytes(a, "c"));
    world.run();
    expect(honest.commands().map(({ command }) => command)).toEqual(["admit"]);
    expect(a.events.map((event) => "peer" in event && event.peer.nodeRid)).toEqual([ridFromText("c")]);
  });

  it("is held against an admit's rid", async () => {
    const world = new World();
    const a = await world.node("a");
    world.network.proofs.set("fake://b", proof("b"));
    world.network.listeners.set("fake://b", (stream) => {
      const raw = new RawPeer(stream as RawPeer["stream"]);
      raw.onFirstBytes = () => raw.write(admitBytes("c"));
    });
    a.transport.connect({ nodeRid: ridFromText("b"), nodeGeneration: 1n, endpoint: "fake://b" });
    world.run();
    expect(dialFailures(a)).toEqual(["not the peer that was wanted: identityMismatch"]);
    expect(a.ofType("LinkUp")).toEqual([]);
  });

  it("to be of another mesh, or this node itself, ends a connection before its hello is read", async () => {
    for (const of of [proof("b", "other"), proof("a")]) {
      const world = new World();
      const a = await world.node("a");
      const stranger = proven(world, a, of);
      stranger.write(helloBytes(a, "b", { admission: admissionOfNode("b") }));
      world.run();
      expect(stranger.raw.closed).toBeDefined();
      expect(stranger.raw.received.length).toBe(0);
      expect(dropped(a)[0]).toContain(of.meshName === "other" ? '"other"' : "this node itself");
      expect(a.story).toEqual([]);
    }
  });

  it("not to be the wanted node ends a dial before a hello is sent, and the next one is tried", async () => {
    for (const of of [proof("c"), proof("b", "other")]) {
      const world = new World();
      const a = await world.node("a");
      const b = await world.node("b");
      world.network.proofs.set(b.endpoint, of);
      a.transport.connect(b.address);
      world.run();
      expect(dialFailures(a)[0]).toContain(of.meshName === "other" ? '"other"' : "c");
      expect(world.network.streams.map((stream) => stream.writes)).toEqual([0, 0]);
      world.network.proofs.set(b.endpoint, proof("b"));
      world.advance(1_000);
      expect(a.ofType("LinkUp").length).toBe(1);
    }
  });
});
