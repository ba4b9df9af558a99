import { describe, expect, it } from "vitest";
import { textOf, World } from "./support/nodes.ts";
import { sameRecords, someBytes } from "./support/bytes.ts";

describe("a link", () => {
  it("is up at both ends with the identity that the other one has", async () => {
    const world = new World();
    const [a, b] = await world.pair();
    expect(a.story).toEqual(["LinkUp"]);
    expect(b.story).toEqual(["LinkUp"]);
    expect(a.transport.peer(b.rid)).toEqual({
      meshName: "mesh",
      nodeRid: b.rid,
      nodeGeneration: 1n,
      lease: { ownerId: "owner-of-b", ownerLeaseGeneration: 7n },
    });
    expect(b.transport.peer(a.rid)?.nodeRid).toBe(a.rid);
  });

  it("N1: carries whole records in order both ways, however bytes are read and written", async () => {
    let turn = 0;
    for (const [readSize, writeTakes] of [
      [() => 1, (n: number) => n],
      [() => 3, () => 1],
      [(n: number) => n - 1, (n: number) => n - 1 || 1],
      [() => 7, (n: number) => [0, 1, n - 1, n][(turn += 1) % 4]!],
    ] as const) {
      const world = new World({ readSize, writeTakes, capacity: 2_000 });
      const [a, b] = await world.pair();
      const there = Array.from({ length: 40 }, (_, index) => [someBytes(index * 7), someBytes(index % 5)]);
      const back = Array.from({ length: 40 }, (_, index) => [someBytes(200 - index)]);
      for (let index = 0; index < 40; index += 1) {
        expect(a.transport.send(b.rid, there[index]!, index % 2 ? "data" : "control")).toBe("accepted");
        expect(b.transport.send(a.rid, back[index]!, "data")).toBe("accepted");
      }
      world.run();
      expect(
        sameRecords(
          b.records.map(({ frames }) => frames),
          there,
        ),
      ).toBe(true);
      expect(
        sameRecords(
          a.records.map(({ frames }) => frames),
          back,
        ),
      ).toBe(true);
    }
  });

  it("copies what it is given to send, and gives away what it received", async () => {
    const world = new World({ readSize: () => 50 });
    const [a, b] = await world.pair();
    const frame = someBytes(120);
    const expected = frame.slice();
    a.transport.send(b.rid, [frame], "data");
    frame.fill(0);
    for (let count = 0; count < 200; count += 1) a.transport.send(b.rid, [someBytes(60)], "data");
    world.run();
    expect(sameRecords([b.records[0]!.frames], [[expected]])).toBe(true);
    expect(sameRecords([b.records[200]!.frames], [[someBytes(60)]])).toBe(true);
  });

  it("does not call its handler back from within a call", async () => {
    const world = new World();
    const [a, b] = await world.pair();
    let within = false;
    let calledBack = false;
    a.onRecord = a.onLink = () => void (calledBack ||= within);
    within = true;
    a.send(b, "x");
    a.transport.connect({ ...b.address, nodeGeneration: 0n });
    a.transport.forget(b.rid);
    within = false;
    world.run();
    expect(a.story).toEqual(["LinkUp", "ConnectFailed", "LinkLost"]);
    expect(calledBack).toBe(false);
  });

  it("T6: sends the records of one tick in one write, and acknowledges a batch with one unit", async () => {
    const world = new World();
    const [a, b] = await world.pair();
    const before = world.network.streams.map(({ writes }) => writes);
    for (let count = 0; count < 100; count += 1) a.send(b, "small");
    world.run();
    world.advance(1_000);
    const writes = world.network.streams.map((stream, index) => stream.writes - before[index]!);
    expect(b.records.length).toBe(100);
    // 100 records are more than the first slab holds.
    expect(Math.max(...writes)).toBeLessThanOrEqual(2);
  });

  it("T6: delivers without the passing of time", async () => {
    const world = new World();
    const [a, b] = await world.pair();
    b.onRecord = () => void b.send(a, "answer");
    for (let count = 0; count < 50; count += 1) {
      a.send(b, "question");
      world.run();
    }
    expect(a.records.length).toBe(50);
  });

  it("has no peer before it is up and none after it is lost", async () => {
    const world = new World();
    const a = await world.node("a");
    const b = await world.node("b");
    expect(a.send(b, "early")).toBe("noLink");
    expect(a.transport.peer(b.rid)).toBeUndefined();
    a.transport.connect(b.address);
    world.run();
    a.transport.forget(b.rid);
    expect(a.send(b, "late")).toBe("noLink");
    expect(a.transport.peer(b.rid)).toBeUndefined();
  });
});

describe("N2: a lost link", () => {
  it("lists exactly the records that the peer has not acknowledged", async () => {
    const world = new World();
    const [a, b] = await world.pair();
    for (const text of ["1", "2", "3"]) a.send(b, text);
    world.advance(100);
    world.freezeAll();
    for (const text of ["4", "5"]) a.send(b, text);
    world.run();
    world.cutAll();
    a.send(b, "6, while there is no connection");
    a.transport.forget(b.rid);
    world.run();
    expect(b.texts).toEqual(["1", "2", "3"]);
    const [lost] = a.ofType("LinkLost");
    expect(lost!.reason).toBe("closedLocally");
    expect(lost!.unacknowledged.map(textOf)).toEqual(["4", "5", "6, while there is no connection"]);
  });

  it("lists a record that arrived but was not acknowledged: its outcome is unknown", async () => {
    const world = new World();
    const [a, b] = await world.pair();
    a.send(b, "1");
    world.run();
    a.transport.forget(b.rid);
    world.run();
    expect(b.texts).toEqual(["1"]);
    expect(a.ofType("LinkLost")[0]!.unacknowledged.length).toBe(1);
  });

  it("delivers nothing of a link after its loss, and starts the next one empty", async () => {
    const world = new World({ readSize: () => 10 });
    const [a, b] = await world.pair();
    for (let count = 0; count < 50; count += 1) a.send(b, `old ${count}`);
    b.onRecord = () => {
      if (b.records.length === 20) b.transport.forget(a.rid);
    };
    world.run();
    expect(b.texts.length).toBe(20);
    world.advance(100);
    a.send(b, "new");
    world.run();
    expect(b.texts.length).toBe(21);
    expect(b.texts[20]).toBe("new");
    expect(b.story.slice(21)).toEqual(["LinkLost", "LinkUp", "record"]);
    expect(a.ofType("LinkLost")[0]!.unacknowledged.length).toBe(30);
  });

  it("acknowledges with the answer, or after a while without one", async () => {
    const world = new World();
    const [a, b] = await world.pair();
    a.send(b, "one way");
    world.run();
    world.advance(25);
    a.transport.forget(b.rid);
    world.run();
    expect(a.ofType("LinkLost")[0]!.unacknowledged.length).toBe(0);
  });

  it("comes back after a pause, and the pauses grow while it does not", async () => {
    const world = new World();
    const a = await world.node("a");
    const b = await world.node("b");
    const attempts: number[] = [];
    a.onLink = () => void attempts.push(world.clock.nowMs());
    a.transport.connect({ ...b.address, endpoint: "fake://nobody" });
    world.advance(60_000);
    const pauses = attempts.slice(1).map((at, index) => at - attempts[index]!);
    expect(pauses[0]).toBeGreaterThanOrEqual(25);
    expect(pauses[0]).toBeLessThanOrEqual(50);
    expect(pauses[4]).toBeGreaterThan(pauses[0]! * 4);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(5_000);
    expect(Math.min(...pauses.slice(-3))).toBeGreaterThanOrEqual(2_500);
    // Not all alike: nodes that lost the same peer must not come back in step.
    expect(new Set(pauses.slice(-4)).size).toBeGreaterThan(1);
    a.transport.connect(b.address);
    world.run();
    expect(a.transport.peer(b.rid)).toBeDefined();
    expect(a.ofType("ConnectFailed").length).toBe(attempts.length - 1);
    a.transport.forget(b.rid);
    world.advance(60_000);
    expect(a.transport.peer(b.rid)).toBeUndefined();
  });
});
