import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AuthorityRecord, ReadAnswer } from "../../src/ports/authority-store.ts";
import type { SourceInput } from "../../src/source/inputs.ts";
import { sourceEnded } from "../../src/source/state.ts";
import {
  abortRequested,
  deadlineFired,
  elsewhere,
  gateway,
  linkLost,
  noAnswer,
  only,
  retryFired,
  Run,
  self,
  target,
} from "./fixtures.ts";
import {
  bound,
  found,
  joinedOf,
  memberIds,
  memberRecord,
  membersRead,
  movedMember,
  movedSpot,
  sealedFor,
  SPOT_FLOW,
  spotConfig,
  spotFailed,
  spotRead,
  spotReady,
  spotRecord,
} from "./spot-fixtures.ts";

const spotAnswers: readonly AuthorityRecord[] = [
  spotRecord,
  { ...spotRecord, storeVersion: "v3" },
  movedSpot,
  { ...movedSpot, owner: elsewhere },
  { ...movedSpot, state: "destroyed" },
];

const memberAnswer = (id: string): fc.Arbitrary<ReadAnswer> =>
  fc.constantFrom<ReadAnswer>(
    found(memberRecord(id)),
    found(memberRecord(id), false),
    found(movedMember(id)),
    found({ ...movedMember(id), owner: elsewhere }),
    { outcome: "absent" },
    noAnswer,
  );

const anyInput: fc.Arbitrary<SourceInput> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom<SourceInput>(
      ...SPOT_FLOW,
      spotFailed,
      spotReady,
      joinedOf("m3"),
      sealedFor(bound[1]!),
      abortRequested,
      linkLost(target),
      linkLost(gateway),
      linkLost(self.nodeRid),
      deadlineFired,
      retryFired,
      { type: "SessionOwnerGone", ownerNodeRid: gateway },
      { type: "FenceSettled", answer: { outcome: "fenced", record: { ...spotRecord, storeVersion: "v3" } } },
      { type: "FenceSettled", answer: { outcome: "stale" } },
      { type: "AuthorityRead", answer: noAnswer },
    ),
  },
  { weight: 2, arbitrary: fc.constantFrom(...spotAnswers).map(spotRead) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(...memberIds.map(memberAnswer))
      .map((answers): SourceInput => ({ type: "MembersRead", answers })),
  },
);
const timed = fc.record({ input: anyInput, afterMs: fc.constantFrom(0, 0, 0, 50, 5_000, 10_000) });
type Timed = readonly { readonly input: SourceInput; readonly afterMs: number }[];

/** The flow of a move that goes well, with its steps disturbed. */
const disturbed: fc.Arbitrary<Timed> = fc
  .array(fc.record({ at: fc.nat(SPOT_FLOW.length), what: timed }), { maxLength: 10 })
  .map((noise) =>
    SPOT_FLOW.flatMap((input, index) => [
      ...noise.filter(({ at }) => at === index).map(({ what }) => what),
      { input, afterMs: 0 },
    ]).concat(noise.filter(({ at }) => at === SPOT_FLOW.length).map(({ what }) => what)),
  );

/** `Run.give` throws as soon as an invariant of states or effects is broken. */
function play(sequence: Timed, reached?: Set<string>): Run {
  const run = new Run(spotConfig());
  for (const { input, afterMs } of sequence) {
    run.after(afterMs).give(input);
    reached?.add(run.state.type);
  }
  return run;
}

describe("any sequence of inputs to a spot's move", () => {
  it("keeps every invariant, takes care of every member once or of none, and settles at most once", () => {
    fc.assert(
      fc.property(fc.oneof(disturbed, fc.array(timed, { maxLength: 40 })), (sequence) => {
        const run = play(sequence);
        expect(only(run.all, "Settle").length).toBe(sourceEnded(run.state) ? 1 : 0);
        const left = [
          ...only(run.all, "StartFollow").map((effect) => effect.target.actor.actorId),
          ...only(run.all, "FailHold").map((effect) => effect.actorId),
        ].sort();
        expect(left).toEqual(run.state.type === "departed" ? memberIds : []);
      }),
      { numRuns: 2_000 },
    );
  });

  it("ends with one outcome for all of them once time passes and the store speaks, and whoever won has it", () => {
    fc.assert(
      fc.property(disturbed, fc.boolean(), (sequence, targetWins) => {
        const run = play(sequence);
        for (let round = 0; round < 10 && !sourceEnded(run.state); round++) {
          run.after(10_000).give(deadlineFired, retryFired);
          run.give(spotRead(targetWins ? movedSpot : spotRecord));
          run.give({
            type: "FenceSettled",
            answer: { outcome: "fenced", record: { ...spotRecord, storeVersion: "v3" } },
          });
          run.give(membersRead(movedMember));
        }
        expect(sourceEnded(run.state)).toBe(true);
        expect(only(run.all, "Settle")).toHaveLength(1);
      }),
      { numRuns: 1_000 },
    );
  });

  it("the sequences are worth something: they reach every state that only a spot has", () => {
    const reached = new Set<string>();
    fc.assert(
      fc.property(disturbed, (sequence) => void play(sequence, reached)),
      { numRuns: 1_000, seed: 1 },
    );
    for (const state of ["readingMembers", "readingOwners", "pausingOwners", "aborted", "departed"])
      expect([...reached]).toContain(state);
  });
});
