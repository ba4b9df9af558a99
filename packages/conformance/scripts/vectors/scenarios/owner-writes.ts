/** An owner's own writes: journal, saved state, destroy (`protocol.md` J2, J6, L3, O6, S16). */
import type { Json, JsonObject, ScenarioStep } from "../../../src/vectors/file.ts";
import { toHex, utf8 } from "../bytes.ts";
import {
  absent,
  actor,
  baseRecord,
  changed,
  fileOf,
  found,
  movedRecord,
  scenario,
  sourceOwner,
  step,
  unknown,
} from "./parts.ts";

const DEADLINE_MS = 5_000;
const FIRST_MS = 10;
const config: JsonObject = {
  authority: {
    key: "zla1:a:7:user%3A42",
    objectGeneration: "3",
    authorityOwnerGeneration: "7",
    owner: sourceOwner,
  },
  retry: { firstMs: FIRST_MS, mostMs: 1_000 },
  deadlineMs: DEADLINE_MS,
  record: baseRecord,
};

/** The document's bytes: its JSON form in UTF-8, names in alphabetical order, nothing between. */
const bytesOf = (document: JsonObject): string => toHex(utf8(JSON.stringify(sorted(document))));
function sorted(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as JsonObject)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  );
}

const saved = (data: string): JsonObject => ({
  stateVersion: 1,
  applicationVersion: "1",
  contentType: "application/json",
  data,
});
const operation = { high: "7", low: "8" };
const journal = (cursor: string): JsonObject => ({
  operation,
  actorId: actor.actorId,
  spotId: "lobby",
  contentType: "application/json",
  reply: "22686922",
  cursor,
});
const save = (id: number, data: string): JsonObject => ({
  type: "WriteAsked",
  job: { id, change: { type: "save", saved: saved(data) } },
});
const journalStep = (id: number, wanted: JsonObject): JsonObject => ({
  type: "WriteAsked",
  job: { id, change: { type: "journal", step: wanted } },
});
const destroy = (id: number): JsonObject => ({ type: "WriteAsked", job: { id, change: { type: "destroy" } } });
const place = { spotId: "lobby", objectGeneration: "1" };

/** The record as this owner's write leaves it. */
const holding = (version: string, payload: string): JsonObject =>
  changed(baseRecord, { storeVersion: version, payload });
const published = (record: JsonObject): JsonObject => ({
  type: "WriteSettled",
  answer: { outcome: "published", record },
});
const writeSettled = (answer: JsonObject): JsonObject => ({ type: "WriteSettled", answer });
const read = (answer: JsonObject): JsonObject => ({ type: "AuthorityRead", answer });
const fenceSettled = (answer: JsonObject): JsonObject => ({ type: "FenceSettled", answer });
const timer = (name: string): JsonObject => ({ type: "TimerFired", timer: name });
const freeze: JsonObject = { type: "FreezeAsked" };
const thaw: JsonObject = { type: "Thawed" };

const startTimer = (name: string, delayMs: number): JsonObject => ({ type: "StartTimer", timer: name, delayMs });
const deadlineRuns = startTimer("deadline", DEADLINE_MS);
const pause = (delayMs = FIRST_MS): JsonObject => startTimer("retryStore", delayMs);
const stopTimers: readonly JsonObject[] = [
  { type: "StopTimer", timer: "deadline" },
  { type: "StopTimer", timer: "retryStore" },
];
const publish = (baseVersion: string, payload: string, more: JsonObject = {}): JsonObject => ({
  type: "Publish",
  baseVersion,
  payload,
  ...more,
});
const readStore: JsonObject = { type: "ReadAuthority" };
const frozen: JsonObject = { type: "Frozen" };
const settled = (id: number, outcome: JsonObject): readonly JsonObject[] => [
  ...stopTimers,
  { type: "SettleWrite", id, outcome },
];
const written = (id: number, record: JsonObject): readonly JsonObject[] => settled(id, { type: "written", record });
const failed = (id: number, reason: string): JsonObject => ({
  type: "SettleWrite",
  id,
  outcome: { type: "failed", reason },
});

const [A, B] = [bytesOf({ saved: saved("61") }), bytesOf({ saved: saved("62") })];
const begun = step(0, { type: "Start" });
const asked: readonly ScenarioStep[] = [begun, step(1, save(1, "61"), deadlineRuns, publish("v1", A))];
const lost = [...asked, step(2, writeSettled(unknown), pause())];
const reading = [...lost, step(12, timer("retryStore"), readStore)];
const newerOwner = found(changed(movedRecord, { storeVersion: "v9" }));

export const ownerWritesScenarios = fileOf(
  "ownerWrites",
  "An owner's own writes to its authority: one at a time, none under a move.",
  [
    scenario(
      "one-after-the-other",
      "J2",
      "Writes go out in the order asked for, each on the version that the one before gave.",
      {
        config,
        steps: [
          ...asked,
          step(2, save(2, "62")),
          step(3, published(holding("v2", A)), ...written(1, holding("v2", A)), deadlineRuns, publish("v2", B)),
          step(4, published(holding("v3", B)), ...written(2, holding("v3", B))),
        ],
      },
    ),
    scenario("prepared-answer", "J2", "A journal record is stored and linked by one conditional write.", {
      config,
      steps: [
        begun,
        step(
          1,
          journalStep(1, { type: "prepare", record: journal("prepared") }),
          deadlineRuns,
          publish("v1", bytesOf({ journal: journal("prepared") })),
        ),
      ],
    }),
    scenario("join-here", "J6 J2", "In a spot of the same node: place and answer are one write.", {
      config,
      steps: [
        begun,
        step(
          1,
          { type: "WriteAsked", job: { id: 1, change: { type: "joinHere", record: journal("committed"), place } } },
          deadlineRuns,
          publish("v1", bytesOf({ journal: journal("committed") }), { place: { spot: place } }),
        ),
      ],
    }),
    scenario("journal-refuses", "J5", "What the journal's rules forbid is not written.", {
      config,
      steps: [
        begun,
        step(
          1,
          journalStep(1, { type: "deliver", operation }),
          deadlineRuns,
          ...settled(1, { type: "refused", reason: "missing" }),
        ),
      ],
    }),
    scenario("verified", "J2", "The store claims success for other bytes than were sent: data loss, reported.", {
      config,
      steps: [
        ...asked,
        step(2, published(holding("v2", B)), { type: "ReportLoss" }, ...stopTimers, failed(1, "dataLoss")),
      ],
    }),
    scenario(
      "unreadable-record",
      "J2",
      "What the record holds is not what was written: data loss, reported, never guessed.",
      {
        config: changed(config, { record: changed(baseRecord, { payload: "ff" }) }),
        steps: [step(0, { type: "Start" }, { type: "ReportLoss" })],
      },
    ),
    scenario("lost-answer-written", "J2", "The answer is lost, and the store has it: written, once.", {
      config,
      steps: [...reading, step(13, read(found(holding("v2", A))), ...written(1, holding("v2", A)))],
    }),
    scenario("lost-answer-not-written", "J2", "The answer is lost, and the version stands: written again.", {
      config,
      steps: [...reading, step(13, read(found(baseRecord)), publish("v1", A))],
    }),
    scenario("lost-answer-rebased", "J2", "Somebody has fenced the version: written again, on the one that is there.", {
      config,
      steps: [...reading, step(13, read(found(holding("v5", ""))), publish("v5", A))],
    }),
    ...(
      [
        ["moved-on", newerOwner],
        ["destroyed", absent],
      ] as const
    ).map(([name, answer]) =>
      scenario(
        `lost-answer-${name}`,
        "J2 O5",
        "It is not this owner's any more: nothing is written, whoever waits is told.",
        {
          config,
          steps: [
            ...reading,
            step(13, save(2, "62")),
            step(14, read(answer), ...stopTimers, failed(1, "notOwner"), failed(2, "notOwner")),
            step(15, save(3, "63"), failed(3, "notOwner")),
          ],
        },
      ),
    ),
    scenario("lease-ended", "L1", "The store refuses this run: nothing of it is written any more.", {
      config,
      steps: [...asked, step(2, writeSettled({ outcome: "staleLease" }), ...stopTimers, failed(1, "leaseEnded"))],
    }),
    scenario(
      "deadline-in-doubt",
      "J2",
      "In doubt at the deadline: said so; before the next write the doubt is settled, by a fence if need be.",
      {
        config,
        steps: [
          ...lost,
          step(5_001, timer("deadline"), ...stopTimers, failed(1, "inDoubt")),
          step(6_000, save(2, "62"), deadlineRuns, readStore),
          step(6_001, read(found(baseRecord)), { type: "FenceAuthority", baseVersion: "v1" }),
          step(6_002, fenceSettled({ outcome: "fenced", record: holding("v4", "") }), publish("v4", B)),
        ],
      },
    ),
    scenario("frozen-by-a-move", "O6", "A move stands on the version: nothing is written until it has ended here.", {
      config,
      steps: [begun, step(1, freeze, frozen), step(2, save(1, "61")), step(3, thaw, deadlineRuns, publish("v1", A))],
    }),
    scenario(
      "freeze-waits-for-the-write",
      "O6",
      "A write that is out is the last one before the move reads its base version.",
      {
        config,
        steps: [
          ...asked,
          step(2, freeze),
          step(3, published(holding("v2", A)), ...written(1, holding("v2", A)), frozen),
          step(4, save(2, "62")),
          step(5, { type: "Departed" }, ...stopTimers, failed(2, "notOwner")),
        ],
      },
    ),
    scenario(
      "freeze-does-not-wait-for-a-silent-store",
      "O6",
      "Nothing is out but a pause: the move may have the version; the write is settled after it.",
      {
        config,
        steps: [
          ...lost,
          step(3, freeze, ...stopTimers, frozen),
          step(50, thaw, deadlineRuns, readStore),
          step(51, read(found(holding("v2", A))), publish("v2", A)),
        ],
      },
    ),
    scenario("destroy", "S16 O6", "The object ends; what waits behind it is told.", {
      config,
      steps: [
        begun,
        step(1, destroy(1), deadlineRuns, { type: "Destroy", baseVersion: "v1" }),
        step(2, save(2, "62")),
        step(
          3,
          writeSettled({ outcome: "destroyed" }),
          { type: "SettleWrite", id: 1, outcome: { type: "written" } },
          ...stopTimers,
          failed(2, "notOwner"),
        ),
      ],
    }),
    scenario("bounded", "J2 I8", "Only so many wait behind one another.", {
      config,
      steps: [
        ...asked,
        ...Array.from({ length: 64 }, (_, index) => step(2, save(2 + index, "62"))),
        step(3, save(99, "63"), failed(99, "tooMany")),
      ],
    }),
  ],
);
