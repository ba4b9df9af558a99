import { describe, expect, it } from "vitest";
import { AFTER_COMMIT, AFTER_FENCE, AFTER_READ } from "../../src/authority-commit/decisions.ts";
import type { CommitDecision, CommitGoal, CommitSeen, WriteHistory } from "../../src/authority-commit/decisions.ts";
import type { MoveEvidence } from "../../src/authority-commit/evidence.ts";
import { brokenCommitInvariants } from "../../src/authority-commit/invariants.ts";
import type { CommitPursuit, CommitState, CommitStep } from "../../src/authority-commit/state.ts";
import { startCommit, stepCommit } from "../../src/authority-commit/step.ts";
import type { CommitAnswer, FenceAnswer, ReadAnswer } from "../../src/ports/authority-store.ts";
import { baseRecord, fencedRecord, found, move, movedRecord, supersededRecord } from "./fixture.ts";

/** Every answer of the store to a commit write, under the name that the table gives it. */
const COMMIT_ANSWERS: Readonly<Record<CommitSeen, readonly CommitAnswer[]>> = {
  thisMove: [
    { outcome: "committed", records: [movedRecord] },
    {
      outcome: "alreadyCommitted",
      records: [supersededRecord, movedRecord].map((r, i) => (i ? r : { ...r, key: "x" })),
    },
  ],
  otherRecord: [
    { outcome: "committed", records: [supersededRecord] },
    { outcome: "alreadyCommitted", records: [] },
    { outcome: "committed", records: [{ ...movedRecord, key: "zla1:a:1:x" }] },
  ],
  stale: [{ outcome: "stale" }],
  capacityExceeded: [{ outcome: "capacityExceeded" }],
  generationExhausted: [{ outcome: "generationExhausted" }],
  staleLease: [{ outcome: "staleLease" }],
  unknown: [{ outcome: "unknown", reason: "timeout" }],
};
const READ_ANSWERS: Readonly<Record<MoveEvidence["type"], ReadAnswer>> = {
  thisMove: found(movedRecord),
  base: found(baseRecord),
  sameOwner: found(fencedRecord),
  newerOwner: found(supersededRecord),
  gone: { outcome: "absent" },
  none: { outcome: "unknown", reason: "timeout" },
};
const FENCE_ANSWERS: Readonly<Record<FenceAnswer["outcome"], FenceAnswer>> = {
  fenced: { outcome: "fenced", record: fencedRecord },
  stale: { outcome: "stale" },
  staleLease: { outcome: "staleLease" },
  unknown: { outcome: "unknown", reason: "timeout" },
};

const PURSUITS: Readonly<Record<CommitGoal, CommitPursuit>> = {
  commit: { goal: "commit" },
  fence: { goal: "fence", reason: "deadline" },
  learn: { goal: "learn" },
};

/** What the tables say, written down a second time as the rule's sentences. `T6` where a row follows from it. */
const EXPECTED_COMMIT: readonly [CommitSeen, WriteHistory, "commit" | "fence", CommitDecision][] = [
  ["thisMove", "first", "commit", "adopt"],
  ["thisMove", "first", "fence", "adopt"],
  ["thisMove", "repeated", "commit", "adopt"],
  ["thisMove", "repeated", "fence", "adopt"],
  ["otherRecord", "first", "commit", "read"],
  ["otherRecord", "first", "fence", "fence"],
  ["otherRecord", "repeated", "commit", "read"],
  ["otherRecord", "repeated", "fence", "fence"],
  ["stale", "first", "commit", "failed"],
  ["stale", "first", "fence", "failed"],
  ["stale", "repeated", "commit", "read"],
  ["stale", "repeated", "fence", "read"],
  ["capacityExceeded", "first", "commit", "failed"],
  ["capacityExceeded", "first", "fence", "failed"],
  ["capacityExceeded", "repeated", "commit", "fence"],
  ["capacityExceeded", "repeated", "fence", "fence"],
  ["generationExhausted", "first", "commit", "failed"],
  ["generationExhausted", "first", "fence", "failed"],
  ["generationExhausted", "repeated", "commit", "fence"],
  ["generationExhausted", "repeated", "fence", "fence"],
  ["staleLease", "first", "commit", "failed"],
  ["staleLease", "first", "fence", "failed"],
  ["staleLease", "repeated", "commit", "readLast"],
  ["staleLease", "repeated", "fence", "readLast"],
  ["unknown", "first", "commit", "read"],
  ["unknown", "first", "fence", "fence"],
  ["unknown", "repeated", "commit", "read"],
  ["unknown", "repeated", "fence", "fence"],
];
const EXPECTED_READ: readonly [MoveEvidence["type"], CommitGoal, CommitDecision][] = [
  ["thisMove", "commit", "adopt"],
  ["thisMove", "fence", "adopt"],
  ["thisMove", "learn", "adopt"],
  ["base", "commit", "writeAgain"],
  ["base", "fence", "fence"],
  ["base", "learn", "failed"],
  ["sameOwner", "commit", "failed"],
  ["sameOwner", "fence", "failed"],
  ["sameOwner", "learn", "failed"],
  ["newerOwner", "commit", "failed"],
  ["newerOwner", "fence", "failed"],
  ["newerOwner", "learn", "failed"],
  ["gone", "commit", "failed"],
  ["gone", "fence", "failed"],
  ["gone", "learn", "failed"],
  ["none", "commit", "keepReading"],
  ["none", "fence", "fence"],
  ["none", "learn", "keepReading"],
];
const EXPECTED_FENCE: readonly [FenceAnswer["outcome"], CommitDecision][] = [
  ["fenced", "failed"],
  ["stale", "read"],
  ["staleLease", "readLast"],
  ["unknown", "read"],
];

/** What the machine does when the table has decided; `goal` is what it is after from then on. */
function expectCarriedOut(decision: CommitDecision, step: CommitStep, goal: CommitGoal): void {
  expect(brokenCommitInvariants(step.state)).toEqual([]);
  const effects = step.effects.map((effect) => effect.type);
  switch (decision) {
    case "adopt":
      expect(step.state).toMatchObject({ type: "committed", record: movedRecord });
      expect(effects).toEqual([]);
      return;
    case "failed":
      expect(step.state.type).toBe("failed");
      expect(effects).toEqual([]);
      return;
    case "writeAgain":
      expect(step.state).toMatchObject({ type: "writing", history: "repeated" });
      expect(step.effects).toEqual([{ type: "CommitAuthority", request: move.request }]);
      return;
    case "fence":
      expect(step.state.type).toBe("fencing");
      expect(step.effects).toEqual([{ type: "FenceAuthority", baseVersion: "v10" }]);
      return;
    case "read":
    case "keepReading":
    case "readLast":
      expect(step.state).toMatchObject({
        type: "pausing",
        pursuit: { goal: decision === "readLast" ? "learn" : goal },
      });
      expect(effects).toEqual(["StartTimer"]);
      expect(stepCommit(step.state, { type: "RetryDue" }).effects).toEqual([{ type: "ReadAuthority" }]);
  }
}

describe("T6: the decision tables, row by row", () => {
  it("T6: a commit write's answer is decided by what it says, whether it is the first, and the deadline", () => {
    const rows = Object.entries(AFTER_COMMIT).flatMap(([seen, byHistory]) =>
      Object.entries(byHistory).flatMap(([history, byGoal]) =>
        Object.entries(byGoal).map(([goal, decision]) => [seen, history, goal, decision]),
      ),
    );
    expect(rows).toEqual(EXPECTED_COMMIT);
  });

  for (const [seen, history, goal, decision] of EXPECTED_COMMIT) {
    COMMIT_ANSWERS[seen].forEach((answer, index) => {
      it(`T6: commit answers ${seen} (${index}), ${history} write, goal ${goal}: ${decision}`, () => {
        const state: CommitState = {
          type: "writing",
          move,
          history,
          pursuit: goal === "commit" ? { goal } : { goal, reason: "deadline" },
          pauses: history === "first" ? 0 : 1,
        };
        expectCarriedOut(decision, stepCommit(state, { type: "CommitSettled", answer }), goal);
      });
    });
  }

  it("T6: a read's answer is decided by its evidence and the goal", () => {
    const rows = Object.entries(AFTER_READ).flatMap(([evidence, byGoal]) =>
      Object.entries(byGoal).map(([goal, decision]) => [evidence, goal, decision]),
    );
    expect(rows).toEqual(EXPECTED_READ);
  });

  for (const [evidence, goal, decision] of EXPECTED_READ) {
    it(`T6: a reading of ${evidence}, goal ${goal}: ${decision}`, () => {
      const state: CommitState = { type: "reading", move, pursuit: PURSUITS[goal], pauses: 1 };
      const step = stepCommit(state, { type: "AuthorityRead", answer: READ_ANSWERS[evidence] });
      expectCarriedOut(decision, step, goal);
    });
  }

  it("T6: the fence write's answer is decided by what it says", () => {
    expect(Object.entries(AFTER_FENCE)).toEqual(EXPECTED_FENCE);
  });

  for (const [outcome, decision] of EXPECTED_FENCE) {
    it(`T6: fence answers ${outcome}: ${decision}`, () => {
      const state: CommitState = { type: "fencing", move, reason: "deadline", pauses: 1 };
      const step = stepCommit(state, { type: "FenceSettled", answer: FENCE_ANSWERS[outcome] });
      expectCarriedOut(decision, step, "fence");
    });
  }
});

describe("T6: the reasons that a failed commit gives", () => {
  const writing = startCommit(move).state;
  const cases: readonly [string, CommitState, Parameters<typeof stepCommit>[1], string, string][] = [
    [
      "stale base",
      writing,
      { type: "CommitSettled", answer: { outcome: "stale" } },
      "staleOwner",
      "actorLocationStale",
    ],
    [
      "capacity",
      writing,
      { type: "CommitSettled", answer: { outcome: "capacityExceeded" } },
      "targetRefused",
      "workerQueueFull",
    ],
    [
      "generations at their end",
      writing,
      { type: "CommitSettled", answer: { outcome: "generationExhausted" } },
      "targetRefused",
      "requestRejected",
    ],
    [
      "lost lease",
      writing,
      { type: "CommitSettled", answer: { outcome: "staleLease" } },
      "targetUnavailable",
      "actorLocationStale",
    ],
    [
      "fenced at the deadline",
      { type: "fencing", move, reason: "deadline", pauses: 1 },
      { type: "FenceSettled", answer: FENCE_ANSWERS.fenced },
      "deadlineExceeded",
      "requestRejected",
    ],
    [
      "fenced for want of room",
      { type: "fencing", move, reason: "capacityExceeded", pauses: 1 },
      { type: "FenceSettled", answer: FENCE_ANSWERS.fenced },
      "targetRefused",
      "workerQueueFull",
    ],
    [
      "its own fence found by a read",
      { type: "reading", move, pursuit: { goal: "fence", reason: "deadline" }, pauses: 2 },
      { type: "AuthorityRead", answer: READ_ANSWERS.sameOwner },
      "deadlineExceeded",
      "requestRejected",
    ],
    [
      "the source's fence found by a read",
      { type: "reading", move, pursuit: { goal: "commit" }, pauses: 2 },
      { type: "AuthorityRead", answer: READ_ANSWERS.sameOwner },
      "staleOwner",
      "actorLocationStale",
    ],
    [
      "the base version, but the lease ended",
      { type: "reading", move, pursuit: { goal: "learn" }, pauses: 2 },
      { type: "AuthorityRead", answer: READ_ANSWERS.base },
      "targetUnavailable",
      "actorLocationStale",
    ],
  ];
  for (const [name, state, input, code, failureCode] of cases) {
    it(`T6: ${name}`, () => {
      expect(stepCommit(state, input).state).toMatchObject({ type: "failed", failure: { code }, failureCode });
    });
  }
});
