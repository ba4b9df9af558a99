import { encodeRecord, ridFromText } from "@rehome/wire";
import { describe, expect, it } from "vitest";
import { encodeFramesUnit, encodeNumberUnit, PREFACE, unitKind } from "../src/units.ts";
import { someBytes } from "./support/bytes.ts";
import { seeded } from "./support/fake-network.ts";
import { acknowledgement, admissionOfNode, greet, helloBytes, recordUnit } from "./support/raw-node.ts";
import { World } from "./support/nodes.ts";
import type { TestNode } from "./support/nodes.ts";

/** A world with a link between `a` and a proper peer, which no stranger may hurt. */
async function withGoodPeer(limits = {}): Promise<{ world: World; a: TestNode; good: TestNode; check: () => void }> {
  const world = new World();
  const a = await world.node("a", { limits });
  const good = await world.node("good");
  good.transport.connect(a.address);
  world.run();
  return {
    world,
    a,
    good,
    check: () => {
      const before = a.records.length;
      good.send(a, "still here");
      world.run();
      expect(a.records.length).toBe(before + 1);
      expect(good.story).toEqual(["LinkUp"]);
    },
  };
}

describe("a stranger", () => {
  it("that sends garbage loses its connection at the first wrong byte", async () => {
    const { world, a, check } = await withGoodPeer();
    for (let seed = 0; seed < 200; seed += 1) {
      const stranger = world.raw(a);
      world.run();
      stranger.write(someBytes(1 + seed * 3, seed));
      world.run();
      expect(stranger.closed).toBeDefined();
      expect(stranger.received.length).toBeLessThan(64);
    }
    expect(a.story.filter((entry) => entry !== "record")).toEqual(["LinkUp"]);
    check();
  });

  it("hears nothing, not even a preface, before it has said a whole hello", async () => {
    const { world, a, check } = await withGoodPeer();
    const stranger = world.raw(a);
    world.run();
    const hello = helloBytes(a, "late");
    for (const byte of hello.subarray(0, -1)) {
      stranger.write(Uint8Array.of(byte));
      world.run();
    }
    expect([stranger.received.length, stranger.closed]).toEqual([0, undefined]);
    stranger.write(hello.subarray(-1));
    world.run();
    expect(stranger.received.subarray(0, PREFACE.length)).toEqual(PREFACE);
    check();
  });

  it("that never speaks, or drips, is dropped at the deadline", async () => {
    const { world, a, check } = await withGoodPeer();
    const silent = world.raw(a);
    const slow = world.raw(a);
    world.run();
    for (const byte of helloBytes(a, "slow").subarray(0, 50)) {
      slow.write(Uint8Array.of(byte));
      world.advance(100);
    }
    expect([silent.closed, slow.closed]).toEqual(["reset by the peer", "reset by the peer"]);
    check();
  });

  it("that sends every prefix of a hello and hangs up does no harm", async () => {
    const { world, a, check } = await withGoodPeer();
    const hello = helloBytes(a, "stranger");
    for (let length = 0; length < hello.length; length += 1) {
      const stranger = world.raw(a);
      world.run();
      stranger.write(hello.subarray(0, length));
      if (length % 2) stranger.stream.close();
      else stranger.stream.destroy();
      world.run();
    }
    expect(world.openStreams).toBe(2);
    check();
  });

  it("that changes any byte of a hello costs its own connection at most", async () => {
    const { world, a, check } = await withGoodPeer();
    const random = seeded(7);
    const hello = helloBytes(a, "stranger");
    for (let at = 0; at < hello.length; at += 1) {
      const stranger = world.raw(a);
      world.run();
      const changed = hello.slice();
      changed[at] = (changed[at]! + 1 + Math.floor(random() * 255)) % 256;
      stranger.write(changed);
      world.run();
      stranger.stream.destroy();
      world.run();
    }
    check();
  });

  it("that claims a huge unit is cut off by its header", async () => {
    const { world, a, check } = await withGoodPeer();
    const stranger = world.raw(a);
    world.run();
    stranger.write(PREFACE);
    stranger.write(Uint8Array.of(unitKind.open, 0, 1, 0, 0));
    world.run();
    expect(stranger.closed).toBeDefined();
    const early = world.raw(a);
    world.run();
    early.write(PREFACE);
    early.write(recordUnit(1, "before the hello"));
    world.run();
    expect(early.closed).toBeDefined();
    check();
  });

  it("that comes in numbers pushes out its own kind: a node among them still gets in", async () => {
    const { world, a, check } = await withGoodPeer({ maxPendingHandshakes: 8 });
    const flood = Array.from({ length: 500 }, () => {
      const stranger = world.raw(a);
      world.run();
      return stranger;
    });
    expect(flood.filter(({ closed }) => closed === undefined).length).toBe(8);
    const late = await world.node("late");
    late.transport.connect(a.address);
    world.run();
    expect(late.story).toEqual(["LinkUp"]);
    check();
    const lines = a.logged.filter(({ event }) => event === "connection.dropped");
    expect(lines.length).toBe(1);
    world.advance(6_000);
    expect(flood.filter(({ closed }) => closed === undefined).length).toBe(0);
  });

  it("that is refused in numbers and does not hang up does not pile up", async () => {
    const { world, a, check } = await withGoodPeer({ maxPendingHandshakes: 8 });
    for (let count = 0; count < 200; count += 1) {
      const stranger = world.raw(a);
      world.run();
      stranger.stream.frozen = true;
      stranger.write(helloBytes(a, "stranger", { admission: { meshName: "other" } }));
      world.run();
    }
    const open = () =>
      world.network.streams.filter((stream) => stream.remote.startsWith("from") && !stream.isClosed).length;
    expect(open()).toBeLessThan(30);
    world.advance(2_000);
    // The good peer's.
    expect(open()).toBe(1);
    check();
  });

  it("is refused once there are as many links as there may be", async () => {
    const { world, a, check } = await withGoodPeer({ maxLinks: 2 });
    greet(world, a, "second");
    const third = greet(world, a, "third");
    expect(third.commands()).toEqual([{ command: "reject", reason: "resourceLimit" }]);
    check();
  });
});

describe("an admitted peer", () => {
  const framesOf = (...bytes: number[]) => encodeFramesUnit(unitKind.connection, [Uint8Array.from(bytes)]);

  it("that breaks the rules loses its link, once, and nothing else happens", async () => {
    const breaches: [string, (target: TestNode) => Uint8Array][] = [
      ["a record out of its turn", () => recordUnit(3, "three")],
      ["another hello", (target) => helloBytes(target, "peer").subarray(PREFACE.length)],
      ["an unknown kind", () => Uint8Array.of(17, 0, 0, 0, 0)],
      ["a huge record", () => Uint8Array.of(unitKind.record, 0x7f, 0xff, 0xff, 0xff)],
      ["a record of nothing", () => Uint8Array.of(unitKind.record, 0, 0, 0, 0)],
      ["a record without frames", () => encodeNumberUnit(unitKind.record, 2)],
      ["an acknowledgement of nothing sent", () => acknowledgement(1)],
      ["an acknowledgement of the wrong length", () => Uint8Array.of(unitKind.acknowledge, 0, 0, 0, 1, 1)],
      ["an end before its last record", () => encodeNumberUnit(unitKind.end, 3)],
      ["no record at all", () => framesOf(1, 2, 3)],
      [
        "the wrong record",
        () => encodeFramesUnit(unitKind.connection, encodeRecord({ command: "reject", reason: "resourceLimit" })),
      ],
      ["an update about somebody else", () => encodeFramesUnit(unitKind.connection, updateFrames("somebody else"))],
    ];
    for (const [name, bytes] of breaches) {
      const { world, a, check } = await withGoodPeer();
      const peer = greet(world, a, "peer");
      peer.record(1, "proper");
      world.run();
      peer.write(bytes(a));
      peer.record(2, "too late");
      world.run();
      expect([name, ...a.ofType("LinkLost").map(({ reason }) => reason)]).toEqual([name, "protocolViolation"]);
      expect(a.texts).toEqual(["proper"]);
      expect(peer.raw.closed).toBeDefined();
      check();
    }
  });

  it("may repeat a record, which is dropped, and send what a later version added, which is skipped", async () => {
    const { world, a, check } = await withGoodPeer();
    const peer = greet(world, a, "peer");
    peer.record(1, "one");
    peer.record(1, "one again");
    peer.write(Uint8Array.of(0x90, 0, 0, 0, 1, 5));
    peer.record(2, "two");
    world.run();
    expect(a.texts).toEqual(["one", "two"]);
    check();
  });

  it("may tell news about itself", async () => {
    const { world, a, check } = await withGoodPeer();
    const peer = greet(world, a, "peer");
    peer.write(encodeFramesUnit(unitKind.connection, updateFrames("peer")));
    peer.record(1, "one");
    world.run();
    expect(a.texts).toEqual(["one"]);
    check();
  });

  it("whose bytes change anywhere in a stream of records never causes a record that was not sent whole", async () => {
    const records = Array.from({ length: 5 }, (_, index) => `record ${index} of five`);
    const stream = Buffer.concat(records.map((text, index) => recordUnit(index + 1, text)));
    for (let at = 0; at < stream.length; at += 1) {
      const world = new World();
      const a = await world.node("a");
      const peer = greet(world, a, "peer");
      const changed = Uint8Array.from(stream);
      changed[at]! ^= 0x55;
      peer.write(changed);
      world.run();
      expect(a.texts.length).toBeLessThanOrEqual(5);
      expect(a.texts.filter((text) => !records.includes(text)).length).toBeLessThanOrEqual(1);
    }
  });

  it("that causes the handler to fail loses its link, and the node goes on", async () => {
    const { world, a, check } = await withGoodPeer();
    const peer = greet(world, a, "peer");
    a.onRecord = () => {
      a.onRecord = () => {};
      throw new Error("a bug in the handler");
    };
    peer.record(1, "one");
    world.run();
    expect(a.ofType("LinkLost").map((event) => event.peer.nodeRid)).toEqual([ridFromText("peer")]);
    expect(a.logged.some(({ level, event }) => level === "error" && event === "handler.threw")).toBe(true);
    check();
  });
});

function updateFrames(name: string): Uint8Array[] {
  return encodeRecord({ command: "update", admission: admissionOfNode(name) });
}
