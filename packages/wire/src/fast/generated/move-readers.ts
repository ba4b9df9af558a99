// Made by scripts/generate.ts from the schema. Do not edit.
import type {
  ActorCreate,
  ActorJoined,
  BoundSessionBind,
  BoundSessionReplaced,
  BoundSessionSend,
  Command,
  MessageFollow,
  RelocationCutover,
  RelocationData,
  RelocationFailed,
  RelocationPrepare,
  RelocationReady,
  RelocationState,
  ReplyRelay,
  ReplyRelayAck,
  SessionRelocationRoute,
  SessionRelocationSeal,
  SessionRelocationSealed,
} from "../../values/commands.ts";
import {
  readActorFence,
  readActorRef,
  readCoordinator,
  readFollowRoute,
  readRelocationObject,
  readReplyRelayContext,
  readRequestSource,
  readReservation,
  readRouteUpdate,
  readSession,
  readSessionBinding,
  readSpotRef,
  readTarget,
} from "./composite-readers.ts";
import { readFrozenRecord, readPayloadEnvelope } from "./frozen-readers.ts";
import {
  allowFlags,
  blob,
  byNumber,
  enter4,
  finish,
  gen,
  id128,
  lastFrame,
  leave,
  name1,
  name4,
  nextFrame,
  only1,
  optionalUnion,
  ord,
  pair,
  rid,
  text8,
  u64,
  u64Within,
  uint1,
  uint4,
  within,
} from "../input.ts";
import { refuse, type Mutable } from "../refuse.ts";
import { ruleBreach } from "../../schema/rules.ts";
import { failureCodes, replyRelayStatuses, roles, terminalResults } from "../../values/enums.ts";

const rolesTable = byNumber(roles);
const terminalResultsTable = byNumber(terminalResults);
const failureCodesTable = byNumber(failureCodes);
const sourceOrCoordinatorTable = byNumber({ source: 1, coordinator: 3 } as const);
const replyRelayStatusesTable = byNumber(replyRelayStatuses);

function readRelocationReady(): RelocationReady {
  allowFlags(0, 6);
  const value: RelocationReady = {
    command: "relocationReady",
    relocation: id128(),
    targetAttemptGeneration: gen(),
    coordinator: readCoordinator(),
    target: readTarget(),
    object: readRelocationObject(),
    senderRole: name1(rolesTable),
  };
  lastFrame();
  return value;
}

function readRelocationData(): RelocationData {
  allowFlags(0, 6);
  const value: RelocationData = {
    command: "relocationData",
    relocation: id128(),
    targetAttemptGeneration: gen(),
    coordinator: readCoordinator(),
    senderRole: name1(rolesTable),
    object: readRelocationObject(),
    record: readFrozenRecord(),
  };
  lastFrame();
  return value;
}

function readReplyRelay(): ReplyRelay {
  allowFlags(0, 6);
  const operationValue = id128();
  const replyRouteIdValue = gen();
  const contextValue = readReplyRelayContext();
  const terminalResultValue = name4(terminalResultsTable);
  const failureCodeValue = name4(failureCodesTable);
  finish();
  const payloadValue = nextFrame() ? readPayloadEnvelope() : undefined;
  lastFrame();
  const value: Mutable<ReplyRelay> = {
    command: "replyRelay",
    operation: operationValue,
    replyRouteId: replyRouteIdValue,
    context: contextValue,
    terminalResult: terminalResultValue,
    failureCode: failureCodeValue,
  };
  if (payloadValue !== undefined) value.payload = payloadValue;
  return value;
}

function readRelocationCutover(): RelocationCutover {
  allowFlags(0, 6);
  const value: RelocationCutover = {
    command: "relocationCutover",
    relocation: id128(),
    targetAttemptGeneration: gen(),
    coordinator: readCoordinator(),
    senderRole: name1(rolesTable),
    object: readRelocationObject(),
    boundaryRecordCount: ord(),
    boundaryChecksumCrc32c: uint4(),
  };
  lastFrame();
  return value;
}

function readBoundSessionSend(): BoundSessionSend {
  allowFlags(0, 6);
  const actorValue = readActorFence();
  const expectedBindingGenerationValue = gen();
  finish();
  const payloadValue = nextFrame() ? readPayloadEnvelope() : refuse();
  lastFrame();
  const value: BoundSessionSend = {
    command: "boundSessionSend",
    actor: actorValue,
    expectedBindingGeneration: expectedBindingGenerationValue,
    payload: payloadValue,
  };
  return value;
}

function readActorJoined(): ActorJoined {
  allowFlags(0, 6);
  const actorValue = readActorRef();
  const previousSpotValue = optionalUnion(readSpotRef);
  const currentSpotValue = readSpotRef();
  const authorityOwnerGenerationValue = gen();
  lastFrame();
  const value: Mutable<ActorJoined> = {
    command: "actorJoined",
    actor: actorValue,
    currentSpot: currentSpotValue,
    authorityOwnerGeneration: authorityOwnerGenerationValue,
  };
  if (previousSpotValue !== undefined) value.previousSpot = previousSpotValue;
  return value;
}

function readBoundSessionBind(): BoundSessionBind {
  allowFlags(0, 6);
  const value: BoundSessionBind = {
    command: "boundSessionBind",
    correlation: gen(),
    actor: readActorFence(),
    sessionRid: rid(),
    binding: readSessionBinding(),
  };
  lastFrame();
  return value;
}

function readRelocationPrepare(): RelocationPrepare {
  allowFlags(0, 6);
  const value: RelocationPrepare = {
    command: "relocationPrepare",
    relocation: id128(),
    targetAttemptGeneration: gen(),
    coordinator: readCoordinator(),
    target: readTarget(),
    initiatorRole: name1(rolesTable),
    object: readRelocationObject(),
    sourceNodeRid: rid(),
    sourceNodeGeneration: gen(),
    payloadTotalLength: u64Within(0n, 274877906944n),
    payloadChunkCount: within(uint4(), 0, 4096),
    payloadChecksumCrc32c: uint4(),
    applicationVersion: ord(),
  };
  lastFrame();
  return value;
}

function readSessionRelocationSeal(): SessionRelocationSeal {
  allowFlags(0, 6);
  const value: SessionRelocationSeal = {
    command: "sessionRelocationSeal",
    relocation: id128(),
    coordinator: readCoordinator(),
    senderRole: name1(sourceOrCoordinatorTable),
    actor: readActorFence(),
    session: readSession(),
  };
  lastFrame();
  return value;
}

function readSessionRelocationSealed(): SessionRelocationSealed {
  allowFlags(0, 6);
  const value: SessionRelocationSealed = {
    command: "sessionRelocationSealed",
    relocation: id128(),
    coordinator: readCoordinator(),
    actor: readActorFence(),
    session: readSession(),
  };
  lastFrame();
  return value;
}

function readSessionRelocationRoute(): SessionRelocationRoute {
  allowFlags(0, 6);
  const value: SessionRelocationRoute = {
    command: "sessionRelocationRoute",
    relocation: id128(),
    coordinator: readCoordinator(),
    senderRole: name1(rolesTable),
    actor: readActorRef(),
    session: readSession(),
    route: readRouteUpdate(),
  };
  lastFrame();
  if (ruleBreach(value) !== undefined) refuse();
  return value;
}

function readReplyRelayAck(): ReplyRelayAck {
  allowFlags(0, 6);
  const value: ReplyRelayAck = {
    command: "replyRelayAck",
    relocation: id128(),
    coordinator: readCoordinator(),
    operation: id128(),
    replyRouteId: gen(),
    requestSource: readRequestSource(),
    status: name1(replyRelayStatusesTable),
  };
  lastFrame();
  return value;
}

function readActorCreate(): ActorCreate {
  allowFlags(0, 6);
  const value: ActorCreate = {
    command: "actorCreate",
    correlation: gen(),
    operation: id128(),
    sourceNodeRid: rid(),
    sourceNodeGeneration: gen(),
    actorId: text8(),
    stableType: text8(),
    reservation: readReservation(),
    deadlineUnixMs: gen(),
  };
  lastFrame();
  return value;
}

function readMessageFollow(): MessageFollow {
  allowFlags(0, 6);
  const versionValue = only1(1, 1);
  const outer0 = enter4();
  const sourceValue = readFollowRoute();
  const targetValue = readFollowRoute();
  const hopCountValue = within(uint1(), 1, 8);
  const queuedMessagesValue = within(uint4(), 0, 1024);
  const queuedBytesValue = within(uint4(), 0, 16777216);
  const operationValue = pair();
  const replyRouteIdValue = u64();
  leave(outer0);
  lastFrame();
  const value: MessageFollow = {
    command: "messageFollow",
    version: versionValue,
    source: sourceValue,
    target: targetValue,
    hopCount: hopCountValue,
    queuedMessages: queuedMessagesValue,
    queuedBytes: queuedBytesValue,
    operation: operationValue,
    replyRouteId: replyRouteIdValue,
  };
  return value;
}

function readBoundSessionReplaced(): BoundSessionReplaced {
  allowFlags(0, 6);
  const value: BoundSessionReplaced = {
    command: "boundSessionReplaced",
    actor: readActorFence(),
    retired: readSession(),
  };
  lastFrame();
  return value;
}

function readRelocationState(): RelocationState {
  allowFlags(0, 6);
  const value: RelocationState = {
    command: "relocationState",
    relocation: id128(),
    targetAttemptGeneration: gen(),
    coordinator: readCoordinator(),
    senderRole: name1(rolesTable),
    object: readRelocationObject(),
    chunkOrdinal: uint4(),
    chunkData: blob(67108864),
  };
  lastFrame();
  return value;
}

function readRelocationFailed(): RelocationFailed {
  allowFlags(0, 6);
  const value: RelocationFailed = {
    command: "relocationFailed",
    relocation: id128(),
    targetAttemptGeneration: gen(),
    coordinator: readCoordinator(),
    target: readTarget(),
    object: readRelocationObject(),
    senderRole: name1(rolesTable),
    failureCode: name4(failureCodesTable),
  };
  lastFrame();
  return value;
}

/** By command id: reads what follows the prefix, and the frames that follow. */
export const moveReaders: readonly (readonly [id: number, read: () => Command])[] = [
  [30, readRelocationReady],
  [31, readRelocationData],
  [33, readReplyRelay],
  [34, readRelocationCutover],
  [36, readBoundSessionSend],
  [37, readActorJoined],
  [38, readBoundSessionBind],
  [40, readRelocationPrepare],
  [42, readSessionRelocationSeal],
  [43, readSessionRelocationSealed],
  [44, readSessionRelocationRoute],
  [46, readReplyRelayAck],
  [49, readActorCreate],
  [50, readMessageFollow],
  [51, readBoundSessionReplaced],
  [52, readRelocationState],
  [53, readRelocationFailed],
];
