/** Moves: 30, 31, 33, 34, 40, 46, 52, 53. */
import type { JsonObject } from "../../../src/vectors/file.ts";
import { frozenBodies } from "../table-composites.ts";
import {
  actorFence,
  actorRef,
  coordinator,
  emptyPayload,
  moved,
  objects,
  payload,
  ready,
  relocation,
  sessionTail,
  spotFence,
  target,
  type Shape,
} from "./parts.ts";

const state = { command: "relocationState", ...moved, chunkOrdinal: 2, chunkData: "00ff10ef" };
const prepare = {
  command: "relocationPrepare",
  relocation,
  targetAttemptGeneration: "21",
  coordinator,
  target,
  initiatorRole: "source",
  object: objects.actor,
  sourceNodeRid: "source",
  sourceNodeGeneration: "2",
  payloadTotalLength: "600000",
  payloadChunkCount: 3,
  payloadChecksumCrc32c: 3808858755,
  applicationVersion: "33",
};
const relay = {
  command: "replyRelay",
  operation: { high: "61", low: "62" },
  replyRouteId: "73",
  context: {
    kind: "maintenanceRelocation",
    relocation,
    targetAttemptGeneration: "21",
    coordinator,
    participantId: "1",
    sequence: "81",
  },
  terminalResult: "ok",
  failureCode: "none",
};
const ack = {
  command: "replyRelayAck",
  relocation,
  coordinator,
  operation: { high: "61", low: "62" },
  replyRouteId: "73",
  requestSource: { ownerId: "request-owner", ownerLeaseGeneration: "82", nodeRid: "requester", nodeGeneration: "83" },
  status: "terminalReceived",
};

export const moveShapes: readonly Shape[] = [
  {
    id: "relocationReady-typical",
    note: "A target is ready for what the hold gathered.",
    value: { command: "relocationReady", ...ready },
    fullest: true,
    barest: true,
  },
  ...(["userSpot", "instanceSpot"] as const).map((kind) => ({
    id: `relocationReady-${kind}`,
    note: `The unit is of kind ${kind}.`,
    value: { command: "relocationReady", ...ready, object: objects[kind] },
  })),
  {
    id: "relocationCutover-typical",
    note: "The source has sent what it held.",
    value: {
      command: "relocationCutover",
      ...moved,
      boundaryRecordCount: "84",
      boundaryChecksumCrc32c: 2324772522,
    },
    fullest: true,
    barest: true,
  },
  {
    id: "replyRelay-typical",
    note: "The result of a request that moved, with its payload.",
    value: { ...relay, payload },
    fullest: true,
  },
  {
    id: "replyRelay-failed",
    note: "A failure without a payload.",
    value: { ...relay, terminalResult: "internalError", failureCode: "workerFailed" },
    barest: true,
  },
  { id: "relocationPrepare-typical", note: "A move begins.", value: prepare, fullest: true, barest: true },
  { id: "replyRelayAck-typical", note: "A 33 has come.", value: ack, fullest: true, barest: true },
  {
    id: "replyRelayAck-again",
    note: "The result had been there already.",
    value: { ...ack, status: "alreadyTerminal" },
  },
  { id: "relocationState-typical", note: "A chunk of a move's payload.", value: state, fullest: true },
  {
    id: "relocationState-empty",
    note: "A chunk without a byte: a blob may be empty.",
    value: { ...state, chunkOrdinal: 0, chunkData: "" },
    barest: true,
  },
  {
    id: "relocationFailed-typical",
    note: "A target had no room.",
    value: { command: "relocationFailed", ...ready, failureCode: "workerQueueFull" },
    fullest: true,
    barest: true,
  },
];

export const moveCases: readonly Shape[] = [
  ...["source", "target", "coordinator"].map((initiatorRole) => ({
    id: `relocationPrepare-by-${initiatorRole}`,
    note: `initiatorRole ${initiatorRole}: any role may stand there.`,
    value: { ...prepare, initiatorRole },
  })),
  ...["source", "target", "coordinator"].map((senderRole) => ({
    id: `relocationState-from-${senderRole}`,
    note: `senderRole ${senderRole}: outside of 42 and 44 no role is refused.`,
    value: { ...state, senderRole },
  })),
  {
    id: "relocationPrepare-empty",
    note: "A unit without state: no chunk.",
    value: { ...prepare, payloadTotalLength: "0", payloadChunkCount: 0, payloadChecksumCrc32c: 0 },
  },
  {
    id: "relocationPrepare-most",
    note: "The greatest length and count of a payload.",
    value: { ...prepare, payloadTotalLength: "274877906944", payloadChunkCount: 4096 },
  },
];

const sources: Readonly<Record<string, JsonObject>> = {
  node: { kind: "node", ...target },
  spot: { kind: "spot", ...target, spotId: "spot-1" },
  actor: { kind: "actor", ...target, actor: actorRef },
  boundSession: { kind: "boundSession", ...target, actor: actorRef, ...sessionTail },
};
const bodies: Readonly<Record<string, JsonObject>> = {
  channel: { channelName: "match" },
  spot: { target: spotFence },
  actor: { target: actorFence },
  node: {},
};
const metadata = [
  ["~q", "17"],
  ["~h", "1"],
];

/** A frozen record of a kind, with every field of it. */
export function frozen(recordKind: string, source: string, more: JsonObject = {}): JsonObject {
  const isRequest = recordKind.endsWith("Request");
  const family = recordKind.replace(/Send|Request|Multicast/, "");
  return {
    recordKind,
    source: sources[source]!,
    operation: isRequest ? { high: "61", low: "62" } : { high: "0", low: "0" },
    operationKind: isRequest ? recordKind : "none",
    ...(isRequest ? { replyRouteId: "73" } : {}),
    ...(recordKind === "spotMulticast" ? { channelName: "match", topic: "round-1" } : bodies[family]!),
    payload,
    ...more,
  };
}

export function dataOf(record: JsonObject): JsonObject {
  return { command: "relocationData", ...moved, record };
}

/** Every kind of frozen record from every kind of source. */
export const frozenCases: readonly Shape[] = Object.keys(frozenBodies).flatMap((kind) =>
  Object.keys(sources).map((source) => ({
    id: `relocationData-${kind}-from-${source}`,
    note: `A ${kind} that a ${source} has sent.`,
    value: dataOf(frozen(kind, source, { payload: emptyPayload })),
  })),
);

export const frozenShapes: readonly Shape[] = [
  {
    id: "relocationData-typical",
    note: "A bound client's request that was held, with metadata.",
    value: dataOf(frozen("actorRequest", "boundSession", { metadata })),
    fullest: true,
  },
  {
    id: "relocationData-bare",
    note: "A one-way message of a node, without metadata and operation.",
    value: dataOf(frozen("nodeSend", "node", { payload: emptyPayload })),
    barest: true,
  },
  {
    id: "relocationData-send",
    note: "A one-way message of an actor that wants to hear of a refusal: its operation is not zero.",
    value: dataOf(frozen("actorSend", "actor", { metadata, operation: { high: "61", low: "62" } })),
  },
  {
    id: "relocationData-spot",
    note: "A request to a spot.",
    value: dataOf(frozen("spotRequest", "spot", { metadata: [] })),
  },
  {
    id: "relocationData-multicast",
    note: "A multicast to a topic of a channel.",
    value: dataOf(frozen("spotMulticast", "node")),
  },
  {
    id: "relocationData-channel",
    note: "A request to a channel.",
    value: dataOf(frozen("channelRequest", "actor")),
  },
];

export const frozenLimitCases: readonly Shape[] = [
  {
    id: "relocationData-metadata-1024",
    note: "A metadata frame of 1,024 bytes within a frozen record.",
    value: dataOf(frozen("actorSend", "actor", { metadata: [["k", "v".repeat(1018)]] })),
  },
];
