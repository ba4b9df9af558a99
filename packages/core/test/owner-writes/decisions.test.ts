import { describe, expect, it } from "vitest";
import { AFTER_DOUBT_FENCE, AFTER_WRITE, AFTER_WRITE_READ } from "../../src/owner-writes/decisions.ts";
import type { WriteDecision, WritePurpose } from "../../src/owner-writes/decisions.ts";
import type { WriteEvidence, WriteSeen } from "../../src/owner-writes/evidence.ts";
import type { OwnerChange } from "../../src/owner-writes/document.ts";
import type { WriterInput, WriterState } from "../../src/owner-writes/state.ts";
import type { DestroyAnswer, FenceAnswer, PublishAnswer, ReadAnswer } from "../../src/ports/authority-store.ts";
import { fencedRecord, found, supersededRecord } from "../authority-commit/fixture.ts";
import { document, Harness, recordWith, save } from "./fixture.ts";

const sent = document(2);
const unknown = { outcome: "unknown", reason: "timeout" } as const;

/** Every answer of the store to a write, under the name that the table gives it. */
const WRITE_ANSWERS: Readonly<Record<WriteSeen, readonly PublishAnswer[]>> = {
  written: [{ outcome: "published", record: recordWith(sent, "v11") }],
  otherBytes: [{ outcome: "published", record: recordWith(document(3), "v11") }],
  stale: [{ outcome: "stale" }],
  staleLease: [{ outcome: "staleLease" }],
  unknown: [unknown],
};
const READ_ANSWERS: Readonly<Record<WriteEvidence, readonly ReadAnswer[]>> = {
  written: [found(recordWith(sent, "v11"))],
  base: [found(recordWith(document(1), "v10"))],
  rebased: [found(recordWith(document(1), "v12"))],
  foreign: [found(recordWith(document(9), "v12"))],
  gone: [
    { outcome: "absent" },
    found({ ...recordWith(document(1), "v12"), state: "destroyed" }),
    found({ ...recordWith(sent, "v12"), objectGeneration: 8n, authorityOwnerGeneration: 9n }),
  ],
  newerOwner: [found(supersededRecord)],
  none: [
    unknown,
    found({ ...recordWith(sent, "v11"), authorityOwnerGeneration: 7n }),
    found({ ...fencedRecord, owner: supersededRecord.owner }),
  ],
};
const FENCE_ANSWERS: Readonly<Record<FenceAnswer["outcome"], FenceAnswer>> = {
  fenced: { outcome: "fenced", record: recordWith(document(1), "v13") },
  stale: { outcome: "stale" },
  staleLease: { outcome: "staleLease" },
  unknown,
};

/** The tables a second time, as the rules say it. */
const EXPECTED_WRITE: readonly [WriteSeen, WriteDecision][] = [
  ["written", "done"],
  ["otherBytes", "dataLoss"],
  ["stale", "read"],
  ["staleLease", "leaseEnded"],
  ["unknown", "read"],
];
const EXPECTED_READ: readonly [WriteEvidence, Readonly<Record<WritePurpose, WriteDecision>>][] = [
  ["written", { publish: "done", destroy: "dataLoss", settle: "goOn" }],
  ["base", { publish: "writeAgain", destroy: "writeAgain", settle: "fence" }],
  ["rebased", { publish: "writeAgain", destroy: "writeAgain", settle: "goOn" }],
  ["foreign", { publish: "dataLoss", destroy: "writeAgain", settle: "dataLoss" }],
  ["gone", { publish: "notOwner", destroy: "done", settle: "notOwner" }],
  ["newerOwner", { publish: "notOwner", destroy: "notOwner", settle: "notOwner" }],
  ["none", { publish: "keepReading", destroy: "keepReading", settle: "keepReading" }],
];
const EXPECTED_FENCE: readonly [FenceAnswer["outcome"], WriteDecision][] = [
  ["fenced", "goOn"],
  ["stale", "read"],
  ["staleLease", "leaseEnded"],
  ["unknown", "read"],
];

/** What a decision looks like from outside: the state that follows, and what is told to whoever asked. */
const LOOKS: Readonly<Record<WriteDecision, { state: WriterState["type"]; told: string | undefined }>> = {
  done: { state: "idle", told: "written" },
  read: { state: "pausing", told: undefined },
  writeAgain: { state: "writing", told: undefined },
  fence: { state: "fencing", told: undefined },
  goOn: { state: "writing", told: undefined },
  keepReading: { state: "pausing", told: undefined },
  notOwner: { state: "ended", told: "notOwner" },
  leaseEnded: { state: "ended", told: "leaseEnded" },
  dataLoss: { state: "idle", told: "dataLoss" },
};

function writing(change: OwnerChange): Harness {
  const writer = new Harness();
  writer.tell({ type: "WriteAsked", job: { id: 1, change } });
  expect(writer.state.type).toBe("writing");
  return writer;
}

function reading(purpose: WritePurpose): Harness {
  const writer = writing(purpose === "destroy" ? { type: "destroy" } : save(2));
  writer.tell({ type: "WriteSettled", answer: unknown });
  if (purpose !== "settle") {
    writer.tell({ type: "TimerFired", timer: "retryStore" });
    return writer;
  }
  writer.tell({ type: "TimerFired", timer: "deadline" });
  expect(writer.effects).toContainEqual({
    type: "SettleWrite",
    id: 1,
    outcome: { type: "failed", reason: "inDoubt" },
  });
  writer.tell({ type: "WriteAsked", job: { id: 1, change: save(3) } });
  return writer;
}

function expectLook(writer: Harness, input: WriterInput, decision: WriteDecision, destroyed = false): void {
  writer.tell(input);
  const { state, told } = LOOKS[decision];
  expect(writer.state.type).toBe(destroyed && decision === "done" ? "ended" : state);
  const outcomes = writer.effects.flatMap((effect) => (effect.type === "SettleWrite" ? [effect.outcome] : []));
  const names = outcomes.map((outcome) => (outcome.type === "failed" ? outcome.reason : outcome.type));
  expect(names).toEqual(told === undefined ? [] : [told]);
  expect(writer.types.includes("ReportLoss")).toBe(decision === "dataLoss");
}

describe("what the store's answers to an owner's write mean (J2)", () => {
  it.each(EXPECTED_WRITE)("after a publish that ended as %s: %s", (seen, decision) => {
    expect(AFTER_WRITE[seen]).toBe(decision);
    for (const answer of WRITE_ANSWERS[seen]) expectLook(writing(save(2)), { type: "WriteSettled", answer }, decision);
  });

  it.each<[DestroyAnswer, WriteDecision]>([
    [{ outcome: "destroyed" }, "done"],
    [{ outcome: "stale" }, "read"],
    [{ outcome: "staleLease" }, "leaseEnded"],
    [unknown, "read"],
  ])("after a destroy that ended as %j: %s", (answer, decision) => {
    expectLook(writing({ type: "destroy" }), { type: "WriteSettled", answer }, decision, true);
  });

  it.each(EXPECTED_READ)("after a reading that shows %s: %j", (evidence, decisions) => {
    expect(AFTER_WRITE_READ[evidence]).toEqual(decisions);
    for (const answer of READ_ANSWERS[evidence]) {
      for (const purpose of ["publish", "destroy", "settle"] as const) {
        // A destroy sends no bytes, so a reading can only be `rebased` or `foreign` where a publish's is `written`.
        if (purpose === "destroy" && evidence === "written") continue;
        expectLook(reading(purpose), { type: "AuthorityRead", answer }, decisions[purpose], purpose === "destroy");
      }
    }
  });

  it.each(EXPECTED_FENCE)("after a fence of the doubtful version that ended as %s: %s", (outcome, decision) => {
    expect(AFTER_DOUBT_FENCE[outcome]).toBe(decision);
    const writer = reading("settle");
    writer.tell({ type: "AuthorityRead", answer: found(recordWith(document(1), "v10")) });
    expectLook(writer, { type: "FenceSettled", answer: FENCE_ANSWERS[outcome] }, decision);
  });

  it("every row is walked", () => {
    expect(EXPECTED_WRITE.map(([row]) => row).sort()).toEqual(Object.keys(AFTER_WRITE).sort());
    expect(EXPECTED_READ.map(([row]) => row).sort()).toEqual(Object.keys(AFTER_WRITE_READ).sort());
    expect(EXPECTED_FENCE.map(([row]) => row).sort()).toEqual(Object.keys(AFTER_DOUBT_FENCE).sort());
  });
});
