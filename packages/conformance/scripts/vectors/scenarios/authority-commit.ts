/** A target's commit, whatever becomes of its answers: `protocol.md` T6 to T9. Every answer at every step. */
import type { JsonObject, ScenarioStep } from "../../../src/vectors/file.ts";
import {
  absent,
  baseRecord,
  changed,
  coordinator,
  fileOf,
  found,
  movedRecord,
  relocation,
  scenario,
  step,
  targetOwner,
  unknown,
} from "./parts.ts";

const FIRST_MS = 10;
const MOST_MS = 1_000;
const key = "zla1:a:7:user%3A42";
const participant = (of: string, baseVersion: string): JsonObject => ({
  key: of,
  baseVersion,
  expectedObjectGeneration: "3",
  expectedAuthorityOwnerGeneration: "7",
  membershipDigest: "00".repeat(32),
});
const request: JsonObject = { relocation, owner: targetOwner, participants: [participant(key, "v1")] };
const claim: JsonObject = {
  relocation,
  kind: "actor",
  stableType: "player",
  objectGeneration: "3",
  authorityOwnerGeneration: "7",
  coordinator,
  newOwner: targetOwner,
};
const config: JsonObject = {
  key,
  claim,
  companions: [],
  request,
  retry: { firstMs: FIRST_MS, mostMs: MOST_MS },
};

/* Facts and effects. */
const start: JsonObject = { type: "Start" };
const settled = (answer: JsonObject): JsonObject => ({ type: "CommitSettled", answer });
const read = (answer: JsonObject): JsonObject => ({ type: "AuthorityRead", answer });
const fenceSettled = (answer: JsonObject): JsonObject => ({ type: "FenceSettled", answer });
const retryDue: JsonObject = { type: "RetryDue" };
const deadline: JsonObject = { type: "DeadlinePassed" };
const write: JsonObject = { type: "CommitAuthority", request };
const readStore: JsonObject = { type: "ReadAuthority" };
const fenceStore: JsonObject = { type: "FenceAuthority", baseVersion: "v1" };
const pause = (delayMs = FIRST_MS): JsonObject => ({ type: "StartTimer", timer: "retryStore", delayMs });
const stopPause: JsonObject = { type: "StopTimer", timer: "retryStore" };

/* Answers. */
const otherOwner = changed(targetOwner, { nodeRid: "node-c", ownerId: "c-owner" });
const newer = changed(movedRecord, { owner: otherOwner, relocation: { high: "9", low: "9" } });
const fenced = changed(baseRecord, { storeVersion: "v2" });
const commits = {
  committed: { outcome: "committed", records: [movedRecord] },
  "already-committed": { outcome: "alreadyCommitted", records: [movedRecord] },
  "other-record": { outcome: "committed", records: [newer] },
  stale: { outcome: "stale" },
  capacity: { outcome: "capacityExceeded" },
  exhausted: { outcome: "generationExhausted" },
  "stale-lease": { outcome: "staleLease" },
  lost: unknown,
} as const satisfies Readonly<Record<string, JsonObject>>;
const readings = {
  "this-move": found(movedRecord),
  base: found(baseRecord),
  fenced: found(fenced),
  "newer-owner": found(newer),
  "made-anew": found(changed(baseRecord, { storeVersion: "v5", objectGeneration: "4", authorityOwnerGeneration: "8" })),
  absent,
  lost: unknown,
} as const satisfies Readonly<Record<string, JsonObject>>;

/*
 * What has to come of each answer. `ends`: nothing more is asked. `reads`: the pause before a reading, after a definite
 * answer or after a lost one. `fences`, `writes`: at once.
 */
type Outcome = "ends" | "reads" | "fences" | "writes";
type Row = readonly [Outcome, delayMs?: number];
const AT_MS = 100;
const effectsOf = ([outcome, delayMs = FIRST_MS]: Row): readonly JsonObject[] =>
  ({ ends: [], reads: [pause(delayMs)], fences: [fenceStore], writes: [write] })[outcome];

const begun = step(0, start, write);
const lostOnce: readonly ScenarioStep[] = [begun, step(10, settled(unknown), pause())];
const reading = [...lostOnce, step(20, retryDue, readStore)];
const repeated = [...reading, step(21, read(found(baseRecord)), write)];
const overdueWhileWriting = [begun, step(50, deadline)];
const overdueAgain = [...repeated, step(50, deadline)];
const fencing = [...lostOnce, step(50, deadline, stopPause, fenceStore)];
/** The goal is `learn`: a repeated write was refused under an ended lease. */
const learning = [...repeated, step(22, settled({ outcome: "staleLease" }), pause()), step(32, retryDue, readStore)];
const overdueReading = [...reading, step(50, deadline)];

/** A row for each answer: what it leads to after this way. */
function rows<Name extends string>(
  name: string,
  note: string,
  way: readonly ScenarioStep[],
  {
    ask,
    answers,
    outcomes,
  }: {
    readonly ask: (answer: JsonObject) => JsonObject;
    readonly answers: Readonly<Record<Name, JsonObject>>;
    readonly outcomes: Readonly<Record<Name, Row>>;
  },
) {
  return Object.entries<JsonObject>(answers).map(([answer, said]) =>
    scenario(`${name}-${answer}`, answer === "this-move" || answer.includes("committed") ? "T6 T7" : "T6", note, {
      config,
      steps: [...way, step(AT_MS, ask(said), ...effectsOf(outcomes[answer as Name]))],
    }),
  );
}

export const authorityCommitScenarios = fileOf(
  "authorityCommit",
  "A target's conditional write: every answer of the store at every step, lost ones included.",
  [
    ...rows("first-write", "The first write: a plain refusal is exact evidence, a lost answer is not.", [begun], {
      ask: settled,
      answers: commits,
      outcomes: {
        committed: ["ends"],
        "already-committed": ["ends"],
        "other-record": ["reads"],
        stale: ["ends"],
        capacity: ["ends"],
        exhausted: ["ends"],
        "stale-lease": ["ends"],
        lost: ["reads"],
      },
    }),
    ...rows("repeated-write", "A repeated write: its refusal says nothing about the earlier one.", repeated, {
      ask: settled,
      answers: commits,
      outcomes: {
        committed: ["ends"],
        "already-committed": ["ends"],
        "other-record": ["reads"],
        stale: ["reads"],
        capacity: ["fences"],
        exhausted: ["fences"],
        "stale-lease": ["reads"],
        lost: ["reads", 2 * FIRST_MS],
      },
    }),
    ...rows(
      "overdue-write",
      "The deadline passed while the first write was out: a doubt is ended by the target's own fence.",
      overdueWhileWriting,
      {
        ask: settled,
        answers: commits,
        outcomes: {
          committed: ["ends"],
          "already-committed": ["ends"],
          "other-record": ["fences"],
          stale: ["ends"],
          capacity: ["ends"],
          exhausted: ["ends"],
          "stale-lease": ["ends"],
          lost: ["fences"],
        },
      },
    ),
    ...rows("overdue-repeat", "The deadline passed while a repeated write was out.", overdueAgain, {
      ask: settled,
      answers: commits,
      outcomes: {
        committed: ["ends"],
        "already-committed": ["ends"],
        "other-record": ["fences"],
        stale: ["reads"],
        capacity: ["fences"],
        exhausted: ["fences"],
        "stale-lease": ["reads"],
        lost: ["fences"],
      },
    }),
    ...rows(
      "reading",
      "After a lost answer the store is read: only exactly this move, or the base version, lead on.",
      reading,
      {
        ask: read,
        answers: readings,
        outcomes: {
          "this-move": ["ends"],
          base: ["writes"],
          fenced: ["ends"],
          "newer-owner": ["ends"],
          "made-anew": ["ends"],
          absent: ["ends"],
          lost: ["reads", 2 * FIRST_MS],
        },
      },
    ),
    ...rows("overdue-reading", "The deadline passed while the store was being read.", overdueReading, {
      ask: read,
      answers: readings,
      outcomes: {
        "this-move": ["ends"],
        base: ["fences"],
        fenced: ["ends"],
        "newer-owner": ["ends"],
        "made-anew": ["ends"],
        absent: ["ends"],
        lost: ["fences"],
      },
    }),
    ...rows(
      "last-reading",
      "Its own lease has ended: none of its writes can succeed any more, it only needs to know.",
      learning,
      {
        ask: read,
        answers: readings,
        outcomes: {
          "this-move": ["ends"],
          base: ["ends"],
          fenced: ["ends"],
          "newer-owner": ["ends"],
          "made-anew": ["ends"],
          absent: ["ends"],
          lost: ["reads", 4 * FIRST_MS],
        },
      },
    ),
    ...rows("fence", "The target's own fence write.", fencing, {
      ask: fenceSettled,
      answers: {
        fenced: { outcome: "fenced", record: fenced },
        stale: { outcome: "stale" },
        "stale-lease": { outcome: "staleLease" },
        lost: unknown,
      },
      outcomes: { fenced: ["ends"], stale: ["reads"], "stale-lease": ["reads"], lost: ["reads", 2 * FIRST_MS] },
    }),
    scenario("pauses-grow", "T6", "Each pause is twice as long as the one before, up to the slower pace.", {
      config: changed(config, { retry: { firstMs: FIRST_MS, mostMs: 25 } }),
      steps: [
        ...lostOnce,
        step(20, retryDue, readStore),
        step(21, read(unknown), pause(20)),
        step(41, retryDue, readStore),
        step(42, read(unknown), pause(25)),
        step(67, retryDue, readStore),
        step(68, read(unknown), pause(25)),
      ],
    }),
    scenario(
      "base-version-of-the-move",
      "T6",
      "Whatever was read since: the write stands on the version that the move stands on.",
      {
        config,
        steps: repeated,
      },
    ),
    scenario(
      "several-participants",
      "T8 T9",
      "A spot with a member: one write for both; after a lost answer the member's values are the store's.",
      {
        config: changed(config, {
          request: changed(request, { participants: [participant(key, "v1"), participant("zla1:a:1:m", "w1")] }),
          companions: [
            {
              key: "zla1:a:1:m",
              claim: changed(claim, { coordinator: changed(coordinator, { expectedAuthorityStoreVersion: "w1" }) }),
            },
          ],
        }),
        steps: [
          step(0, start, {
            type: "CommitAuthority",
            request: changed(request, { participants: [participant(key, "v1"), participant("zla1:a:1:m", "w1")] }),
          }),
          step(10, settled(unknown), pause()),
          step(20, retryDue, readStore),
          step(21, read(found(movedRecord)), { type: "ReadMembers", keys: ["zla1:a:1:m"] }),
          step(22, { type: "MembersRead", answers: [unknown] }, pause(2 * FIRST_MS)),
          step(42, retryDue, { type: "ReadMembers", keys: ["zla1:a:1:m"] }),
          step(43, {
            type: "MembersRead",
            answers: [found(changed(movedRecord, { key: "zla1:a:1:m", storeVersion: "w2" }))],
          }),
        ],
      },
    ),
  ],
);
