/** Messages, requests and their replies: 20, 24 to 29, 36, 37, 49, 50, 200. */
import type { JsonObject } from "../../../src/vectors/file.ts";
import { failureCode, operationKind, terminalResult } from "../table-names.ts";
import { replyTails } from "../table.ts";
import { actorFence, actorRef, emptyPayload, payload, sessionTail, spotFence, spotRef, type Shape } from "./parts.ts";

const reply = { command: "reply", correlation: "51", terminalResult: "ok", failureCode: "none" };

function ok(id: string, note: string, tail: JsonObject, more: JsonObject = {}): Shape {
  const operation = tail["operation"] as string;
  return { id: `reply-${id}`, note, value: { ...reply, tail, ...more }, operation };
}

export const replyShapes: readonly Shape[] = [
  {
    id: "reply-typical",
    note: "A result with a payload. An actorRequest has no tail.",
    value: { ...reply, payload },
    operation: "actorRequest",
    fullest: true,
  },
  { id: "reply-bare", note: "A result alone: the payload is optional.", value: reply, operation: "none", barest: true },
  ok("lookup", "The tail of an actorLookup.", {
    operation: "actorLookup",
    actor: actorRef,
    spotId: "spot-1",
    spotGeneration: "14",
    authorityOwnerGeneration: "11",
  }),
  ok("join-accepted", "The tail of an actorJoin: union16 on a discriminator of four bytes.", {
    operation: "actorJoin",
    joinResult: "accepted",
    spot: spotRef,
    membershipEpoch: "52",
    receiveChunkLimitBytes: 262144,
  }),
  ok(
    "join-accepted-payload",
    "The same with the spot's answer as payload.",
    {
      operation: "actorJoin",
      joinResult: "accepted",
      spot: spotRef,
      membershipEpoch: "52",
      receiveChunkLimitBytes: 262144,
    },
    { payload },
  ),
  ok("join-rejected-spot", "A refusal that names the spot: a union on bool within a union.", {
    operation: "actorJoin",
    joinResult: "rejected",
    spot: spotRef,
  }),
  ok("join-rejected", "A refusal that names no spot.", { operation: "actorJoin", joinResult: "rejected" }),
  ok("create-existing", "The tail of an actorCreate: the actor was there.", {
    operation: "actorCreate",
    createResult: "existing",
    actor: actorRef,
  }),
  ok("create-created", "The actor was made.", { operation: "actorCreate", createResult: "created", actor: actorRef }),
  ok("create-rejected", "The case with nothing in it: a body of length 0.", {
    operation: "actorCreate",
    createResult: "rejected",
  }),
  ok("bind", "The tail of a streamBind: two generations without a length around them.", {
    operation: "streamBind",
    bindingGeneration: "6",
    authorityOwnerGeneration: "11",
  }),
];

const withoutTail = Object.keys(operationKind.numbers).filter((kind) => !Object.hasOwn(replyTails, kind));
const failed = { ...reply, terminalResult: "rejected", failureCode: "requestRejected" };

export const replyCases: readonly Shape[] = [
  ...withoutTail.map((operation) => ({
    id: `reply-ok-${operation}`,
    note: `Of a ${operation} there is no tail.`,
    value: reply,
    operation,
  })),
  ...Object.keys(replyTails).map((operation) => ({
    id: `reply-failed-${operation}`,
    note: `A ${operation} that failed: the tail is there only when the result is ok.`,
    value: failed,
    operation,
  })),
  ...Object.keys(terminalResult.numbers).map((result) => ({
    id: `reply-result-${result}`,
    note: `terminalResult ${result}.`,
    value: { ...reply, terminalResult: result },
  })),
  ...Object.keys(failureCode.numbers).map((code) => ({
    id: `reply-code-${code}`,
    note: `failureCode ${code}.`,
    value: { ...failed, failureCode: code },
  })),
  {
    id: "reply-failed-payload",
    note: "A failure may have a payload too.",
    value: { ...failed, payload },
    operation: "actorJoin",
  },
  {
    id: "reply-operation-unknown",
    note: "The decoder is told no operation: there is no tail.",
    value: reply,
  },
];

const send = { command: "actorSend", operation: { high: "61", low: "62" }, hopCount: 1 };
const bareSend = { command: "actorSend", operation: { high: "0", low: "0" }, hopCount: 0 };
const request = { command: "actorRequest", correlation: "63", operation: { high: "61", low: "62" }, hopCount: 1 };
const sourceActor: JsonObject = { actorId: "actor-2", objectGeneration: "64" };
const metadata = [
  ["~q", "17"],
  ["trace", "00-4bf92f"],
];

function messages(command: "actorSend" | "actorRequest", head: JsonObject, bare: JsonObject): Shape[] {
  return [
    {
      id: `${command}-typical`,
      note: "A bound client's message with metadata and its place in the binding's stream: flags 7.",
      value: { ...head, sourceActor, target: actorFence, sessionTail, metadata, payload },
      fullest: true,
    },
    {
      id: `${command}-bare`,
      note: "No source actor, no session tail, no metadata: flags 0.",
      value: { ...bare, target: actorFence, payload: emptyPayload },
      barest: true,
    },
    {
      id: `${command}-from-actor`,
      note: "An actor's message: the source is there, flags 0.",
      value: { ...head, sourceActor, target: actorFence, payload },
    },
    {
      id: `${command}-session-tail`,
      note: "Flags 6: the session tail without metadata.",
      value: { ...head, target: actorFence, sessionTail, payload },
    },
    {
      id: `${command}-metadata`,
      note: "Flag 1: metadata without a session tail.",
      value: { ...head, target: actorFence, metadata, payload },
    },
  ];
}

export const messageShapes: readonly Shape[] = [
  ...messages("actorSend", send, bareSend),
  ...messages("actorRequest", request, { ...request, hopCount: 0 }),
  {
    id: "actorLookup-typical",
    note: "Where an actor is.",
    value: { command: "actorLookup", correlation: "65", actorId: "user:42" },
    fullest: true,
    barest: true,
  },
  {
    id: "actorDestroy-typical",
    note: "An actor is to end.",
    value: { command: "actorDestroy", correlation: "66", actor: actorFence },
    fullest: true,
    barest: true,
  },
  {
    id: "actorJoin-typical",
    note: "An actor asks a spot to take it, with a payload for the spot.",
    value: { command: "actorJoin", correlation: "67", actor: actorFence, entry: false, targetSpot: spotFence, payload },
    fullest: true,
  },
  {
    id: "actorJoin-entry",
    note: "The same for a first entry, without a payload.",
    value: { command: "actorJoin", correlation: "67", actor: actorFence, entry: true, targetSpot: spotFence },
    barest: true,
  },
  {
    id: "actorLeft-typical",
    note: "An actor has left a spot.",
    value: { command: "actorLeft", actor: actorRef, previousSpot: spotRef, authorityOwnerGeneration: "11" },
    fullest: true,
    barest: true,
  },
  {
    id: "boundSessionSend-typical",
    note: "A push to a bound client.",
    value: { command: "boundSessionSend", actor: actorFence, expectedBindingGeneration: "6", payload },
    fullest: true,
    barest: true,
  },
  {
    id: "actorJoined-typical",
    note: "An actor has come from another spot: union16 on bool, case 1.",
    value: {
      command: "actorJoined",
      actor: actorRef,
      previousSpot: spotRef,
      currentSpot: { spotId: "spot-2", objectGeneration: "19" },
      authorityOwnerGeneration: "12",
    },
    fullest: true,
  },
  {
    id: "actorJoined-first",
    note: "An actor that was in no spot: case 0, a body of length 0.",
    value: { command: "actorJoined", actor: actorRef, currentSpot: spotRef, authorityOwnerGeneration: "12" },
    barest: true,
  },
  {
    id: "actorCreate-typical",
    note: "An actor is to be made where room has been reserved.",
    value: {
      command: "actorCreate",
      correlation: "68",
      operation: { high: "69", low: "70" },
      sourceNodeRid: "source",
      sourceNodeGeneration: "2",
      actorId: "actor-3",
      stableType: "Player",
      reservation: {
        reservationId: "reservation-1",
        expectedStoreVersion: "store-v18",
        objectGeneration: "71",
        authorityOwnerGeneration: "72",
        nodeRid: "target",
        nodeGeneration: "4",
        ownerId: "target-owner",
        ownerLeaseGeneration: "18",
        pendingCapacityDelta: 1,
      },
      deadlineUnixMs: "1790000000000",
    },
    fullest: true,
    barest: true,
  },
  ...follows(),
  {
    id: "sendRefused-typical",
    note: "A one-way message was not run.",
    value: {
      command: "sendRefused",
      operation: { high: "61", low: "62" },
      terminalResult: "notFound",
      failureCode: "actorRouteNotFound",
    },
    fullest: true,
    barest: true,
  },
];

function follows(): Shape[] {
  const actor = { kind: "actor", actor: actorFence };
  const moved = { kind: "actor", actor: { ...actorFence, nodeRid: "target", authorityOwnerGeneration: "12" } };
  const spot = { kind: "spot", spot: spotFence };
  const rest = { hopCount: 1, queuedMessages: 3, queuedBytes: 4096 };
  const head = { command: "messageFollow", version: 1 };
  const operation = { high: "61", low: "62" };
  return [
    {
      id: "messageFollow-typical",
      note: "A sender's route to an actor is stale.",
      value: { ...head, source: actor, target: moved, ...rest, operation, replyRouteId: "73" },
      fullest: true,
    },
    {
      id: "messageFollow-spot",
      note: "A route to a spot, of a one-way message: operation and reply route are 0.",
      value: { ...head, source: spot, target: spot, ...rest, operation: { high: "0", low: "0" }, replyRouteId: "0" },
      barest: true,
    },
    {
      id: "messageFollow-mixed",
      note: "Each of the two routes has a case of its own.",
      value: { ...head, source: actor, target: spot, ...rest, operation, replyRouteId: "73" },
    },
  ];
}

const repeated = (count: number, text: string): string => text.repeat(count);
function withMetadata(id: string, note: string, entries: readonly (readonly [string, string])[]): Shape {
  const value = { ...bareSend, target: actorFence, metadata: entries, payload };
  return { id: `actorSend-metadata-${id}`, note, value };
}
const oneByteKeys = Array.from({ length: 127 }, (_, index) => String.fromCharCode(index + 1));
const twoByteKeys = Array.from({ length: 102 }, (_, index) => String.fromCharCode(0x80 + index));

export const messageCases: readonly Shape[] = [
  withMetadata("none", "A metadata frame that counts no entry: the flag is set, the frame is there.", []),
  withMetadata("empty-value", "A value of length 0.", [["k", ""]]),
  withMetadata("order", "Entries stay in their order: they are not sorted.", [
    ["b", "1"],
    ["a", "2"],
    ["c", "3"],
  ]),
  withMetadata("protocol-keys", "The protocol's own keys are metadata like any other to a decoder.", [
    ["~q", "18446744073709551615"],
    ["~r", "1"],
    ["~h", "8"],
  ]),
  withMetadata("key-255", "A key of the greatest length.", [[repeated(255, "k"), "v"]]),
  withMetadata("1024-bytes", "The longest value that a frame of 1,024 bytes has room for.", [
    ["k", repeated(1018, "v")],
  ]),
  withMetadata("most-entries", "229 entries, as many as 1,024 bytes hold: 127 keys of one byte, 102 of two.", [
    ...oneByteKeys.map((key) => [key, ""] as const),
    ...twoByteKeys.map((key) => [key, ""] as const),
  ]),
  withMetadata("not-normalized", "Keys are unique by bytes: U+00E9 and e + U+0301 are two keys, and so are a and A.", [
    ["é", "1"],
    ["e\u0301", "2"],
    ["a", "3"],
    ["A", "4"],
  ]),
  withMetadata("hostile-keys", "Names that some languages give a meaning are keys like any other.", [
    ["__proto__", '{"isAdmin":true}'],
    ["constructor", "1"],
    ["prototype", "2"],
    ["hasOwnProperty", "3"],
    ["toString", "4"],
  ]),
  withMetadata("text", "Values are UTF-8 and not normalized; a leading U+FEFF stays.", [
    ["first", "\ufeffé e\u0301 🚢"],
    ["control", "\u0001\u007f\n"],
  ]),
  {
    id: "actorSend-payload-names",
    note: "Packet name and content type of the greatest length, in characters of two bytes.",
    value: {
      ...bareSend,
      target: actorFence,
      payload: { packetName: `${repeated(127, "é")}n`, contentType: `${repeated(127, "é")}t`, data: "00" },
    },
  },
  {
    id: "actorSend-payload-gone",
    note: "A packet name of the protocol's own.",
    value: { ...bareSend, target: actorFence, payload: { packetName: "~gone", contentType: "text/plain", data: "" } },
  },
  {
    id: "actorSend-payload-1k",
    note: "A payload of 1 KiB that holds every byte value.",
    value: {
      ...bareSend,
      target: actorFence,
      payload: {
        packetName: "p",
        contentType: "application/octet-stream",
        data: Array.from({ length: 1024 }, (_, at) => (at % 256).toString(16).padStart(2, "0")).join(""),
      },
    },
  },
  ...[0, 8].map((hopCount) => ({
    id: `actorSend-hops-${hopCount}`,
    note: `A message that has been forwarded ${hopCount} times.`,
    value: { ...send, hopCount, target: actorFence, payload },
  })),
  {
    id: "actorSend-operation-low",
    note: "Only the low half of the operation is set.",
    value: { ...bareSend, operation: { high: "0", low: "1" }, target: actorFence, payload },
  },
  {
    id: "actorRequest-operation-high",
    note: "Only the high half of the operation is set: it is not all zero.",
    value: { ...request, operation: { high: "1", low: "0" }, target: actorFence, payload },
  },
];
