import { createMemoryStore, type AuthorityStore } from "@rehome/core";
import { afterEach, describe, expect, it } from "vitest";
import {
  defineActor,
  defineSpot,
  drainOnSignal,
  systemClock,
  type DrainProgress,
  type Node,
  type NodeOptions,
} from "../src/index.ts";
import { readTally, Room, startCluster, Tally, type Cluster } from "./support/cluster.ts";

let cluster: Cluster;
let store: AuthorityStore;
afterEach(() => cluster.close());

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The store's next write of this kind waits until it is released. */
function held(kind: "commit" | "commitCreate"): { readonly asked: Promise<void>; release(): void } {
  let release: () => void = () => undefined;
  let ask: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const asked = new Promise<void>((resolve) => (ask = resolve));
  const write = store[kind].bind(store) as (...args: unknown[]) => Promise<never>;
  store[kind] = async (...args: unknown[]): Promise<never> => {
    ask();
    await released;
    return write(...args);
  };
  return { asked, release };
}

/** What the handler `gate`, and the restore of `gated`, wait for. */
let gate: Promise<void> = Promise.resolve();

/** Its capture does what its id says: `slow-120`, `reject`, `hang`; its restore refuses `unreadable`. */
const Fussy = defineActor<{ id: string }>({
  type: "fussy",
  create: (ctx) => ({ id: ctx.actorId }),
  on: { id: (ctx) => ctx.state.id, wait: (_ctx, ms: number) => pause(ms), gate: () => gate },
  capture: async (state) => {
    if (state.id === "reject") throw new Error("no capture today");
    if (state.id === "hang") await new Promise(() => undefined);
    if (state.id.startsWith("slow-")) await pause(Number(state.id.slice(5)));
    return state;
  },
  restore: async (value: { id: string }) => {
    if (value.id === "gated") await gate;
    if (value.id === "unreadable") throw new Error("what is this?");
    return value;
  },
});

const Hall = defineSpot<{ name: string }>({
  type: "hall",
  create: (value) => ({ name: String(value) }),
  capture: (state) => state,
  restore: (value: { name: string }) => value,
});

async function start(names: string[], options: Partial<NodeOptions> = {}): Promise<readonly Node[]> {
  store = createMemoryStore({ clock: systemClock });
  cluster = await startCluster([], { actors: [Tally, Fussy], spots: [Hall, Room], store, ...options });
  for (const name of names) await cluster.add(name);
  return cluster.nodes;
}

/** Actors on the first node, made before any other could take them. */
async function populate(node: Node, type: string, ids: readonly string[]): Promise<void> {
  for (const id of ids) await node.getOrCreate(type, id);
}

const ids = (count: number, prefix = "t"): string[] => Array.from({ length: count }, (_, index) => `${prefix}${index}`);

async function ownedBy(node: Node): Promise<string[]> {
  const page = await store.scan("", undefined, 10_000);
  const records = page.outcome === "page" ? page.records : [];
  return records.filter(({ owner }) => owner.nodeRid === node.rid).map(({ key }) => key.split(":").at(-1)!);
}

describe("node.drain", () => {
  it("D1: moves every actor and every spot with its members, messages under way included, and reports progress", async () => {
    const [a] = await start(["a"]);
    await populate(a!, "tally", ids(20));
    await a!.createSpot("hall", "h", "big");
    for (const id of ["t0", "t1", "t2"]) await a!.request("tally", id, "join", "h");
    while (a!.spots()[0]!.members.length < 3) await pause(5);
    const b = await cluster.add("b");
    const progress: DrainProgress[] = [];
    let sent = 0;
    const sending = (async () => {
      while (progress.length < 18) {
        for (const id of ids(20)) b.send("tally", id, "note", sent);
        sent++;
        await pause(1);
      }
    })();
    expect(await a!.drain({ onProgress: (each) => progress.push(each) })).toEqual({ outcome: "relocated", done: 18 });
    await sending;
    expect(progress.map(({ done }) => done)).toEqual(Array.from({ length: 18 }, (_, index) => index + 1));
    expect(progress.at(-1)).toEqual({ done: 18, left: 0, failed: [] });
    expect(await ownedBy(a!)).toEqual([]);
    expect(b.spots()).toMatchObject([{ spotId: "h", members: expect.arrayContaining(["t0", "t1", "t2"]) as string[] }]);
    for (const id of ids(20)) expect((await readTally(b, id)).seen).toEqual(Array.from({ length: sent }, (_, n) => n));
    expect(cluster.events.filter(({ type }) => type === "SendRefused")).toEqual([]);
  });

  it("M7: one whose payload does not decode stays and is named, 49 move", async () => {
    const [a] = await start(["a"]);
    await populate(a!, "fussy", [...ids(49), "unreadable"]);
    const b = await cluster.add("b");
    const result = await a!.drain({ deadlineMs: 5_000 });
    expect(result).toMatchObject({ outcome: "blocked", done: 49, stayed: [{ kind: "actor", id: "unreadable" }] });
    expect(await ownedBy(a!)).toEqual(["unreadable"]);
    expect(await b.request("fussy", "unreadable", "id")).toBe("unreadable");
    expect(b.actors()).toHaveLength(49);
  });

  it("D1: takes no new actors, spots, joins or inbound moves meanwhile, and serves what lives there", async () => {
    const [a] = await start(["a"]);
    await populate(a!, "fussy", ["slow-300"]);
    await a!.createSpot("room", "r");
    const b = await cluster.add("b");
    await b.createSpot("hall", "far");
    await b.getOrCreate("tally", "guest");
    while ((await b.request("tally", "guest", "read")) === undefined) await pause(5);
    const guestAt = (node: Node): boolean => node.actors().some(({ actorId }) => actorId === "guest");
    if (guestAt(a!)) await a!.relocate("guest", { to: "b" });
    const draining = a!.drain({ deadlineMs: 2_000 });
    await pause(30);
    await expect(a!.createSpot("hall", "new")).rejects.toMatchObject({ code: "busy" });
    await expect(b.relocate("guest", { to: "a" })).rejects.toMatchObject({ code: "moveFailed" });
    await b.request("tally", "guest", "join", "r");
    for (let n = 0; n < 10; n++) await b.getOrCreate("tally", `new${n}`);
    while ((await readTally(b, "guest")).joins.length === 0) await pause(5);
    expect((await readTally(b, "guest")).joins).toEqual(["rejected:r"]);
    expect(a!.actors().map(({ actorId }) => actorId)).not.toContain("new0");
    expect(await draining).toMatchObject({
      outcome: "blocked",
      reason: "relocationDisabled",
      stayed: [{ kind: "spot", id: "r" }],
    });
    // D4: what stayed goes on here, and the node takes new things again.
    await a!.createSpot("hall", "again");
  });

  it("D1: waits for a move to this node that the store is deciding, and moves on what it brings", async () => {
    const [b] = await start(["b"]);
    await populate(b!, "tally", ["x"]);
    const a = await cluster.add("a");
    const write = held("commit");
    const moved = b!.relocate("x", { to: "a" });
    await write.asked;
    const draining = a.drain();
    await pause(30);
    write.release();
    expect(await moved).toMatchObject({ outcome: "committed" });
    expect(await draining).toEqual({ outcome: "relocated", done: 1 });
    expect(b!.actors()).toMatchObject([{ actorId: "x" }]);
  });

  it.each(["actor", "spot"])("D1: waits for the %s that it is making, and moves it too", async (kind) => {
    const [a] = await start(["a"]);
    const write = held("commitCreate");
    const made = kind === "actor" ? a!.getOrCreate("tally", "x") : a!.createSpot("hall", "x", "x");
    await write.asked;
    const b = await cluster.add("b");
    const draining = a!.drain();
    await pause(30);
    write.release();
    await made;
    expect(await draining).toEqual({ outcome: "relocated", done: 1 });
    expect([...b.actors(), ...b.spots()]).toHaveLength(1);
  });

  it("D1: takes nothing new even when the store could not be told that it drains", async () => {
    const [a] = await start(["a"]);
    await populate(a!, "fussy", ["hang"]);
    await a!.createSpot("room", "r");
    const b = await cluster.add("b");
    store.describe = () => Promise.resolve({ outcome: "unknown", reason: "away" });
    const draining = a!.drain({ deadlineMs: 600 });
    await pause(30);
    for (let n = 0; n < 12; n++) await b.getOrCreate("tally", `new${n}`);
    expect(b.actors()).toHaveLength(12);
    await expect(b.relocate("new0", { to: "a" })).rejects.toMatchObject({ code: "moveFailed" });
    await b.request("tally", "new1", "join", "r");
    while ((await readTally(b, "new1")).joins.length === 0) await pause(5);
    expect((await readTally(b, "new1")).joins).toEqual(["rejected:r"]);
    expect(await draining).toMatchObject({ outcome: "blocked" });
  });

  it("D2: moves only to the exact version that was asked for, also when its node comes later", async () => {
    const [a] = await start(["a", "b"]);
    await populate(a!, "tally", ids(6));
    for (const { actorId } of cluster.nodes[1]!.actors()) await cluster.nodes[1]!.relocate(actorId, { to: "a" });
    const draining = a!.drain({ applicationVersion: 2n, deadlineMs: 4_000 });
    await pause(100);
    const c = await cluster.add("c", { applicationVersion: 2n });
    expect(await draining).toEqual({ outcome: "relocated", done: 6 });
    expect(c.actors()).toHaveLength(6);
  });

  it("D3, D4: shares an identical call, refuses another, and ends only the wait of a caller that cancels", async () => {
    const [a] = await start(["a"]);
    await populate(a!, "fussy", ["slow-200"]);
    await cluster.add("b");
    const cancel = new AbortController();
    const first = a!.drain({ deadlineMs: 3_000 });
    const second = a!.drain({ deadlineMs: 3_000, signal: cancel.signal }).catch((error: unknown) => error);
    expect(await a!.drain({ deadlineMs: 3_001 })).toMatchObject({ outcome: "blocked", reason: "operationInProgress" });
    cancel.abort();
    expect(await second).toMatchObject({ code: "cancelled" });
    expect(await a!.drain({ deadlineMs: 3_000 })).toEqual({ outcome: "relocated", done: 1 });
    expect(await first).toEqual({ outcome: "relocated", done: 1 });
    // D4: without units it is done at once.
    expect(await a!.drain()).toEqual({ outcome: "relocated", done: 0 });
    await expect(a!.drain({ deadlineMs: 0 })).rejects.toMatchObject({ code: "invalidArgument" });
    await a!.close();
    expect(await a!.drain()).toMatchObject({ outcome: "blocked", reason: "shutdownRequested" });
  });

  it("D3: a close or a shutdown settles a running drain at once, in every stage of it", async () => {
    for (const how of ["close", "shutdown"] as const) {
      for (const stage of ["moving", "unsaid", "noTarget"] as const) {
        const [a] = await start(["a"], { deadlines: { closeMs: 200 } });
        await populate(a!, "fussy", ["hang"]);
        if (stage === "moving") await cluster.add("b");
        if (stage === "unsaid") store.describe = () => new Promise(() => undefined);
        const draining = a!.drain({ deadlineMs: 60_000 });
        await pause(30);
        const ending = a![how]();
        expect(await draining).toMatchObject({
          outcome: "blocked",
          reason: "shutdownRequested",
          stayed: [{ id: "hang" }],
        });
        await ending;
        await cluster.close();
      }
    }
  });

  it("D3, L1: a lost lease settles a running drain, and the process still ends by its signal", async () => {
    for (const stage of ["moving", "unsaid"] as const) {
      const [a] = await start(["a"], { deadlines: { leaseMs: 600, closeMs: 200 } });
      await populate(a!, "fussy", ["hang"]);
      await cluster.add("b");
      if (stage === "unsaid") store.describe = () => new Promise(() => undefined);
      const fake = new FakeProcess();
      const lines: string[] = [];
      drainOnSignal(a!, { process: fake, deadlineMs: 60_000, say: (line) => lines.push(line) });
      const draining = a!.drain({ deadlineMs: 60_000 });
      fake.signal("SIGTERM");
      await pause(30);
      store.renew = () => Promise.resolve({ outcome: "unknown", reason: "away" });
      expect(await draining).toMatchObject({
        outcome: "blocked",
        reason: "runtimeNotReady",
        stayed: [{ id: "hang" }],
      });
      expect(await fake.ended()).toBe(1);
      expect(lines.join("\n")).toContain("not drained (runtimeNotReady): 0 moved, 1 stayed");
      expect(await a!.drain()).toMatchObject({ outcome: "blocked", reason: "runtimeNotReady" });
      await cluster.close();
    }
  });

  it("D4: takes new actors at once after a blocked drain, its own and those of other nodes", async () => {
    const [a] = await start(["a"]);
    await populate(a!, "fussy", ["x"]);
    const b = await cluster.add("b", { placementWeight: 0 });
    expect(await a!.drain({ deadlineMs: 300 })).toMatchObject({ outcome: "blocked", reason: "targetUnavailable" });
    const listed = await store.nodes("test");
    const states = listed.outcome === "listed" ? listed.nodes.map(({ descriptor }) => descriptor.state) : [];
    expect(states).toEqual(["serving", "serving"]);
    await a!.getOrCreate("tally", "mine");
    // What other nodes know may still be the old list.
    expect(await a!.drain({ deadlineMs: 300 })).toMatchObject({ outcome: "blocked" });
    await b.getOrCreate("tally", "theirs");
    expect(a!.actors()).toHaveLength(3);
    // However old this node's own list is, it says so too.
    expect(await a!.drain({ deadlineMs: 300 })).toMatchObject({ outcome: "blocked" });
    const nodes = store.nodes.bind(store);
    store.nodes = () => Promise.resolve({ outcome: "unknown", reason: "away" });
    await a!.getOrCreate("tally", "known");
    store.nodes = nodes;
  });

  it("D3: ends at its deadline, and what is still captured then goes on here", async () => {
    const [a] = await start(["a"]);
    await populate(a!, "fussy", ["hang", "x"]);
    const b = await cluster.add("b");
    expect(await a!.drain({ deadlineMs: 300 })).toMatchObject({
      outcome: "blocked",
      reason: "deadlineExceeded",
      done: 1,
      stayed: [{ id: "hang" }],
    });
    expect(await b.request("fussy", "hang", "id")).toBe("hang");
  });
});

describe("node.shutdown", () => {
  it("D5: finishes what was accepted, refuses what comes later, releases the lease last", async () => {
    const [a] = await start(["a"]);
    await populate(a!, "fussy", ["f"]);
    const b = await cluster.add("b");
    let release: () => void = () => undefined;
    gate = new Promise((resolve) => (release = resolve));
    const answered = ["gate", "id", "id"].map((name) => b.request("fussy", "f", name));
    while (a!.counts().queuedMessages < 2) await pause(5);
    const down = a!.shutdown({ deadlineMs: 5_000 });
    await expect(b.request("fussy", "f", "id")).rejects.toMatchObject({ code: "notConnected" });
    await expect(a!.getOrCreate("fussy", "g")).rejects.toMatchObject({ code: "closed" });
    release();
    expect(await Promise.all(answered)).toEqual([undefined, "f", "f"]);
    await down;
    const nodes = await store.nodes("test");
    expect(nodes.outcome === "listed" ? nodes.nodes.map(({ descriptor }) => descriptor.endpoint) : []).toEqual([
      b.endpoint,
    ]);
  });

  it("D5, I6: a move to this node that the store has not been asked about is undone at once", async () => {
    const [b] = await start(["b"]);
    await populate(b!, "fussy", ["gated"]);
    const a = await cluster.add("a");
    let release: () => void = () => undefined;
    gate = new Promise((resolve) => (release = resolve));
    const moved = b!.relocate("gated", { to: "a" }).catch((error: unknown) => error);
    while (a.counts().inboundMoves === 0) await pause(5);
    const down = a.shutdown({ deadlineMs: 60_000 });
    expect(await moved).toMatchObject({ code: "moveFailed" });
    expect(cluster.logs.find(({ event }) => event === "move.inboundFailed")?.fields).toMatchObject({ code: "aborted" });
    release();
    await down;
    expect(await b!.request("fussy", "gated", "id")).toBe("gated");
  });

  it("D5, I2: what cannot be finished in time is told to its senders", async () => {
    const [a] = await start(["a"]);
    await populate(a!, "fussy", ["f"]);
    const b = await cluster.add("b");
    const running = b.request("fussy", "f", "wait", 5_000).catch((error: unknown) => error);
    const queued = b.request("fussy", "f", "id").catch((error: unknown) => error);
    b.send("fussy", "f", "id");
    await pause(20);
    await a!.shutdown({ deadlineMs: 50 });
    expect(await queued).toMatchObject({ code: "notConnected" });
    expect(await running).toMatchObject({ code: "outcomeUnknown" });
    await pause(20);
    const refused = cluster.events.filter(({ type }) => type === "SendRefused");
    expect(refused).toMatchObject([{ name: "id", error: { code: "notConnected" } }]);
  });
});

/** A process whose signals and end a test sees. */
class FakeProcess {
  readonly #listeners = new Map<string, Set<() => void>>();
  exitCode: number | undefined;
  on(signal: string, listener: () => void): void {
    this.#listeners.set(signal, (this.#listeners.get(signal) ?? new Set()).add(listener));
  }
  off(signal: string, listener: () => void): void {
    this.#listeners.get(signal)?.delete(listener);
  }
  exit(code: number): void {
    this.exitCode ??= code;
  }
  signal(name: string): void {
    for (const listener of this.#listeners.get(name) ?? []) listener();
  }
  async ended(): Promise<number> {
    while (this.exitCode === undefined) await pause(5);
    return this.exitCode;
  }
}

describe("drainOnSignal", () => {
  it("R1: SIGTERM with 100 slow actors: all but those that cannot move, and the process ends by its deadline, naming them", async () => {
    const [a] = await start(["a"], { deadlines: { moveMs: 4_000, closeMs: 300 } });
    await populate(a!, "fussy", [...ids(98, "slow-").map((_, index) => `slow-${10 + index * 5}`), "reject", "hang"]);
    const b = await cluster.add("b");
    const fake = new FakeProcess();
    const lines: string[] = [];
    drainOnSignal(a!, {
      process: fake,
      deadlineMs: 6_000,
      // A gateway whose client never answers the close frame.
      closeFirst: [() => new Promise(() => undefined)],
      closeMs: 200,
      say: (line) => lines.push(line),
    });
    const before = systemClock.nowMs();
    fake.signal("SIGTERM");
    expect(await fake.ended()).toBe(1);
    expect(systemClock.nowMs() - before).toBeLessThan(6_000 + 200 + 300 + 300);
    expect(b.actors()).toHaveLength(98);
    expect((await ownedBy(a!)).sort()).toEqual(["hang", "reject"]);
    const said = lines.join("\n");
    expect(said).toContain('actor "reject" stayed: relocationFailed');
    expect(said).toContain('actor "hang" stayed: deadlineExceeded');
    expect(said).toContain("98 moved, 2 stayed");
    const nodes = await store.nodes("test");
    expect(nodes.outcome === "listed" && nodes.nodes.length).toBe(1);
  }, 20_000);

  it("D5: ends with 0 when the node had been shut down before, and with 1 while it still has something", async () => {
    const [a] = await start(["a"]);
    await populate(a!, "fussy", ["f"]);
    const running = a!.request("fussy", "f", "wait", 400).catch((error: unknown) => error);
    await pause(20);
    const lines: string[] = [];
    const down = a!.shutdown();
    const early = new FakeProcess();
    drainOnSignal(a!, { process: early, say: (line) => lines.push(line) });
    early.signal("SIGTERM");
    expect(await early.ended()).toBe(1);
    expect(lines.join("\n")).toContain('actor "f" stayed: shutdownRequested');
    await Promise.all([running, down]);
    const late = new FakeProcess();
    drainOnSignal(a!, { process: late, say: (line) => lines.push(line) });
    late.signal("SIGTERM");
    expect(await late.ended()).toBe(0);
    expect(lines.at(-1)).toContain("already shut down, nothing to move");
  });

  it("D5: ends with 0 when everything moved, and at once at a second signal", async () => {
    const [a] = await start(["a"]);
    await populate(a!, "tally", ids(3));
    const b = await cluster.add("b");
    const fake = new FakeProcess();
    drainOnSignal(a!, { process: fake, say: () => undefined });
    fake.signal("SIGTERM");
    expect(await fake.ended()).toBe(0);
    expect(b.actors()).toHaveLength(3);
    const impatient = new FakeProcess();
    const stop = drainOnSignal(b, { process: impatient, deadlineMs: 2_000, say: () => undefined });
    impatient.signal("SIGINT");
    impatient.signal("SIGINT");
    expect(impatient.exitCode).toBe(1);
    stop();
    await impatient.ended();
  });
});
