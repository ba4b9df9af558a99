import type { AuthorityStore } from "@rehome/core";
import { afterEach, describe, expect, it } from "vitest";
import { ACTOR, Book, called, diary } from "./book.ts";
import { clientSender, nodeSender, read } from "./senders.ts";
import { numbers, Stage, type Arrival, type Seat } from "./stage.ts";

let stage: Stage;
afterEach(() => stage.close());

const LEASE_MS = 1_200;
/** A look-up, the making of the actor, and a caller that tries again every 100 ms. */
const MARGIN_MS = 500;

type Moment = "record" | "commit";
interface StageOfMove {
  readonly when: string;
  /** Where the target dies: at a record that somebody is about to get, or as it hears of its own commit. */
  readonly at: Moment;
  readonly isIt: (arrival: Arrival, count: number) => boolean;
  /** The source has the actor again, with everything; else the store had named the target. */
  readonly committed: boolean;
}

const never = (): boolean => false;
const STAGES: StageOfMove[] = [
  {
    when: "before the snapshot is sent",
    at: "record",
    isIt: ({ command }) => command === "relocationPrepare",
    committed: false,
  },
  {
    when: "half-way through the snapshot",
    at: "record",
    isIt: ({ command }, count) => command === "relocationState" && count === 4,
    committed: false,
  },
  {
    when: "as it is ready",
    at: "record",
    isIt: ({ command }) => command === "relocationReady",
    committed: false,
  },
  {
    when: "after ready, with the cutover on its way, before the commit",
    at: "record",
    isIt: ({ command }) => command === "relocationCutover",
    committed: false,
  },
  { when: "after the commit and before the route", at: "commit", isIt: never, committed: true },
  {
    when: "after the route",
    at: "record",
    isIt: ({ command, at }) => command === "sessionRelocationRoute" && at.name === "g",
    committed: true,
  },
];

const CASES = STAGES.flatMap((stageOfMove) => [
  { ...stageOfMove, saves: true, type: "a type that saved its state" },
  { ...stageOfMove, saves: false, type: "a type that saves nothing" },
]);

describe("M6: kill the target", () => {
  it.each(CASES)("M6: $when, $type: one owner, it answers in time, nobody is left without an answer", async (each) => {
    stage = await Stage.open({ deadlines: { leaseMs: LEASE_MS } });
    let killedAtMs: number | undefined;
    /** What each sender had sent by then. */
    let sentBefore: readonly number[] = [0, 0];
    const kill = (): void => {
      killedAtMs = stage.time.nowMs;
      sentBefore = [other.sent, client.sent];
      stage.seats.find(({ name }) => name === "b")!.process.kill();
    };
    stage.wrapStore = (store, process) =>
      each.at !== "commit" || process.name !== "b" ? store : dyingAtCommit(store, kill);
    const manners = { saves: each.saves, ballast: 8_000 };
    const actors = (process: Seat["process"]) => [diary(stage.book, process, manners)];
    const limits = { chunkBytes: 1_024 };
    const a = await stage.add("a", actors, { limits });
    await stage.settle(a.node.getOrCreate(ACTOR, "t"));
    const quiet = { placementWeight: 0, limits };
    await stage.add("b", actors, quiet);
    const c = await stage.add("c", actors, quiet);
    const g = await stage.add("g", () => [], quiet);
    const other = nodeSender(stage, c, "t");
    const client = await clientSender(stage, g, "t", "client");
    for (let n = 0; n < 5; n++) other.send();
    if (each.saves) await stage.settle(c.node.request(ACTOR, "t", called("save", "saver", 1), {}));
    await stage.pass(20);
    const savedTurns = stage.book.of("t");

    let records = 0;
    stage.taps.push((arrival) => {
      if (arrival.command === "relocationState") records += 1;
      if (killedAtMs !== undefined || each.at !== "record" || !each.isIt(arrival, records)) return;
      kill();
      return arrival.at.name === "b" ? "lost" : undefined;
    });
    const moved = a.node.relocate("t", { to: "b" }).then(
      ({ outcome }) => outcome,
      (error: { code: string }) => error.code,
    );
    const traffic = (): void => {
      other.send();
      other.ask();
      if (client.lost.length === 0) {
        client.send();
        client.ask();
      }
      if (stage.time.nowMs < (killedAtMs ?? Infinity) + 100) stage.time.after(5, traffic);
    };
    traffic();
    await stage.until(() => killedAtMs !== undefined, 500);
    const before = new Set(stage.book.turns);
    const answeredAtMs = await untilItAnswers(c);
    expect(answeredAtMs - killedAtMs!).toBeLessThan(each.committed ? LEASE_MS + MARGIN_MS : MARGIN_MS);
    expect(await stage.settle(moved)).toBe(each.committed ? "committed" : "moveFailed");
    await stage.pass(5_000);

    // One owner, and the state as L3 says.
    const owner = stage.ownerInStore("t");
    expect(owner).not.toBe("b");
    expect(stage.holders("t")).toEqual([owner]);
    if (!each.committed) expect(owner).toBe("a");
    const isLater = (turn: (typeof stage.book.turns)[number]): boolean => !before.has(turn);
    const turns = stage.book.of("t");
    const life = each.committed
      ? [...(each.saves ? savedTurns : []), ...turns.filter(({ on }) => on === owner).filter(isLater)]
      : turns;
    expect(await read(stage, c, "t")).toEqual(Book.stateAfter(life));
    const recreated = stage.eventsOf("ActorRecreated").map(({ from }) => from);
    expect(recreated).toEqual(each.committed ? [each.saves ? "savedState" : "new"] : []);

    // Nobody is left without an answer.
    for (const [at, sender] of [other, client].entries()) {
      const ran = new Set(stage.book.numbers("t", sender.name));
      const told = new Map(sender.refused().map(({ number, code }) => [number, code]));
      const silent = numbers(sender.sent).filter((n) => !ran.has(n) && !told.has(n) && !sender.answers.has(n));
      // One-way messages that the target had taken are lost with it, as no answer to them is owed; no others, and no requests.
      expect(silent.filter((n) => !each.committed || n > sentBefore[at]! || sender.requests.has(n))).toEqual([]);
      for (const [number, { outcome }] of sender.answers) if (outcome === "answered") expect(ran).toContain(number);
      if (each.committed) continue;
      expect([...told]).toEqual([]);
      expect(stage.book.numbers("t", sender.name)).toEqual(numbers(sender.sent));
    }
    if (!each.committed) expect(client.lost).toEqual([]);
    expect([...stage.book.faults, ...stage.broken]).toEqual([]);
  });
});

/** The store has the commit, and the node dies before it hears of it. */
function dyingAtCommit(store: AuthorityStore, kill: () => void): AuthorityStore {
  return {
    ...store,
    commit: async (request) => {
      const answer = await store.commit(request);
      if (answer.outcome === "committed") kill();
      return answer;
    },
  };
}

/** When somebody who keeps asking has an answer. */
async function untilItAnswers(seat: Seat): Promise<number> {
  for (let tries = 0; tries < 50; tries++) {
    const asked = seat.node
      .getOrCreate(ACTOR, "t")
      .then(() => seat.node.request(ACTOR, "t", called("read", seat.name, 0), {}, { timeoutMs: 100 }));
    let end: "answered" | "failed" | undefined;
    asked.then(
      () => (end = "answered"),
      () => (end = "failed"),
    );
    await stage.until(() => end !== undefined, 3_000);
    if (end === "answered") return stage.time.nowMs;
    await stage.pass(100);
  }
  throw new Error("nobody answers");
}
