// Made by scripts/generate.ts from the schema. Do not edit.
import type {
  ActorDestroy,
  ActorJoin,
  ActorLeft,
  ActorLookup,
  ActorRequest,
  ActorSend,
  Command,
  LivenessAck,
  LivenessProbe,
  Reject,
  Reply,
  SendRefused,
} from "../../values/commands.ts";
import {
  writeActorFence,
  writeActorRef,
  writeReplyTail,
  writeSessionTail,
  writeSpotFence,
  writeSpotRef,
} from "./composite-writers.ts";
import {
  beginRecord,
  bool,
  byName,
  done,
  gen,
  id128,
  number4,
  pair,
  text8,
  u64Within,
  u8Within,
  uint1,
} from "../output.ts";
import { metadataFrame, payloadFrame, type Extras } from "../frames.ts";
import { refuse } from "../refuse.ts";
import { failureCodes, rejectReasons, terminalResults } from "../../values/enums.ts";

const rejectReasonsTable = byName(rejectReasons);
const terminalResultsTable = byName(terminalResults);
const failureCodesTable = byName(failureCodes);

function writeReject(value: Reject): Uint8Array[] {
  const extra: Extras = value;
  if (extra.metadata !== undefined || extra.sessionTail !== undefined || extra.payload !== undefined) refuse();
  beginRecord(3, 0, 9);
  number4(rejectReasonsTable, value.reason);
  return [done()];
}

function writeLivenessProbe(value: LivenessProbe): Uint8Array[] {
  const extra: Extras = value;
  if (extra.metadata !== undefined || extra.sessionTail !== undefined || extra.payload !== undefined) refuse();
  beginRecord(5, 0, 13);
  u64Within(value.probeId, 1n, 18446744073709551615n);
  return [done()];
}

function writeLivenessAck(value: LivenessAck): Uint8Array[] {
  const extra: Extras = value;
  if (extra.metadata !== undefined || extra.sessionTail !== undefined || extra.payload !== undefined) refuse();
  beginRecord(6, 0, 13);
  u64Within(value.probeId, 1n, 18446744073709551615n);
  return [done()];
}

function writeReply(value: Reply): Uint8Array[] {
  const extra: Extras = value;
  if (extra.metadata !== undefined || extra.sessionTail !== undefined) refuse();
  beginRecord(20, 0, 560);
  gen(value.correlation);
  number4(terminalResultsTable, value.terminalResult);
  number4(failureCodesTable, value.failureCode);
  if (value.tail !== undefined) {
    if (value.terminalResult !== "ok") refuse();
    writeReplyTail(value.tail);
  }
  const frames = [done()];
  if (value.payload !== undefined) frames.push(payloadFrame(value.payload));
  return frames;
}

function writeActorSend(value: ActorSend): Uint8Array[] {
  beginRecord(24, (value.metadata === undefined ? 0 : 1) | (value.sessionTail === undefined ? 0 : 6), 1108);
  pair(value.operation);
  u8Within(value.hopCount, 0, 8);
  if (value.sourceActor === undefined) uint1(0);
  else {
    writeActorRef(value.sourceActor);
  }
  writeActorFence(value.target);
  if (value.sessionTail !== undefined) {
    writeSessionTail(value.sessionTail);
  }
  const frames = [done()];
  if (value.metadata !== undefined) frames.push(metadataFrame(value.metadata));
  frames.push(payloadFrame(value.payload));
  return frames;
}

function writeActorRequest(value: ActorRequest): Uint8Array[] {
  beginRecord(25, (value.metadata === undefined ? 0 : 1) | (value.sessionTail === undefined ? 0 : 6), 1116);
  gen(value.correlation);
  id128(value.operation);
  u8Within(value.hopCount, 0, 8);
  if (value.sourceActor === undefined) uint1(0);
  else {
    writeActorRef(value.sourceActor);
  }
  writeActorFence(value.target);
  if (value.sessionTail !== undefined) {
    writeSessionTail(value.sessionTail);
  }
  const frames = [done()];
  if (value.metadata !== undefined) frames.push(metadataFrame(value.metadata));
  frames.push(payloadFrame(value.payload));
  return frames;
}

function writeActorLookup(value: ActorLookup): Uint8Array[] {
  const extra: Extras = value;
  if (extra.metadata !== undefined || extra.sessionTail !== undefined || extra.payload !== undefined) refuse();
  beginRecord(26, 0, 269);
  gen(value.correlation);
  text8(value.actorId);
  return [done()];
}

function writeActorDestroy(value: ActorDestroy): Uint8Array[] {
  const extra: Extras = value;
  if (extra.metadata !== undefined || extra.sessionTail !== undefined || extra.payload !== undefined) refuse();
  beginRecord(27, 0, 557);
  gen(value.correlation);
  writeActorFence(value.actor);
  return [done()];
}

function writeActorJoin(value: ActorJoin): Uint8Array[] {
  const extra: Extras = value;
  if (extra.metadata !== undefined || extra.sessionTail !== undefined) refuse();
  beginRecord(28, 0, 1102);
  gen(value.correlation);
  writeActorFence(value.actor);
  bool(value.entry);
  writeSpotFence(value.targetSpot);
  const frames = [done()];
  if (value.payload !== undefined) frames.push(payloadFrame(value.payload));
  return frames;
}

function writeActorLeft(value: ActorLeft): Uint8Array[] {
  const extra: Extras = value;
  if (extra.metadata !== undefined || extra.sessionTail !== undefined || extra.payload !== undefined) refuse();
  beginRecord(29, 0, 541);
  writeActorRef(value.actor);
  writeSpotRef(value.previousSpot);
  gen(value.authorityOwnerGeneration);
  return [done()];
}

function writeSendRefused(value: SendRefused): Uint8Array[] {
  const extra: Extras = value;
  if (extra.metadata !== undefined || extra.sessionTail !== undefined || extra.payload !== undefined) refuse();
  beginRecord(200, 0, 29);
  id128(value.operation);
  number4(terminalResultsTable, value.terminalResult);
  number4(failureCodesTable, value.failureCode);
  return [done()];
}

/** The frames of a record, or `undefined` if its command is not one of these. */
export function writeMessage(value: Command): Uint8Array[] | undefined {
  switch (value.command) {
    case "reject":
      return writeReject(value);
    case "livenessProbe":
      return writeLivenessProbe(value);
    case "livenessAck":
      return writeLivenessAck(value);
    case "reply":
      return writeReply(value);
    case "actorSend":
      return writeActorSend(value);
    case "actorRequest":
      return writeActorRequest(value);
    case "actorLookup":
      return writeActorLookup(value);
    case "actorDestroy":
      return writeActorDestroy(value);
    case "actorJoin":
      return writeActorJoin(value);
    case "actorLeft":
      return writeActorLeft(value);
    case "sendRefused":
      return writeSendRefused(value);
    default:
      return undefined;
  }
}
