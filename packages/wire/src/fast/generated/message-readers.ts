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
  readActorFence,
  readActorRef,
  readReplyTail,
  readSessionTail,
  readSpotFence,
  readSpotRef,
} from "./composite-readers.ts";
import { readPayloadEnvelope } from "./frozen-readers.ts";
import {
  allowFlags,
  bool,
  byNumber,
  finish,
  gen,
  hasFlag,
  id128,
  isAbsentText,
  lastFrame,
  metadataFrame,
  name4,
  nextFrame,
  pair,
  text8,
  toldOperation,
  u64Within,
  uint1,
  within,
} from "../input.ts";
import { refuse, type Mutable } from "../refuse.ts";
import { failureCodes, rejectReasons, terminalResults } from "../../values/enums.ts";

const rejectReasonsTable = byNumber(rejectReasons);
const terminalResultsTable = byNumber(terminalResults);
const failureCodesTable = byNumber(failureCodes);

function readReject(): Reject {
  allowFlags(0, 6);
  const value: Reject = { command: "reject", reason: name4(rejectReasonsTable) };
  lastFrame();
  return value;
}

function readLivenessProbe(): LivenessProbe {
  allowFlags(0, 6);
  const value: LivenessProbe = { command: "livenessProbe", probeId: u64Within(1n, 18446744073709551615n) };
  lastFrame();
  return value;
}

function readLivenessAck(): LivenessAck {
  allowFlags(0, 6);
  const value: LivenessAck = { command: "livenessAck", probeId: u64Within(1n, 18446744073709551615n) };
  lastFrame();
  return value;
}

function readReply(): Reply {
  allowFlags(0, 6);
  const correlationValue = gen();
  const terminalResultValue = name4(terminalResultsTable);
  const failureCodeValue = name4(failureCodesTable);
  const tailValue = terminalResultValue === "ok" ? readReplyTail(toldOperation(correlationValue)) : undefined;
  finish();
  const payloadValue = nextFrame() ? readPayloadEnvelope() : undefined;
  lastFrame();
  const value: Mutable<Reply> = {
    command: "reply",
    correlation: correlationValue,
    terminalResult: terminalResultValue,
    failureCode: failureCodeValue,
  };
  if (tailValue !== undefined) value.tail = tailValue;
  if (payloadValue !== undefined) value.payload = payloadValue;
  return value;
}

function readActorSend(): ActorSend {
  allowFlags(7, 6);
  const operationValue = pair();
  const hopCountValue = within(uint1(), 0, 8);
  const sourceActorValue = isAbsentText() ? undefined : readActorRef();
  const targetValue = readActorFence();
  const sessionTailValue = hasFlag(6) ? readSessionTail() : undefined;
  finish();
  const metadataValue = hasFlag(1) ? metadataFrame() : undefined;
  finish();
  const payloadValue = nextFrame() ? readPayloadEnvelope() : refuse();
  lastFrame();
  const value: Mutable<ActorSend> = {
    command: "actorSend",
    operation: operationValue,
    hopCount: hopCountValue,
    target: targetValue,
    payload: payloadValue,
  };
  if (sourceActorValue !== undefined) value.sourceActor = sourceActorValue;
  if (sessionTailValue !== undefined) value.sessionTail = sessionTailValue;
  if (metadataValue !== undefined) value.metadata = metadataValue;
  return value;
}

function readActorRequest(): ActorRequest {
  allowFlags(7, 6);
  const correlationValue = gen();
  const operationValue = id128();
  const hopCountValue = within(uint1(), 0, 8);
  const sourceActorValue = isAbsentText() ? undefined : readActorRef();
  const targetValue = readActorFence();
  const sessionTailValue = hasFlag(6) ? readSessionTail() : undefined;
  finish();
  const metadataValue = hasFlag(1) ? metadataFrame() : undefined;
  finish();
  const payloadValue = nextFrame() ? readPayloadEnvelope() : refuse();
  lastFrame();
  const value: Mutable<ActorRequest> = {
    command: "actorRequest",
    correlation: correlationValue,
    operation: operationValue,
    hopCount: hopCountValue,
    target: targetValue,
    payload: payloadValue,
  };
  if (sourceActorValue !== undefined) value.sourceActor = sourceActorValue;
  if (sessionTailValue !== undefined) value.sessionTail = sessionTailValue;
  if (metadataValue !== undefined) value.metadata = metadataValue;
  return value;
}

function readActorLookup(): ActorLookup {
  allowFlags(0, 6);
  const value: ActorLookup = { command: "actorLookup", correlation: gen(), actorId: text8() };
  lastFrame();
  return value;
}

function readActorDestroy(): ActorDestroy {
  allowFlags(0, 6);
  const value: ActorDestroy = { command: "actorDestroy", correlation: gen(), actor: readActorFence() };
  lastFrame();
  return value;
}

function readActorJoin(): ActorJoin {
  allowFlags(0, 6);
  const correlationValue = gen();
  const actorValue = readActorFence();
  const entryValue = bool();
  const targetSpotValue = readSpotFence();
  finish();
  const payloadValue = nextFrame() ? readPayloadEnvelope() : undefined;
  lastFrame();
  const value: Mutable<ActorJoin> = {
    command: "actorJoin",
    correlation: correlationValue,
    actor: actorValue,
    entry: entryValue,
    targetSpot: targetSpotValue,
  };
  if (payloadValue !== undefined) value.payload = payloadValue;
  return value;
}

function readActorLeft(): ActorLeft {
  allowFlags(0, 6);
  const value: ActorLeft = {
    command: "actorLeft",
    actor: readActorRef(),
    previousSpot: readSpotRef(),
    authorityOwnerGeneration: gen(),
  };
  lastFrame();
  return value;
}

function readSendRefused(): SendRefused {
  allowFlags(0, 6);
  const value: SendRefused = {
    command: "sendRefused",
    operation: id128(),
    terminalResult: name4(terminalResultsTable),
    failureCode: name4(failureCodesTable),
  };
  lastFrame();
  return value;
}

/** By command id: reads what follows the prefix, and the frames that follow. */
export const messageReaders: readonly (readonly [id: number, read: () => Command])[] = [
  [3, readReject],
  [5, readLivenessProbe],
  [6, readLivenessAck],
  [20, readReply],
  [24, readActorSend],
  [25, readActorRequest],
  [26, readActorLookup],
  [27, readActorDestroy],
  [28, readActorJoin],
  [29, readActorLeft],
  [200, readSendRefused],
];
