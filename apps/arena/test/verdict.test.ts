import { describe, expect, test } from "vitest";
import type { Judgement } from "../src/judge.ts";
import { Pauses } from "../src/pauses.ts";
import { progressText } from "../src/progress.ts";
import { passed, verdictJson, verdictText, type Verdict } from "../src/verdict.ts";

const judgement: Judgement = {
  sent: 1_000,
  received: 999,
  lost: 0,
  duplicated: 0,
  reordered: 0,
  disconnects: 0,
  refused: 1,
  answers: 250,
  pushes: 300,
  findings: [],
};

function verdictWith(changes: Partial<Verdict>, faults: Partial<Judgement> = {}): Verdict {
  const pauses = new Pauses();
  pauses.paused("a", 1);
  pauses.opened("a", 3.123456);
  return {
    judgement: { ...judgement, ...faults },
    moves: 1,
    undone: new Map(),
    troubles: new Map(),
    givenUp: 0,
    pauses,
    seconds: 30.04,
    seed: 5,
    failure: undefined,
    stopped: false,
    unjudged: undefined,
    ...changes,
  };
}

describe("the verdict", () => {
  test("passes only without a fault, with a move, and when nothing failed", () => {
    expect(passed(verdictWith({}))).toBe(true);
    for (const fault of ["lost", "duplicated", "reordered", "disconnects"]) {
      expect(passed(verdictWith({}, { [fault]: 1 }))).toBe(false);
    }
    expect(passed(verdictWith({ moves: 0 }))).toBe(false);
    expect(passed(verdictWith({ failure: "node-a died" }))).toBe(false);
    expect(passed(verdictWith({ unjudged: "no accounts" }))).toBe(false);
  });

  test("as JSON has exactly the keys that programs read", () => {
    expect(verdictJson(verdictWith({}))).toEqual({
      moves: 1,
      sent: 1_000,
      received: 999,
      lost: 0,
      duplicated: 0,
      reordered: 0,
      disconnects: 0,
      pauseMs: { p50: expect.closeTo(2.123, 1) as number, p99: expect.closeTo(2.123, 1) as number, max: 2.123 },
      seconds: 30,
    });
  });

  test("for people begins with how it ended, and says why", () => {
    expect(verdictText(verdictWith({})).trim()).toMatch(/^PASSED\n/);
    const text = verdictText(
      verdictWith(
        {
          failure: "node-b died",
          troubles: new Map([["notOwner", 2]]),
          undone: new Map([["deadline", 1]]),
          givenUp: 3,
        },
        { lost: 2, findings: ["client-1: messages sent and never run (2 lost)"] },
      ),
    );
    for (const part of ["FAILED: node-b died", "2 × notOwner", "1 × deadline", "orders lost", "client-1: messages"]) {
      expect(text).toContain(part);
    }
    expect(verdictText(verdictWith({ moves: 0 }))).toContain("nothing moved");
    expect(verdictText(verdictWith({ moves: 0 }, { sent: 0 }))).toContain("nothing moved");
  });

  test("of a run that was stopped before anything ran says only that", () => {
    const idle = { sent: 0, received: 0, answers: 0, pushes: 0, refused: 0 };
    const stopped = verdictWith({ moves: 0, stopped: true }, idle);
    expect(verdictText(stopped)).toBe("\nstopped before anything ran");
    expect(passed(stopped)).toBe(false);
    for (const changes of [{ stopped: false }, { moves: 1 }, { failure: "node-a died" }, { unjudged: "no accounts" }]) {
      expect(verdictText(verdictWith({ moves: 0, stopped: true, ...changes }, idle))).toMatch(/PASSED|FAILED/);
    }
    for (const faults of [{ sent: 1 }, { disconnects: 1 }, { findings: ["client-1: odd"] }]) {
      expect(verdictText(verdictWith({ moves: 0, stopped: true }, { ...idle, ...faults }))).toMatch(/FAILED/);
    }
  });
});

test("the progress line fits a terminal", () => {
  const pauseMs = { p50: 1.23, p99: 12.3, max: 45.6 };
  const progress = { secondsLeft: 12.4, seconds: 17.6, moves: 1_234, sent: 123_456, run: 123_450, faults: 0, pauseMs };
  const text = progressText(progress);
  expect(text).toBe("12 s left  moves 1234  sent 123456  run 123450  pause p50/p99/max 1.2/12.3/45.6 ms");
  expect(progressText({ ...progress, secondsLeft: undefined, faults: 3 })).toMatch(/^18 s {2}.* faults 3$/);
});
