import type { SpotPlace, StreamContent, StreamSnapshot } from "@rehome/core";
import {
  decodeFrozenRecord,
  encodeFrozenRecord,
  ridFromBytes,
  ridToBytes,
  type ActorFence,
  type Id128,
  type Rid,
  type Session,
} from "@rehome/wire";
import {
  freeze,
  joinAnswer,
  payloadBytes,
  thaw,
  type Delivery,
  type JoinAnswer,
  type MailboxItem,
  type RelayContext,
} from "../actors/delivery.ts";
import type { OutgoingPosition } from "../actors/outgoing.ts";
import { RuntimeError } from "../errors.ts";
import { id128FromBytes, id128Text, id128ToBytes } from "../ids.ts";
import { payloadOf, valueOf, type Payload } from "../payload.ts";
import {
  decodeMessage,
  encodeMessage,
  fromHalves,
  toHalves,
  type JoinAnswerMessage,
  type MovePayloadMessage,
  type QueuedMessage,
  type SessionMessage,
  type SpotMessage,
} from "./payload-schema.ts";

/** The format that this code writes, and the newest that it reads. */
export const PAYLOAD_FORMAT = 1;

/** Everything of an actor that moves (`protocol.md` section 4, step 4). */
export interface MovePayload {
  readonly actorId: string;
  readonly stableType: string;
  readonly objectGeneration: bigint;
  readonly authorityOwnerGeneration: bigint;
  readonly applicationVersion: bigint;
  readonly stateVersion: number;
  readonly state: Payload;
  readonly queued: readonly MailboxItem[];
  readonly timers: ReadonlyMap<string, number>;
  readonly streams: StreamSnapshot<Delivery>;
  readonly sessions: readonly Session[];
  readonly outgoing: readonly (readonly [actorId: string, OutgoingPosition])[];
  readonly previousPlace: SpotPlace | undefined;
  /** The spot that it joins, with the spot's answer. */
  readonly join: { readonly place: SpotPlace; readonly reply: Payload } | undefined;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });
/** Names that the payload's parts have while they are outside a message. */
export const STATE = "state";
const JOIN = "join";
/** Of an answer that a build without a journal queued. */
const NO_OPERATION: Id128 = { high: 0n, low: 0n };

/** `source` is the fence that queued messages were sent to. */
export function encodePayload(payload: MovePayload, source: ActorFence): Uint8Array {
  return encodeMessage({
    format: PAYLOAD_FORMAT,
    actorId: payload.actorId,
    stableType: payload.stableType,
    objectGeneration: toHalves(payload.objectGeneration),
    authorityOwnerGeneration: toHalves(payload.authorityOwnerGeneration),
    applicationVersion: toHalves(payload.applicationVersion),
    state: { version: payload.stateVersion, contentType: payload.state.contentType, data: payload.state.data },
    queued: payload.queued.map((item) => encodeItem(item, source)),
    timers: [...payload.timers].map(([name, remainingMs]) => ({ name, remainingMs })),
    streams: payload.streams.marks.map(({ stream, lastQueued, skipped, idleMs }) => ({
      key: encoder.encode(stream),
      lastQueued: toHalves(lastQueued),
      skipped: skipped.map(({ from, to }) => ({ from: toHalves(from), to: toHalves(to) })),
      idleMs,
    })),
    waiting: payload.streams.waiting.map(({ stream, sequence, waitedMs, content }) => ({
      stream: encoder.encode(stream),
      sequence: toHalves(sequence),
      waitedMs,
      message: content.type === "message" ? encodeFrozenRecord(freeze(content.item, source)) : null,
    })),
    forgottenStreams: payload.streams.forgotten,
    sessions: payload.sessions.map(encodeSession),
    outgoing: payload.outgoing.map(([actorId, { objectGeneration, lastSequence }]) => ({
      actorId,
      objectGeneration: toHalves(objectGeneration),
      lastSequence: toHalves(lastSequence),
    })),
    previousSpot: payload.previousPlace ? encodeSpot(payload.previousPlace) : null,
    join: payload.join
      ? {
          spot: encodeSpot(payload.join.place),
          contentType: payload.join.reply.contentType,
          reply: payload.join.reply.data,
        }
      : null,
  });
}

/** Throws `protocolError` for bytes that are no payload, `typeMismatch` for a format that is too new. */
export function decodePayload(bytes: Uint8Array, relocation: RelayContext): MovePayload {
  try {
    return decodeChecked(bytes, relocation);
  } catch (cause) {
    if (cause instanceof RuntimeError) throw cause;
    throw new RuntimeError("protocolError", "the payload of the move cannot be decoded", { cause });
  }
}

function decodeChecked(bytes: Uint8Array, relocation: RelayContext): MovePayload {
  const message = decodeMessage(bytes);
  checkFormat(message.format);
  if (!message.state) throw new RuntimeError("protocolError", "the payload of the move has no state");
  const { state, join } = message;
  return {
    actorId: message.actorId,
    stableType: message.stableType,
    objectGeneration: fromHalves(message.objectGeneration),
    authorityOwnerGeneration: fromHalves(message.authorityOwnerGeneration),
    applicationVersion: fromHalves(message.applicationVersion),
    stateVersion: state.version,
    state: { packetName: STATE, contentType: state.contentType, data: state.data },
    queued: message.queued.map((item) => decodeItem(item, relocation)),
    timers: new Map(message.timers.map(({ name, remainingMs }) => [name, remainingMs])),
    streams: decodeStreams(message, relocation),
    sessions: message.sessions.map(decodeSession),
    outgoing: message.outgoing.map(({ actorId, objectGeneration, lastSequence }) => [
      actorId,
      { objectGeneration: fromHalves(objectGeneration), lastSequence: fromHalves(lastSequence) },
    ]),
    previousPlace: message.previousSpot ? decodeSpot(message.previousSpot) : undefined,
    join: join?.spot
      ? { place: decodeSpot(join.spot), reply: { packetName: JOIN, contentType: join.contentType, data: join.reply } }
      : undefined,
  };
}

/** Throws `typeMismatch`. */
export function checkFormat(format: number): void {
  if (format >= 1 && format <= PAYLOAD_FORMAT) return;
  throw new RuntimeError("typeMismatch", `the payload has format ${format}, this node reads 1 to ${PAYLOAD_FORMAT}`);
}

function encodeItem(item: MailboxItem, source: ActorFence): QueuedMessage {
  switch (item.type) {
    case "message":
      return { message: encodeFrozenRecord(freeze(item, source)) };
    case "joinAnswer":
      return { joinAnswer: encodeJoinAnswer(item) };
    case "bound":
      return { bound: encodeSession(item.session) };
    case "unbound":
      return { unbound: ridToBytes(item.sessionRid) };
    case "timer":
      return { timer: item.name };
  }
}

function decodeMessageItem(bytes: Uint8Array, relocation: RelayContext): Delivery {
  const delivery = thaw(decodeFrozenRecord(bytes), relocation);
  if (!delivery) throw new RuntimeError("protocolError", "the payload queues a record that is no actor's message");
  return delivery;
}

function decodeStreams(message: MovePayloadMessage, relocation: RelayContext): StreamSnapshot<Delivery> {
  return {
    marks: message.streams.map(({ key, lastQueued, skipped, idleMs }) => ({
      stream: decoder.decode(key),
      lastQueued: fromHalves(lastQueued),
      skipped: skipped.map(({ from, to }) => ({ from: fromHalves(from), to: fromHalves(to) })),
      idleMs,
    })),
    waiting: message.waiting.map(({ stream, sequence, waitedMs, message: bytes }) => {
      const content: StreamContent<Delivery> = bytes?.length
        ? { type: "message", item: decodeMessageItem(bytes, relocation) }
        : { type: "marker" };
      const size = content.type === "message" ? payloadBytes(content.item.payload) : 0;
      return { stream: decoder.decode(stream), sequence: fromHalves(sequence), waitedMs, content, bytes: size };
    }),
    forgotten: message.forgottenStreams,
  };
}

function decodeItem(item: QueuedMessage, relocation: RelayContext): MailboxItem {
  if (item.message) return decodeMessageItem(item.message, relocation);
  if (item.joinAnswer) return decodeJoinAnswer(item.joinAnswer);
  if (item.bound) return { type: "bound", session: decodeSession(item.bound) };
  if (item.unbound) return { type: "unbound", sessionRid: ridFromBytes(item.unbound) };
  if (item.timer !== undefined) return { type: "timer", name: item.timer };
  throw new RuntimeError("protocolError", "the payload queues something that this node does not know");
}

function encodeJoinAnswer({ operation, result }: JoinAnswer): JoinAnswerMessage {
  const reply = payloadOf(JOIN, result.reply);
  return {
    operation: id128ToBytes(operation),
    spotId: result.spotId,
    accepted: result.outcome === "accepted",
    reason: result.outcome === "rejected" ? result.reason : "",
    contentType: reply.contentType,
    reply: reply.data,
  };
}

function decodeJoinAnswer(message: JoinAnswerMessage): JoinAnswer {
  const { spotId, reason, contentType, data } = { ...message, data: message.reply };
  const reply = valueOf({ packetName: JOIN, contentType, data });
  const id = id128FromBytes(message.operation) ?? NO_OPERATION;
  const operation = id128Text(id);
  return message.accepted
    ? joinAnswer(id, { outcome: "accepted", operation, spotId, reply })
    : joinAnswer(id, { outcome: "rejected", operation, spotId, reason, reply });
}

function encodeSession(session: Session): SessionMessage {
  return {
    ownerNodeRid: ridToBytes(session.ownerNodeRid),
    ownerNodeGeneration: toHalves(session.ownerNodeGeneration),
    ownerId: session.ownerId,
    ownerLeaseGeneration: toHalves(session.ownerLeaseGeneration),
    sessionRid: ridToBytes(session.sessionRid),
    bindingGeneration: toHalves(session.bindingGeneration),
  };
}

function decodeSession(message: SessionMessage): Session {
  return {
    ownerNodeRid: checkedRid(message.ownerNodeRid),
    ownerNodeGeneration: fromHalves(message.ownerNodeGeneration),
    ownerId: message.ownerId,
    ownerLeaseGeneration: fromHalves(message.ownerLeaseGeneration),
    sessionRid: checkedRid(message.sessionRid),
    bindingGeneration: fromHalves(message.bindingGeneration),
  };
}

function checkedRid(bytes: Uint8Array): Rid {
  if (bytes.length === 0) throw new RuntimeError("protocolError", "the payload holds an empty routing id");
  return ridFromBytes(bytes);
}

function encodeSpot(place: SpotPlace): SpotMessage {
  return { spotId: place.spotId, objectGeneration: toHalves(place.objectGeneration) };
}

function decodeSpot(message: SpotMessage): SpotPlace {
  return { spotId: message.spotId, objectGeneration: fromHalves(message.objectGeneration) };
}
