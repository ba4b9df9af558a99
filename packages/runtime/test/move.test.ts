import { afterEach, describe, expect, it } from "vitest";
import { defineActor, defineSpot, type NodeOptions, type RuntimeError } from "../src/index.ts";
import { otherThan, ownerOf, readTally, startCluster, type Cluster } from "./support/cluster.ts";

let cluster: Cluster;
afterEach(() => cluster.close());

async function start(names: string[], options: Partial<NodeOptions> = {}): Promise<Cluster> {
  cluster = await startCluster(names, options);
  return cluster;
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function settled(check: () => boolean): Promise<void> {
  for (let tries = 0; !check(); tries++) {
    if (tries > 500) throw new Error("it does not settle");
    await pause(10);
  }
}

describe("a move between two nodes", () => {
  it("takes the state along and keeps messages in order, whoever sends them (I4, N4)", async () => {
    const [a, b] = (await start(["a", "b"])).nodes;
    await a!.getOrCreate("tally", "t");
    for (let round = 0; round < 10; round++) {
      for (let n = 1; n <= 10; n++) a!.send("tally", "t", "note", round * 10 + n);
      const owner = ownerOf(cluster, "t");
      expect((await owner.relocate("t", { to: otherThan(cluster, owner).name })).outcome).toBe("committed");
    }
    expect((await readTally(a!, "t")).seen).toEqual(numbers(100));
    expect(b!.actors().length + a!.actors().length).toBe(1);
  });

  it("answers requests that were queued before the move from the new node (Q1)", async () => {
    const [a] = (await start(["a", "b"])).nodes;
    await a!.getOrCreate("tally", "t");
    const owner = ownerOf(cluster, "t");
    const other = otherThan(cluster, owner);
    other.send("tally", "t", "slow", { number: 1, ms: 30 });
    const answers = [2, 3, 4].map((n) => other.request("tally", "t", "ask", n));
    await pause(5);
    await owner.relocate("t", { to: other.name });
    expect(await Promise.all(answers)).toEqual([4, 6, 8]);
    expect((await readTally(owner, "t")).seen).toEqual([1, 2, 3, 4]);
  });

  it("M1: runs what comes during the last turn through the old node and a stale route once, in order", async () => {
    const { nodes } = await start(["a", "b", "c"]);
    await nodes[0]!.getOrCreate("tally", "t");
    const source = ownerOf(cluster, "t");
    const [target, third] = nodes.filter((node) => node !== source);
    await readTally(third!, "t");
    source.send("tally", "t", "slow", { number: 0, ms: 50 });
    await pause(5);
    const moved = source.relocate("t", { to: target!.name });
    for (let n = 1; n <= 100; n++) source.send("tally", "t", "note", n);
    for (let n = 101; n <= 200; n++) third!.send("tally", "t", "note", n);
    await moved;
    const final = (await readTally(third!, "t")).seen;
    expect(final.filter((n) => n >= 1 && n <= 100)).toEqual(numbers(100));
    expect(final.filter((n) => n > 100)).toEqual(numbers(100).map((n) => n + 100));
    expect(final[0]).toBe(0);
    expect(cluster.events.filter((event) => event.type === "SendRefused")).toEqual([]);
  });

  it("M2: one sender's order survives three moves with a delayed forwarded tail (N4, F2)", async () => {
    const { nodes } = await start(["a", "b", "c"]);
    await nodes[0]!.getOrCreate("tally", "t");
    const sender = nodes.find((node) => node !== ownerOf(cluster, "t"))!;
    await readTally(sender, "t");
    for (let move = 0; move < 3; move++) {
      const owner = ownerOf(cluster, "t");
      const to = nodes.find((node) => node !== owner && node !== sender) ?? sender;
      for (let n = 1; n <= 150; n++) sender.send("tally", "t", "note", move * 300 + n);
      const moved = owner.relocate("t", { to: to.name });
      await moved;
      // What the old owner still forwards is delayed; what goes straight to the new one is not.
      cluster.network.stall(owner.rid, to.rid);
      for (let n = 151; n <= 300; n++) sender.send("tally", "t", "note", move * 300 + n);
      await pause(20);
      cluster.network.resume(owner.rid, to.rid);
    }
    for (let n = 901; n <= 1000; n++) sender.send("tally", "t", "note", n);
    await pause(50);
    expect((await readTally(sender, "t")).seen).toEqual(numbers(1000));
  });

  it("M4: waits for a running handler, or gives up within its deadline; never two copies", async () => {
    const [a] = (await start(["a", "b"])).nodes;
    await a!.getOrCreate("tally", "t");
    const owner = ownerOf(cluster, "t");
    const other = otherThan(cluster, owner);
    owner.send("tally", "t", "slow", { number: 1, ms: 400 });
    await pause(5);
    const moved = owner.relocate("t", { to: other.name, deadlineMs: 100 });
    for (let n = 2; n <= 5; n++) owner.send("tally", "t", "note", n);
    await expect(moved).rejects.toMatchObject({ code: "moveFailed", cause: { code: "deadlineExceeded" } });
    expect(other.actors()).toEqual([]);
    expect((await readTally(owner, "t")).seen).toEqual([1, 2, 3, 4, 5]);
    expect((await owner.relocate("t", { to: other.name })).outcome).toBe("committed");
    expect((await readTally(owner, "t")).seen).toEqual([1, 2, 3, 4, 5]);
  });

  it("M5: there and back two hundred times under traffic from everywhere", async () => {
    const { nodes } = await start(["a", "b", "c"]);
    await nodes[0]!.getOrCreate("tally", "t");
    const sent = new Map(nodes.map((node) => [node, 0]));
    let running = true;
    const traffic = (async () => {
      while (running) {
        for (const node of nodes) {
          const n = sent.get(node)! + 1;
          sent.set(node, n);
          node.send("tally", "t", "note", n * 10 + nodes.indexOf(node));
        }
        await pause(1);
      }
    })();
    for (let move = 0; move < 200; move++) {
      const owner = ownerOf(cluster, "t");
      const to = nodes[(nodes.indexOf(owner) + 1) % 2] ?? nodes[0]!;
      await owner.relocate("t", { to: (to === owner ? nodes[1]! : to).name });
    }
    running = false;
    await traffic;
    await pause(50);
    const { seen } = await readTally(nodes[0]!, "t");
    for (const [index, node] of nodes.entries()) {
      expect(seen.filter((n) => n % 10 === index).map((n) => Math.floor(n / 10))).toEqual(numbers(sent.get(node)!));
    }
  });

  it("O2: the same relocation joins the first, another is refused", async () => {
    const { nodes } = await start(["a", "b", "c"]);
    await nodes[0]!.getOrCreate("tally", "t");
    const owner = ownerOf(cluster, "t");
    const [one, two] = nodes.filter((node) => node !== owner);
    const first = owner.relocate("t", { to: one!.name });
    const same = owner.relocate("t", { to: one!.name });
    await expect(owner.relocate("t", { to: two!.name })).rejects.toMatchObject({ code: "operationInProgress" });
    expect((await first).relocation).toBe((await same).relocation);
  });

  it("moves an actor's timers with their remaining time, to fire once (T12)", async () => {
    const [a] = (await start(["a", "b"])).nodes;
    await a!.getOrCreate("tally", "t");
    await a!.request("tally", "t", "timer", 80);
    const owner = ownerOf(cluster, "t");
    await owner.relocate("t", { to: otherThan(cluster, owner).name });
    expect((await readTally(a!, "t")).seen).toEqual([]);
    await pause(150);
    expect((await readTally(a!, "t")).seen).toEqual([-1]);
  });

  it("keeps an actor's own order to others through its own move (N4)", async () => {
    const [a] = (await start(["a", "b"])).nodes;
    await a!.getOrCreate("tally", "from");
    await a!.getOrCreate("tally", "to");
    for (let n = 1; n <= 60; n++) {
      a!.send("tally", "from", "forward", { to: "to", number: n });
      if (n % 10 !== 0) continue;
      const owner = ownerOf(cluster, "from");
      await owner.relocate("from", { to: otherThan(cluster, owner).name });
    }
    await readTally(a!, "from");
    await pause(30);
    expect((await readTally(a!, "to")).seen).toEqual(numbers(60));
  });
});

describe("a move that fails", () => {
  const faulty = (fault: Partial<Parameters<typeof defineActor<number[]>>[0]>) =>
    defineActor<number[]>({
      type: "faulty",
      create: () => [],
      on: {
        note: (ctx, value: number) => {
          ctx.state.push(value);
        },
        read: (ctx) => ctx.state,
      },
      capture: (state) => state,
      restore: (value: number[]) => value,
      ...fault,
    });

  let broken = true;
  const cases = {
    "capture throws": { capture: () => (broken ? fail("no capture") : [1, 2, 3]), code: "captureFailed" },
    "capture rejects": { capture: () => (broken ? Promise.reject(new Error("no")) : [1, 2, 3]), code: "captureFailed" },
    "capture never returns": {
      capture: () => (broken ? new Promise(() => undefined) : [1, 2, 3]),
      code: "deadlineExceeded",
    },
    "capture gives what JSON cannot hold": { capture: () => (broken ? 1n : [1, 2, 3]), code: "captureFailed" },
    "restore throws": { restore: (value: number[]) => (broken ? fail("no restore") : value), code: "targetRefused" },
    "restore never returns": {
      restore: (value: number[]) => (broken ? new Promise<number[]>(() => undefined) : value),
      code: "deadlineExceeded",
    },
  };

  it.each(Object.entries(cases))(
    "leaves the actor where it was when %s (I6, O7, T11)",
    async (_name, { code, ...fault }) => {
      broken = true;
      const [a] = (await start(["a", "b"], { actors: [faulty(fault)] })).nodes;
      await a!.getOrCreate("faulty", "f");
      const owner = ownerOf(cluster, "f");
      const other = otherThan(cluster, owner);
      owner.send("faulty", "f", "note", 1);
      const moved = owner.relocate("f", { to: other.name, deadlineMs: 200 });
      const reason = moved.catch((error: RuntimeError) => error);
      for (let n = 2; n <= 3; n++) other.send("faulty", "f", "note", n);
      const error = (await reason) as RuntimeError;
      expect(error.code).toBe("moveFailed");
      expect(["deadlineExceeded", code]).toContain((error.cause as { code: string }).code);
      expect(await other.request("faulty", "f", "read")).toEqual([1, 2, 3]);
      expect(other.actors()).toEqual([]);
      broken = false;
      expect((await owner.relocate("f", { to: other.name })).outcome).toBe("committed");
      expect(await owner.request("faulty", "f", "read")).toEqual([1, 2, 3]);
    },
  );

  it("T11: what restore threw is in the target's log and event, and the mover is told to look there", async () => {
    const restore = (): number[] => {
      throw new RangeError("no such column");
    };
    const [a] = (await start(["a", "b"], { actors: [faulty({ restore })] })).nodes;
    await a!.getOrCreate("faulty", "f");
    const owner = ownerOf(cluster, "f");
    const target = otherThan(cluster, owner).name;
    const error: unknown = await owner.relocate("f", { to: target }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "moveFailed", message: expect.stringContaining("RestoreFailed") as unknown });
    expect(cluster.events.filter(({ type }) => type === "RestoreFailed")).toMatchObject([
      {
        node: target,
        actorId: "f",
        spotId: undefined,
        error: { code: "handlerFailed", cause: new RangeError("no such column") },
      },
    ]);
    const logged = cluster.logs.filter(({ event }) => event === "restore.failed");
    expect(JSON.stringify(logged)).toContain("RangeError: no such column");
  });

  it("says at once that there is no such node, no such actor here, no way to itself", async () => {
    const [a] = (await start(["a", "b"])).nodes;
    await a!.getOrCreate("tally", "t");
    const owner = ownerOf(cluster, "t");
    await expect(owner.relocate("t", { to: "nowhere" })).rejects.toMatchObject({ code: "notFound" });
    await expect(owner.relocate("t", { to: owner.name })).rejects.toMatchObject({ code: "invalidArgument" });
    await expect(otherThan(cluster, owner).relocate("t", { to: owner.name })).rejects.toMatchObject({
      code: "notOwner",
    });
  });

  it("M3: holds no more than the limit and tells every refused sender (H1)", async () => {
    const [a] = (await start(["a", "b"], { limits: { holdMessages: 100, holdBytes: 1024 * 1024 } })).nodes;
    await a!.getOrCreate("tally", "t");
    const owner = ownerOf(cluster, "t");
    const other = otherThan(cluster, owner);
    await readTally(other, "t");
    owner.send("tally", "t", "slow", { number: 0, ms: 100 });
    await pause(5);
    const moved = owner.relocate("t", { to: other.name });
    await pause(5);
    for (let n = 1; n <= 500; n++) other.send("tally", "t", "note", n);
    await moved;
    await pause(50);
    const refused = cluster.events.filter((event) => event.type === "SendRefused");
    expect(refused.map((event) => event.type === "SendRefused" && event.error.code)).toEqual(
      Array(400).fill("backpressured"),
    );
    expect((await readTally(other, "t")).seen).toEqual([0, ...numbers(100)]);
    other.send("tally", "t", "note", 501);
    await pause(200);
    expect((await readTally(other, "t")).seen).toEqual([0, ...numbers(100), 501]);
  });
});

describe("a join", () => {
  it("J6: stays on the node when the spot is there", async () => {
    const [a] = (await start(["a"])).nodes;
    await a!.getOrCreate("tally", "t");
    await a!.createSpot("room", "r1");
    await a!.request("tally", "t", "join", "r1");
    a!.send("tally", "t", "note", 1);
    await settled(() => a!.actors()[0]!.spotId === "r1");
    expect(await readTally(a!, "t")).toMatchObject({ seen: [1], joins: ["accepted:r1"], spot: "r1" });
  });

  it("J1: moves the actor to the spot's node and tells it there", async () => {
    const [a] = (await start(["a", "b"])).nodes;
    await a!.getOrCreate("tally", "t");
    const owner = ownerOf(cluster, "t");
    const other = otherThan(cluster, owner);
    await other.createSpot("room", "r2");
    await owner.request("tally", "t", "join", "r2");
    for (let n = 1; n <= 50; n++) owner.send("tally", "t", "note", n);
    await settled(() => other.actors().length === 1);
    expect(await readTally(owner, "t")).toMatchObject({
      seen: numbers(50),
      joins: ["accepted:r2"],
      spot: "r2",
      node: other.rid,
    });
  });

  it("J1: tells the actor where it is that the spot said no, or that there is none", async () => {
    const [a] = (await start(["a", "b"])).nodes;
    await a!.getOrCreate("tally", "banned-1");
    const owner = ownerOf(cluster, "banned-1");
    const other = otherThan(cluster, owner);
    await other.createSpot("room", "r3");
    await owner.request("tally", "banned-1", "join", "r3");
    await settled(() => cluster.events.some((event) => event.type === "MoveEnded"));
    await owner.request("tally", "banned-1", "join", "nowhere");
    await pause(50);
    const { joins, seen } = await readTally(owner, "banned-1");
    expect(joins).toEqual(["rejected:r3", "rejected:nowhere"]);
    expect(seen).toEqual([]);
    expect(other.actors()).toEqual([]);
  });

  it("O8: errors of callbacks after the commit are reported and undo nothing", async () => {
    const Grumpy = defineSpot<null>({
      type: "grumpy",
      create: () => null,
      onJoin: () => fail("no welcome"),
      onLeave: () => fail("no farewell"),
    });
    const [a] = (await start(["a", "b"], { spots: [Grumpy] })).nodes;
    await a!.getOrCreate("tally", "t");
    const owner = ownerOf(cluster, "t");
    const other = otherThan(cluster, owner);
    await owner.createSpot("grumpy", "g1");
    await other.createSpot("grumpy", "g2");
    await owner.request("tally", "t", "join", "g1");
    await settled(() => owner.actors()[0]?.spotId === "g1");
    await owner.request("tally", "t", "join", "g2");
    await settled(() => other.actors()[0]?.spotId === "g2");
    expect(await readTally(owner, "t")).toMatchObject({ joins: ["accepted:g1", "accepted:g2"], node: other.rid });
    expect(owner.actors()).toEqual([]);
    const failed = cluster.events.flatMap((event) => (event.type === "CallbackFailed" ? [event.callback] : []));
    expect(failed.sort()).toEqual(["spot.onJoin", "spot.onJoin", "spot.onLeave"]);
    expect(cluster.events).toContainEqual(expect.objectContaining({ type: "MoveEnded", outcome: "committed" }));
  });

  it("H7, O2: a relocation during a join is refused and the other way round", async () => {
    const [a] = (await start(["a", "b"])).nodes;
    await a!.getOrCreate("tally", "t");
    const owner = ownerOf(cluster, "t");
    const other = otherThan(cluster, owner);
    await other.createSpot("room", "r4");
    await owner.request("tally", "t", "join", "r4");
    await expect(owner.relocate("t", { to: other.name })).rejects.toMatchObject({ code: "operationInProgress" });
    await settled(() => other.actors().length === 1);
  });
});

function fail(message: string): never {
  throw new Error(message);
}
