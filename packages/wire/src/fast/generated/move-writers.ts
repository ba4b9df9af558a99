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
  writeActorFence,
  writeActorRef,
  writeCoordinator,
  writeFollowRoute,
  writeRelocationObject,
  writeReplyRelayContext,
  writeRequestSource,
  writeReservation,
  writeRouteUpdate,
  writeSession,
  writeSessionBinding,
  writeSpotRef,
  writeTarget,
} from "./composite-writers.ts";
import { writeFrozenRecord } from "./frozen-writers.ts";
import {
  beginRecord,
  blob,
  blobLength,
  bool,
  byName,
  close2,
  close4,
  done,
  gen,
  id128,
  number1,
  number4,
  only1,
  open2,
  open4,
  ord,
  pair,
  rid,
  text8,
  u32Within,
  u64,
  u64Within,
  u8Within,
} from "../output.ts";
import { payloadFrame, type Extras } from "../frames.ts";
import { refuse } from "../refuse.ts";
import { ruleBreach } from "../../schema/rules.ts";
import { failureCodes, replyRelayStatuses, roles, terminalResults } from "../../values/enums.ts";

const rolesTable = byName(roles);
const terminalResultsTable = byName(terminalResults);
const failureCodesTable = byName(failureCodes);
const sourceOrCoordinatorTable = byName({ source: 1, coordinator: 3 } as const);
const replyRelayStatusesTable = byName(replyRelayStatuses);

function writeRelocationReady(value: RelocationReady): Uint8Array[] {
  const extra: Extras = value;
  if (extra.metadata !== undefined || extra.sessionTail !== undefined || extra.payload !== undefined) refuse();
  beginRecord(30, 0, 5707);
  id128(value.relocation);
  gen(value.targetAttemptGeneration);
  writeCoordinator(value.coordinator);
  writeTarget(value.target);
  writeRelocationObject(value.object);
  number1(rolesTable, value.senderRole);
  return [done()];
}

function writeRelocationData(value: RelocationData): Uint8Array[] {
  const extra: Extras = value;
  if (extra.metadata !== undefined || extra.sessionTail !== undefined || extra.payload !== undefined) refuse();
  beginRecord(31, 0, 9651 + blobLength(value.record.payload.data));
  id128(value.relocation);
  gen(value.targetAttemptGeneration);
  writeCoordinator(value.coordinator);
  number1(rolesTable, value.senderRole);
  writeRelocationObject(value.object);
  writeFrozenRecord(value.record);
  return [done()];
}

function writeReplyRelay(value: ReplyRelay): Uint8Array[] {
  const extra: Extras = value;
  if (extra.metadata !== undefined || extra.sessionTail !== undefined) refuse();
  beginRecord(33, 0, 4706);
  id128(value.operation);
  gen(value.replyRouteId);
  writeReplyRelayContext(value.context);
  number4(terminalResultsTable, value.terminalResult);
  number4(failureCodesTable, value.failureCode);
  const frames = [done()];
  if (value.payload !== undefined) frames.push(payloadFrame(value.payload));
  return frames;
}

function writeRelocationCutover(value: RelocationCutover): Uint8Array[] {
  const extra: Extras = value;
  if (extra.metadata !== undefined || extra.sessionTail !== undefined || extra.payload !== undefined) refuse();
  beginRecord(34, 0, 5191);
  id128(value.relocation);
  gen(value.targetAttemptGeneration);
  writeCoordinator(value.coordinator);
  number1(rolesTable, value.senderRole);
  writeRelocationObject(value.object);
  ord(value.boundaryRecordCount);
  u32Within(value.boundaryChecksumCrc32c, 0, 4294967295);
  return [done()];
}

function writeBoundSessionSend(value: BoundSessionSend): Uint8Array[] {
  const extra: Extras = value;
  if (extra.metadata !== undefined || extra.sessionTail !== undefined) refuse();
  beginRecord(36, 0, 557);
  writeActorFence(value.actor);
  gen(value.expectedBindingGeneration);
  const frames = [done()];
  frames.push(payloadFrame(value.payload));
  return frames;
}

function writeActorJoined(value: ActorJoined): Uint8Array[] {
  const extra: Extras = value;
  if (extra.metadata !== undefined || extra.sessionTail !== undefined || extra.payload !== undefined) refuse();
  beginRecord(37, 0, 808);
  writeActorRef(value.actor);
  bool(value.previousSpot !== undefined);
  const body0 = open2();
  if (value.previousSpot !== undefined) {
    writeSpotRef(value.previousSpot);
  }
  close2(body0);
  writeSpotRef(value.currentSpot);
  gen(value.authorityOwnerGeneration);
  return [done()];
}

function writeBoundSessionBind(value: BoundSessionBind): Uint8Array[] {
  const extra: Extras = value;
  if (extra.metadata !== undefined || extra.sessionTail !== undefined || extra.payload !== undefined) refuse();
  beginRecord(38, 0, 824);
  gen(value.correlation);
  writeActorFence(value.actor);
  rid(value.sessionRid);
  writeSessionBinding(value.binding);
  return [done()];
}

function writeRelocationPrepare(value: RelocationPrepare): Uint8Array[] {
  const extra: Extras = value;
  if (extra.metadata !== undefined || extra.sessionTail !== undefined || extra.payload !== undefined) refuse();
  beginRecord(40, 0, 5995);
  id128(value.relocation);
  gen(value.targetAttemptGeneration);
  writeCoordinator(value.coordinator);
  writeTarget(value.target);
  number1(rolesTable, value.initiatorRole);
  writeRelocationObject(value.object);
  rid(value.sourceNodeRid);
  gen(value.sourceNodeGeneration);
  u64Within(value.payloadTotalLength, 0n, 274877906944n);
  u32Within(value.payloadChunkCount, 0, 4096);
  u32Within(value.payloadChecksumCrc32c, 0, 4294967295);
  ord(value.applicationVersion);
  return [done()];
}

function writeSessionRelocationSeal(value: SessionRelocationSeal): Uint8Array[] {
  const extra: Extras = value;
  if (extra.metadata !== undefined || extra.sessionTail !== undefined || extra.payload !== undefined) refuse();
  beginRecord(42, 0, 5984);
  id128(value.relocation);
  writeCoordinator(value.coordinator);
  number1(sourceOrCoordinatorTable, value.senderRole);
  writeActorFence(value.actor);
  writeSession(value.session);
  return [done()];
}

function writeSessionRelocationSealed(value: SessionRelocationSealed): Uint8Array[] {
  const extra: Extras = value;
  if (extra.metadata !== undefined || extra.sessionTail !== undefined || extra.payload !== undefined) refuse();
  beginRecord(43, 0, 5983);
  id128(value.relocation);
  writeCoordinator(value.coordinator);
  writeActorFence(value.actor);
  writeSession(value.session);
  return [done()];
}

function writeSessionRelocationRoute(value: SessionRelocationRoute): Uint8Array[] {
  const extra: Extras = value;
  if (extra.metadata !== undefined || extra.sessionTail !== undefined || extra.payload !== undefined) refuse();
  beginRecord(44, 0, 5998);
  id128(value.relocation);
  writeCoordinator(value.coordinator);
  number1(rolesTable, value.senderRole);
  writeActorRef(value.actor);
  writeSession(value.session);
  writeRouteUpdate(value.route);
  if (ruleBreach(value) !== undefined) refuse();
  return [done()];
}

function writeReplyRelayAck(value: ReplyRelayAck): Uint8Array[] {
  const extra: Extras = value;
  if (extra.metadata !== undefined || extra.sessionTail !== undefined || extra.payload !== undefined) refuse();
  beginRecord(46, 0, 5200);
  id128(value.relocation);
  writeCoordinator(value.coordinator);
  id128(value.operation);
  gen(value.replyRouteId);
  writeRequestSource(value.requestSource);
  number1(replyRelayStatusesTable, value.status);
  return [done()];
}

function writeActorCreate(value: ActorCreate): Uint8Array[] {
  const extra: Extras = value;
  if (extra.metadata !== undefined || extra.sessionTail !== undefined || extra.payload !== undefined) refuse();
  beginRecord(49, 0, 5715);
  gen(value.correlation);
  id128(value.operation);
  rid(value.sourceNodeRid);
  gen(value.sourceNodeGeneration);
  text8(value.actorId);
  text8(value.stableType);
  writeReservation(value.reservation);
  gen(value.deadlineUnixMs);
  return [done()];
}

function writeMessageFollow(value: MessageFollow): Uint8Array[] {
  const extra: Extras = value;
  if (extra.metadata !== undefined || extra.sessionTail !== undefined || extra.payload !== undefined) refuse();
  beginRecord(50, 0, 1137);
  only1(value.version, 1, 1);
  const body1 = open4();
  writeFollowRoute(value.source);
  writeFollowRoute(value.target);
  u8Within(value.hopCount, 1, 8);
  u32Within(value.queuedMessages, 0, 1024);
  u32Within(value.queuedBytes, 0, 16777216);
  pair(value.operation);
  u64(value.replyRouteId);
  close4(body1);
  return [done()];
}

function writeBoundSessionReplaced(value: BoundSessionReplaced): Uint8Array[] {
  const extra: Extras = value;
  if (extra.metadata !== undefined || extra.sessionTail !== undefined || extra.payload !== undefined) refuse();
  beginRecord(51, 0, 1341);
  writeActorFence(value.actor);
  writeSession(value.retired);
  return [done()];
}

function writeRelocationState(value: RelocationState): Uint8Array[] {
  const extra: Extras = value;
  if (extra.metadata !== undefined || extra.sessionTail !== undefined || extra.payload !== undefined) refuse();
  beginRecord(52, 0, 5187 + blobLength(value.chunkData));
  id128(value.relocation);
  gen(value.targetAttemptGeneration);
  writeCoordinator(value.coordinator);
  number1(rolesTable, value.senderRole);
  writeRelocationObject(value.object);
  u32Within(value.chunkOrdinal, 0, 4294967295);
  blob(value.chunkData, 67108864);
  return [done()];
}

function writeRelocationFailed(value: RelocationFailed): Uint8Array[] {
  const extra: Extras = value;
  if (extra.metadata !== undefined || extra.sessionTail !== undefined || extra.payload !== undefined) refuse();
  beginRecord(53, 0, 5711);
  id128(value.relocation);
  gen(value.targetAttemptGeneration);
  writeCoordinator(value.coordinator);
  writeTarget(value.target);
  writeRelocationObject(value.object);
  number1(rolesTable, value.senderRole);
  number4(failureCodesTable, value.failureCode);
  return [done()];
}

/** The frames of a record, or `undefined` if its command is not one of these. */
export function writeMove(value: Command): Uint8Array[] | undefined {
  switch (value.command) {
    case "relocationReady":
      return writeRelocationReady(value);
    case "relocationData":
      return writeRelocationData(value);
    case "replyRelay":
      return writeReplyRelay(value);
    case "relocationCutover":
      return writeRelocationCutover(value);
    case "boundSessionSend":
      return writeBoundSessionSend(value);
    case "actorJoined":
      return writeActorJoined(value);
    case "boundSessionBind":
      return writeBoundSessionBind(value);
    case "relocationPrepare":
      return writeRelocationPrepare(value);
    case "sessionRelocationSeal":
      return writeSessionRelocationSeal(value);
    case "sessionRelocationSealed":
      return writeSessionRelocationSealed(value);
    case "sessionRelocationRoute":
      return writeSessionRelocationRoute(value);
    case "replyRelayAck":
      return writeReplyRelayAck(value);
    case "actorCreate":
      return writeActorCreate(value);
    case "messageFollow":
      return writeMessageFollow(value);
    case "boundSessionReplaced":
      return writeBoundSessionReplaced(value);
    case "relocationState":
      return writeRelocationState(value);
    case "relocationFailed":
      return writeRelocationFailed(value);
    default:
      return undefined;
  }
}
