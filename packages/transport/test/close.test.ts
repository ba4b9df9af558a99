import { describe, expect, it } from "vitest";
import { encodeNumberUnit, unitKind } from "../src/units.ts";
import { TestNode, World } from "./support/nodes.ts";
import { greet, helloBytes } from "./support/raw-node.ts";

/** Closes, lets everything happen that needs no time, and says whether that was enough. */
async function closes(world: World, ...nodes: TestNode[]): Promise<boolean> {
  let done = false;
  void Promise.all(nodes.map((node) => node.transport.close())).then(() => (done = true));
  world.run();
  for (let turns = 0; turns < 10; turns += 1) await Promise.resolve();
  return done;
}

describe("close", () => {
  it("flushes what is queued, tells both ends, and leaves no timer and no stream behind", async () => {
    const world = new World({ readSize: () => 100, writeTakes: (n) => n - 1 || 1, capacity: 1_000 });
    const [a, b] = await world.pair();
    for (let count = 0; count < 200; count += 1) a.send(b, `record ${count}`);
    expect(await closes(world, a)).toBe(true);
    expect(b.texts.length).toBe(200);
    expect(a.ofType("LinkLost").map(({ reason, unacknowledged }) => [reason, unacknowledged.length])).toEqual([
      ["closedLocally", 0],
    ]);
    expect(b.ofType("LinkLost").map(({ reason }) => reason)).toEqual(["closedByPeer"]);
    expect(world.openStreams).toBe(0);
    expect(await closes(world, b)).toBe(true);
    expect(world.clock.pendingTimers).toBe(0);
  });

  it("does not wait for a link that has nothing to say", async () => {
    const world = new World();
    const [a, b] = await world.pair();
    a.send(b, "x");
    world.run();
    world.advance(100);
    expect(await closes(world, a)).toBe(true);
    expect(a.story).toEqual(["LinkUp", "LinkLost"]);
  });

  it("of both ends at once ends at once, and each reports what the other did not take", async () => {
    const world = new World();
    const [a, b] = await world.pair();
    a.send(b, "from a");
    b.send(a, "from b");
    expect(await closes(world, a, b)).toBe(true);
    expect(a.ofType("LinkLost").map(({ reason }) => reason)).toEqual(["closedLocally"]);
    expect(b.ofType("LinkLost").map(({ reason }) => reason)).toEqual(["closedLocally"]);
    const unknown = a.ofType("LinkLost")[0]!.unacknowledged.length;
    expect(unknown + b.records.length).toBe(1);
    expect(world.clock.pendingTimers).toBe(0);
  });

  it("acknowledges what it has delivered, and delivers nothing any more", async () => {
    const world = new World();
    const [a, b] = await world.pair();
    b.send(a, "before");
    world.run();
    world.freezeAll();
    b.send(a, "after");
    const done = closes(world, a);
    for (const stream of world.network.streams) stream.frozen = false;
    world.run();
    expect(await done).toBe(true);
    expect(a.texts).toEqual(["before"]);
    expect(b.ofType("LinkLost")[0]!.unacknowledged.length).toBe(1);
  });

  it("ends by its deadline when a peer does not read, and reports what was not acknowledged", async () => {
    const world = new World();
    const [a, b] = await world.pair();
    world.freezeAll();
    a.send(b, "never arrives");
    expect(await closes(world, a)).toBe(false);
    world.advance(2_000);
    expect(await closes(world, a)).toBe(true);
    expect(a.ofType("LinkLost").map(({ reason, unacknowledged }) => [reason, unacknowledged.length])).toEqual([
      ["closedLocally", 1],
    ]);
    b.transport.forget(a.rid);
    await closes(world, b);
    world.advance(5_000);
    expect(world.clock.pendingTimers).toBe(0);
  });

  it("drops handshakes, dials and pauses", async () => {
    const world = new World();
    const a = await world.node("a");
    const b = await world.node("b");
    a.transport.connect({ ...b.address, endpoint: "fake://nobody" });
    world.run();
    const silent = world.raw(a);
    world.run();
    b.transport.connect(a.address);
    world.network.step();
    expect(await closes(world, a)).toBe(true);
    expect(silent.closed).toBeDefined();
    expect(a.transport.peer(b.rid)).toBeUndefined();
    await closes(world, b);
    world.advance(10_000);
    expect(world.clock.pendingTimers).toBe(0);
    expect(world.openStreams).toBe(0);
  });

  it("may be called again, and ends the transport for good", async () => {
    const world = new World();
    const a = await world.node("a");
    const first = a.transport.close();
    expect(a.transport.close()).toBe(first);
    world.run();
    await first;
    await expect(a.listen()).rejects.toMatchObject({ code: "closed" });
    expect(() => a.transport.connect(a.address)).toThrow(expect.objectContaining({ code: "closed" }));
    expect(a.send(a, "x")).toBe("noLink");
  });

  it("while listen is under way frees the address again", async () => {
    const world = new World();
    const a = new TestNode(world, "a", {});
    expect(() => a.transport.connect(a.address)).toThrow(expect.objectContaining({ code: "notListening" }));
    const listening = a.listen();
    const closing = a.transport.close();
    await expect(listening).rejects.toMatchObject({ code: "closed" });
    await closing;
    expect(world.network.listeners.size).toBe(0);
  });

  it("an end that a peer announces is acknowledged, and what it has not taken is reported", async () => {
    const world = new World();
    const a = await world.node("a");
    const peer = greet(world, a, "peer");
    peer.record(1, "one");
    peer.record(2, "two");
    a.transport.send(peer.rid, [Uint8Array.of(1)], "data");
    peer.write(encodeNumberUnit(unitKind.end, 2));
    world.run();
    expect(peer.acknowledged).toBe(2);
    expect(a.texts).toEqual(["one", "two"]);
    const lost = a.ofType("LinkLost")[0]!;
    expect([lost.reason, lost.unacknowledged.length]).toEqual(["closedByPeer", 1]);
    peer.write(helloBytes(a, "peer"));
    world.run();
    expect(a.story.filter((entry) => entry === "LinkUp").length).toBe(1);
  });
});

describe("forget", () => {
  it("ends the link now, and nobody dials again", async () => {
    const world = new World();
    const [a, b] = await world.pair();
    a.send(b, "flushed all the same");
    a.transport.forget(b.rid);
    expect(a.send(b, "x")).toBe("noLink");
    world.run();
    world.advance(30_000);
    expect(a.ofType("LinkLost").map(({ reason, unacknowledged }) => [reason, unacknowledged.length])).toEqual([
      ["closedLocally", 1],
    ]);
    expect(b.ofType("LinkLost").map(({ reason }) => reason)).toEqual(["closedByPeer"]);
    expect([a.ofType("LinkUp").length, world.openStreams]).toEqual([1, 0]);
  });

  it("of a node that was never heard of does nothing", async () => {
    const world = new World();
    const a = await world.node("a");
    a.transport.forget(a.rid);
    world.run();
    expect(a.story).toEqual([]);
  });
});

describe("a call in the wrong phase", () => {
  it("is answered with a typed error", async () => {
    const world = new World();
    const a = await world.node("a");
    await expect(a.listen()).rejects.toMatchObject({ code: "alreadyListening" });
    const same = world.node("b", { endpoint: "fake://a" });
    await expect(same).rejects.toMatchObject({ code: "addressInUse" });
  });
});
