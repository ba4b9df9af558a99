/** A move at its source: `protocol.md` sections 4 and 7. */
import type { JsonObject, ScenarioStep } from "../../../src/vectors/file.ts";
import {
  absent,
  actor,
  baseRecord,
  changed,
  coordinator,
  fence,
  fileOf,
  found,
  gate,
  movedRecord,
  relocation,
  scenario,
  session,
  source,
  sourceOwner,
  step,
  target,
  targetFence,
  targetOwner,
  unknown,
} from "./parts.ts";

const MOVE_MS = 10_000;
const STORE_RESOLUTION_MS = 5_000;
const READ_AGAIN_MS = 50;
const READ_AGAIN_SLOWLY_MS = 1_000;
const CHUNK_BYTES = 1_024;
const MAX_PAYLOAD_BYTES = 65_536;
const START_MS = 1_000;

const targetRun = { ...target, ownerId: targetOwner.ownerId, ownerLeaseGeneration: targetOwner.ownerLeaseGeneration };
const config: JsonObject = {
  self: sourceOwner,
  unit: { kind: "actor", fence, stableType: "player" },
  relocation,
  target: targetRun,
  kind: "relocate",
  applicationVersion: "1",
  deadlines: { moveMs: MOVE_MS, storeResolutionMs: STORE_RESOLUTION_MS },
  chunkBytes: CHUNK_BYTES,
  maxPayloadBytes: MAX_PAYLOAD_BYTES,
};
const object = { kind: "actor", ...actor, authorityOwnerGeneration: "7" };
const header = { relocation, targetAttemptGeneration: "1", coordinator, senderRole: "source", object };

/* Records. */
const seal: JsonObject = {
  command: "sessionRelocationSeal",
  relocation,
  coordinator,
  senderRole: "source",
  actor: fence,
  session,
};
const sealed: JsonObject = changed(seal, { command: "sessionRelocationSealed", senderRole: undefined });
const sealRefusal: JsonObject = {
  command: "relocationFailed",
  relocation,
  targetAttemptGeneration: "1",
  coordinator,
  target: gate,
  object,
  senderRole: "coordinator",
  failureCode: "actorLocationStale",
};
const payload = { totalLength: "2000", chunkCount: 2, checksumCrc32c: 7 };
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
  payloadTotalLength: payload.totalLength,
  payloadChunkCount: payload.chunkCount,
  payloadChecksumCrc32c: payload.checksumCrc32c,
  applicationVersion: "1",
};
const answer = (command: string, more: JsonObject = {}): JsonObject => ({
  command,
  relocation,
  targetAttemptGeneration: "1",
  coordinator,
  target: targetRun,
  object,
  senderRole: "target",
  ...more,
});
const ready = answer("relocationReady");
const refusal = answer("relocationFailed", { failureCode: "payloadDecodeFailed" });
const joined: JsonObject = {
  command: "actorJoined",
  actor,
  currentSpot: { spotId: "entry:node-b", objectGeneration: "1" },
  authorityOwnerGeneration: "8",
};
const sourceFailed = (failureCode = "requestRejected"): JsonObject => ({
  command: "relocationFailed",
  relocation,
  targetAttemptGeneration: "1",
  coordinator,
  target: targetRun,
  object,
  senderRole: "source",
  failureCode,
});
const route = (senderRole: string, update: JsonObject): JsonObject => ({
  command: "sessionRelocationRoute",
  relocation,
  coordinator,
  senderRole,
  actor,
  session,
  route: update,
});
const abortRoute = route("source", { action: "abort", currentAuthorityOwnerGeneration: "7" });
const commitRoute = route("coordinator", {
  action: "commit",
  previousAuthorityOwnerGeneration: "7",
  targetAuthorityOwnerGeneration: "8",
  targetNodeRid: target.nodeRid,
  targetNodeGeneration: target.nodeGeneration,
  targetOwnerLeaseGeneration: "20",
});

/* Facts. */
const start: JsonObject = { type: "Start" };
const checkPassed: JsonObject = { type: "CheckPassed" };
const turnsStopped = (...sessions: readonly JsonObject[]): JsonObject => ({
  type: "TurnsStopped",
  bindings: sessions.map((each) => ({ actorId: actor.actorId, session: each })),
});
const authorityRead = (said: JsonObject): JsonObject => ({ type: "AuthorityRead", answer: said });
const from = (type: string, peer: string, command: JsonObject): JsonObject => ({ type, peer, command });
const captured = (of: JsonObject = payload): JsonObject => ({ type: "StateCaptured", payload: of });
const timer = (name: string): JsonObject => ({ type: "TimerFired", timer: name });
const linkLost = (peer: string): JsonObject => ({ type: "LinkLost", peer });
const fenceSettled = (said: JsonObject): JsonObject => ({ type: "FenceSettled", answer: said });
const abortRequested: JsonObject = { type: "AbortRequested", failure: { code: "aborted", message: "the node closes" } };

/* Effects. */
const startTimer = (name: string, delayMs: number): JsonObject => ({ type: "StartTimer", timer: name, delayMs });
const stopTimer = (name: string): JsonObject => ({ type: "StopTimer", timer: name });
const hold: JsonObject = { type: "HoldIngress", mode: "full" };
const stopTurns: JsonObject = { type: "StopTurns" };
const readStore: JsonObject = { type: "ReadAuthority" };
const sendSeal: JsonObject = { type: "SendSeal", peer: gate.nodeRid, command: seal };
const capture: JsonObject = {
  type: "CaptureState",
  chunkBytes: CHUNK_BYTES,
  maxPayloadBytes: MAX_PAYLOAD_BYTES,
  memberVersions: [],
};
const sendPrepare: JsonObject = { type: "SendPrepare", peer: target.nodeRid, command: prepare };
const sendState: JsonObject = {
  type: "SendState",
  peer: target.nodeRid,
  header: { command: "relocationState", ...header },
  chunkBytes: CHUNK_BYTES,
};
const relay = { command: "relocationData", ...header };
const cutOver: JsonObject = {
  type: "RelayAndCutOver",
  peer: target.nodeRid,
  relay,
  cutover: { command: "relocationCutover", ...header },
};
const fenceStore: JsonObject = { type: "FenceAuthority", baseVersion: coordinator.expectedAuthorityStoreVersion };
const giveBack: JsonObject = { type: "GiveBackHold" };
const openGate: JsonObject = { type: "OpenGate" };
const sendRoute = (command: JsonObject): JsonObject => ({ type: "SendRoute", peer: gate.nodeRid, command });
const sendFailed = (failureCode?: string): JsonObject => ({
  type: "SendFailed",
  peer: target.nodeRid,
  command: sourceFailed(failureCode),
});
const aborted = (code: string): JsonObject => ({ type: "Settle", outcome: { type: "aborted", failure: { code } } });
const follow = (handedOver: string, to: JsonObject = targetFence): JsonObject => ({
  type: "StartFollow",
  target: to,
  relay,
  handedOver,
});
const dropCopy: JsonObject = { type: "DropCopy" };
const committed: JsonObject = {
  type: "Settle",
  outcome: { type: "committed", owner: targetOwner, authorityOwnerGeneration: "8" },
};
const superseded: JsonObject = { type: "Settle", outcome: { type: "superseded", failure: { code: "staleOwner" } } };
const report = (event: string): JsonObject => ({ type: "Report", event });

/** Taken back before the 34 (O3): in this order, with an abort for every 42 that was handed to a link (O7, S20). */
const resume = (...routes: readonly JsonObject[]): readonly JsonObject[] => [
  giveBack,
  ...routes.map(sendRoute),
  openGate,
  stopTimer("deadline"),
];
/** The move committed and the target's link is up: it says the routes itself. */
const departed: readonly JsonObject[] = [follow("delivered"), dropCopy, stopTimer("deadline"), committed];

/* Ways to where a scenario begins. */
const checking = step(START_MS, start, startTimer("deadline", MOVE_MS), { type: "CheckTarget" });
const checkingJoin = step(
  START_MS,
  start,
  startTimer("deadline", MOVE_MS),
  { type: "HoldIngress", mode: "provisional" },
  { type: "CheckTarget" },
);
const toStopping = [checking, step(1_001, checkPassed, hold, stopTurns)];
const toReadingBase = [...toStopping, step(1_002, turnsStopped(session), readStore)];
const toSealing = [...toReadingBase, step(1_003, authorityRead(found(baseRecord)), sendSeal)];
const toCapturing = [...toSealing, step(1_004, from("SealedReceived", gate.nodeRid, sealed), capture)];
const toTransferring = [...toCapturing, step(1_005, captured(), sendPrepare, sendState)];
const toCutOver = [...toTransferring, step(1_006, from("ReadyReceived", target.nodeRid, ready), cutOver)];
const toVerdict = [...toCutOver, step(1_007, from("JoinedReceived", target.nodeRid, joined), readStore)];
const wantsAbort = [...toCutOver, step(1_007, from("FailedReceived", target.nodeRid, refusal), readStore)];
const toFencing = [...wantsAbort, step(1_008, authorityRead(found(baseRecord)), fenceStore)];

const of = (steps: readonly ScenarioStep[], made: JsonObject = config) => ({ config: made, steps });
const joining = changed(config, { kind: "join" });

const fenced = found(changed(baseRecord, { storeVersion: "v2" }));
const otherOwner = changed(sourceOwner, { nodeRid: "node-c", ownerId: "c-owner", ownerLeaseGeneration: "30" });
const elsewhere = changed(baseRecord, { storeVersion: "v3", authorityOwnerGeneration: "9", owner: otherOwner });
const elsewhereFence = {
  actor,
  nodeRid: "node-c",
  nodeGeneration: source.nodeGeneration,
  authorityOwnerGeneration: "9",
  ownerLeaseGeneration: "30",
};

/* A spot with two members moves as one unit. */
const spotRef = { spotId: "lobby", objectGeneration: "5" };
const SPOT_KEY = "zla1:s:5:lobby";
const members = ["m1", "m2"] as const;
const memberFence = (id: string): JsonObject => changed(fence, { actor: { actorId: id, objectGeneration: "3" } });
const memberKey = (id: string): string => `zla1:a:2:${id}`;
const spotFence = { spot: spotRef, ...source, authorityOwnerGeneration: "6", ownerLeaseGeneration: "10" };
const spotConfig = changed(config, {
  unit: {
    kind: "userSpot",
    fence: spotFence,
    stableType: "room",
    members: members.map((id) => ({ fence: memberFence(id), stableType: "player" })),
  },
});
const spotObject = { kind: "userSpot", ...spotRef, authorityOwnerGeneration: "6" };
const spotRecord = changed(baseRecord, {
  key: SPOT_KEY,
  kind: "userSpot",
  stableType: "room",
  objectGeneration: "5",
  authorityOwnerGeneration: "6",
});
const spotMoved = changed(spotRecord, {
  storeVersion: "v2",
  authorityOwnerGeneration: "7",
  owner: targetOwner,
  relocation,
});
const memberRecord = (id: string, storeVersion = `${id}-v1`): JsonObject =>
  changed(baseRecord, { key: memberKey(id), storeVersion, place: spotRef });
const memberMoved = (id: string): JsonObject =>
  changed(movedRecord, { key: memberKey(id), storeVersion: `${id}-v2`, place: spotRef });
const membersRead = (...answers: readonly JsonObject[]): JsonObject => ({ type: "MembersRead", answers });
const readMembers = (...ids: readonly string[]): JsonObject => ({ type: "ReadMembers", keys: ids.map(memberKey) });
const memberSeal = changed(seal, { actor: memberFence("m1") });
const memberRoute = (command: JsonObject): JsonObject =>
  changed(command, { actor: { actorId: "m1", objectGeneration: "3" } });
const spotHeader = changed(relay, { object: spotObject });
const memberFollow = (id: string): JsonObject => ({
  type: "StartFollow",
  target: changed(targetFence, { actor: { actorId: id, objectGeneration: "3" } }),
  relay: spotHeader,
  handedOver: "delivered",
});
const spotToReading: readonly ScenarioStep[] = [
  checking,
  step(1_001, checkPassed, hold, stopTurns),
  step(1_002, { type: "TurnsStopped", bindings: [{ actorId: "m1", session }] }, readStore),
  step(1_003, authorityRead(found(spotRecord)), readMembers(...members)),
];
const spotToSealing: readonly ScenarioStep[] = [
  ...spotToReading,
  step(1_004, membersRead(found(memberRecord("m1")), found(memberRecord("m2"))), {
    type: "SendSeal",
    peer: gate.nodeRid,
    command: memberSeal,
  }),
];
const spotToCutOver: readonly ScenarioStep[] = [
  ...spotToSealing,
  step(
    1_005,
    from("SealedReceived", gate.nodeRid, changed(sealed, { actor: memberFence("m1") })),
    changed(capture, { memberVersions: ["m1-v1", "m2-v1"] }),
  ),
  step(
    1_006,
    captured(),
    changed(sendPrepare, { command: changed(prepare, { object: spotObject }) }),
    changed(sendState, { header: changed(sendState["header"] as JsonObject, { object: spotObject }) }),
  ),
  step(
    1_007,
    from("ReadyReceived", target.nodeRid, changed(ready, { object: spotObject })),
    changed(cutOver, {
      relay: spotHeader,
      cutover: changed(cutOver["cutover"] as JsonObject, { object: spotObject }),
    }),
  ),
];

const spotScenarios = [
  scenario(
    "spot-moves-whole",
    "T8 O5",
    "A spot and its members: each part on a base version of its own, one verdict for all, the members' owners as the store says.",
    of(
      [
        ...spotToCutOver,
        step(
          1_008,
          from("JoinedReceived", target.nodeRid, changed(joined, { actor: { actorId: "m2", objectGeneration: "3" } })),
          readStore,
        ),
        step(
          1_009,
          authorityRead(found(spotMoved)),
          startTimer("deadline", STORE_RESOLUTION_MS),
          readMembers(...members),
        ),
        step(1_010, membersRead(found(memberMoved("m1")), unknown), startTimer("retryRead", READ_AGAIN_MS)),
        step(1_060, timer("retryRead"), readMembers("m2")),
        step(
          1_061,
          membersRead(found(memberMoved("m2"))),
          memberFollow("m1"),
          memberFollow("m2"),
          dropCopy,
          stopTimer("deadline"),
          { type: "Settle", outcome: { type: "committed", owner: targetOwner, authorityOwnerGeneration: "7" } },
        ),
      ],
      spotConfig,
    ),
  ),
  scenario(
    "spot-member-stale",
    "O1 T8",
    "The store does not bear out one member's fence: given up before sealing, for all of them.",
    of(
      [
        ...spotToReading,
        step(1_004, membersRead(found(memberRecord("m1")), found(memberMoved("m2"))), ...resume(), {
          type: "Settle",
          outcome: { type: "aborted", failure: { code: "staleOwner", actorId: "m2" } },
        }),
      ],
      spotConfig,
    ),
  ),
  scenario(
    "spot-taken-back",
    "O4 O7",
    "The fence on the spot's own version stops the whole commit; every member goes on here.",
    of(
      [
        ...spotToCutOver,
        step(1_008, linkLost(target.nodeRid), readStore),
        step(1_009, authorityRead(found(spotRecord)), fenceStore),
        step(
          1_010,
          fenceSettled({ outcome: "fenced", record: changed(spotRecord, { storeVersion: "v2" }) }),
          { type: "SendFailed", peer: target.nodeRid, command: changed(sourceFailed(), { object: spotObject }) },
          ...resume(memberRoute(abortRoute)),
          aborted("targetUnavailable"),
        ),
      ],
      spotConfig,
    ),
  ),
];

export const sourceScenarios = fileOf("source", "A move at its source: every step, and everything that ends it.", [
  scenario(
    "whole-move",
    "O1 O5",
    "The one way to the end: checked, held, stopped, read, sealed, captured, sent, cut over, committed.",
    of([...toVerdict, step(1_008, authorityRead(found(movedRecord)), ...departed)]),
  ),
  scenario(
    "no-sessions",
    "O1",
    "Nobody is bound: there is nothing to seal, and the state is captured at once.",
    of([...toStopping, step(1_002, turnsStopped(), readStore), step(1_003, authorityRead(found(baseRecord)), capture)]),
  ),
  scenario(
    "own-fence-stale",
    "O1",
    "This node's own fence is another run's: refused before anything stops.",
    of(
      [step(START_MS, start, aborted("staleOwner"))],
      changed(config, { self: changed(sourceOwner, { nodeGeneration: "2" }) }),
    ),
  ),
  ...(
    [
      ["lease-ended", found(baseRecord, false)],
      ["other-run", found(changed(baseRecord, { owner: changed(sourceOwner, { nodeGeneration: "2" }) }))],
    ] as const
  ).map(([name, said]) =>
    scenario(
      `store-says-${name}`,
      "O1",
      "The store does not bear the fence out: given up before sealing.",
      of([...toReadingBase, step(1_003, authorityRead(said), ...resume(), aborted("staleOwner"))]),
    ),
  ),
  scenario(
    "base-unreadable",
    "O5",
    "The base version is not guessed: it is read again after a pause.",
    of([
      ...toReadingBase,
      step(1_003, authorityRead(unknown), startTimer("retryRead", READ_AGAIN_MS)),
      step(1_053, timer("retryRead"), readStore),
      step(1_054, authorityRead(found(baseRecord)), sendSeal),
    ]),
  ),
  scenario(
    "already-elsewhere",
    "O5",
    "The store names a newer owner before anything was sealed: this node departs, and forwards everything.",
    of([
      ...toReadingBase,
      step(
        1_003,
        authorityRead(found(elsewhere)),
        changed(follow("nothing", elsewhereFence), {
          relay: { ...relay, coordinator: changed(coordinator, { expectedAuthorityStoreVersion: "v3" }) },
        }),
        dropCopy,
        stopTimer("deadline"),
        superseded,
      ),
    ]),
  ),
  scenario(
    "session-owner-gone",
    "O1",
    "A session owner's lease ended: the move goes on without its session.",
    of([
      ...toSealing,
      step(1_004, { type: "SessionOwnerGone", ownerNodeRid: gate.nodeRid, ownerNodeGeneration: "4" }, capture),
    ]),
  ),
  scenario(
    "session-owner-refuses",
    "S4 O7",
    "A session owner refuses the 42: taken back, with an abort for it all the same (S20).",
    of([
      ...toSealing,
      step(1_004, from("SealRefused", gate.nodeRid, sealRefusal), ...resume(abortRoute), aborted("sealRefused")),
    ]),
  ),
  scenario(
    "session-owner-lost",
    "S20 O3",
    "The link to a session owner is lost while its 43 is awaited: the abort is owed.",
    of([...toSealing, step(1_004, linkLost(gate.nodeRid), ...resume(abortRoute), aborted("sessionOwnerUnavailable"))]),
  ),
  ...(
    [
      ["checking", [checking], []],
      ["stopping", toStopping, resume()],
      ["reading", toReadingBase, resume()],
      ["sealing", toSealing, resume(abortRoute)],
      ["capturing", toCapturing, resume(abortRoute)],
      ["transferring", toTransferring, [sendFailed(), ...resume(abortRoute)]],
    ] as const
  ).map(([name, way, effects]) =>
    scenario(
      `abort-while-${name}`,
      "O3 O7 O11",
      "Before the 34 an abort needs no word from the store; the target is told where it was asked.",
      of([
        ...way,
        step(1_009, abortRequested, ...(name === "checking" ? [stopTimer("deadline")] : effects), aborted("aborted")),
      ]),
    ),
  ),
  scenario(
    "target-lost-before",
    "O3 O11",
    "The target's link is lost before the 34: an abort.",
    of([
      ...toTransferring,
      step(1_006, linkLost(target.nodeRid), sendFailed(), ...resume(abortRoute), aborted("targetUnavailable")),
    ]),
  ),
  scenario(
    "deadline-before",
    "O3",
    "The deadline passes before the 34: an abort. A timer that fires early is set again.",
    of([
      ...toCapturing,
      step(START_MS + MOVE_MS - 1, timer("deadline"), startTimer("deadline", 1)),
      step(START_MS + MOVE_MS, timer("deadline"), ...resume(abortRoute), aborted("deadlineExceeded")),
    ]),
  ),
  scenario(
    "payload-too-large",
    "T4",
    "What cannot be sent is found out before anything is sent.",
    of([
      ...toCapturing,
      step(
        1_005,
        captured({ totalLength: `${MAX_PAYLOAD_BYTES + 1}`, chunkCount: 65, checksumCrc32c: 1 }),
        ...resume(abortRoute),
        aborted("stateTooLarge"),
      ),
    ]),
  ),
  scenario(
    "smaller-chunks",
    "T2",
    "A join's answer said less than the agreed chunk: the state goes in those.",
    of(
      [
        checkingJoin,
        step(1_001, { type: "CheckPassed", receiveChunkLimitBytes: 500 }, { type: "PromoteHold" }, stopTurns),
        step(1_002, turnsStopped(), readStore),
        step(1_003, authorityRead(found(baseRecord)), changed(capture, { chunkBytes: 500 })),
      ],
      joining,
    ),
  ),
  scenario(
    "join-not-granted",
    "H2",
    "The spot says no: what was held provisionally goes back, nothing else happened.",
    of(
      [
        checkingJoin,
        step(
          1_001,
          { type: "CheckFailed", failure: { code: "joinRejected", message: "full" } },
          giveBack,
          openGate,
          stopTimer("deadline"),
          aborted("joinRejected"),
        ),
      ],
      joining,
    ),
  ),
  scenario(
    "target-refuses-after",
    "O4 O7 O11",
    "After the 34 only the fence write lets the source resume; then in this order, the target first.",
    of([
      ...toFencing,
      step(
        1_009,
        fenceSettled({ outcome: "fenced", record: changed(baseRecord, { storeVersion: "v2" }) }),
        sendFailed(),
        ...resume(abortRoute),
        aborted("stateIncompatible"),
      ),
    ]),
  ),
  scenario(
    "base-fenced-already",
    "O4",
    "The version is no longer the base: no commit can succeed, so there is nothing left to fence.",
    of([
      ...wantsAbort,
      step(1_008, authorityRead(fenced), sendFailed(), ...resume(abortRoute), aborted("stateIncompatible")),
    ]),
  ),
  scenario(
    "fence-finds-commit",
    "O4",
    "The fence comes too late: the store names the target, and the source departs.",
    of([
      ...toFencing,
      step(1_009, fenceSettled({ outcome: "stale" }), startTimer("retryRead", READ_AGAIN_MS)),
      step(1_059, timer("retryRead"), readStore),
      step(1_060, authorityRead(found(movedRecord)), ...departed),
    ]),
  ),
  scenario(
    "fence-lost",
    "O5 O4",
    "The fence's answer is lost: read again, and only what the store says counts.",
    of([
      ...toFencing,
      step(1_009, fenceSettled(unknown), startTimer("retryRead", READ_AGAIN_MS)),
      step(1_059, timer("retryRead"), readStore),
      step(1_060, authorityRead(fenced), sendFailed(), ...resume(abortRoute), aborted("stateIncompatible")),
    ]),
  ),
  scenario(
    "hint-not-confirmed",
    "O5",
    "A 37 is a hint: the store does not confirm it yet, so it is asked again.",
    of([
      ...toVerdict,
      step(1_008, authorityRead(found(baseRecord)), startTimer("retryRead", READ_AGAIN_MS)),
      step(1_058, timer("retryRead"), readStore),
      step(1_059, authorityRead(found(movedRecord)), ...departed),
    ]),
  ),
  scenario(
    "lease-ended-after",
    "O5 L1",
    "This node's own lease ended: it must not resume, whatever it reads; somebody else decides.",
    of([
      ...wantsAbort,
      step(1_008, authorityRead(found(baseRecord, false)), startTimer("retryRead", READ_AGAIN_MS)),
      step(1_058, timer("retryRead"), readStore),
      step(
        1_059,
        authorityRead(found(elsewhere)),
        follow("unknown", elsewhereFence),
        dropCopy,
        stopTimer("deadline"),
        superseded,
      ),
    ]),
  ),
  scenario(
    "target-lost-then-committed",
    "O5 S20",
    "The target's link is lost after the 34, and the move committed: the source says the routes in its place.",
    of([
      ...toCutOver,
      step(1_007, linkLost(target.nodeRid), readStore),
      step(
        1_008,
        authorityRead(found(movedRecord)),
        follow("delivered"),
        sendRoute(commitRoute),
        dropCopy,
        stopTimer("deadline"),
        committed,
      ),
    ]),
  ),
  scenario(
    "link-lost-after-departure",
    "S20",
    "It departed while the target's link was up; the link is lost later: now it says the routes.",
    of([
      ...toVerdict,
      step(1_008, authorityRead(found(movedRecord)), ...departed),
      step(1_500, linkLost(target.nodeRid), sendRoute(commitRoute)),
      step(1_501, linkLost(target.nodeRid)),
    ]),
  ),
  scenario(
    "object-gone",
    "H5 O5",
    "The actor was destroyed meanwhile: held messages are failed, sealed sessions told.",
    of([
      ...toVerdict,
      step(
        1_008,
        authorityRead(absent),
        { type: "FailHold", actorId: actor.actorId, failure: { code: "staleOwner" }, handedOver: "unknown" },
        sendRoute(abortRoute),
        dropCopy,
        stopTimer("deadline"),
        superseded,
      ),
    ]),
  ),
  scenario(
    "undecided",
    "O5",
    "The deadlines pass without evidence: it stays closed, the failure is reported, and reading goes on slowly.",
    of([
      ...toCutOver,
      step(START_MS + MOVE_MS, timer("deadline"), startTimer("deadline", STORE_RESOLUTION_MS), readStore),
      step(START_MS + MOVE_MS + 1, authorityRead(unknown), startTimer("retryRead", READ_AGAIN_MS)),
      step(START_MS + MOVE_MS + 51, timer("retryRead"), readStore),
      step(START_MS + MOVE_MS + STORE_RESOLUTION_MS, timer("deadline"), report("source.owner.undecided")),
      step(
        START_MS + MOVE_MS + STORE_RESOLUTION_MS + 1,
        authorityRead(unknown),
        startTimer("retryRead", READ_AGAIN_SLOWLY_MS),
      ),
      step(START_MS + MOVE_MS + STORE_RESOLUTION_MS + 1_001, timer("retryRead"), readStore),
      step(START_MS + MOVE_MS + STORE_RESOLUTION_MS + 1_002, authorityRead(found(movedRecord)), ...departed),
    ]),
  ),
  scenario(
    "late-after-abort",
    "O10",
    "A ready, a 53 and a 43 after the rollback: reported, without effect.",
    of([
      ...toTransferring,
      step(1_006, abortRequested, sendFailed(), ...resume(abortRoute), aborted("aborted")),
      step(1_007, from("ReadyReceived", target.nodeRid, ready), report("source.record.late")),
      step(1_008, from("FailedReceived", target.nodeRid, refusal), report("source.record.late")),
      step(1_009, abortRequested),
      step(1_010, timer("deadline")),
    ]),
  ),
  scenario(
    "late-after-commit",
    "O10",
    "An abort after the commit does nothing.",
    of([
      ...toVerdict,
      step(1_008, authorityRead(found(movedRecord)), ...departed),
      step(1_009, abortRequested),
      step(1_010, from("JoinedReceived", target.nodeRid, joined), report("source.record.late")),
    ]),
  ),
  ...(
    [
      ["stranger", "node-x", ready],
      ["other-relocation", target.nodeRid, changed(ready, { relocation: { high: "9", low: "9" } })],
      ["other-run-of-target", target.nodeRid, changed(ready, { target: changed(targetRun, { nodeGeneration: "3" }) })],
      [
        "other-base",
        target.nodeRid,
        changed(ready, { coordinator: changed(coordinator, { expectedAuthorityStoreVersion: "v9" }) }),
      ],
    ] as const
  ).map(([name, peer, command]) =>
    scenario(
      `ready-from-${name}`,
      "O1 I9",
      "A 30 that is not this move's, or from somebody else: refused, nothing changes.",
      of([
        ...toTransferring,
        step(1_006, from("ReadyReceived", peer, command), report("source.record.refused")),
        step(1_007, from("ReadyReceived", target.nodeRid, ready), cutOver),
      ]),
    ),
  ),
  ...spotScenarios,
]);
