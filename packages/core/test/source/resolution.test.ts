import { describe, expect, it } from "vitest";
import type { FenceAnswer, ReadAnswer } from "../../src/ports/authority-store.ts";
import { READ_AGAIN_MS, READ_AGAIN_SLOWLY_MS } from "../../src/source/config.ts";
import {
  FENCE_READINGS,
  READINGS,
  SITUATIONS,
  SOURCE_AFTER_FENCE,
  SOURCE_AFTER_READ,
  type FenceAction,
  type FenceReading,
  type ReadAction,
  type Reading,
  type Situation,
} from "../../src/source/resolution.ts";
import {
  committedRecord,
  cutOverRun,
  deadlineFired,
  elsewhere,
  failed,
  found,
  joined,
  names,
  noAnswer,
  OBJECT,
  OWN,
  ownRecord,
  read,
  readingBaseRun,
  RELOCATION,
  retryFired,
  self,
  targetOwner,
  type Run,
} from "./fixtures.ts";

/** Every answer of the store that says the same thing after the 34. */
const ANSWERS: Readonly<Record<Reading, readonly ReadAnswer[]>> = {
  ownAtBase: [found()],
  ownPastBase: [found({ storeVersion: "v2" })],
  ownLeaseEnded: [found({}, false), found({ storeVersion: "v2" }, false)],
  thisMove: [
    { outcome: "found", reading: { record: committedRecord, ownerLeaseLive: true } },
    // The target died after its commit: it committed all the same.
    { outcome: "found", reading: { record: committedRecord, ownerLeaseLive: false } },
  ],
  newerOwner: [
    found({ ...committedRecord, owner: elsewhere }),
    found({ ...committedRecord, relocation: { high: RELOCATION.high, low: RELOCATION.low + 1n } }),
    found({ ...committedRecord, relocation: undefined }),
    found({ ...committedRecord, owner: { ...targetOwner, ownerLeaseGeneration: 41n } }),
    found({ ...committedRecord, owner: { ...targetOwner, nodeGeneration: 5n } }),
    // There and back: a newer incarnation lives on this very node.
    found({ ...committedRecord, owner: self, authorityOwnerGeneration: OWN + 2n }),
  ],
  gone: [
    { outcome: "absent" },
    found({ state: "destroyed", storeVersion: "v2" }),
    found({ state: "destroyed", storeVersion: "v2", authorityOwnerGeneration: OWN + 1n }),
    found({ ...committedRecord, objectGeneration: OBJECT + 1n }),
    found({ ...committedRecord, state: "reserved" }),
  ],
  contradiction: [
    found({ authorityOwnerGeneration: OWN - 1n, storeVersion: "v2" }),
    found({ owner: elsewhere, storeVersion: "v2" }),
    found({ owner: targetOwner, relocation: RELOCATION, storeVersion: "v2" }),
    found({ stableType: "other", storeVersion: "v2" }),
    found({ state: "reserved", storeVersion: "v2" }),
    found({ objectGeneration: OBJECT - 1n, storeVersion: "v2" }),
    found({ key: "zla1:a:1:x", storeVersion: "v2" }),
  ],
  noAnswer: [noAnswer],
};

/** Before the seal any version is the base, so nothing is past it. */
const BASE_ANSWERS: Readonly<Record<Reading, readonly ReadAnswer[]>> = {
  ...ANSWERS,
  ownAtBase: [found(), found({ storeVersion: "another" })],
  ownPastBase: [],
};

const RUNS: Readonly<Record<Situation, () => Run>> = {
  base: () => readingBaseRun(),
  hinted: () => cutOverRun().give(joined),
  abortWanted: () => cutOverRun().give(failed),
  stuck: stuckRun,
};

function stuckRun(): Run {
  const run = cutOverRun().after(10_000).give(deadlineFired, read(noAnswer)).after(5_000).give(deadlineFired);
  expect(run.state).toMatchObject({ type: "readingVerdict", situation: { type: "stuck" } });
  return run;
}

/** What each action looks like from outside. */
const DONE: Readonly<Record<ReadAction, (run: Run) => void>> = {
  seal: (run) => expect(names(run.effects)).toEqual(["SendSeal", "SendSeal"]),
  abort: (run) => expect(run.state).toMatchObject({ type: "aborted", outcome: { failure: { code: "staleOwner" } } }),
  fence: (run) => expect(run.effects).toEqual([{ type: "FenceAuthority", baseVersion: ownRecord.storeVersion }]),
  rollBack: (run) => {
    expect(run.state.type).toBe("aborted");
    expect(names(run.effects)).toEqual([
      "SendFailed",
      "GiveBackHold",
      "SendRoute:abort",
      "SendRoute:abort",
      "OpenGate",
      "StopTimer",
      "Settle",
    ]);
  },
  departCommitted: (run) => {
    expect(run.state).toMatchObject({ type: "departed", outcome: { type: "committed" } });
    expect(run.effects[0]).toMatchObject({ type: "StartFollow", handedOver: "delivered" });
  },
  departSuperseded: (run) => {
    expect(run.state).toMatchObject({ type: "departed", outcome: { type: "superseded" } });
    expect(run.effects[0]).toMatchObject({
      type: "StartFollow",
      handedOver: run.trail.cutOver ? "unknown" : "nothing",
    });
  },
  departGone: (run) => {
    expect(run.state).toMatchObject({ type: "departed", outcome: { type: "superseded" } });
    expect(names(run.effects)[0]).toBe("FailHold");
    expect(names(run.effects)).toContain("DropCopy");
  },
  readAgain: (run) => expectPause(run, READ_AGAIN_MS),
  readAgainSlowly: (run) => expectPause(run, READ_AGAIN_SLOWLY_MS),
};

function expectPause(run: Run, delayMs: number): void {
  expect(run.effects.at(-1)).toEqual({ type: "StartTimer", timer: "retryRead", delayMs });
  expect(names(run.give(retryFired).effects)).toEqual(["ReadAuthority"]);
}

describe("O3-O5: what a reading means, row by row", () => {
  for (const situation of SITUATIONS) {
    for (const reading of READINGS) {
      const row = SOURCE_AFTER_READ[situation][reading];
      const answers = situation === "base" ? BASE_ANSWERS[reading] : ANSWERS[reading];
      it(`${situation} × ${reading} → ${row.action} (${row.because})`, () => {
        for (const answer of answers) DONE[row.action](RUNS[situation]().give(read(answer)));
      });
    }
  }

  it("has a row for every situation and reading, and no other", () => {
    expect(Object.keys(SOURCE_AFTER_READ).sort()).toEqual([...SITUATIONS].sort());
    for (const situation of SITUATIONS) {
      expect(Object.keys(SOURCE_AFTER_READ[situation]).sort()).toEqual([...READINGS].sort());
    }
  });

  /** Stated apart from the table, so that a wrong row cannot confirm itself. */
  const AFTER_THE_34: Readonly<Record<Reading, readonly ReadAction[]>> = {
    ownAtBase: ["readAgain", "fence", "fence"],
    ownPastBase: ["rollBack", "rollBack", "rollBack"],
    ownLeaseEnded: ["readAgain", "readAgain", "readAgainSlowly"],
    thisMove: ["departCommitted", "departCommitted", "departCommitted"],
    newerOwner: ["departSuperseded", "departSuperseded", "departSuperseded"],
    gone: ["departGone", "departGone", "departGone"],
    contradiction: ["readAgain", "readAgain", "readAgainSlowly"],
    noAnswer: ["readAgain", "readAgain", "readAgainSlowly"],
  };

  it("O4, O5: resumes after the 34 on no reading but one that shows the base version gone under this node", () => {
    for (const reading of READINGS) {
      const actions = (["hinted", "abortWanted", "stuck"] as const).map((s) => SOURCE_AFTER_READ[s][reading].action);
      expect([reading, ...actions]).toEqual([reading, ...AFTER_THE_34[reading]]);
    }
  });

  it("O1: before the seal only the exact own record goes on", () => {
    for (const reading of READINGS) {
      const { action } = SOURCE_AFTER_READ.base[reading];
      expect(action === "seal").toBe(reading === "ownAtBase");
      expect(["fence", "rollBack", "departCommitted", "readAgainSlowly"]).not.toContain(action);
    }
  });

  it("reports a contradiction of the store, which is no evidence", () => {
    for (const answer of ANSWERS.contradiction) {
      expect(RUNS.hinted().give(read(answer)).effects[0]).toMatchObject({
        type: "Report",
        event: "source.store.contradiction",
      });
    }
  });
});

describe("O4: what the answer to a fence write means, row by row", () => {
  const ANSWERS_OF_FENCE: Readonly<Record<FenceReading, readonly FenceAnswer[]>> = {
    fenced: [{ outcome: "fenced", record: { ...ownRecord, storeVersion: "v2" } }],
    otherRecord: [
      { outcome: "fenced", record: committedRecord },
      { outcome: "fenced", record: { ...ownRecord, storeVersion: "v2", owner: elsewhere } },
    ],
    stale: [{ outcome: "stale" }],
    staleLease: [{ outcome: "staleLease" }],
    unknown: [{ outcome: "unknown", reason: "connection lost" }],
  };

  for (const situation of ["abortWanted", "stuck"] as const) {
    for (const reading of FENCE_READINGS) {
      const row = SOURCE_AFTER_FENCE[situation][reading];
      it(`${situation} × ${reading} → ${row.action} (${row.because})`, () => {
        for (const answer of ANSWERS_OF_FENCE[reading]) {
          const run = RUNS[situation]().give(read(found()));
          expect(run.state.type).toBe("fencing");
          DONE[row.action](run.give({ type: "FenceSettled", answer }));
        }
      });
    }
  }

  it("O4: only a fence write that succeeded on this node's record lets the source resume", () => {
    for (const situation of ["abortWanted", "stuck"] as const) {
      expect(Object.keys(SOURCE_AFTER_FENCE[situation]).sort()).toEqual([...FENCE_READINGS].sort());
      for (const reading of FENCE_READINGS) {
        const expected: FenceAction =
          reading === "fenced" ? "rollBack" : situation === "stuck" ? "readAgainSlowly" : "readAgain";
        expect(SOURCE_AFTER_FENCE[situation][reading].action).toBe(expected);
      }
    }
  });
});
