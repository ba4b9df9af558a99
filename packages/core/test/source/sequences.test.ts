import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FenceAnswer, ReadAnswer } from "../../src/ports/authority-store.ts";
import type { SourceInput } from "../../src/source/inputs.ts";
import { sourceEnded } from "../../src/source/state.ts";
import {
  abortRequested,
  captured,
  committed,
  committedRecord,
  config,
  cutOverRun,
  deadlineFired,
  elsewhere,
  failed,
  found,
  gateway,
  joined,
  linkLost,
  noAnswer,
  OBJECT,
  one,
  only,
  OWN,
  ownRecord,
  read,
  ready,
  retryFired,
  Run,
  sealed,
  sealRefused,
  self,
  session,
  target,
  two,
  turnsStopped,
} from "./fixtures.ts";

/** The inputs of a move that goes well, in order. */
const FLOW: readonly SourceInput[] = [
  { type: "CheckPassed" },
  turnsStopped([one, two]),
  read(found()),
  sealed(one),
  sealed(two),
  captured,
  ready,
  joined,
  read(committed),
];

const answers: readonly ReadAnswer[] = [
  found(),
  found({}, false),
  found({ storeVersion: "v2" }),
  found({ storeVersion: "v2" }, false),
  committed,
  noAnswer,
  { outcome: "absent" },
  found({ state: "destroyed", storeVersion: "v3" }),
  found({ ...committedRecord, owner: elsewhere }),
  found({ ...committedRecord, objectGeneration: OBJECT + 1n }),
  found({ owner: elsewhere, storeVersion: "v2" }),
  found({ authorityOwnerGeneration: OWN - 1n, storeVersion: "v2" }),
];

const fenceAnswers: readonly FenceAnswer[] = [
  { outcome: "fenced", record: { ...ownRecord, storeVersion: "v2" } },
  { outcome: "fenced", record: committedRecord },
  { outcome: "stale" },
  { outcome: "staleLease" },
  { outcome: "unknown", reason: "lost" },
];

const stranger = session("stranger");

/** Right records, repeated or late. */
const right: readonly SourceInput[] = [
  ...FLOW,
  sealRefused(one),
  failed,
  abortRequested,
  linkLost(target),
  linkLost(gateway),
  linkLost(self.nodeRid),
  deadlineFired,
  retryFired,
  { type: "SessionOwnerGone", ownerNodeRid: gateway },
  { type: "CheckFailed", failure: { code: "targetRefused", message: "no" } },
  { type: "CaptureFailed", failure: { code: "captureFailed", message: "threw" } },
  { type: "StateCaptured", payload: { totalLength: 5n, chunkCount: 5, checksumCrc32c: 5 } },
];

/** Records of somebody who has no business here. */
const hostile: readonly SourceInput[] = [
  { ...ready, peer: gateway },
  { ...ready, command: { ...ready.command, targetAttemptGeneration: 2n } },
  { ...ready, command: { ...ready.command, relocation: { high: 1n, low: 1n } } },
  { ...failed, peer: gateway },
  { ...failed, command: { ...failed.command, senderRole: "source" } },
  { ...joined, peer: gateway },
  { ...sealed(one), peer: target },
  { ...sealed(one), command: { ...sealed(one).command, session: stranger } },
  { ...sealRefused(one), peer: target },
];

const anyInput: fc.Arbitrary<SourceInput> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...right) },
  { weight: 2, arbitrary: fc.constantFrom(...answers).map(read) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(...fenceAnswers).map((answer): SourceInput => ({ type: "FenceSettled", answer })),
  },
  { weight: 1, arbitrary: fc.constantFrom(...hostile) },
);

/** Time passes or stands still; a deadline that fires must find its time come now and then. */
const timed = fc.record({ input: anyInput, afterMs: fc.constantFrom(0, 0, 0, 50, 5_000, 10_000) });

/** The flow with `at`-th steps disturbed: so that sequences get as far as the 34 and beyond. */
const disturbedFlow = fc
  .array(fc.record({ at: fc.nat(FLOW.length), what: timed }), { maxLength: 12 })
  .map((noise) =>
    FLOW.flatMap((input, index) => [
      ...noise.filter(({ at }) => at === index).map(({ what }) => what),
      { input, afterMs: 0 },
    ]).concat(noise.filter(({ at }) => at === FLOW.length).map(({ what }) => what)),
  );

const sequences = fc.oneof(fc.array(timed, { maxLength: 40 }), disturbedFlow);
const RUNS = { numRuns: 2_000 };

/** `Run.give` throws as soon as an invariant of states or effects is broken. */
function play(
  sequence: readonly { readonly input: SourceInput; readonly afterMs: number }[],
  kind: "relocate" | "join",
) {
  const run = new Run({ ...config, kind });
  for (const { input, afterMs } of sequence) run.after(afterMs).give(input);
  return run;
}

describe("any sequence of inputs: repeats, late ones, hostile ones", () => {
  it("keeps every invariant, and settles at most once", () => {
    fc.assert(
      fc.property(sequences, fc.constantFrom("relocate" as const, "join" as const), (sequence, kind) => {
        const run = play(sequence, kind);
        expect(only(run.all, "Settle").length).toBe(sourceEnded(run.state) ? 1 : 0);
      }),
      RUNS,
    );
  });

  it("O4: never resumes after the 34 without a fence write that succeeded or evidence as exact", () => {
    const evidence: readonly SourceInput[] = [
      ...fenceAnswers.slice(0, 1).map((answer): SourceInput => ({ type: "FenceSettled", answer })),
      read(found({ storeVersion: "v2" })),
    ];
    const nothing = anyInput.filter(
      (input) => !evidence.some((proof) => JSON.stringify(proof, text) === JSON.stringify(input, text)),
    );
    fc.assert(
      fc.property(
        fc.array(fc.record({ input: nothing, afterMs: fc.constantFrom(0, 5_000, 10_000) }), { maxLength: 30 }),
        (rest) => {
          const run = cutOverRun();
          for (const { input, afterMs } of rest) run.after(afterMs).give(input);
          expect(only(run.all, "GiveBackHold")).toEqual([]);
          expect(only(run.all, "OpenGate")).toEqual([]);
          expect(run.state.type).not.toBe("aborted");
        },
      ),
      RUNS,
    );
  });

  it("ends with exactly one outcome once time passes and the store speaks", () => {
    fc.assert(
      fc.property(disturbedFlow, fc.boolean(), (sequence, targetWins) => {
        const run = play(sequence, "relocate");
        for (let round = 0; round < 10 && !sourceEnded(run.state); round++) {
          run.after(10_000).give(deadlineFired, retryFired);
          run.give(read(targetWins ? committed : found()));
          run.give({ type: "FenceSettled", answer: fenceAnswers[0]! });
        }
        expect(sourceEnded(run.state)).toBe(true);
        expect(only(run.all, "Settle")).toHaveLength(1);
      }),
      RUNS,
    );
  });

  it("the sequences are worth something: they reach every state", () => {
    const reached = new Set<string>();
    fc.assert(
      fc.property(sequences, (sequence) => {
        const run = new Run();
        for (const { input, afterMs } of sequence) {
          reached.add(run.state.type);
          run.after(afterMs).give(input);
        }
        reached.add(run.state.type);
      }),
      { ...RUNS, seed: 1 },
    );
    expect([...reached].sort()).toEqual(
      [
        "aborted",
        "awaitingWord",
        "capturing",
        "checking",
        "departed",
        "fencing",
        "pausingBase",
        "pausingVerdict",
        "readingBase",
        "readingVerdict",
        "sealing",
        "stopping",
        "transferring",
      ].sort(),
    );
  });
});

/** `JSON.stringify` for values with bigints. */
function text(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}n` : value;
}
