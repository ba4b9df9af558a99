import type { PeerIdentity } from "@rehome/core";
import type { CommandName } from "@rehome/wire";
import { beforeAll, describe, expect, it } from "vitest";
import { CONTROL, handed, play, type Handed, type Outcome } from "./play.ts";
import type { Arrival } from "./stage.ts";

/** The play without anything in its way, and its control records in the order in which they came. */
let told: Outcome;
const records: Handed[] = [];

beforeAll(async () => {
  told = await play(() => (arrival) => {
    if (CONTROL.has(arrival.command)) records.push(handed(arrival));
  });
});

/** Who sends what depends on chance alone, not on how often anything came: all of this must be the same. */
function expectSame(outcome: Outcome): void {
  expect(outcome.faults).toEqual([]);
  const { ran, answers, pushes, state, ...rest } = outcome;
  const { ran: ranOnce, answers: answeredOnce, pushes: pushedOnce, state: stateOnce, ...once } = told;
  expect(rest).toEqual(once);
  for (const sender of ["node", "client"]) {
    const numbers = ran[sender]!;
    expect(numbers).toEqual(numbers.map((_, at) => at + 1));
    expect(Math.abs(numbers.length - ranOnce[sender]!.length)).toBeLessThan(20);
  }
  expect(new Set(answers.map(([, end]) => end))).toEqual(new Set(answeredOnce.map(([, end]) => end)));
  expect(pushes).toHaveLength(new Set(pushes).size);
  expect(Math.abs(pushes.length - pushedOnce.length)).toBeLessThan(20);
  expect(state).toBe(ran["node"]!.length + ran["client"]!.length);
  expect(stateOnce).toBe(ranOnce["node"]!.length + ranOnce["client"]!.length);
}

describe("the play that the cases repeat", () => {
  it("has three moves that commit, one that fails, and every control record", () => {
    expect(told.moves).toEqual([
      ["a>b", "committed"],
      ["b>a", "moveFailed"],
      ["b>a", "committed"],
      ["a>b", "committed"],
    ]);
    expect(told).toMatchObject({ refused: 0, lost: [], owner: "b", holders: ["b"], faults: [], restored: 3 });
    expect([...new Set(records.map(({ command }) => command))].sort()).toEqual([...CONTROL].sort());
    expectSame(told);
  });
});

/** Chunks and messages are what control records speak of; links carry them once (`protocol.md` N1), and nobody sends them again. */
const CARRIED_ONCE: ReadonlySet<CommandName> = new Set<CommandName>(["relocationState", "relocationData"]);

describe("M8: repeats", () => {
  it.each([2, 3])("M8: every control record handed over %i times: the same outcome, one effect", async (times) => {
    let repeats = 0;
    const outcome = await play(() => ({ command, from, frames, hand }) => {
      if (!CONTROL.has(command) || CARRIED_ONCE.has(command)) return;
      for (let again = 1; again < times; again++, repeats++) hand(from, frames);
    });
    expect(repeats).toBeGreaterThanOrEqual((times - 1) * 30);
    expectSame(outcome);
  });

  it("M8: every kind of control record of ended moves again, at every step of the later ones", async () => {
    const past = new Map<string, Late>();
    let late = 0;
    const outcome = await play((stage) => {
      // By the clock, as an answer to one that is late would bring on the next.
      const again = (): void => {
        const { atMs = 0 } = stage.eventsOf("MoveEnded").at(-1) ?? {};
        for (const each of past.values()) {
          if (each.atMs >= atMs) continue;
          late += 1;
          each.hand(each.from, each.frames);
        }
        stage.time.after(LATE_EACH_MS, again);
      };
      again();
      return (arrival) => {
        const { command, at } = arrival;
        const moves = stage.eventsOf("MoveEnded").length;
        // One of each kind, of each node and each move.
        const key = `${command} ${at.name} ${moves}`;
        if (!CONTROL.has(command) || CARRIED_ONCE.has(command) || past.has(key)) return;
        past.set(key, { ...handed(arrival), hand: arrival.hand, atMs: stage.time.nowMs });
      };
    });
    expect(late).toBeGreaterThan(500);
    expectSame(outcome);
  });
});

interface Late extends Handed {
  readonly hand: (from: PeerIdentity, frames: readonly Uint8Array[]) => void;
  readonly atMs: number;
}

const LATE_EACH_MS = 25;

describe("M9: nobody asked you", () => {
  const STRANGER = "stranger" as PeerIdentity["nodeRid"];
  const asked: CommandName[] = [
    "relocationPrepare",
    "relocationReady",
    "relocationCutover",
    "relocationFailed",
    "sessionRelocationSeal",
    "sessionRelocationSealed",
    "sessionRelocationRoute",
  ];

  it.each(asked)(
    "M9: a %s from who is not its rightful sender, before, with and after the real one: refused, nothing changes",
    async (command) => {
      let forged = 0;
      let due = 0;
      let reported = 0;
      const outcome = await play((stage, { c }) => {
        const forge = ({ hand, at }: Arrival, record: Handed): boolean => {
          const before = stage.logs.length;
          const { meshName, lease } = record.from;
          for (const peer of [c!.identity(), { meshName, nodeRid: STRANGER, nodeGeneration: 1n, lease }]) {
            hand(peer, record.frames);
            forged += 1;
          }
          return stage.logs.slice(before).filter((line) => line.at === at.name && line.level !== "debug").length >= 2;
        };
        let next = 0;
        return (arrival) => {
          if (!CONTROL.has(arrival.command) || arrival.from.nodeRid === c!.rid) return;
          const mine = records.filter((record) => record.command === command && record.at === arrival.at.name);
          if (mine.length === 0) return;
          // Each of them at some time or other, and the one that is due just before it comes.
          const isDue = arrival.command === command;
          if (isDue) {
            due += 1;
            if (forge(arrival, handed(arrival))) reported += 1;
          } else if (forged < MOST_FORGED) forge(arrival, mine[next++ % mine.length]!);
        };
      });
      expect(forged).toBeGreaterThan(10);
      expect({ due, reported }).toEqual({ due, reported: due });
      expect(due).toBeGreaterThan(0);
      expectSame(outcome);
    },
  );
});

/** Fewer than what a node cuts a peer off for (`protocol.md` I9): that is another rule. */
const MOST_FORGED = 50;
