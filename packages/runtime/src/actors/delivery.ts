import type { FollowArrival } from "@rehome/core";
import type {
  ActorFence,
  ActorRef,
  FrozenRecord,
  FrozenSource,
  Id128,
  Metadata,
  PayloadEnvelope,
  ReplyRelay,
  Rid,
  Session,
} from "@rehome/wire";
import type { JoinResult } from "../api.ts";

/** Metadata key of the sequence in the sender's stream (`wire.md` 2, `protocol.md` N4). */
export const SEQUENCE_KEY = "~q";
/** Metadata key of the hops that a forwarded message has made (`protocol.md` F2). */
export const HOPS_KEY = "~h";
/** Metadata key of a sender that says it had been idle (N6); its value is `1`. */
export const RESUMES_KEY = "~r";
/** Packet name of the marker that fills a refused message's place (N5). */
export const GONE_PACKET = "~gone";

/** Where a request's answer goes: back on the link it came on, or by 33 because it has moved (`protocol.md` Q1). */
export type AnswerRoute =
  | { readonly type: "reply" }
  | { readonly type: "relay"; readonly relocation: RelayContext }
  /** One-way. */
  | { readonly type: "none" };

export type RelayContext = Pick<ReplyRelay["context"], "relocation" | "targetAttemptGeneration" | "coordinator">;

/** How it got to this node: from its sender, or from an earlier owner. */
export type Arrival = FollowArrival;

/** A message for an actor, from wherever it came. */
export interface Delivery {
  readonly type: "message";
  readonly kind: "send" | "request";
  readonly source: FrozenSource;
  readonly metadata: Metadata | undefined;
  readonly operation: { readonly high: bigint; readonly low: bigint };
  /** The requester's correlation; 0 for a one-way message. */
  readonly replyRouteId: bigint;
  readonly payload: PayloadEnvelope;
  readonly hops: number;
  readonly arrival: Arrival;
  readonly answer: AnswerRoute;
  /** What it counts against byte limits. */
  readonly bytes: number;
}

/** What the actor is told of its join; `operation` is the result's, as a number. */
export interface JoinAnswer {
  readonly type: "joinAnswer";
  readonly operation: Id128;
  readonly result: JoinResult;
}

export function joinAnswer(operation: Id128, result: JoinResult): JoinAnswer {
  return { type: "joinAnswer", operation, result };
}

/** What an actor's mailbox can hold. */
export type MailboxItem =
  | Delivery
  | JoinAnswer
  | { readonly type: "bound"; readonly session: Session }
  | { readonly type: "unbound"; readonly sessionRid: Rid }
  | { readonly type: "timer"; readonly name: string };

export interface StreamPlace {
  readonly key: string;
  readonly sequence: bigint;
}

/** Fixed cost of a message in memory, so that empty ones are not free. */
const MESSAGE_OVERHEAD_BYTES = 256;
const DECIMAL = /^[1-9][0-9]{0,18}$/;

export function payloadBytes(payload: PayloadEnvelope): number {
  return payload.data.length + payload.packetName.length + payload.contentType.length + MESSAGE_OVERHEAD_BYTES;
}

function metadataNumber(metadata: Metadata | undefined, key: string): bigint | undefined {
  const text = metadata?.find(([name]) => name === key)?.[1];
  return text !== undefined && DECIMAL.test(text) ? BigInt(text) : undefined;
}

/** The message's place in its sender's stream, or `undefined` when it has none (a protocol error, N4). */
export function streamOf(source: FrozenSource, metadata: Metadata | undefined): StreamPlace | undefined {
  if (source.kind === "boundSession") {
    return {
      key: sessionStreamKey(source.nodeRid, source.sessionRid, source.bindingGeneration),
      sequence: source.sessionSequence,
    };
  }
  const sequence = metadataNumber(metadata, SEQUENCE_KEY);
  if (sequence === undefined) return undefined;
  if (source.kind === "actor") return { key: `a:${source.actor.actorId}:${source.actor.objectGeneration}`, sequence };
  return { key: `n:${source.nodeRid}:${source.nodeGeneration}`, sequence };
}

export function sessionStreamKey(ownerRid: Rid, sessionRid: Rid, bindingGeneration: bigint): string {
  return `s:${ownerRid}:${sessionRid}:${bindingGeneration}`;
}

/** N6: the sender says that nothing of its stream can still be on its way. */
export function resumes(metadata: Metadata | undefined): boolean {
  return metadata?.some(([key]) => key === RESUMES_KEY) ?? false;
}

export function hopsOf(metadata: Metadata | undefined): number {
  return Number(metadataNumber(metadata, HOPS_KEY) ?? 0n);
}

/** The actor that a frozen record is for; `undefined` for record kinds that are no actor's messages. */
export function actorOf(record: FrozenRecord): ActorRef | undefined {
  return record.recordKind === "actorSend" || record.recordKind === "actorRequest" ? record.target.actor : undefined;
}

/** The delivery as it travels in a 31 or in a payload. `target` is the fence of the owner that it was sent to. */
export function freeze(delivery: Delivery, target: ActorFence, hops = delivery.hops): FrozenRecord {
  const rest = (delivery.metadata ?? []).filter(([key]) => key !== HOPS_KEY);
  const metadata: Metadata = hops > 0 ? [...rest, [HOPS_KEY, String(hops)]] : rest;
  const common = {
    source: delivery.source,
    ...(metadata.length > 0 ? { metadata } : {}),
    operation: delivery.operation,
    target,
    payload: delivery.payload,
  };
  return delivery.kind === "request"
    ? { recordKind: "actorRequest", ...common, operationKind: "actorRequest", replyRouteId: delivery.replyRouteId }
    : { recordKind: "actorSend", ...common, operationKind: "none" };
}

/**
 * The other way round; `undefined` for record kinds that are no actor's messages. The record's target is the fence that the
 * owner who froze it held.
 */
export function thaw(record: FrozenRecord, relocation: RelayContext): Delivery | undefined {
  if (record.recordKind !== "actorSend" && record.recordKind !== "actorRequest") return undefined;
  const request = record.recordKind === "actorRequest";
  const { actor, authorityOwnerGeneration } = record.target;
  return {
    type: "message",
    kind: request ? "request" : "send",
    source: record.source,
    metadata: record.metadata,
    operation: record.operation,
    replyRouteId: request ? record.replyRouteId : 0n,
    payload: record.payload,
    hops: hopsOf(record.metadata),
    arrival: {
      via: "forwarded",
      objectGeneration: actor.objectGeneration,
      leftGeneration: authorityOwnerGeneration,
    },
    answer: request ? { type: "relay", relocation } : { type: "none" },
    bytes: payloadBytes(record.payload),
  };
}
