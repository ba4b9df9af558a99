import { createMemoryStore, type AuthorityStore } from "@rehome/core";
import { actorAuthorityKey } from "@rehome/wire";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { keepNode, startNode, systemClock, type KeptNode, type Node, type NodeEvent } from "../src/index.ts";
import { Tally } from "./support/cluster.ts";
import { MemoryNetwork } from "./support/memory-transport.ts";

const LEASE_MS = 300;

let store: AuthorityStore & { away: boolean };
let network: MemoryNetwork;
let events: NodeEvent[];
let runs: Node[];
const closing: { close(): Promise<void> }[] = [];

beforeEach(() => {
  store = storeThatLeaves();
  network = new MemoryNetwork();
  events = [];
  runs = [];
});

afterEach(async () => {
  store.away = false;
  for (const one of closing.splice(0)) await one.close();
});

/** A memory store whose every call is `unknown` while it is away. */
function storeThatLeaves(): AuthorityStore & { away: boolean } {
  const inner = createMemoryStore({ clock: systemClock });
  const state = { away: false };
  return new Proxy(inner, {
    get(target, name) {
      if (name === "away") return state.away;
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...values: unknown[]) => {
        if (state.away && name !== "close") return Promise.resolve({ outcome: "unknown", reason: "it is away" });
        return (value as (...values: unknown[]) => unknown).apply(target, values);
      };
    },
    set(_, name, value) {
      if (name === "away") state.away = value as boolean;
      return name === "away";
    },
  }) as unknown as AuthorityStore & { away: boolean };
}

function options(name = "a") {
  return {
    meshName: "test",
    name,
    transport: network.transport(),
    store,
    actors: [Tally],
    deadlines: { leaseMs: LEASE_MS, closeMs: 200 },
    observe: (event: NodeEvent) => events.push(event),
  };
}

async function keep(): Promise<KeptNode> {
  const kept = await keepNode(
    () => options(),
    (node) => runs.push(node),
  );
  closing.push(kept);
  return kept;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2));
}

/** A node stops a little before the store says that its lease has ended. */
async function untilLost(actorId: string): Promise<void> {
  for (;;) {
    const answer = await store.read(actorAuthorityKey(actorId));
    if (answer.outcome === "found" && !answer.reading.ownerLeaseLive) return;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

function saw(type: NodeEvent["type"]): boolean {
  return events.some((event) => event.type === type);
}

describe("keepNode", () => {
  it("L1: an outage shorter than the lease is said, survived, and over", async () => {
    const kept = await keep();
    await kept.node!.getOrCreate("tally", "t");
    await kept.node!.request("tally", "t", "ask", 1);
    store.away = true;
    await until(() => saw("LeaseUnrenewed"));
    await kept.node!.request("tally", "t", "ask", 2);
    store.away = false;
    await until(() => saw("LeaseRenewed"));
    const [unrenewed] = events.filter((event) => event.type === "LeaseUnrenewed");
    expect(unrenewed).toEqual({
      type: "LeaseUnrenewed",
      reason: "it is away",
      remainingMs: expect.any(Number) as number,
    });
    expect((unrenewed as { remainingMs: number }).remainingMs).toBeGreaterThan(0);
    expect((unrenewed as { remainingMs: number }).remainingMs).toBeLessThan(LEASE_MS);
    expect(await kept.node!.request("tally", "t", "read")).toMatchObject({ seen: [1, 2] });
    expect(runs).toEqual([kept.node]);
    expect(saw("NodeFailed")).toBe(false);
  });

  it("L1, L3: after a longer one it stops its turns, and comes back as a new run that owns nothing", async () => {
    const kept = await keep();
    const [first] = runs;
    await first!.getOrCreate("tally", "t");
    await first!.request("tally", "t", "ask", 1);
    store.away = true;
    await until(() => saw("NodeFailed"));
    expect(kept.node).toBe(undefined);
    expect(first!.actors()).toEqual([]);
    await expect(first!.request("tally", "t", "read")).rejects.toMatchObject({ code: "closed" });
    store.away = false;
    await until(() => kept.node !== undefined);
    expect(runs).toEqual([first, kept.node]);
    expect(kept.node!.nodeGeneration).toBe(first!.nodeGeneration + 1n);
    expect(kept.node!.actors()).toEqual([]);
    await untilLost("t");
    await kept.node!.getOrCreate("tally", "t");
    expect(await kept.node!.request("tally", "t", "ask", 2)).toBe(4);
    expect(await kept.node!.request("tally", "t", "read")).toMatchObject({ seen: [2] });
    expect(saw("ActorRecreated")).toBe(true);
  });

  it("comes back again and again", async () => {
    const kept = await keep();
    for (let run = 1; run <= 3; run++) {
      store.away = true;
      await until(() => kept.node === undefined);
      store.away = false;
      await until(() => kept.node !== undefined);
      expect(kept.node!.nodeGeneration).toBe(BigInt(run) + 1n);
    }
    expect(events.filter((event) => event.type === "NodeFailed")).toHaveLength(3);
  });

  it("N2: leaves its place to a newer run of the same node that another process has started", async () => {
    const kept = await keep();
    const other = await startNode(options());
    closing.push(other);
    expect(await kept.ended).toBe("replaced");
    expect([kept.node, runs.length]).toEqual([undefined, 1]);
    await other.getOrCreate("tally", "t");
    expect(other.actors()).toHaveLength(1);
  });

  it("ends for good while the store is away, and starts nothing when it is back", async () => {
    const kept = await keep();
    store.away = true;
    await until(() => kept.node === undefined);
    await kept.close();
    expect(await kept.ended).toBe("closed");
    store.away = false;
    await new Promise((resolve) => setTimeout(resolve, 2 * LEASE_MS));
    expect(await store.nodes("test")).toEqual({ outcome: "listed", nodes: [] });
    expect(runs).toHaveLength(1);
  });

  it("gives up when the next run's options are wrong, and does not start at all on a first run's", async () => {
    let name = "a";
    const kept = await keepNode(() => options(name));
    closing.push(kept);
    name = "";
    store.away = true;
    await until(() => kept.node === undefined);
    store.away = false;
    expect(await kept.ended).toBe("invalidOptions");
    await expect(keepNode(() => options(""))).rejects.toMatchObject({ code: "invalidArgument" });
  });
});
