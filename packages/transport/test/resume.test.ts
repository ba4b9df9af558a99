import { ridFromText } from "@rehome/wire";
import { describe, expect, it } from "vitest";
import { encodeNumberUnit, unitKind } from "../src/units.ts";
import { admitBytes, greet, helloBytes, listenRaw, recordUnit } from "./support/raw-node.ts";
import { textOf, World } from "./support/nodes.ts";
import type { TestNode } from "./support/nodes.ts";

function losses(node: TestNode): string[] {
  return node.ofType("LinkLost").map(({ reason }) => reason);
}

const LINK_ID = new Uint8Array(16).fill(9);

describe("N1: a link whose connection breaks", () => {
  it("goes on over a new one: what is sent meanwhile arrives, once and in order, and nobody but the log hears more", async () => {
    const world = new World();
    const [a, b] = await world.pair();
    a.send(b, "1");
    b.send(a, "one");
    world.run();
    world.cutAll();
    expect(a.send(b, "2")).toBe("accepted");
    expect(b.send(a, "two")).toBe("accepted");
    expect(a.transport.peer(b.rid)?.nodeRid).toBe(b.rid);
    expect([a.story, b.story]).toEqual([
      ["LinkUp", "record"],
      ["LinkUp", "record"],
    ]);
    world.advance(100);
    expect([a.texts, b.texts]).toEqual([
      ["one", "two"],
      ["1", "2"],
    ]);
    expect(a.story).toEqual(["LinkUp", "record", "LinkResumed", "record"]);
    expect(b.story).toEqual(["LinkUp", "record", "LinkResumed", "record"]);
    expect(a.logged.map(({ event }) => event)).toEqual(["link.up", "link.interrupted", "link.resumed"]);
  });

  it("sends again what did not arrive and not what did, under the old numbers", async () => {
    const world = new World();
    const a = await world.node("a");
    const peer = greet(world, a, "b");
    for (const text of ["1", "2", "3", "4"]) a.transport.send(peer.rid, [new TextEncoder().encode(text)], "data");
    world.run();
    peer.raw.stream.destroy();
    world.run();
    a.transport.send(peer.rid, [new TextEncoder().encode("5")], "control");
    const again = greet(world, a, "b", helloBytes(a, "b", { terms: { receivedThrough: 2, attempt: 2 } }));
    expect(again.admitted.linkId).toEqual(LINK_ID);
    expect(again.admitted.receivedThrough).toBe(0);
    expect(again.records).toEqual([
      [3, "3"],
      [4, "4"],
      [5, "5"],
    ]);
    // Nothing of the earlier connection beside its records: no acknowledgement, no answer.
    expect(again.units.map(({ kind }) => kind)).toEqual([unitKind.open, unitKind.connection, 2, 2, 2]);
    expect(a.story).toEqual(["LinkUp", "LinkResumed"]);
  });

  it("says how far it has received, and drops what comes again", async () => {
    const world = new World();
    const a = await world.node("a");
    const peer = greet(world, a, "b");
    for (const number of [1, 2, 3]) peer.record(number, `${number}`);
    world.run();
    peer.raw.stream.destroy();
    world.run();
    const again = greet(world, a, "b", helloBytes(a, "b", { terms: { receivedThrough: 0, attempt: 2 } }));
    expect(again.admitted.receivedThrough).toBe(3);
    for (const number of [2, 3, 4]) again.record(number, `${number}`);
    world.run();
    expect(a.texts).toEqual(["1", "2", "3", "4"]);
  });

  it("the dialler names the link and how far it has received, and takes up what the peer has not", async () => {
    const world = new World();
    const a = await world.node("a");
    const b = ridFromText("b");
    const first = listenRaw(world, "fake://b", admitBytes("b"));
    a.transport.connect({ nodeRid: b, nodeGeneration: 1n, endpoint: "fake://b" });
    world.run();
    expect(first.node!.hello.receivedThrough).toBeUndefined();
    for (const text of ["x", "y"]) a.transport.send(b, [new TextEncoder().encode(text)], "data");
    first.node!.record(1, "one");
    world.run();
    const second = listenRaw(world, "fake://b", admitBytes("b", {}, { receivedThrough: 1 }));
    first.node!.raw.stream.destroy();
    world.advance(100);
    expect(second.node!.hello.linkId).toEqual(LINK_ID);
    expect(second.node!.hello.receivedThrough).toBe(1);
    expect(second.node!.hello.attempt).toBe(2);
    expect(second.node!.records).toEqual([[2, "y"]]);
    second.node!.record(2, "two");
    world.run();
    expect(a.texts).toEqual(["one", "two"]);
    expect(a.story).toEqual(["LinkUp", "record", "LinkResumed", "record"]);
  });

  it("needs no end of the old connection: the peer may know first, and the late end and the late bytes change nothing", async () => {
    const world = new World();
    const a = await world.node("a");
    const old = greet(world, a, "b");
    old.record(1, "1");
    world.run();
    const next = greet(world, a, "b", helloBytes(a, "b", { terms: { receivedThrough: 0, attempt: 2 } }));
    old.record(2, "late");
    next.record(2, "2");
    world.run();
    old.record(3, "later");
    old.write(encodeNumberUnit(unitKind.end, 1));
    world.run();
    old.raw.stream.reset("late");
    old.raw.stream.other.reset("late");
    world.run();
    next.record(3, "3");
    world.run();
    expect(a.texts).toEqual(["1", "2", "3"]);
    expect(a.story).toEqual(["LinkUp", "record", "LinkResumed", "record", "record"]);
    expect(old.raw.closed).toBeDefined();
    expect(next.raw.closed).toBeUndefined();
  });

  it("an older attempt that arrives late is refused and does not touch it", async () => {
    const world = new World();
    const a = await world.node("a");
    greet(world, a, "b", helloBytes(a, "b", { terms: { attempt: 4 } }));
    const now = greet(world, a, "b", helloBytes(a, "b", { terms: { receivedThrough: 0, attempt: 6 } }));
    const late = greet(world, a, "b", helloBytes(a, "b", { terms: { receivedThrough: 0, attempt: 5 } }));
    expect(late.commands()).toEqual([{ command: "reject", reason: "duplicateConnection" }]);
    expect(now.raw.closed).toBeUndefined();
    expect(a.story).toEqual(["LinkUp", "LinkResumed"]);
  });

  it("whose first admit got lost has begun for the acceptor alone: the next hello finds it, and nothing of it is lost", async () => {
    const world = new World();
    const a = await world.node("a");
    const unheard = greet(world, a, "b");
    a.transport.send(unheard.rid, [new TextEncoder().encode("early")], "data");
    unheard.raw.stream.destroy();
    world.run();
    const heard = greet(world, a, "b", helloBytes(a, "b", { terms: { attempt: 2 } }));
    expect(heard.admitted.linkId).toEqual(LINK_ID);
    expect(heard.admitted.receivedThrough).toBeUndefined();
    expect(heard.records).toEqual([[1, "early"]]);
    expect(a.story).toEqual(["LinkUp", "LinkResumed"]);
  });

  it("a dialler proposes the same link until it has one", async () => {
    const world = new World();
    const a = await world.node("a");
    const silent = listenRaw(world, "fake://b", new Uint8Array(0));
    a.transport.connect({ nodeRid: ridFromText("b"), nodeGeneration: 1n, endpoint: "fake://b" });
    world.run();
    const { linkId } = silent.node!.hello;
    silent.node!.raw.stream.destroy();
    world.advance(100);
    expect(silent.node!.hello).toMatchObject({ linkId, attempt: 2, receivedThrough: undefined });
  });

  it("keeps its bounds: sends are queued, then refused, and there is room again after it has resumed", async () => {
    const world = new World();
    const [a, b] = await world.pair({ maxRecordBytes: 1_000, queueMarkBytes: 5_000, maxDataBytes: 10_000 });
    world.cutAll();
    const answers = Array.from({ length: 12 }, (_, index) => a.send(b, `${index}`.padEnd(983)));
    expect(answers.filter((answer) => answer === "accepted").length).toBe(5);
    expect(answers.filter((answer) => answer === "refused").length).toBe(2);
    world.advance(100);
    expect(a.story).toEqual(["LinkUp", "LinkResumed", "LinkDrained"]);
    expect(b.texts.map((text) => Number.parseInt(text, 10))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it("is dialled again by whoever can, and by both at once it still has one connection", async () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const world = new World({ seed, readSize: (n) => Math.min(n, 1 + (seed % 50)) });
      const a = await world.node("a");
      const b = await world.node("b");
      a.transport.connect(b.address);
      world.advance(10);
      b.transport.connect(a.address);
      world.advance(10);
      for (let round = 0; round < 3; round += 1) {
        world.cutAll();
        a.send(b, `a${round}`);
        b.send(a, `b${round}`);
        world.advance(2_000);
      }
      expect([seed, a.texts, b.texts]).toEqual([seed, ["b0", "b1", "b2"], ["a0", "a1", "a2"]]);
      expect([seed, losses(a), losses(b)]).toEqual([seed, [], []]);
      expect([seed, world.openStreams]).toEqual([seed, 2]);
    }
  });

  it("that only the acceptor could make anew waits for the dialler", async () => {
    const world = new World();
    const [a, b] = await world.pair();
    for (const stream of world.network.streams) stream.frozen = true;
    b.send(a, "waits");
    // Only the acceptor learns of the end.
    world.network.streams.find(({ remote }) => remote.startsWith("from"))!.reset("cut");
    world.run();
    world.advance(7_000);
    expect(losses(b)).toEqual([]);
    for (const stream of world.network.streams) stream.reset("cut");
    world.run();
    world.advance(100);
    expect(a.texts).toEqual(["waits"]);
  });

  it("closes at once while it is interrupted, and lists what was not acknowledged", async () => {
    const world = new World();
    const [a, b] = await world.pair();
    world.cutAll();
    a.send(b, "never");
    const closed = a.transport.close();
    world.run();
    await closed;
    expect(a.ofType("LinkLost").map(({ reason, unacknowledged }) => [reason, unacknowledged.map(textOf)])).toEqual([
      ["closedLocally", ["never"]],
    ]);
    const both = b.transport.close();
    world.run();
    await both;
    expect(world.clock.pendingTimers).toBe(0);
  });

  it("comes back quickly after a connection that worked, and ever more slowly after those that did not", async () => {
    const world = new World();
    const [a, b] = await world.pair();
    const resumedAt: number[] = [];
    a.onLink = (event) => void (event.type === "LinkResumed" && resumedAt.push(world.clock.nowMs()));
    const cut = () => {
      const cutAt = world.clock.nowMs();
      world.cutAll();
      world.advance(10_000);
      return resumedAt.at(-1)! - cutAt;
    };
    for (let round = 0; round < 5; round += 1) expect(cut()).toBeLessThanOrEqual(50);
    world.network.listeners.delete("fake://b");
    const cutAt = world.clock.nowMs();
    world.cutAll();
    world.advance(9_000);
    const failed = a.ofType("ConnectFailed").length;
    expect(failed).toBeGreaterThan(4);
    expect(failed).toBeLessThan(16);
    expect(world.clock.nowMs() - cutAt).toBe(9_000);
    expect([losses(a), losses(b)]).toEqual([[], []]);
  });
});

describe("N2: a link cannot go on", () => {
  it("when the peer says hello anew: it has lost it", async () => {
    const world = new World();
    const a = await world.node("a");
    const first = greet(world, a, "b", helloBytes(a, "b", { terms: { attempt: 4 } }));
    a.transport.send(ridFromText("b"), [Uint8Array.of(1)], "data");
    first.record(1, "heard");
    world.run();
    const other = new Uint8Array(16).fill(8);
    greet(world, a, "b", helloBytes(a, "b", { terms: { linkId: other, attempt: 5 } }));
    expect(a.story).toEqual(["LinkUp", "record", "LinkLost", "LinkUp"]);
    expect(a.ofType("LinkLost").map(({ reason, unacknowledged }) => [reason, unacknowledged.length])).toEqual([
      ["lostByPeer", 1],
    ]);
    // Even under the old name: a link on which something has arrived does not begin again.
    const same = greet(world, a, "b", helloBytes(a, "b", { terms: { linkId: other, attempt: 6 } }));
    same.record(1, "heard");
    world.run();
    const anew = greet(world, a, "b", helloBytes(a, "b", { terms: { linkId: other, attempt: 7 } }));
    expect(anew.admitted.linkId).not.toEqual(other);
    expect(losses(a)).toEqual(["lostByPeer", "lostByPeer"]);
  });

  it("when this end has lost it: a hello that names it is answered with another link", async () => {
    const world = new World();
    const a = await world.node("a");
    for (const receivedThrough of [0, 12]) {
      const peer = greet(
        world,
        a,
        `b${receivedThrough}`,
        helloBytes(a, `b${receivedThrough}`, { terms: { receivedThrough } }),
      );
      expect(peer.admitted.linkId).not.toEqual(LINK_ID);
      expect(peer.admitted.receivedThrough).toBeUndefined();
    }
  });

  it("when the peer answers with another link: the old one is lost first, and the new one starts empty", async () => {
    const world = new World();
    const [a, b] = await world.pair();
    a.send(b, "1");
    world.run();
    world.cutAll();
    a.send(b, "2");
    b.transport.forget(a.rid);
    world.advance(100);
    expect(b.story).toEqual(["LinkUp", "record", "LinkLost", "LinkUp"]);
    expect(a.story).toEqual(["LinkUp", "LinkLost", "LinkUp"]);
    expect(a.ofType("LinkLost").map(({ reason, unacknowledged }) => [reason, unacknowledged.map(textOf)])).toEqual([
      ["lostByPeer", ["1", "2"]],
    ]);
    a.send(b, "3");
    world.run();
    expect(b.texts).toEqual(["1", "3"]);
  });

  it("when the peer comes back as a newer run", async () => {
    const world = new World();
    const a = await world.node("a");
    const b = await world.node("b");
    b.transport.connect(a.address);
    world.run();
    world.cutAll();
    a.send(b, "for the old one");
    const young = await world.node("b", { generation: 2n, endpoint: "fake://b2" });
    young.transport.connect(a.address);
    world.run();
    expect(losses(a)).toEqual(["replacedByNewerGeneration"]);
    expect(young.texts).toEqual([]);
  });

  it("L2: when it was silent past the limit, counted from the last answer over however many connections", async () => {
    const world = new World();
    const a = await world.node("a");
    let attempt = 1;
    greet(world, a, "b", helloBytes(a, "b", { terms: { attempt } }));
    for (let count = 0; count < 29; count += 1) {
      world.cutAll();
      world.advance(500);
      attempt += 1;
      greet(world, a, "b", helloBytes(a, "b", { terms: { receivedThrough: 0, attempt } }));
    }
    expect(losses(a)).toEqual([]);
    expect(a.ofType("LinkResumed").length).toBe(29);
    world.advance(500);
    expect(losses(a)).toEqual(["livenessTimeout"]);
  });

  it("L2: an interrupted link is lost by then too, with everything that has waited", async () => {
    const world = new World();
    const [a, b] = await world.pair();
    world.advance(6_000);
    world.network.listeners.delete("fake://b");
    world.cutAll();
    a.send(b, "waits in vain");
    world.advance(13_999);
    expect([losses(a), losses(b)]).toEqual([[], []]);
    world.advance(1);
    expect([losses(a), losses(b)]).toEqual([["livenessTimeout"], ["livenessTimeout"]]);
    expect(a.ofType("LinkLost")[0]!.unacknowledged.map(textOf)).toEqual(["waits in vain"]);
    expect(a.send(b, "x")).toBe("noLink");
  });

  it("L2: a probe goes out at once on a new connection, because the limit may be near", async () => {
    const world = new World();
    const [a, b] = await world.pair();
    const listener = world.network.listeners.get("fake://b")!;
    world.network.listeners.delete("fake://b");
    world.cutAll();
    // Some retry comes by then; the last answer was at the beginning.
    world.advance(9_000);
    world.network.listeners.set("fake://b", listener);
    world.advance(5_999);
    expect(a.ofType("LinkResumed").length).toBe(1);
    world.advance(20_000);
    expect([losses(a), losses(b)]).toEqual([[], []]);
  });

  it("when control finds no room while it is interrupted", async () => {
    const world = new World();
    const limits = { maxRecordBytes: 1_000, queueMarkBytes: 2_000, maxDataBytes: 3_000, controlReserveBytes: 2_000 };
    const [a, b] = await world.pair(limits);
    world.cutAll();
    for (let count = 0; count < 5; count += 1) a.send(b, "x".repeat(983), "control");
    expect(a.send(b, "one too many", "control")).toBe("noLink");
    world.run();
    expect(a.ofType("LinkLost").map(({ reason, unacknowledged }) => [reason, unacknowledged.length])).toEqual([
      ["resendBufferFull", 5],
    ]);
  });

  it("when the peer claims to have received what it cannot have, or no longer what it had", async () => {
    for (const receivedThrough of [4, 1]) {
      const world = new World();
      const a = await world.node("a");
      const peer = greet(world, a, "b");
      for (const text of ["1", "2", "3"]) a.transport.send(peer.rid, [new TextEncoder().encode(text)], "data");
      world.run();
      peer.write(encodeNumberUnit(unitKind.acknowledge, 2));
      world.run();
      const liar = greet(world, a, "b", helloBytes(a, "b", { terms: { receivedThrough, attempt: 2 } }));
      expect(liar.commands()).toEqual([{ command: "reject", reason: "invalidDescriptor" }]);
      expect(losses(a)).toEqual(["protocolViolation"]);
      expect(peer.raw.closed).toBeDefined();
    }
  });

  it("when the answer to the hello that named it contradicts itself", async () => {
    const impossible = [
      { receivedThrough: 3 },
      { receivedThrough: undefined },
      { linkId: new Uint8Array(16).fill(1), receivedThrough: 0 },
    ];
    for (const terms of impossible) {
      const world = new World();
      const a = await world.node("a");
      const b = ridFromText("b");
      const first = listenRaw(world, "fake://b", admitBytes("b"));
      a.transport.connect({ nodeRid: b, nodeGeneration: 1n, endpoint: "fake://b" });
      world.run();
      a.transport.send(b, [Uint8Array.of(1)], "data");
      world.run();
      const second = listenRaw(world, "fake://b", admitBytes("b", {}, terms));
      first.node!.raw.stream.destroy();
      world.advance(60);
      expect(second.node!.commands()).toContainEqual({ command: "reject", reason: "invalidDescriptor" });
      expect(a.ofType("LinkResumed").length).toBe(0);
      expect(second.node!.records).toEqual([]);
    }
  });

  it("while a hello that names it is under way: the answer makes nothing", async () => {
    const world = new World();
    const a = await world.node("a");
    const b = ridFromText("b");
    const first = listenRaw(world, "fake://b", admitBytes("b"));
    a.transport.connect({ nodeRid: b, nodeGeneration: 1n, endpoint: "fake://b" });
    world.run();
    world.advance(12_000);
    const second = listenRaw(world, "fake://b", new Uint8Array(0));
    first.node!.raw.stream.destroy();
    world.advance(3_100);
    expect(losses(a)).toEqual(["livenessTimeout"]);
    second.node!.write(admitBytes("b", {}, { receivedThrough: 0 }), recordUnit(1, "of a lost link"));
    world.advance(200);
    expect(a.texts).toEqual([]);
    expect(second.node!.hello.receivedThrough).toBeUndefined();
  });
});
