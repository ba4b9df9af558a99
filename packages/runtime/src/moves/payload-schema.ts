import protobuf from "protobufjs/light.js";
import { movePayloadSchema } from "../generated/move-payload.ts";

/** A u64 as protobufjs reads and writes it. */
export interface Halves {
  readonly low: number;
  readonly high: number;
}

const HALF_BITS = 32n;

export function toHalves(value: bigint): Halves {
  return { low: Number(value & 0xffffffffn), high: Number(value >> HALF_BITS) };
}

export function fromHalves(value: Halves): bigint {
  return (BigInt(value.high >>> 0) << HALF_BITS) | BigInt(value.low >>> 0);
}

export interface SessionMessage {
  ownerNodeRid: Uint8Array;
  ownerNodeGeneration: Halves;
  ownerId: string;
  ownerLeaseGeneration: Halves;
  sessionRid: Uint8Array;
  bindingGeneration: Halves;
}

export interface SpotMessage {
  spotId: string;
  objectGeneration: Halves;
}

export interface JoinAnswerMessage {
  operation: Uint8Array;
  spotId: string;
  accepted: boolean;
  reason: string;
  contentType: string;
  reply: Uint8Array;
}

/** One of the fields is there. */
export interface QueuedMessage {
  message?: Uint8Array;
  joinAnswer?: JoinAnswerMessage;
  bound?: SessionMessage;
  unbound?: Uint8Array;
  timer?: string;
}

/** `proto/move-payload.proto`, as protobufjs gives it. */
export interface MovePayloadMessage {
  format: number;
  actorId: string;
  stableType: string;
  objectGeneration: Halves;
  authorityOwnerGeneration: Halves;
  applicationVersion: Halves;
  state: { version: number; contentType: string; data: Uint8Array } | null;
  queued: QueuedMessage[];
  timers: { name: string; remainingMs: number }[];
  streams: { key: Uint8Array; lastQueued: Halves; skipped: { from: Halves; to: Halves }[]; idleMs: number }[];
  sessions: SessionMessage[];
  outgoing: { actorId: string; objectGeneration: Halves; lastSequence: Halves }[];
  previousSpot: SpotMessage | null;
  join: { spot: SpotMessage | null; contentType: string; reply: Uint8Array } | null;
  waiting: { stream: Uint8Array; sequence: Halves; waitedMs: number; message: Uint8Array | null }[];
  forgottenStreams: number;
}

export interface SpotPayloadMessage {
  format: number;
  spotId: string;
  stableType: string;
  objectGeneration: Halves;
  authorityOwnerGeneration: Halves;
  applicationVersion: Halves;
  state: { version: number; contentType: string; data: Uint8Array } | null;
  membershipEpoch: Halves;
  members: { baseVersion: string; payload: Uint8Array }[];
}

const root = protobuf.Root.fromJSON(movePayloadSchema);
const type = root.lookupType("rehome.move.v1.MovePayload");
const spotType = root.lookupType("rehome.move.v1.SpotPayload");

export function encodeMessage(message: MovePayloadMessage): Uint8Array {
  return type.encode(message).finish();
}

/** Throws whatever protobufjs throws for bytes that are no such message. */
export function decodeMessage(bytes: Uint8Array): MovePayloadMessage {
  return type.decode(bytes) as unknown as MovePayloadMessage;
}

export function encodeSpotMessage(message: SpotPayloadMessage): Uint8Array {
  return spotType.encode(message).finish();
}

/** Throws as {@link decodeMessage} does. */
export function decodeSpotMessage(bytes: Uint8Array): SpotPayloadMessage {
  return spotType.decode(bytes) as unknown as SpotPayloadMessage;
}
