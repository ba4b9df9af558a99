/** Moves at their target: `protocol.md` section 8. One node's registry, so that its limits and its memory are shown too. */
import type { Json, JsonObject, ScenarioStep } from "../../../src/vectors/file.ts";
import { fromHex } from "../bytes.ts";
import { crc32cOf } from "../crc32c.ts";
import {
  absent,
  actor,
  baseRecord,
  changed,
  coordinator,
  fence,
  fileOf,
  found,
  frame0,
  gate,
  movedRecord,
  relocation,
  scenario,
  session,
  source,
  sourceOwner,
  step,
  stranger,
  target,
  targetOwner,
  unknown,
} from "./parts.ts";

const DEADLINE_MS = 10_000;
const START_MS = 1_000;
const RETRY_MS = 10;
const CHUNK_BYTES = 4;
const limits: JsonObject = {
  inboundMoves: 2,
  concurrentRestores: 1,
  payloadBytesInFlight: 10,
  actorStateBytes: 8,
  chunkBytes: CHUNK_BYTES,
  relayedRecords: 2,
  relayedBytes: 1_000,
};
const entrySpot = { spotId: "entry:node-b", objectGeneration: "1" };
const config: JsonObject = {
  self: targetOwner,
  entrySpot,
  deadlineMs: DEADLINE_MS,
  storeRetry: { firstMs: RETRY_MS, mostMs: 1_000 },
  limits,
};
const targetRun = { ...target, ownerId: targetOwner.ownerId, ownerLeaseGeneration: targetOwner.ownerLeaseGeneration };
const object = { kind: "actor", ...actor, authorityOwnerGeneration: "7" };
const sourcePeer = {
  meshName: "mesh",
  ...source,
  lease: { ownerId: sourceOwner.ownerId, ownerLeaseGeneration: sourceOwner.ownerLeaseGeneration },
};
const strangerPeer = { meshName: "mesh", ...stranger, lease: { ownerId: "x-owner", ownerLeaseGeneration: "90" } };

/* Records. */
const chunks = ["01020304", "0506"] as const;
const payloadHex = chunks.join("");
const crcOf = (hex: string): number => crc32cOf(fromHex(hex));
const prepare: JsonObject = {
  command: "relocationPrepare",
  relocation,
  targetAttemptGeneration: "1",
  coordinator,
  target: targetRun,
  initiatorRole: "source",
  object,
  sourceNodeRid: source.nodeRid,
  sourceNodeGeneration: source.nodeGeneration,
  payloadTotalLength: "6",
  payloadChunkCount: 2,
  payloadChecksumCrc32c: crcOf(payloadHex),
  applicationVersion: "1",
};
const empty = { payloadTotalLength: "0", payloadChunkCount: 0, payloadChecksumCrc32c: 0 };
const header = { relocation, targetAttemptGeneration: "1", coordinator, senderRole: "source", object };
const chunk = (chunkOrdinal: number, chunkData: string): JsonObject => ({
  command: "relocationState",
  ...header,
  chunkOrdinal,
  chunkData,
});
const answer = (command: string, of: JsonObject, more: JsonObject = {}): JsonObject => ({
  command,
  relocation: of["relocation"]!,
  targetAttemptGeneration: "1",
  coordinator: of["coordinator"]!,
  target: of["target"]!,
  object: of["object"]!,
  senderRole: "target",
  ...more,
});
const cutover = (boundaryRecordCount: string, boundaryChecksumCrc32c: number): JsonObject => ({
  command: "relocationCutover",
  ...header,
  boundaryRecordCount,
  boundaryChecksumCrc32c,
});
const relayed = (data: string): JsonObject => ({
  command: "relocationData",
  ...header,
  record: {
    recordKind: "actorSend",
    source: { kind: "node", nodeRid: "node-c", nodeGeneration: "6", ownerId: "c-owner", ownerLeaseGeneration: "60" },
    metadata: [["~q", "1"]],
    operation: { high: "7", low: "8" },
    operationKind: "none",
    target: fence,
    payload: { packetName: "note", contentType: "application/json", data },
  },
});
/** A 34 has the same beginning as a 31, and twelve bytes behind it. */
const headerDigits = frame0(cutover("0", 0)).length - 2 * 12;
const recordHex = (command: JsonObject): string => frame0(command).slice(headerDigits);
const sourceGaveUp: JsonObject = answer("relocationFailed", prepare, {
  senderRole: "source",
  failureCode: "requestRejected",
});
const refusal = (failureCode: string, of: JsonObject = prepare): JsonObject =>
  answer("relocationFailed", of, { failureCode });
const route: JsonObject = {
  command: "sessionRelocationRoute",
  relocation,
  coordinator,
  senderRole: "target",
  actor,
  session,
  route: {
    action: "commit",
    previousAuthorityOwnerGeneration: "7",
    targetAuthorityOwnerGeneration: "8",
    targetNodeRid: target.nodeRid,
    targetNodeGeneration: target.nodeGeneration,
    targetOwnerLeaseGeneration: "20",
  },
};
const joined: JsonObject = {
  command: "actorJoined",
  actor,
  currentSpot: entrySpot,
  authorityOwnerGeneration: "8",
};

/* Facts. */
const prepareReceived = (command: JsonObject = prepare, peer: JsonObject = sourcePeer): JsonObject => ({
  type: "PrepareReceived",
  peer,
  command,
  bytes: frame0(command),
});
const from = (type: string, command: JsonObject, peer = source.nodeRid): JsonObject => ({ type, peer, command });
const state = (ordinal: number, data: string): JsonObject => from("StateReceived", chunk(ordinal, data));
const digest = "00".repeat(32);
const restoredFacts: JsonObject = {
  stableType: "player",
  membershipDigest: digest,
  members: [
    {
      actor,
      stableType: "player",
      authorityOwnerGeneration: "7",
      baseVersion: "v1",
      sessions: [session],
    },
  ],
};
const restored = (facts: JsonObject = restoredFacts): JsonObject => ({ type: "Restored", relocation, restored: facts });
const relay = (command: JsonObject): JsonObject => ({
  ...from("RelayReceived", command),
  bytes: recordHex(command),
});
const cutoverReceived = (count: string, crc: number): JsonObject => from("CutoverReceived", cutover(count, crc));
const told = (type: string, more: JsonObject): JsonObject => ({ type, relocation, ...more });
const commitSettled = (said: JsonObject): JsonObject => told("CommitSettled", { answer: said });
const authorityRead = (said: JsonObject): JsonObject => told("AuthorityRead", { answer: said });
const fenceSettled = (said: JsonObject): JsonObject => told("FenceSettled", { answer: said });
const timer = (name: string): JsonObject => told("TimerFired", { timer: name });
const committedAnswer: JsonObject = { outcome: "committed", records: [movedRecord] };

/* Effects; each names its relocation. */
const does = (effect: JsonObject, of: Json = relocation): JsonObject => ({ relocation: of, ...effect });
const startTimer = (name: string, delayMs: number): JsonObject => does({ type: "StartTimer", timer: name, delayMs });
const stopTimer = (name: string): JsonObject => does({ type: "StopTimer", timer: name });
const opened = startTimer("deadline", DEADLINE_MS);
const restore = does({ type: "RestoreUnit", payload: payloadHex });
const openQueue = does({ type: "OpenTemporaryQueue" });
const sendReady = does({ type: "SendReady", peer: source.nodeRid, command: answer("relocationReady", prepare) });
const sendFailed = (failureCode: string, of: JsonObject = prepare): JsonObject =>
  does({ type: "SendFailed", peer: source.nodeRid, command: refusal(failureCode, of) }, of["relocation"]);
const commitStore = does({
  type: "CommitAuthority",
  request: {
    relocation,
    owner: targetOwner,
    participants: [
      {
        key: "zla1:a:7:user%3A42",
        baseVersion: "v1",
        expectedObjectGeneration: "3",
        expectedAuthorityOwnerGeneration: "7",
        membershipDigest: digest,
      },
    ],
  },
});
const readStore = does({ type: "ReadAuthority" });
const fenceStore = does({ type: "FenceAuthority", baseVersion: "v1" });
const dropCopy = (code: string): JsonObject => does({ type: "DropCopy", failure: { code } });
const failed = (code: string): JsonObject => does({ type: "Settle", outcome: { type: "failed", failure: { code } } });
const report = (event: string, of: Json = relocation): JsonObject => does({ type: "Report", event }, of);
const adopted = (...records: readonly string[]): readonly JsonObject[] => [
  stopTimer("deadline"),
  does({ type: "Adopt", record: movedRecord, members: [movedRecord] }),
  does({ type: "OpenDispatch", relayed: records }),
  does({ type: "SendRoute", peer: gate.nodeRid, command: route }),
  does({ type: "SendJoined", peer: source.nodeRid, command: joined }),
  does({ type: "Settle", outcome: { type: "adopted", record: movedRecord } }),
];
/** Ended, with a 53 or without one. */
const ended = (code: string, failureCode?: string): readonly JsonObject[] => [
  stopTimer("deadline"),
  dropCopy(code),
  ...(failureCode === undefined ? [] : [sendFailed(failureCode)]),
  failed(code),
];

/* Ways to where a scenario begins. */
const toReceiving = [step(START_MS, prepareReceived(), opened)];
const toRestoring = [...toReceiving, step(1_001, state(0, chunks[0])), step(1_002, state(1, chunks[1]), restore)];
const toReady = [...toRestoring, step(1_003, restored(), openQueue, sendReady)];
const m1 = relayed("31");
const toCommitting = [
  ...toReady,
  step(1_004, relay(m1)),
  step(1_005, cutoverReceived("1", crcOf(recordHex(m1))), commitStore),
];
const inDoubt = [...toCommitting, step(1_006, commitSettled(unknown), startTimer("retryStore", RETRY_MS))];
const toReading = [...inDoubt, step(1_016, timer("retryStore"), readStore)];
const afterDeadline = START_MS + DEADLINE_MS;

const of = (steps: readonly ScenarioStep[], made: JsonObject = config) => ({ config: made, steps });
const second = { high: "1", low: "9" };
const other = (changes: JsonObject = {}): JsonObject =>
  changed(prepare, {
    relocation: second,
    object: changed(object, { actorId: "user:43" }),
    ...changes,
  });

export const targetScenarios = fileOf("target", "Moves at their target, as one node's registry keeps them.", [
  scenario(
    "whole-move",
    "T10 T2 T5 T9",
    "The one way to the end: chunks, restore, ready, relayed, cut over, committed, opened, said.",
    of([...toCommitting, step(1_006, commitSettled(committedAnswer), ...adopted(recordHex(m1)))]),
  ),
  scenario(
    "empty-payload",
    "T2",
    "An empty payload has no chunk to wait for.",
    of([step(START_MS, prepareReceived(changed(prepare, empty)), opened, does({ type: "RestoreUnit", payload: "" }))]),
  ),
  scenario(
    "same-40",
    "T1 I9",
    "The same 40 again continues the attempt, and is answered as far as there is an answer.",
    of([
      ...toReceiving,
      step(1_001, prepareReceived()),
      step(1_002, state(0, chunks[0])),
      step(1_003, state(1, chunks[1]), restore),
      step(1_004, restored(), openQueue, sendReady),
      step(1_005, prepareReceived(), sendReady),
    ]),
  ),
  scenario(
    "other-40",
    "T1 I9",
    "A 40 of the same relocation with other bytes changes nothing.",
    of([
      ...toReceiving,
      step(1_001, prepareReceived(changed(prepare, { applicationVersion: "2" })), report("target.refused")),
      step(1_002, state(0, chunks[0])),
    ]),
  ),
  scenario(
    "ended-id",
    "T1",
    "A record of an id that has ended changes nothing; its 40 gets the answer that it had.",
    of([
      ...toReady,
      step(
        1_004,
        told("AbortRequested", { failure: { code: "aborted", message: "closing" } }),
        ...ended("aborted", "requestRejected"),
      ),
      step(1_005, relay(m1), report("target.ignored")),
      step(1_006, cutoverReceived("0", 0), report("target.ignored")),
      step(1_007, prepareReceived(), sendFailed("requestRejected")),
    ]),
  ),
  scenario(
    "chunk-repeated",
    "T2",
    "A chunk that came before is a repeat; with other data it is refused.",
    of([
      ...toReceiving,
      step(1_001, state(0, chunks[0])),
      step(1_002, state(0, chunks[0])),
      step(1_003, state(0, "01020305"), report("target.refused")),
      step(1_004, state(1, chunks[1]), restore),
    ]),
  ),
  ...(
    [
      ["out-of-order", [step(1_001, state(1, chunks[1]), ...ended("targetRefused", "relocationDataLost"))]],
      ["wrong-size", [step(1_001, state(0, "0102"), ...ended("targetRefused", "relocationDataLost"))]],
      [
        "wrong-checksum",
        [
          step(1_001, state(0, chunks[0])),
          step(1_002, state(1, "0507"), ...ended("targetRefused", "relocationDataLost")),
        ],
      ],
    ] as const
  ).map(([name, steps]) =>
    scenario(
      `chunk-${name}`,
      "T2",
      "What did not arrive as announced is not looked at: the attempt ends.",
      of([...toReceiving, ...steps]),
    ),
  ),
  scenario(
    "before-its-turn",
    "T3 I9",
    "A 31 or a 34 before the 30: refused, nothing runs.",
    of([
      ...toRestoring,
      step(1_003, relay(m1), report("target.refused")),
      step(1_004, cutoverReceived("0", 0), report("target.refused")),
      step(1_005, restored(), openQueue, sendReady),
    ]),
  ),
  scenario(
    "too-many-moves",
    "T4",
    "Only so many attempts are open; the next is declined at once, and keeps its answer.",
    of([
      step(START_MS, prepareReceived(changed(prepare, empty)), opened, does({ type: "RestoreUnit", payload: "" })),
      step(
        1_001,
        prepareReceived(other(empty)),
        does({ type: "StartTimer", timer: "deadline", delayMs: DEADLINE_MS }, second),
      ),
      ...[
        other({ ...empty, relocation: { high: "1", low: "10" }, object: changed(object, { actorId: "user:44" }) }),
      ].flatMap((third) => [
        step(
          1_002,
          prepareReceived(third),
          sendFailed("workerQueueFull", third),
          report("target.declined", third["relocation"]),
        ),
        step(1_003, prepareReceived(third), sendFailed("workerQueueFull", third)),
      ]),
    ]),
  ),
  scenario(
    "one-restore-at-a-time",
    "T4",
    "Restores wait for their turn; one that ended makes room for the next.",
    of([
      step(START_MS, prepareReceived(changed(prepare, empty)), opened, does({ type: "RestoreUnit", payload: "" })),
      step(
        1_001,
        prepareReceived(other(empty)),
        does({ type: "StartTimer", timer: "deadline", delayMs: DEADLINE_MS }, second),
      ),
      step(
        1_002,
        restored(),
        openQueue,
        does({ type: "SendReady", peer: source.nodeRid, command: answer("relocationReady", prepare) }),
        does({ type: "RestoreUnit", payload: "" }, second),
      ),
    ]),
  ),
  scenario(
    "payload-room",
    "T4",
    "Payloads in flight are bounded together; a single larger one runs alone.",
    of([
      ...toReceiving,
      ...[other()].map((command) =>
        step(
          1_001,
          prepareReceived(command),
          sendFailed("workerQueueFull", command),
          report("target.declined", command["relocation"]),
        ),
      ),
    ]),
  ),
  scenario(
    "state-too-large",
    "T4",
    "A payload over the limit for one actor is declined before a byte of it came.",
    of([
      step(
        START_MS,
        prepareReceived(changed(prepare, { payloadTotalLength: "9", payloadChunkCount: 3 })),
        ...[changed(prepare, { payloadTotalLength: "9", payloadChunkCount: 3 })].map((command) =>
          sendFailed("workerQueueFull", command),
        ),
        report("target.declined"),
      ),
    ]),
  ),
  scenario(
    "count-off",
    "T5",
    "A 34 that speaks of another count: nothing was run, the attempt ends.",
    of([
      ...toReady,
      step(1_004, relay(m1)),
      step(1_005, cutoverReceived("2", crcOf(recordHex(m1))), ...ended("targetRefused", "relocationDataLost")),
    ]),
  ),
  scenario(
    "checksum-off",
    "T5",
    "A 34 with another checksum: nothing was run, the attempt ends.",
    of([
      ...toReady,
      step(1_004, relay(m1)),
      step(1_005, cutoverReceived("1", crcOf(recordHex(m1)) + 1), ...ended("targetRefused", "relocationDataLost")),
    ]),
  ),
  scenario(
    "deadline-unrun",
    "T5",
    "The deadline before the first commit write drops the attempt unrun.",
    of([...toReady, step(afterDeadline, timer("deadline"), ...ended("deadlineExceeded", "requestRejected"))]),
  ),
  scenario(
    "late-34",
    "T5",
    "A 34 that comes after the deadline does not commit, even if the timer has not fired yet.",
    of([...toReady, step(afterDeadline, cutoverReceived("0", 0), ...ended("deadlineExceeded", "requestRejected"))]),
  ),
  scenario(
    "source-gave-up",
    "T5 O11",
    "A 53 from the source drops the attempt unrun, without an answer.",
    of([...toReady, step(1_004, from("FailedReceived", sourceGaveUp), ...ended("aborted"))]),
  ),
  scenario(
    "link-lost",
    "T5",
    "The lost link to the source drops the attempt unrun; somebody else's does nothing.",
    of([
      ...toReady,
      step(1_004, { type: "LinkLost", peer: "node-x" }),
      step(1_005, { type: "LinkLost", peer: source.nodeRid }, ...ended("targetUnavailable")),
    ]),
  ),
  scenario(
    "only-evidence-ends-it",
    "T6 I7",
    "After the first commit write neither a 53, nor a lost link, nor this node's own wish ends it.",
    of([
      ...toCommitting,
      step(1_006, from("FailedReceived", sourceGaveUp), report("target.ignored")),
      step(1_007, { type: "LinkLost", peer: source.nodeRid }),
      step(
        1_008,
        told("AbortRequested", { failure: { code: "aborted", message: "closing" } }),
        report("target.ignored"),
      ),
      step(1_009, commitSettled(committedAnswer), ...adopted(recordHex(m1))),
    ]),
  ),
  scenario(
    "stale-base",
    "T6",
    "The base version is gone: it did not commit and never will.",
    of([
      ...toCommitting,
      step(1_006, commitSettled({ outcome: "stale" }), ...ended("staleOwner", "actorLocationStale")),
    ]),
  ),
  scenario(
    "lost-answer-committed",
    "T6 T7",
    "The answer is lost; the store has exactly this move: adopted.",
    of([...toReading, step(1_017, authorityRead(found(movedRecord)), ...adopted(recordHex(m1)))]),
  ),
  scenario(
    "lost-answer-not-written",
    "T6",
    "The answer is lost; the base version is still there: written again.",
    of([
      ...toReading,
      step(1_017, authorityRead(found(baseRecord)), commitStore),
      step(1_018, commitSettled({ outcome: "alreadyCommitted", records: [movedRecord] }), ...adopted(recordHex(m1))),
    ]),
  ),
  ...(
    [
      ["other-relocation", changed(movedRecord, { relocation: { high: "9", low: "9" } })],
      ["other-run", changed(movedRecord, { owner: changed(targetOwner, { nodeGeneration: "3" }) })],
      ["other-lease", changed(movedRecord, { owner: changed(targetOwner, { ownerLeaseGeneration: "21" }) })],
      ["other-mesh", changed(movedRecord, { owner: changed(targetOwner, { meshName: "other" }) })],
      ["other-object", changed(movedRecord, { objectGeneration: "4" })],
    ] as const
  ).map(([name, record]) =>
    scenario(
      `not-exactly-${name}`,
      "T7",
      "Almost this move is not this move: nothing is adopted.",
      of([...toReading, step(1_017, authorityRead(found(record)), ...ended("staleOwner", "actorLocationStale"))]),
    ),
  ),
  scenario(
    "deadline-in-doubt",
    "T6",
    "In doubt at the deadline: the target fences the base version itself; then nothing can succeed any more.",
    of([
      ...inDoubt,
      step(afterDeadline, timer("deadline"), stopTimer("retryStore"), fenceStore),
      step(
        afterDeadline + 1,
        fenceSettled({ outcome: "fenced", record: changed(baseRecord, { storeVersion: "v2" }) }),
        ...ended("deadlineExceeded", "requestRejected"),
      ),
    ]),
  ),
  scenario(
    "deadline-in-doubt-committed",
    "T6 I7",
    "In doubt at the deadline, and the fence finds the base version gone: read, and it was this move after all.",
    of([
      ...inDoubt,
      step(afterDeadline, timer("deadline"), stopTimer("retryStore"), fenceStore),
      step(afterDeadline + 1, fenceSettled({ outcome: "stale" }), startTimer("retryStore", RETRY_MS)),
      step(afterDeadline + 11, timer("retryStore"), readStore),
      step(afterDeadline + 12, authorityRead(found(movedRecord)), ...adopted(recordHex(m1))),
    ]),
  ),
  scenario(
    "gone-in-doubt",
    "T6 T11",
    "The answer is lost, and the actor was destroyed: the copy goes.",
    of([...toReading, step(1_017, authorityRead(absent), ...ended("staleOwner", "actorLocationStale"))]),
  ),
  scenario(
    "one-write",
    "T8",
    "One conditional write, on the base version, for every participant: owner, place, membership, relocation.",
    of(toCommitting),
  ),
  scenario(
    "values-from-the-store",
    "T9 T10",
    "The generations that are said are the store's, not computed ones.",
    of([
      ...toCommitting,
      ...[changed(movedRecord, { authorityOwnerGeneration: "12", storeVersion: "v9" })].map((record) =>
        step(
          1_006,
          commitSettled({ outcome: "committed", records: [record] }),
          stopTimer("deadline"),
          does({ type: "Adopt", record, members: [record] }),
          does({ type: "OpenDispatch", relayed: [recordHex(m1)] }),
          does({
            type: "SendRoute",
            peer: gate.nodeRid,
            command: changed(route, {
              route: changed(route["route"] as JsonObject, { targetAuthorityOwnerGeneration: "12" }),
            }),
          }),
          does({
            type: "SendJoined",
            peer: source.nodeRid,
            command: changed(joined, { authorityOwnerGeneration: "12" }),
          }),
          does({ type: "Settle", outcome: { type: "adopted", record } }),
        ),
      ),
    ]),
  ),
  scenario(
    "restore-fails",
    "T11",
    "`restore` throws: the copy goes before the source hears of it.",
    of([
      ...toRestoring,
      step(
        1_003,
        told("RestoreFailed", {
          failure: { code: "restoreFailed", message: "boom" },
          failureCode: "actorCreateFailed",
        }),
        ...ended("restoreFailed", "actorCreateFailed"),
      ),
    ]),
  ),
  scenario(
    "payload-of-another",
    "T11 T3",
    "The payload is not that of the unit that the 40 named.",
    of([
      ...toRestoring,
      step(
        1_003,
        restored(
          changed(restoredFacts, {
            members: [changed((restoredFacts["members"] as readonly JsonObject[])[0]!, { baseVersion: "v9" })],
          }),
        ),
        ...ended("targetRefused", "payloadDecodeFailed"),
      ),
    ]),
  ),
  scenario(
    "forwarded-early",
    "F2 T6",
    "The source reads the commit before this node has its answer, and forwards: to the end of the queue.",
    of([...toCommitting, step(1_006, relay(relayed("32")), does({ type: "QueueForwarded", command: relayed("32") }))]),
  ),
  scenario(
    "not-the-source",
    "T3 I9",
    "A 40 that is not from its rightful sender is not answered and leaves no trace.",
    of([
      step(START_MS, prepareReceived(prepare, strangerPeer), report("target.refused")),
      step(1_001, prepareReceived(), opened),
    ]),
  ),
  scenario(
    "other-run-of-this-node",
    "T1",
    "A 40 for another run of this node is answered, so that its source looks again.",
    of([
      ...[changed(prepare, { target: changed(targetRun, { nodeGeneration: "1" }) })].map((command) =>
        step(START_MS, prepareReceived(command), sendFailed("actorLocationStale", command), report("target.declined")),
      ),
    ]),
  ),
  scenario(
    "newer-claim",
    "T3",
    "A newer move of the same actor from the same run of its owner supersedes the open attempt.",
    of([
      ...toReady,
      ...[changed(prepare, { relocation: second })].map((command) =>
        step(
          1_004,
          prepareReceived(command),
          ...ended("staleOwner", "actorLocationStale"),
          does({ type: "StartTimer", timer: "deadline", delayMs: DEADLINE_MS }, second),
        ),
      ),
    ]),
  ),
]);
