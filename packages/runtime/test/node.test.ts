import { createMemoryStore, type Clock } from "@rehome/core";
import { ridFromText } from "@rehome/wire";
import { describe, expect, it } from "vitest";
import {
  defineActor,
  defineSpot,
  startNode,
  systemClock,
  type Node,
  type NodeEvent,
  type NodeOptions,
} from "../src/index.ts";
import { otherThan, ownerOf, startCluster, Tally } from "./support/cluster.ts";
import { MemoryNetwork } from "./support/memory-transport.ts";

/** The system's clock, with a count of the timers that are running. */
function countingClock(): Clock & { running: () => number } {
  let running = 0;
  return {
    ...systemClock,
    running: () => running,
    after(delayMs, fn) {
      running++;
      let live = true;
      const end = (): void => {
        if (live) running--;
        live = false;
      };
      const handle = systemClock.after(delayMs, () => {
        end();
        fn();
      });
      return {
        cancel: () => {
          end();
          handle.cancel();
        },
      };
    },
  };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe("a node", () => {
  it("closes in bounded time with moves under way, and leaves no timer behind", async () => {
    const clock = countingClock();
    const Stuck = defineActor<number>({
      type: "stuck",
      create: () => 0,
      on: { hang: () => new Promise(() => undefined) },
      capture: () => new Promise(() => undefined),
      restore: (value: number) => value,
    });
    const cluster = await startCluster(["a", "b"], { clock, actors: [Tally, Stuck], deadlines: { closeMs: 300 } });
    const [a] = cluster.nodes;
    const moves: Promise<unknown>[] = [];
    for (const id of ["s1", "s2"]) {
      await a!.getOrCreate("stuck", id);
      const owner = ownerOf(cluster, id);
      if (id === "s2") owner.send("stuck", id, "hang");
      await pause(5);
      moves.push(owner.relocate(id, { to: otherThan(cluster, owner).name }).catch((error: unknown) => error));
    }
    const session = a!.openSession({
      onPush: () => undefined,
      onSendRefused: () => undefined,
      onBindingLost: () => undefined,
    });
    await session.bind("tally", "t");
    const before = clock.nowMs();
    await cluster.close();
    expect(clock.nowMs() - before).toBeLessThan(5_000);
    for (const error of await Promise.all(moves)) expect(error).toMatchObject({ code: "moveFailed" });
    expect(clock.running()).toBe(0);
    await cluster.close();
  });

  it("releases its lease when it cannot listen", async () => {
    const store = createMemoryStore({ clock: systemClock });
    const transport = new MemoryNetwork().transport();
    const broken = { ...transport, listen: () => Promise.reject(new Error("the port is taken")) };
    const options = { meshName: "m", name: "n", store, actors: [Tally] };
    await expect(startNode({ ...options, transport: broken })).rejects.toThrow("the port is taken");
    const node = await startNode({ ...options, transport });
    expect(node.nodeGeneration).toBe(2n);
    await node.close();
    await expect(node.getOrCreate("tally", "t")).rejects.toMatchObject({ code: "closed" });
  });

  it("L1: stops running turns and says so when the store has ended its lease", async () => {
    const store = createMemoryStore({ clock: systemClock });
    const cluster = await startCluster(["a"], { store, deadlines: { leaseMs: 150 } });
    const [a] = cluster.nodes;
    await a!.getOrCreate("tally", "t");
    const renew = store.renew.bind(store);
    store.renew = () => Promise.resolve({ outcome: "unknown", reason: "the store is away" });
    await pause(300);
    expect(cluster.events.at(-1)).toMatchObject({ type: "NodeFailed", error: { code: "leaseLost" } });
    expect(a!.actors()).toEqual([]);
    await expect(a!.request("tally", "t", "read")).rejects.toMatchObject({ code: "closed" });
    store.renew = renew;
    const b = await cluster.add("b");
    await b.getOrCreate("tally", "t");
    expect(cluster.events.at(-1)).toMatchObject({ type: "ActorRecreated", actorId: "t", from: "new" });
    await cluster.close();
  });

  it("L1, N2: a second process under a node's name is said on both sides", async () => {
    const cluster = await startCluster([], { deadlines: { leaseMs: 300 } });
    let started: Promise<Node> | undefined;
    const failed = new Promise<NodeEvent>((resolve) => {
      const observe = (event: NodeEvent): void => (event.type === "NodeFailed" ? resolve(event) : undefined);
      started = cluster.add("a", { observe });
    });
    await started;
    const second = await cluster.add("a", { transport: new MemoryNetwork().transport() });
    expect(second.nodeGeneration).toBe(2n);
    expect(cluster.events).toMatchObject([{ type: "EarlierRunReplaced", nodeGeneration: 1n }]);
    expect(cluster.logs).toContainEqual(expect.objectContaining({ level: "warn", event: "node.tookOver" }));
    expect(await failed).toMatchObject({
      error: {
        code: "leaseLost",
        message: expect.stringContaining("another process has been started as this node") as unknown,
      },
    });
    expect(cluster.logs).toContainEqual(expect.objectContaining({ level: "error", event: "node.failed" }));
    expect((await second.getOrCreate("tally", "t")).created).toBe(true);
    await second.close();
    const third = await cluster.add("a", { transport: new MemoryNetwork().transport() });
    expect(cluster.events.filter(({ type }) => type === "EarlierRunReplaced")).toHaveLength(1);
    await third.close();
    await cluster.close();
  });

  it.each<[string, Partial<NodeOptions>]>([
    ["an empty mesh name", { meshName: "" }],
    ["a name that is too long", { name: "n".repeat(256) }],
    ["a weight above 100", { placementWeight: 101 }],
    ["half a capacity", { capacity: 0.5 }],
    ["a seal that ends before its move", { deadlines: { sealMs: 15_000 } }],
    ["a limit of nothing", { limits: { holdMessages: 0 } }],
    ["a type given twice", { actors: [Tally, Tally] }],
    ["a version below zero", { applicationVersion: -1n }],
  ])("refuses %s", async (_name, options) => {
    const base = {
      meshName: "m",
      name: "n",
      store: createMemoryStore({ clock: systemClock }),
      transport: new MemoryNetwork().transport(),
    };
    await expect(startNode({ ...base, ...options })).rejects.toMatchObject({ code: "invalidArgument" });
  });

  it("refuses types and ids that cannot travel", async () => {
    const type = { create: () => 0, on: {}, capture: () => 0, restore: () => 0 };
    expect(() => defineActor({ ...type, type: "" })).toThrow(/255 bytes/);
    expect(() => defineActor({ ...type, type: "x", version: 0 })).toThrow(/version/);
    expect(() => defineActor({ ...type, type: "x", on: { "~gone": () => 0 } })).toThrow(/~gone/);
    expect(() => defineSpot({ type: "a\0b", create: () => 0 })).toThrow(/NUL/);
    const cluster = await startCluster(["a"]);
    for (const id of ["", "a\0b", "é".repeat(128), "\ud800"]) {
      await expect(cluster.nodes[0]!.getOrCreate("tally", id)).rejects.toMatchObject({ code: "invalidArgument" });
    }
    await cluster.nodes[0]!.getOrCreate("tally", "é".repeat(127));
    await cluster.close();
  });

  it("N2: reports what a lost link leaves unknown, and goes on over the next one", async () => {
    const cluster = await startCluster(["a", "b"]);
    const [a] = cluster.nodes;
    await a!.getOrCreate("tally", "t");
    const owner = ownerOf(cluster, "t");
    const other = otherThan(cluster, owner);
    await other.request("tally", "t", "ask", 1);
    cluster.network.stall(other.rid, owner.rid);
    other.send("tally", "t", "note", 2);
    const lost = other.request("tally", "t", "ask", 3);
    cluster.network.cut(other.rid, owner.rid);
    cluster.network.resume(other.rid, owner.rid);
    await expect(lost).rejects.toMatchObject({ code: "outcomeUnknown" });
    expect(cluster.events).toContainEqual(
      expect.objectContaining({
        type: "SendRefused",
        name: "note",
        error: expect.objectContaining({ code: "outcomeUnknown" }) as Error,
      }),
    );
    other.send("tally", "t", "note", 4);
    await pause(30);
    expect(await other.request("tally", "t", "read")).toMatchObject({ seen: [1, 4] });
    expect(ridFromText(owner.name)).toBe(owner.rid);
    await cluster.close();
  });

  it.each(["relocationPrepare", "relocationReady", "relocationCutover", "actorJoined"])(
    "O4, T5, T6: a link that breaks at %s leaves one owner that answers",
    async (at) => {
      const { decodeRecord } = await import("@rehome/wire");
      const cluster = await startCluster(["a", "b", "c"], { deadlines: { moveMs: 2_000 } });
      const [a, b, c] = cluster.nodes;
      await c!.getOrCreate("tally", "t");
      const source = ownerOf(cluster, "t");
      const target = [a!, b!, c!].find((node) => node !== source)!;
      const third = [a!, b!, c!].find((node) => node !== source && node !== target)!;
      let cut = false;
      cluster.network.watch = (_from, _to, frames) => {
        if (cut || decodeRecord(frames).command !== at) return true;
        cut = true;
        return false;
      };
      for (let n = 1; n <= 5; n++) third.send("tally", "t", "note", n);
      const outcome = await source.relocate("t", { to: target.name }).then(
        (result) => result.outcome,
        (error: { code: string }) => error.code,
      );
      for (let n = 6; n <= 10; n++) third.send("tally", "t", "note", n);
      await pause(50);
      expect(cut).toBe(true);
      expect(["committed", "moveFailed"]).toContain(outcome);
      expect(cluster.nodes.flatMap((node) => node.actors())).toHaveLength(1);
      expect(ownerOf(cluster, "t")).toBe(outcome === "committed" ? target : source);
      expect(await third.request("tally", "t", "read")).toMatchObject({ seen: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] });
      await cluster.close();
    },
  );
});
