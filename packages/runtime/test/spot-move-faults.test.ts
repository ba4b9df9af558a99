import type { AuthorityStore, CommitAnswer, ReadAnswer } from "@rehome/core";
import { actorAuthorityKey, spotAuthorityKey, type CommandName } from "@rehome/wire";
import { afterEach, describe, expect, it } from "vitest";
import type { Node, NodeOptions, RuntimeError } from "../src/index.ts";
import { isCommand } from "./sessions/client.ts";
import { readTally, Room, startCluster, type Cluster } from "./support/cluster.ts";
import { fillHall, Hall, membersAt, namesOf, pause, until, Visitor } from "./support/hall.ts";

let cluster: Cluster;
afterEach(() => cluster.close());

const unknown = { outcome: "unknown", reason: "no answer comes" } as const;
const members = namesOf(6);
const keys = [spotAuthorityKey("h"), ...members.map(actorAuthorityKey)];

/** How a node's store behaves, changed while the test runs. */
class Moods {
  dead = false;
  /** What becomes of commit writes and their answers, and of readings. */
  commit: (write: () => Promise<CommitAnswer>) => Promise<CommitAnswer> = (write) => write();
  read: (key: string, ask: () => Promise<ReadAnswer>) => Promise<ReadAnswer> = (_key, ask) => ask();

  over(store: AuthorityStore): AuthorityStore {
    const moody: AuthorityStore = {
      ...store,
      commit: (request) => this.commit(() => store.commit(request)),
      read: (key) => this.read(key, () => store.read(key)),
    };
    return new Proxy(moody, {
      get: (target, name: keyof AuthorityStore) => {
        const call = (target[name] as (...given: unknown[]) => Promise<unknown>).bind(target);
        return (...given: unknown[]) => (this.dead && name !== "close" ? Promise.resolve(unknown) : call(...given));
      },
    });
  }
}

interface Scene {
  readonly a: Node;
  readonly b: Node;
  readonly atA: Moods;
  readonly atB: Moods;
  readonly visitor: Visitor;
  /** Sends everybody one more message, from a node and from a client. */
  readonly more: () => void;
  readonly sent: () => number;
}

/** Two nodes whose stores have moods, a hall with six members on the first, and a client that is bound to three of them. */
async function scene(options: Partial<NodeOptions> = {}): Promise<Scene> {
  cluster = await startCluster([], { spots: [Room, Hall], ...options });
  const atA = new Moods();
  const atB = new Moods();
  const a = await cluster.add("a", { store: atA.over(cluster.store) });
  const b = await cluster.add("b", { store: atB.over(cluster.store), placementWeight: 0 });
  await fillHall(cluster, members);
  const gate = await cluster.add("gate", { placementWeight: 0, actors: [], spots: [] });
  const visitor = await Visitor.at(gate, ["m0", "m2", "m4"]);
  let n = 0;
  const more = (): void => {
    n += 1;
    visitor.sendRound();
    for (const id of members) gate.send("tally", id, "note", n * 1_000);
  };
  more();
  for (const id of members) await readTally(gate, id);
  return { a, b, atA, atB, visitor, more, sent: () => n };
}

/** The node's process is gone: nothing of it reaches anybody any more. */
function kill(node: Node, moods: Moods): void {
  moods.dead = true;
  for (const other of cluster.nodes) if (other !== node) cluster.network.cut(node.rid, other.rid);
  cluster.network.remove(node.rid);
}

/** Does something when the next record of this command comes by, instead of delivering it. */
function insteadOf(name: CommandName, act: () => void): void {
  let done = false;
  cluster.network.watch = (_from, _to, frames) => {
    if (done || !isCommand(frames, name)) return true;
    done = true;
    act();
    return false;
  };
}

async function ownersInStore(): Promise<string[]> {
  const owners = new Set<string>();
  for (const key of keys) {
    const answer = await cluster.store.read(key);
    if (answer.outcome === "found") owners.add(answer.reading.record.owner.nodeRid);
  }
  return [...owners];
}

async function expectAllAt(node: Node, { visitor, sent }: Scene): Promise<void> {
  expect(membersAt(node)).toEqual(members);
  expect(await ownersInStore()).toEqual([node.rid]);
  const gate = cluster.nodes.find(({ name }) => name === "gate")!;
  const numbers = Array.from({ length: sent() }, (_, index) => index + 1);
  for (const id of members) {
    const expected = sent() * (visitor.bound.includes(id) ? 2 : 1);
    // What the client's node still held comes by another way than the question.
    await until(`${id} has them all`, async () => (await readTally(gate, id)).seen.length >= expected);
    const { seen, node: at } = await readTally(gate, id);
    expect(at).toBe(node.rid);
    expect(seen.filter((n) => n >= 1_000).map((n) => n / 1_000)).toEqual(numbers);
    expect(seen.filter((n) => n < 1_000)).toEqual(visitor.bound.includes(id) ? numbers : []);
  }
  expect(visitor.trouble).toEqual([]);
}

describe("M6: the target of a spot's move dies", () => {
  it.each<[string, CommandName]>([
    ["before the 40", "relocationPrepare"],
    ["before the payload is there", "relocationState"],
    ["once it is ready", "relocationReady"],
    ["before it has the 34", "relocationCutover"],
  ])("%s: all members go on where they were, with every message (I6, O3, O4)", async (_when, command) => {
    const all = await scene();
    const { a, b, atB, more } = all;
    insteadOf(command, () => kill(b, atB));
    const moved = a.relocateSpot("h", { to: "b" }).catch((error: RuntimeError) => error);
    for (let n = 0; n < 5; n++) {
      more();
      await pause(1);
    }
    expect(await moved).toMatchObject({ code: "moveFailed", cause: { code: "targetUnavailable" } });
    more();
    await expectAllAt(a, all);
    expect(a.spots()[0]).toMatchObject({ phase: "running" });
  });

  it("in the middle of its commit, whose answer nobody hears: the store decides for all of them, and so they left (I7)", async () => {
    const all = await scene({ deadlines: { leaseMs: 1_500, connectMs: 300, closeMs: 300 } });
    const { a, b, atB } = all;
    atB.commit = async (write) => {
      await write();
      kill(b, atB);
      return unknown;
    };
    expect(await a.relocateSpot("h", { to: "b" })).toMatchObject({ outcome: "committed" });
    expect(a.spots()).toEqual([]);
    expect(a.actors()).toEqual([]);
    expect(await ownersInStore()).toEqual([b.rid]);
    // L3: once its lease has ended they are made anew, and nobody is left without an answer.
    const seen = async (): Promise<number> => {
      await a.getOrCreate("tally", "m1");
      return (await readTally(a, "m1")).seen.length;
    };
    await until("it answers again", () =>
      seen().then(
        (count) => count === 0,
        () => false,
      ),
    );
    expect(cluster.events).toContainEqual(expect.objectContaining({ type: "ActorRecreated", actorId: "m1" }));
  });
});

describe("T6, T9: answers of the store that are lost", () => {
  it("T9: a commit whose answer is lost is read back, with the generations of every member", async () => {
    const all = await scene();
    const { a, b, atB, more } = all;
    let lost = 0;
    atB.commit = async (write) => {
      await write();
      lost += 1;
      return unknown;
    };
    const silent = new Set(keys);
    atB.read = (key, ask) => (silent.delete(key) ? Promise.resolve(unknown) : ask());
    const moved = a.relocateSpot("h", { to: "b" });
    for (let n = 0; n < 10; n++) {
      more();
      await pause(2);
    }
    expect(await moved).toMatchObject({ outcome: "committed" });
    expect(lost).toBe(1);
    expect([...silent]).toEqual([]);
    more();
    await expectAllAt(b, all);
    for (const id of members) b.send("tally", id, "announce", 7);
    await until("the pushes come under the right generation", () => all.visitor.heard.size === 3);
  });

  it("T6: a commit that did not happen is written again, for all of them", async () => {
    const all = await scene();
    let tries = 0;
    all.atB.commit = (write) => (tries++ === 0 ? Promise.resolve(unknown) : write());
    expect(await all.a.relocateSpot("h", { to: "b" })).toMatchObject({ outcome: "committed" });
    expect(tries).toBe(2);
    await expectAllAt(all.b, all);
  });

  it("O1, O5: base versions that the store does not tell are asked again; then the unit moves", async () => {
    const all = await scene();
    const silent = new Set(keys);
    all.atA.read = (key, ask) => (silent.delete(key) ? Promise.resolve(unknown) : ask());
    expect(await all.a.relocateSpot("h", { to: "b" })).toMatchObject({ outcome: "committed" });
    await expectAllAt(all.b, all);
  });

  it("I7, O5: a source that cannot learn where one member went waits for it, and forwards what came meanwhile", async () => {
    const all = await scene();
    let asked = 0;
    const m3 = actorAuthorityKey("m3");
    // The first reading is of the base version; those after it are of the new owner.
    all.atA.read = (key, ask) => (key === m3 && ++asked > 1 && asked < 5 ? Promise.resolve(unknown) : ask());
    const moved = all.a.relocateSpot("h", { to: "b" });
    for (let n = 0; n < 20; n++) {
      all.more();
      await pause(5);
    }
    expect(await moved).toMatchObject({ outcome: "committed" });
    expect(asked).toBe(5);
    all.more();
    await expectAllAt(all.b, all);
  });

  it("O2, O5: while nobody can tell who owns the unit, its move is still under way; the store ends it, not a caller", async () => {
    const all = await scene({ deadlines: { moveMs: 300, storeResolutionMs: 200, sealMs: 1_500 } });
    const { a, b, atA, atB, more } = all;
    let silent = false;
    atA.read = (key, ask) => (silent && key === keys[0] ? Promise.resolve(unknown) : ask());
    insteadOf("relocationCutover", () => {
      silent = true;
      kill(b, atB);
    });
    const moved = a.relocateSpot("h", { to: "b" });
    await expect(moved).rejects.toMatchObject({ code: "moveFailed", cause: { code: "ownerUndecided" } });
    expect(a.spots()[0]).toMatchObject({ phase: "moving" });
    await expect(a.relocateSpot("h", { to: "b" })).rejects.toMatchObject({ cause: { code: "ownerUndecided" } });
    await expect(a.relocateSpot("h", { to: "gate" })).rejects.toMatchObject({ code: "operationInProgress" });
    await expect(a.relocate("m0", { to: "gate" })).rejects.toMatchObject({ code: "operationInProgress" });
    more();
    silent = false;
    await until("it runs here again", () => a.spots()[0]?.phase === "running");
    more();
    await expectAllAt(a, all);
    await expect(a.relocate("m0", { to: "gate" })).rejects.toMatchObject({ cause: { code: "targetUnavailable" } });
  });

  it("H7: a join whose question the store answers late finds the spot that has come to its own node meanwhile", async () => {
    const { a, b, atB } = await scene();
    await b.getOrCreate("tally", "j");
    if (!b.actors().some(({ actorId }) => actorId === "j")) await a.relocate("j", { to: "b" });
    let asked = false;
    let answer = (): void => undefined;
    const late = new Promise<void>((resolve) => (answer = resolve));
    atB.read = async (key, ask) => {
      if (key !== keys[0] || asked) return ask();
      asked = true;
      await late;
      return ask();
    };
    b.send("tally", "j", "join", "h");
    await until("the store is asked", () => asked);
    expect(await a.relocateSpot("h", { to: "b" })).toMatchObject({ outcome: "committed" });
    answer();
    await until("it is in", () => membersAt(b).includes("j"));
    expect(await readTally(b, "j")).toMatchObject({ joins: ["accepted:h"], spot: "h" });
  });

  it("I6: a member whose base version has changed keeps all of them from moving, and they go on", async () => {
    const all = await scene();
    const { a, atB } = all;
    const m5 = actorAuthorityKey("m5");
    atB.commit = async (write) => {
      // Somebody else's write to one member only: its version is another one now.
      const found = await cluster.store.read(m5);
      if (found.outcome === "found") {
        const { storeVersion, owner } = found.reading.record;
        expect((await cluster.store.fence(m5, storeVersion, owner)).outcome).toBe("fenced");
      }
      return write();
    };
    await expect(a.relocateSpot("h", { to: "b" })).rejects.toMatchObject({ cause: { code: "targetRefused" } });
    all.more();
    await expectAllAt(a, all);
    expect(all.b.actors()).toEqual([]);
  });
});
