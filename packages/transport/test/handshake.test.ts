import type { LinkEvent } from "@rehome/core";
import { ridFromText } from "@rehome/wire";
import type { Admission } from "@rehome/wire";
import { describe, expect, it } from "vitest";
import { concat } from "./support/bytes.ts";
import { admitBytes, greet, helloBytes, listenRaw, recordUnit } from "./support/raw-node.ts";
import type { TestNode } from "./support/nodes.ts";
import { World } from "./support/nodes.ts";

function reasons(node: TestNode): string[] {
  return node.ofType("ConnectFailed").map(({ reason }) => reason);
}

function ups(node: TestNode): number {
  return node.ofType("LinkUp").length;
}

describe("identity", () => {
  it("another mesh is refused, and the dialer is told why", async () => {
    const world = new World();
    const a = await world.node("a");
    const b = await world.node("b", { meshName: "other" });
    a.transport.connect(b.address);
    world.run();
    expect(reasons(a)[0]).toContain("topologyMismatch");
    expect(b.story).toEqual([]);
  });

  it("what a hello claims is checked field by field", async () => {
    const cases: [Parameters<typeof helloBytes>[2], string][] = [
      [{ admission: { meshName: "other" } }, "topologyMismatch"],
      [{ admission: { securityIdentity: "tls" } }, "securityIdentityMismatch"],
      [{ admission: { protocolCapabilities: ["another-v1"] } }, "capabilityMismatch"],
      [{ admission: { runtimeState: "stopped" } }, "runtimeNotServing"],
      [{ admission: { nodeRid: ridFromText("a") } }, "identityMismatch"],
      [{ terms: { targetRid: ridFromText("c") } }, "identityMismatch"],
      [{ terms: { targetGeneration: 2n } }, "lifecycleGenerationStale"],
    ];
    for (const [changes, reason] of cases) {
      const world = new World();
      const a = await world.node("a");
      const peer = greet(world, a, "b", helloBytes(a, "b", changes));
      expect(peer.commands()).toEqual([{ command: "reject", reason }]);
      expect(peer.raw.closed).toBeDefined();
      expect(a.story).toEqual([]);
    }
  });

  it("nothing but preface and hello is read before a peer is admitted, and nothing is said to who has not spoken", async () => {
    const world = new World();
    const a = await world.node("a");
    const silent = world.raw(a);
    world.advance(4_000);
    expect(silent.received.length).toBe(0);
    const peer = greet(world, a, "b");
    expect(peer.commands().map(({ command }) => command)).toEqual(["admit"]);
    // Records behind the hello, in the same read, belong to the link.
    const eager = greet(world, a, "c", helloBytes(a, "c"));
    eager.record(1, "first");
    world.run();
    expect(a.texts).toEqual(["first"]);
    expect(a.story).toEqual(["LinkUp", "LinkUp", "record"]);
  });

  it("a record in the very read of the hello comes after LinkUp", async () => {
    const world = new World();
    const a = await world.node("a");
    greet(world, a, "b", concat([helloBytes(a, "b"), recordUnit(1, "first")]));
    expect(a.story).toEqual(["LinkUp", "record"]);
  });

  it("another version of the transport or of the records is refused as such", async () => {
    const world = new World();
    const a = await world.node("a");
    const newer = greet(world, a, "b", Uint8Array.of(0x52, 0x48, 0x4c, 2, 0, 0));
    expect(newer.commands()).toEqual([{ command: "reject", reason: "protocolVersionUnsupported" }]);
    const hello = helloBytes(a, "b");
    const major = hello.findIndex((byte, at) => byte === 0x5a && hello[at + 1] === 0x4d) + 2;
    hello[major] = 2;
    expect(greet(world, a, "b", hello).commands()).toEqual([
      { command: "reject", reason: "protocolVersionUnsupported" },
    ]);
  });

  it("a hello that is none is refused as such", async () => {
    const world = new World();
    const a = await world.node("a");
    const broken = helloBytes(a, "b");
    const topology = broken.findIndex((byte, at) => byte === 0x5a && broken[at + 1] === 0x4d) + 5;
    broken[topology] = 9;
    expect(greet(world, a, "b", broken).commands()).toEqual([{ command: "reject", reason: "invalidDescriptor" }]);
    expect(a.story).toEqual([]);
  });

  it("a dialer takes only the node that it wanted", async () => {
    const world = new World();
    const a = await world.node("a");
    const b = await world.node("b");
    a.transport.connect({ ...b.address, nodeRid: ridFromText("c") });
    world.run();
    expect(reasons(a)).toEqual(["the peer refused: identityMismatch"]);
    a.transport.forget(ridFromText("c"));
    a.transport.connect({ ...b.address, nodeGeneration: 2n });
    world.run();
    expect(reasons(a).at(-1)).toBe("the peer refused: lifecycleGenerationStale");
    expect(b.story).toEqual([]);
    a.transport.connect(a.address);
    world.run();
    expect(reasons(a).at(-1)).toBe("this node itself");
  });

  it("a dialer checks the answer by the same rules, and the acceptor loses what it had admitted", async () => {
    const cases: [Partial<Admission>, string][] = [
      [{ nodeRid: ridFromText("c") }, "identityMismatch"],
      [{ lifecycleGeneration: 1n }, "lifecycleGenerationStale"],
      [{ meshName: "other" }, "topologyMismatch"],
      [{ protocolCapabilities: [] }, "capabilityMismatch"],
      [{ securityIdentity: "tls" }, "securityIdentityMismatch"],
    ];
    for (const [changes, reason] of cases) {
      const world = new World();
      const a = await world.node("a");
      const answer = admitBytes("b", { lifecycleGeneration: 2n, ...changes });
      const peer = listenRaw(world, "fake://b", answer);
      a.transport.connect({ nodeRid: ridFromText("b"), nodeGeneration: 2n, endpoint: "fake://b" });
      world.run();
      expect(reasons(a)).toEqual([`not the peer that was wanted: ${reason}`]);
      expect(peer.node!.commands()).toContainEqual({ command: "reject", reason });
      expect(a.transport.peer(ridFromText("b"))).toBeUndefined();
    }
  });

  it("an answer that is no answer fails the attempt", async () => {
    const world = new World();
    const a = await world.node("a");
    for (const [name, answer] of [
      ["b", helloBytes(a, "b")],
      ["c", new TextEncoder().encode("HTTP/1.1 400 Bad Request")],
      ["d", new Uint8Array(0)],
    ] as const) {
      listenRaw(world, `fake://${name}`, answer);
      a.transport.connect({ nodeRid: ridFromText(name), nodeGeneration: 1n, endpoint: `fake://${name}` });
    }
    world.advance(5_001);
    const seen = new Set(reasons(a).map((reason) => reason.split(":")[0]));
    expect(seen).toEqual(new Set(["the handshake failed (violation)", "the handshake failed (timeout)"]));
  });
});

describe("generations", () => {
  it("a newer run of a node replaces the older one's link, an older run is refused", async () => {
    const world = new World();
    const a = await world.node("a");
    const old = await world.node("b", { generation: 5n, endpoint: "fake://b5" });
    const young = await world.node("b", { generation: 6n, endpoint: "fake://b6" });
    old.transport.connect(a.address);
    world.run();
    a.send(old, "to the old one");
    world.freezeAll();
    young.transport.connect(a.address);
    world.run();
    expect(a.story).toEqual(["LinkUp", "LinkLost", "LinkUp"]);
    const lost = a.ofType("LinkLost")[0]!;
    expect(lost.reason).toBe("replacedByNewerGeneration");
    expect(lost.peer.nodeGeneration).toBe(5n);
    expect(lost.unacknowledged.length).toBe(1);
    expect(a.transport.peer(young.rid)?.nodeGeneration).toBe(6n);
    world.cutAll();
    old.transport.connect(a.address);
    world.advance(3_000);
    expect(reasons(old).at(-1)).toBe("the peer refused: lifecycleGenerationStale");
    expect(a.transport.peer(young.rid)?.nodeGeneration).toBe(6n);
    expect(
      a.events.filter((event: LinkEvent) => event.type === "LinkUp").map((event) => event.peer.nodeGeneration),
    ).toEqual([5n, 6n]);
    expect(a.ofType("LinkResumed").length).toBe(1);
  });

  it("a run that the store has named makes every older one stale, even before it is linked", async () => {
    const world = new World();
    const a = await world.node("a");
    const old = await world.node("b", { generation: 5n, endpoint: "fake://b5" });
    a.transport.connect({ ...old.address, nodeGeneration: 6n, endpoint: "fake://not-yet-there" });
    old.transport.connect(a.address);
    world.run();
    expect(ups(a)).toBe(0);
    expect(reasons(old)).toEqual(["the peer refused: lifecycleGenerationStale"]);
    a.transport.connect(old.address);
    world.run();
    expect(reasons(a).at(-1)).toContain("an older run");
  });

  it("a node that is asked for by an older generation may answer as a newer run", async () => {
    const world = new World();
    const a = await world.node("a");
    const b = await world.node("b", { generation: 6n });
    a.transport.connect({ ...b.address, nodeGeneration: 5n });
    world.run();
    expect(a.transport.peer(b.rid)?.nodeGeneration).toBe(6n);
  });

  it("connect to a newer run keeps the link to the older one until the newer one is proven", async () => {
    const world = new World();
    const a = await world.node("a");
    const old = await world.node("b", { generation: 5n, endpoint: "fake://b5" });
    a.transport.connect(old.address);
    world.run();
    a.transport.connect({ ...old.address, nodeGeneration: 6n, endpoint: "fake://b6" });
    world.run();
    expect(a.transport.peer(old.rid)?.nodeGeneration).toBe(5n);
    await world.node("b", { generation: 6n, endpoint: "fake://b6" });
    world.advance(10_000);
    expect(a.transport.peer(old.rid)?.nodeGeneration).toBe(6n);
    expect(a.ofType("LinkLost").map(({ reason }) => reason)).toEqual(["replacedByNewerGeneration"]);
  });
});

describe("two nodes that dial each other at once", () => {
  it("end with exactly one connection, and no record is lost", async () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const world = new World({ seed, readSize: (n) => Math.min(n, 1 + (seed % 60)) });
      const a = await world.node("a");
      const b = await world.node("b");
      let sent = 0;
      a.onLink = b.onLink = (event) => {
        if (event.type !== "LinkUp") return;
        const [from, to] = event.peer.nodeRid === b.rid ? [a, b] : [b, a];
        for (let count = 0; count < 5; count += 1) from.send(to, `${(sent += 1)}`);
      };
      a.transport.connect(b.address);
      if (seed % 3 === 0) for (let steps = 0; steps < seed % 17; steps += 1) world.network.step();
      b.transport.connect(a.address);
      world.advance(10_000);
      expect([seed, ups(a), ups(b)]).toEqual([seed, 1, 1]);
      expect([seed, a.ofType("LinkLost").length, b.ofType("LinkLost").length]).toEqual([seed, 0, 0]);
      expect([seed, a.ofType("ConnectFailed").length, b.ofType("ConnectFailed").length]).toEqual([seed, 0, 0]);
      expect([seed, a.records.length, b.records.length]).toEqual([seed, 5, 5]);
      expect([seed, world.openStreams]).toEqual([seed, 2]);
    }
  });

  it("come together even if one of them cannot be reached", async () => {
    const world = new World();
    const a = await world.node("a");
    const b = await world.node("b");
    a.transport.connect({ ...b.address, endpoint: "fake://unreachable" });
    b.transport.connect(a.address);
    world.advance(1_000);
    expect([ups(a), ups(b)]).toEqual([1, 1]);
    expect(world.openStreams).toBe(2);
  });

  it("a hello that arrives after the link that made it needless does not touch it", async () => {
    const world = new World();
    const a = await world.node("a");
    const late = world.raw(a);
    const hello = helloBytes(a, "b", { terms: { attempt: 3 } });
    const first = greet(world, a, "b", helloBytes(a, "b", { terms: { attempt: 4 } }));
    late.write(hello);
    world.run();
    expect(a.story).toEqual(["LinkUp"]);
    expect(late.closed).toBeDefined();
    expect(first.raw.closed).toBeUndefined();
  });
});
