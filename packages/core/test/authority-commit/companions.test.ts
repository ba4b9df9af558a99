import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { COMPANION_AFTER_READ } from "../../src/authority-commit/decisions.ts";
import type { MoveEvidence } from "../../src/authority-commit/evidence.ts";
import { brokenCommitInvariants } from "../../src/authority-commit/invariants.ts";
import type {
  CommitCompanion,
  CommitInput,
  CommitMove,
  CommitState,
  CommitStep,
} from "../../src/authority-commit/state.ts";
import { startCommit, stepCommit } from "../../src/authority-commit/step.ts";
import type { AuthorityRecord, CommitAnswer, ReadAnswer } from "../../src/ports/authority-store.ts";
import { baseRecord, claim, found, move as lone, movedRecord, source, supersededRecord } from "./fixture.ts";

const unknown = { outcome: "unknown", reason: "timeout" } as const;
const names = ["m1", "m2", "m3"] as const;
type Name = (typeof names)[number];

const companions: readonly CommitCompanion[] = names.map((name, index) => ({
  key: `zla1:a:2:${name}`,
  claim: {
    ...claim,
    objectGeneration: BigInt(index + 1),
    authorityOwnerGeneration: BigInt(index + 20),
    coordinator: { ...claim.coordinator, expectedAuthorityStoreVersion: `v-${name}` },
  },
}));
const keys = companions.map(({ key }) => key);

const move: CommitMove = {
  ...lone,
  companions,
  request: {
    ...lone.request,
    participants: [
      ...lone.request.participants,
      ...companions.map((companion) => ({
        key: companion.key,
        baseVersion: companion.claim.coordinator.expectedAuthorityStoreVersion,
        expectedObjectGeneration: companion.claim.objectGeneration,
        expectedAuthorityOwnerGeneration: companion.claim.authorityOwnerGeneration,
        place: { spotId: "hall", objectGeneration: 7n },
        membershipDigest: new Uint8Array(32),
      })),
    ],
  },
};

function companionOf(name: Name): CommitCompanion {
  return companions[names.indexOf(name)]!;
}
function baseOf(name: Name): AuthorityRecord {
  const { key, claim: own } = companionOf(name);
  const { objectGeneration, authorityOwnerGeneration } = own;
  return { ...baseRecord, key, storeVersion: `v-${name}`, objectGeneration, authorityOwnerGeneration };
}
function movedOf(name: Name): AuthorityRecord {
  const base = baseOf(name);
  const { owner, relocation } = movedRecord;
  const authorityOwnerGeneration = base.authorityOwnerGeneration + 5n;
  return { ...base, storeVersion: "v99", owner, relocation, authorityOwnerGeneration };
}
const moved = [movedRecord, ...names.map(movedOf)];

function run(inputs: readonly CommitInput[]): CommitStep {
  let step = startCommit(move);
  for (const input of inputs) {
    step = stepCommit(step.state, input);
    expect(brokenCommitInvariants(step.state)).toEqual([]);
  }
  return step;
}
const settled = (
  records: readonly AuthorityRecord[],
  outcome: "committed" | "alreadyCommitted" = "committed",
): CommitInput => ({
  type: "CommitSettled",
  answer: { outcome, records },
});
const lostButThere: readonly CommitInput[] = [
  { type: "CommitSettled", answer: unknown },
  { type: "RetryDue" },
  { type: "AuthorityRead", answer: found(movedRecord) },
];
function read(change: Partial<Record<Name, ReadAnswer>> = {}): CommitInput {
  return { type: "MembersRead", answers: names.map((name) => change[name] ?? found(movedOf(name))) };
}

describe("T8, T9: a commit of many participants", () => {
  it.each(["committed", "alreadyCommitted"] as const)("T9: takes every record from the answer %s", (outcome) => {
    const { state } = run([settled([...moved].reverse(), outcome)]);
    expect(state).toEqual({ type: "committed", move, record: movedRecord, companions: names.map(movedOf) });
  });

  it.each<[string, readonly AuthorityRecord[]]>([
    ["one is missing", moved.slice(0, 3)],
    ["one is of another move", [...moved.slice(0, 3), { ...movedOf("m3"), relocation: { high: 5n, low: 5n } }]],
    ["one is of another owner", [...moved.slice(0, 3), { ...movedOf("m3"), owner: source }]],
    ["the object is missing", moved.slice(1)],
  ])("T7: success that is claimed is none when %s", (_what, records) => {
    const { state, effects } = run([settled(records)]);
    expect(state).toMatchObject({ type: "pausing", pursuit: { goal: "commit" } });
    expect(effects.map(({ type }) => type)).toEqual(["StartTimer"]);
  });

  it("T9: after a lost answer the object's record proves the commit, and the companions are read for their generations", () => {
    const asked = run(lostButThere);
    expect(asked.effects).toEqual([{ type: "ReadMembers", keys }]);
    expect(run([...lostButThere, read()]).state).toMatchObject({
      type: "committed",
      record: movedRecord,
      companions: names.map(movedOf),
    });
  });

  it("T6: with its lease ended it learns the same way", () => {
    const learning = run([
      { type: "CommitSettled", answer: unknown },
      { type: "RetryDue" },
      { type: "AuthorityRead", answer: found(baseRecord) },
      { type: "CommitSettled", answer: { outcome: "staleLease" } },
      { type: "RetryDue" },
      { type: "AuthorityRead", answer: found(movedRecord) },
    ]);
    expect(learning.state.type).toBe("readingCompanions");
  });

  it("I7: neither the deadline nor another answer of the store ends the reading of companions", () => {
    const { state } = run(lostButThere);
    for (const input of [
      { type: "DeadlinePassed" },
      { type: "AuthorityRead", answer: { outcome: "absent" } },
      { type: "CommitSettled", answer: { outcome: "stale" } },
      { type: "FenceSettled", answer: { outcome: "fenced", record: baseRecord } },
    ] satisfies CommitInput[]) {
      expect(stepCommit(state, input)).toEqual({ state, effects: [] });
    }
  });

  it("I8: reads again after pauses that grow to their bound", () => {
    let { state } = run(lostButThere);
    const delays: number[] = [];
    for (let round = 0; round < 9; round++) {
      const step = stepCommit(state, { type: "MembersRead", answers: [] });
      for (const effect of step.effects) if (effect.type === "StartTimer") delays.push(effect.delayMs);
      const again = stepCommit(step.state, { type: "RetryDue" });
      expect(again.effects).toEqual([{ type: "ReadMembers", keys }]);
      state = again.state;
    }
    expect(delays).toEqual([20, 40, 80, 160, 320, 640, 1_000, 1_000, 1_000]);
  });
});

describe("T9: what the reading of one companion means, row by row", () => {
  const ANSWERS: Readonly<Record<MoveEvidence["type"], readonly ReadAnswer[]>> = {
    thisMove: [found(movedOf("m2"))],
    base: [found(baseOf("m2"))],
    sameOwner: [found({ ...baseOf("m2"), storeVersion: "v7" })],
    newerOwner: [found({ ...movedOf("m2"), owner: supersededRecord.owner })],
    gone: [
      { outcome: "absent" },
      found({ ...movedOf("m2"), objectGeneration: 9n }),
      found({ ...movedOf("m2"), state: "destroyed" }),
    ],
    none: [unknown, found(movedOf("m1"))],
  };
  const EXPECTED: readonly [MoveEvidence["type"], "take" | "lost" | "readAgain"][] = [
    ["thisMove", "take"],
    ["base", "readAgain"],
    ["sameOwner", "readAgain"],
    ["newerOwner", "lost"],
    ["gone", "lost"],
    ["none", "readAgain"],
  ];

  it("has a row for every evidence", () => {
    expect(Object.entries(COMPANION_AFTER_READ)).toEqual(EXPECTED);
  });

  for (const [evidence, decision] of EXPECTED) {
    it(`${evidence} → ${decision}`, () => {
      for (const answer of ANSWERS[evidence]) {
        const { state } = run([...lostButThere, read({ m2: answer })]);
        if (decision === "readAgain") expect(state.type).toBe("pausingCompanions");
        else
          expect(state).toMatchObject({
            type: "committed",
            companions: names.filter((name) => decision === "take" || name !== "m2").map(movedOf),
          });
      }
    });
  }
});

describe("T6, T8: any store, any order", () => {
  it("ends as the store did with all of them, never with some", () => {
    const fate = fc.constantFrom("answered", "answerLost", "requestLost", "memberStale", "deadline" as const);
    fc.assert(
      fc.property(fc.array(fate, { maxLength: 30 }), (fates) => {
        const store = { isMoved: false, version: "v10", memberVersion: "v-m2" };
        let { state, effects } = startCommit(move);
        const answerTo = (how: (typeof fates)[number]): CommitInput | undefined => {
          const open = effects.find(({ type }) => type !== "StopTimer");
          if (open === undefined) return undefined;
          const heard = how !== "answerLost" && how !== "requestLost";
          switch (open.type) {
            case "StartTimer":
              return { type: "RetryDue" };
            case "CommitAuthority": {
              const stands = store.version === "v10" && store.memberVersion === "v-m2" && !store.isMoved;
              if (stands && how !== "requestLost") store.isMoved = true;
              const answer: CommitAnswer = !heard
                ? unknown
                : store.isMoved
                  ? { outcome: stands ? "committed" : "alreadyCommitted", records: moved }
                  : { outcome: "stale" };
              return { type: "CommitSettled", answer };
            }
            case "ReadAuthority": {
              const record = store.isMoved ? movedRecord : { ...baseRecord, storeVersion: store.version };
              return { type: "AuthorityRead", answer: heard ? found(record) : unknown };
            }
            case "ReadMembers":
              return heard ? read() : read({ m3: unknown });
            case "FenceAuthority": {
              const stands = store.version === "v10" && !store.isMoved;
              if (stands && how !== "requestLost") store.version = "v11";
              const record = { ...baseRecord, storeVersion: "v11" };
              return {
                type: "FenceSettled",
                answer: !heard ? unknown : stands ? { outcome: "fenced", record } : { outcome: "stale" },
              };
            }
            case "StopTimer":
              return undefined;
          }
        };
        const deal = (how: (typeof fates)[number]): void => {
          if (how === "memberStale" && !store.isMoved) store.memberVersion = "v-other";
          if (how === "deadline") {
            const step = stepCommit(state, { type: "DeadlinePassed" });
            ({ state } = step);
            if (step.effects.length > 0) ({ effects } = step);
          }
          const input = answerTo(how);
          if (input) ({ state, effects } = stepCommit(state, input));
          expect(brokenCommitInvariants(state)).toEqual([]);
        };
        for (const how of fates) deal(how);
        deal("deadline");
        for (let round = 0; round < 12; round++) deal("answered");
        const ended: CommitState = state;
        expect(["committed", "failed"]).toContain(ended.type);
        expect(store.isMoved).toBe(ended.type === "committed");
        if (ended.type === "committed") expect(ended.companions).toEqual(names.map(movedOf));
      }),
      { numRuns: 2_000 },
    );
  });
});
