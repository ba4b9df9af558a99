import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { brokenCommitInvariants } from "../../src/authority-commit/invariants.ts";
import type { CommitEffect, CommitInput, CommitState } from "../../src/authority-commit/state.ts";
import { startCommit, stepCommit } from "../../src/authority-commit/step.ts";
import type { AuthorityRecord, CommitAnswer, FenceAnswer, ReadAnswer } from "../../src/ports/authority-store.ts";
import { baseRecord, fencedRecord, found, move, movedRecord, supersededRecord } from "./fixture.ts";

const unknown = { outcome: "unknown", reason: "timeout" } as const;

function run(inputs: readonly CommitInput[]): { state: CommitState; effects: CommitEffect[] } {
  let { state } = startCommit(move);
  let last: readonly CommitEffect[] = [];
  for (const input of inputs) ({ state, effects: last } = stepCommit(state, input));
  return { state, effects: [...last] };
}

describe("T6: a commit in doubt", () => {
  it("T6: the first write stands on the base version", () => {
    expect(startCommit(move).effects).toEqual([{ type: "CommitAuthority", request: move.request }]);
    expect(move.request.participants[0]?.baseVersion).toBe("v10");
  });

  it("T6: an answer that was lost is read, never guessed, and the write repeated on the same base version", () => {
    const { state, effects } = run([
      { type: "CommitSettled", answer: unknown },
      { type: "RetryDue" },
      { type: "AuthorityRead", answer: found(baseRecord) },
    ]);
    expect(state).toMatchObject({ type: "writing", history: "repeated" });
    expect(effects).toEqual([{ type: "CommitAuthority", request: move.request }]);
  });

  it("T6: at the deadline in doubt it fences the base version at once, and stops the pause", () => {
    const { state, effects } = run([{ type: "CommitSettled", answer: unknown }, { type: "DeadlinePassed" }]);
    expect(state.type).toBe("fencing");
    expect(effects).toEqual([
      { type: "StopTimer", timer: "retryStore" },
      { type: "FenceAuthority", baseVersion: "v10" },
    ]);
  });

  it("T6: a deadline while an answer is out asks nothing twice, but counts when the answer comes", () => {
    const waiting = run([{ type: "DeadlinePassed" }]);
    expect(waiting.state.type).toBe("writing");
    expect(waiting.effects).toEqual([]);
    const then = stepCommit(waiting.state, { type: "CommitSettled", answer: unknown });
    expect(then.state.type).toBe("fencing");

    const reading = run([{ type: "CommitSettled", answer: unknown }, { type: "RetryDue" }, { type: "DeadlinePassed" }]);
    expect(reading.effects).toEqual([]);
    const base = stepCommit(reading.state, { type: "AuthorityRead", answer: found(baseRecord) });
    expect(base.state.type).toBe("fencing");
  });

  it("T6: a commit that is proven after the deadline is adopted all the same", () => {
    const { state } = run([
      { type: "DeadlinePassed" },
      { type: "CommitSettled", answer: { outcome: "committed", records: [movedRecord] } },
    ]);
    expect(state.type).toBe("committed");
  });

  it("T6: a fence write that came too late finds the commit", () => {
    const { state } = run([
      { type: "CommitSettled", answer: unknown },
      { type: "DeadlinePassed" },
      { type: "FenceSettled", answer: { outcome: "stale" } },
      { type: "RetryDue" },
      { type: "AuthorityRead", answer: found(movedRecord) },
    ]);
    expect(state.type).toBe("committed");
  });

  it("T6: with its lease ended it never writes again, and a base version that stands is a failure", () => {
    const learning = run([
      { type: "CommitSettled", answer: unknown },
      { type: "RetryDue" },
      { type: "AuthorityRead", answer: found(baseRecord) },
      { type: "CommitSettled", answer: { outcome: "staleLease" } },
      { type: "DeadlinePassed" },
      { type: "RetryDue" },
      { type: "DeadlinePassed" },
    ]);
    expect(learning.state).toMatchObject({ type: "reading", pursuit: { goal: "learn" } });
    const ended = stepCommit(learning.state, { type: "AuthorityRead", answer: found(baseRecord) });
    expect(ended.state).toMatchObject({ type: "failed", failure: { code: "targetUnavailable" } });
  });

  it("I8: pauses grow to their bound while the store does not answer, and are short after an answer", () => {
    let { state } = startCommit(move);
    const delays: number[] = [];
    let input: CommitInput = { type: "CommitSettled", answer: unknown };
    for (let round = 0; round < 10; round++) {
      const step = stepCommit(state, input);
      for (const effect of step.effects) if (effect.type === "StartTimer") delays.push(effect.delayMs);
      state = stepCommit(step.state, { type: "RetryDue" }).state;
      input = { type: "AuthorityRead", answer: unknown };
    }
    expect(delays).toEqual([10, 20, 40, 80, 160, 320, 640, 1_000, 1_000, 1_000]);
    const again = stepCommit(state, { type: "AuthorityRead", answer: found(baseRecord) });
    const stale = stepCommit(again.state, { type: "CommitSettled", answer: { outcome: "stale" } });
    expect(stale.effects).toEqual([{ type: "StartTimer", timer: "retryStore", delayMs: 10 }]);
  });

  it("T6: an answer that nobody waits for changes nothing", () => {
    const { state } = startCommit(move);
    for (const input of [
      { type: "AuthorityRead", answer: found(movedRecord) },
      { type: "FenceSettled", answer: { outcome: "fenced", record: fencedRecord } },
      { type: "RetryDue" },
    ] satisfies CommitInput[]) {
      expect(stepCommit(state, input)).toEqual({ state, effects: [] });
    }
  });
});

/** A store of one key: writes may happen with or without an answer, now or when someone asks next. */
interface ModelStore {
  record: AuthorityRecord;
  readonly late: ("commit" | "fence")[];
}

function write(store: ModelStore, kind: "commit" | "fence"): boolean {
  if (store.record.storeVersion !== "v10") return false;
  store.record = kind === "commit" ? movedRecord : fencedRecord;
  return true;
}

const fate = fc.constantFrom(
  "answered",
  "answerLost",
  "requestLost",
  "late",
  "superseded",
  "lateArrives",
  "deadline" as const,
);

describe("T6: any store, any order", () => {
  it("T6: ends only with what the store says, and never in two ways", () => {
    fc.assert(
      fc.property(fc.array(fate, { maxLength: 40 }), fc.boolean(), (fates, remembersRelocations) => {
        const store: ModelStore = { record: baseRecord, late: [] };
        let { state, effects } = startCommit(move);
        const answerAll = (effect: CommitEffect, how: (typeof fates)[number]): CommitInput | undefined => {
          if (effect.type === "StartTimer") return { type: "RetryDue" };
          if (effect.type === "StopTimer") return undefined;
          const kind =
            effect.type === "CommitAuthority" ? "commit" : effect.type === "FenceAuthority" ? "fence" : "read";
          if (how === "superseded") store.record = store.record === movedRecord ? movedRecord : supersededRecord;
          const arrives = how !== "requestLost" && how !== "late";
          if (kind !== "read" && how === "late") store.late.push(kind);
          const won = kind !== "read" && arrives && write(store, kind);
          const heard = arrives && how !== "answerLost";
          if (kind === "read") {
            const answer: ReadAnswer = heard ? found(store.record) : unknown;
            return { type: "AuthorityRead", answer };
          }
          if (kind === "commit") {
            const mine = store.record === movedRecord && (won || remembersRelocations);
            const answer: CommitAnswer = !heard
              ? unknown
              : mine
                ? { outcome: won ? "committed" : "alreadyCommitted", records: [movedRecord] }
                : { outcome: "stale" };
            return { type: "CommitSettled", answer };
          }
          const answer: FenceAnswer = !heard
            ? unknown
            : won
              ? { outcome: "fenced", record: fencedRecord }
              : { outcome: "stale" };
          return { type: "FenceSettled", answer };
        };

        const deal = (how: (typeof fates)[number]): void => {
          // A write that was on its way arrives at any later moment.
          if (how === "lateArrives") for (const kind of store.late.splice(0)) write(store, kind);
          if (how === "deadline") ({ state, effects } = merge(stepCommit(state, { type: "DeadlinePassed" }), effects));
          const open = effects.find((effect) => effect.type !== "StopTimer");
          if (!open) return;
          const input = answerAll(open, how);
          if (input) ({ state, effects } = stepCommit(state, input));
          expect(brokenCommitInvariants(state)).toEqual([]);
          if (state.type === "committed") expect(store.record).toBe(movedRecord);
          if (state.type === "failed") expect(store.record.storeVersion).not.toBe("v10");
          if (state.type === "failed") expect(store.record).not.toBe(movedRecord);
        };
        for (const how of fates) deal(how);
        deal("deadline");
        for (let round = 0; round < 10; round++) deal("answered");
        expect(["committed", "failed"]).toContain(state.type);
        // What arrives after the verdict changes nothing any more.
        for (const kind of store.late) write(store, kind);
        expect(store.record === movedRecord).toBe(state.type === "committed");
      }),
      { numRuns: 2_000 },
    );
  });
});

/** What is open after a step that may have asked nothing new: the old question stays out. */
function merge(
  step: { state: CommitState; effects: readonly CommitEffect[] },
  open: readonly CommitEffect[],
): { state: CommitState; effects: readonly CommitEffect[] } {
  return step.effects.length > 0 ? step : { state: step.state, effects: open };
}
