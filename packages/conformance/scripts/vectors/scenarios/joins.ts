/** Joins and their journal: `protocol.md` section 11; and what is made of a lost owner's actor: L3. */
import type { JsonObject, Scenario } from "../../../src/vectors/file.ts";
import { actor, changed, fileOf, scenario, step } from "./parts.ts";

const operation = { high: "7", low: "8" };
const otherOperation = { high: "7", low: "9" };
const entry = (cursor: string, of: JsonObject = operation): JsonObject => ({
  operation: of,
  actorId: actor.actorId,
  spotId: "lobby",
  contentType: "application/json",
  reply: "22686922",
  cursor,
});

/* The journal: every step on every content. */
const WRITES = {
  prepare: "prepared",
  record: "committed",
  commit: "committed",
  deliver: "delivered",
} as const;
type Content =
  | "empty"
  | "own prepared"
  | "own committed"
  | "own delivered"
  | "other prepared"
  | "other committed"
  | "other delivered";
const contents: readonly Content[] = [
  "empty",
  "own prepared",
  "own committed",
  "own delivered",
  "other prepared",
  "other committed",
  "other delivered",
];
/** In the order of `contents`: `w` writes, `n` changes nothing, `r` removes; a word is a refusal. */
const journalRows = {
  prepare: ["w", "n", "notPrepared", "notPrepared", "occupied", "occupied", "w"],
  record: ["w", "notPrepared", "n", "n", "occupied", "occupied", "w"],
  commit: ["missing", "w", "n", "n", "missing", "missing", "missing"],
  deliver: ["missing", "notCommitted", "w", "n", "missing", "missing", "missing"],
  discard: ["n", "r", "notPrepared", "notPrepared", "n", "n", "n"],
} as const;
const stepOf = (type: keyof typeof journalRows): JsonObject =>
  type === "prepare" || type === "record" ? { type, record: entry("prepared") } : { type, operation };

function journalScenario(type: keyof typeof journalRows): Scenario {
  return scenario(
    `journal-${type}`,
    type === "discard" ? "J5" : "J2 J5",
    `What "${type}" does to each content of the journal.`,
    {
      config: {},
      steps: contents.map((content, index) => {
        const [whose, cursor] = content.split(" ");
        const journal = content === "empty" ? undefined : entry(cursor!, whose === "own" ? operation : otherOperation);
        const decision = journalRows[type][index]!;
        const written = type === "discard" ? undefined : entry(WRITES[type]);
        const result: JsonObject =
          decision === "w"
            ? changed({ type: "changed" }, { journal: written })
            : decision === "r"
              ? { type: "changed" }
              : decision === "n"
                ? { type: "unchanged" }
                : { type: "refused", reason: decision };
        return step(index, changed({ type: "Step", step: stepOf(type) }, { journal }), { type: "Stepped", result });
      }),
    },
  );
}

const moved = (
  journal: JsonObject | undefined,
  joined: JsonObject | undefined,
  queued: readonly JsonObject[],
  ...decisions: readonly string[]
) => step(0, changed({ type: "Moved", queued }, { journal, joined }), { type: "Decisions", decisions });
const lostNode = (journal: JsonObject | undefined, lastRelocation: JsonObject | undefined, decision: string) =>
  step(0, changed({ type: "OwnerLost" }, { journal, lastRelocation }), { type: "Decision", decision });

export const joinJournalScenarios = fileOf(
  "joinJournal",
  "The journal of accepted joins: its steps, and what a new owner makes of it.",
  [
    ...(["prepare", "record", "commit", "deliver", "discard"] as const).map(journalScenario),
    scenario("after-a-move", "J1", "A move brought the actor here: what of the journal is still to be told.", {
      config: {},
      steps: [
        moved(entry("prepared"), operation, [], "deliver"),
        moved(entry("committed"), operation, [], "deliver"),
        moved(entry("delivered"), operation, []),
        moved(entry("prepared"), undefined, [operation], "awaitTurn"),
        moved(entry("committed"), undefined, [operation], "awaitTurn"),
        moved(entry("prepared"), undefined, [], "discard"),
        moved(entry("committed"), undefined, [], "markDelivered"),
        moved(entry("delivered"), undefined, []),
        moved(undefined, undefined, []),
        moved(undefined, operation, [], "tellUnkept"),
        moved(entry("committed", otherOperation), operation, [], "markDelivered", "tellUnkept"),
      ],
    }),
    scenario(
      "after-a-loss",
      "J1 L3",
      "The owner was lost: an undelivered answer is told again, one that came to nothing is told so.",
      {
        config: {},
        steps: [
          lostNode(undefined, undefined, "nothing"),
          lostNode(entry("prepared"), operation, "deliver"),
          lostNode(entry("prepared"), otherOperation, "reject"),
          lostNode(entry("prepared"), undefined, "reject"),
          lostNode(entry("committed"), otherOperation, "deliver"),
          lostNode(entry("committed"), operation, "deliver"),
          lostNode(entry("delivered"), operation, "nothing"),
        ],
      },
    ),
  ],
);

/* Telling the actor. */
const told: JsonObject = { type: "Told" };
const notTold: JsonObject = { type: "NotTold", reason: "the mailbox is full" };
const retryDue: JsonObject = { type: "RetryDue" };
const journalRead = (reread: string): JsonObject => ({ type: "JournalRead", reread });
const marked = (outcome: JsonObject): JsonObject => ({ type: "MarkSettled", outcome });
const tell = (cursor = "committed"): JsonObject => ({ type: "TellActor", record: entry(cursor) });
const pause = (delayMs: number): JsonObject => ({ type: "StartTimer", delayMs });
const readJournal: JsonObject = { type: "ReadJournal", operation };
const markDelivered: JsonObject = { type: "MarkDelivered", operation };
const settle = (type: string, reason?: string): JsonObject => ({
  type: "Settle",
  outcome: { type, ...(reason === undefined ? {} : { reason }) },
});
const delivery = (cursor = "committed", how = "now"): JsonObject => ({ record: entry(cursor), tell: how });
const start: JsonObject = { type: "Start" };
const FULL = "the mailbox is full";

export const joinDeliveryScenarios = fileOf("joinDelivery", "Telling an actor the answer to its join.", [
  scenario("told", "J3", "Through the mailbox, then the journal says so.", {
    config: delivery(),
    steps: [
      step(0, start, tell()),
      step(1, told, markDelivered),
      step(2, marked({ type: "written" }), settle("delivered")),
      step(3, told),
    ],
  }),
  scenario(
    "still-prepared",
    "J2 J3",
    "The store has said that the join committed, the journal not yet: it is written beside the telling.",
    {
      config: delivery("prepared"),
      steps: [step(0, start, { type: "MarkCommitted", operation }, tell("prepared")), step(1, told, markDelivered)],
    },
  ),
  scenario("in-the-mailbox-already", "J3 J1", "The answer came along in the mailbox: it is not told a second time.", {
    config: delivery("committed", "queued"),
    steps: [step(0, start), step(1, told, markDelivered)],
  }),
  scenario(
    "three-tries",
    "J3",
    "Three tries, 10 and 20 ms apart, the journal read between them; then the error is reported and the record stays.",
    {
      config: delivery(),
      steps: [
        step(0, start, tell()),
        step(1, notTold, pause(10)),
        step(11, retryDue, readJournal),
        step(12, journalRead("undelivered"), tell()),
        step(13, notTold, pause(20)),
        step(33, retryDue, readJournal),
        step(34, journalRead("undelivered"), tell()),
        step(35, notTold, settle("failed", FULL)),
      ],
    },
  ),
  scenario("delivered-meanwhile", "J3", "The journal says that it was delivered meanwhile.", {
    config: delivery(),
    steps: [
      step(0, start, tell()),
      step(1, notTold, pause(10)),
      step(11, retryDue, readJournal),
      step(12, journalRead("delivered"), settle("settled")),
    ],
  }),
  scenario("journal-unwritable", "J3", "Told, but the journal cannot say so: the next start may tell it again.", {
    config: delivery(),
    steps: [
      step(0, start, tell()),
      step(1, told, markDelivered),
      step(2, marked({ type: "failed", reason: "inDoubt" }), settle("unmarked", "inDoubt")),
    ],
  }),
]);

const admission = (is: string): JsonObject => ({ type: "Admission", admission: is });
const begin = (of: JsonObject): JsonObject => ({ type: "Begin", operation: of });
const end = (of: JsonObject, outcome: string): JsonObject => ({ type: "End", operation: of, outcome });

export const joinDeliveriesScenarios = fileOf(
  "joinDeliveries",
  "Which deliveries run, and which operations are done.",
  [
    scenario(
      "shared",
      "J4",
      "Concurrent deliveries of one operation share one attempt; a finished one is not begun again.",
      {
        config: { remembered: 2 },
        steps: [
          step(0, begin(operation), admission("start")),
          step(0, begin(operation), admission("share")),
          step(0, begin(otherOperation), admission("start")),
          step(1, end(operation, "told")),
          step(1, begin(operation), admission("finished")),
          step(2, end(otherOperation, "notTold")),
          step(2, begin(otherOperation), admission("start")),
        ],
      },
    ),
    scenario(
      "bounded",
      "J4",
      "Finished operations are remembered up to a capacity, the least recently used first out.",
      {
        config: { remembered: 2 },
        steps: [1, 2, 3]
          .flatMap((low) => {
            const of = { high: "9", low: `${low}` };
            return [step(low, begin(of), admission("start")), step(low, end(of, "told"))];
          })
          .concat([
            step(4, begin({ high: "9", low: "1" }), admission("start")),
            step(4, begin({ high: "9", low: "3" }), admission("finished")),
          ]),
      },
    ),
  ],
);

/* One join. */
const place = { spotId: "lobby", objectGeneration: "1" };
const spot = {
  spot: place,
  nodeRid: "node-b",
  nodeGeneration: "2",
  authorityOwnerGeneration: "4",
  ownerLeaseGeneration: "20",
};
const join: JsonObject = { deadlineAtMs: 10_000 };
const find: JsonObject = { type: "FindSpot" };
const looked = (found: JsonObject): JsonObject => ({ type: "SpotLooked", found });
const answered = (answer: JsonObject): JsonObject => ({ type: "SpotAnswered", answer });
const accepted: JsonObject = { type: "accepted", reply: "welcome" };
const rejected: JsonObject = { type: "rejected", reason: "full", reply: "sorry" };
const spotMoved: JsonObject = { type: "moved", reason: "the spot moves" };
const writtenOk: JsonObject = { type: "JournalWritten", outcome: { type: "written" } };
const refuse = (reason: string, reply?: string): JsonObject => ({
  type: "Refuse",
  refusal: { reason, ...(reply === undefined ? {} : { reply }) },
});
const settled: JsonObject = { type: "Settle" };
const giveBack: JsonObject = { type: "GiveBackHold" };
const failCheck = (reason: string): JsonObject => ({ type: "FailCheck", reason });
const begun = step(0, start, find);
const here = [begun, step(1, looked({ type: "here", place }), { type: "HoldIngress" }, { type: "AskSpotHere" })];
const there = [
  begun,
  step(1, looked({ type: "elsewhere", spot }), { type: "StartMove", spot }),
  step(2, { type: "CheckAsked" }, { type: "AskSpotThere", spot }),
];
const prepared = [...there, step(3, answered(accepted), { type: "WritePrepared", spot, reply: "welcome" })];

export const joinScenarios = fileOf("join", "One deferred join, from the end of the turn that asked.", [
  scenario(
    "same-node",
    "J6 J1 H2",
    "A spot of the same node: provisional hold, leave, join, the answer, and what was held in order.",
    {
      config: join,
      steps: [
        ...here,
        step(2, answered(accepted), { type: "WritePlace", place, reply: "welcome" }),
        step(
          3,
          writtenOk,
          { type: "LeaveSpot" },
          { type: "ArriveInSpot", place },
          { type: "Deliver" },
          giveBack,
          settled,
        ),
      ],
    },
  ),
  scenario("same-node-refused", "J1 J6", "The spot says no: the actor is told, then what was held goes on.", {
    config: join,
    steps: [...here, step(2, answered(rejected), refuse("full", "sorry"), giveBack, settled)],
  }),
  scenario(
    "by-a-move",
    "J2 J1",
    "The accepted answer is written before the move goes on; at the target the actor is told.",
    {
      config: join,
      steps: [
        ...prepared,
        step(4, writtenOk, { type: "PassCheck", place, reply: "welcome" }),
        step(5, { type: "MoveEnded", outcome: "gone" }, settled),
      ],
    },
  ),
  scenario(
    "not-written",
    "J2",
    "The answer cannot be written: the move does not go on, nothing of it stays behind, the actor is told.",
    {
      config: join,
      steps: [
        ...prepared,
        step(
          4,
          { type: "JournalWritten", outcome: { type: "failed", reason: "inDoubt" } },
          failCheck("the store does not take it: inDoubt"),
        ),
        step(
          5,
          { type: "MoveEnded", outcome: "undone", reason: "the check failed" },
          { type: "DiscardPrepared" },
          refuse("the check failed"),
          settled,
        ),
      ],
    },
  ),
  scenario(
    "move-undone",
    "J5 J1",
    "The move was undone: what was prepared is discarded, the actor is told on the source.",
    {
      config: join,
      steps: [
        ...prepared,
        step(4, writtenOk, { type: "PassCheck", place, reply: "welcome" }),
        step(
          5,
          { type: "MoveEnded", outcome: "undone", reason: "the target was lost" },
          { type: "DiscardPrepared" },
          refuse("the target was lost"),
          settled,
        ),
      ],
    },
  ),
  scenario(
    "refused-there",
    "J1 H2",
    "The spot's node says no: the check fails, the source gives back, the actor is told once it has.",
    {
      config: join,
      steps: [
        ...there,
        step(3, answered(rejected), failCheck("full")),
        step(4, { type: "MoveEnded", outcome: "undone", reason: "the check failed" }, refuse("full", "sorry"), settled),
      ],
    },
  ),
  scenario("told-answer-in-the-way", "J5", "An answer that the actor has had is marked delivered, and gives way.", {
    config: changed(join, { occupant: { type: "committed", operation: otherOperation, told: "told" } }),
    steps: [
      ...there,
      step(3, answered(accepted), { type: "MarkDelivered", operation: otherOperation }),
      step(
        4,
        { type: "JournalCleared", outcome: { type: "written" } },
        { type: "WritePrepared", spot, reply: "welcome" },
      ),
    ],
  }),
  scenario("untold-answer-in-the-way", "J5", "An answer that the actor has still to be told is not replaced.", {
    config: changed(join, { occupant: { type: "committed", operation: otherOperation, told: "untold" } }),
    steps: [
      ...there,
      step(3, answered(accepted), failCheck("the answer to an earlier join has not been delivered yet; join again")),
    ],
  }),
  scenario("spot-is-moving", "J1 H7", "The spot is on its way: it is looked up again until the deadline.", {
    config: join,
    steps: [
      ...there,
      step(3, answered(spotMoved), failCheck("the spot moves")),
      step(
        4,
        { type: "MoveEnded", outcome: "undone", reason: "the check failed" },
        { type: "StartTimer", delayMs: 20 },
      ),
      step(24, { type: "RetryDue" }, find),
      step(25, looked({ type: "moving", reason: "still moving" }), { type: "StartTimer", delayMs: 20 }),
      step(10_000, { type: "RetryDue" }, refuse("still moving"), settled),
    ],
  }),
  scenario("no-such-spot", "J1", "There is no such spot: the actor is told.", {
    config: join,
    steps: [begun, step(1, looked({ type: "unavailable", reason: "no such spot" }), refuse("no such spot"), settled)],
  }),
]);

/* A lost owner's actor. */
const asked = (ownerLease: string, heldPayload: string): JsonObject => ({
  type: "MayReplace",
  ownerLease,
  heldPayload,
});
const decision = (is: string): JsonObject => ({ type: "Decision", decision: is });
const state = (saved: string, policy: string): JsonObject => ({ type: "StateAfterLoss", saved, policy });

export const lostOwnerScenarios = fileOf(
  "lostOwner",
  "What may become of an actor whose owner is gone, and what it begins with.",
  [
    scenario(
      "may-it-be-made-again",
      "L3",
      "Only once the owner's lease has ended; a target that can still commit comes first.",
      {
        config: {},
        steps: [
          step(0, asked("live", "none"), decision("leave")),
          step(0, asked("live", "standing"), decision("leave")),
          step(0, asked("live", "stale"), decision("leave")),
          step(0, asked("ended", "none"), decision("replace")),
          step(0, asked("ended", "standing"), decision("awaitCommit")),
          step(0, asked("ended", "stale"), decision("replace")),
        ],
      },
    ),
    scenario(
      "what-it-begins-with",
      "L3",
      "Its last saved state or a new one, as the type says; lost data is never guessed.",
      {
        config: {},
        steps: [
          step(0, state("none", "restore"), decision("createNew")),
          step(0, state("none", "new"), decision("createNew")),
          step(0, state("saved", "restore"), decision("restoreSaved")),
          step(0, state("saved", "new"), decision("createNew")),
          step(0, state("unreadable", "restore"), decision("refuse")),
          step(0, state("unreadable", "new"), decision("createNew")),
        ],
      },
    ),
  ],
);
