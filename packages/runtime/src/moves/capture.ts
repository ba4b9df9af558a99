import { objectOf, type MoveFailure, type SourceConfig, type SpotPlace } from "@rehome/core";
import type { Activation } from "../actors/activation.ts";
import { withDeadline } from "../deadline.ts";
import { RuntimeError } from "../errors.ts";
import type { Host } from "../host.ts";
import { statePayload, type Payload } from "../payload.ts";
import type { Spot } from "../spots/spot.ts";
import { encodePayload } from "./payload.ts";
import type { Semaphore } from "./semaphore.ts";
import { encodeSpotPayload } from "./spot-payload.ts";
import type { OutboundUnit } from "./unit.ts";

/** The spot that the actor is about to join, with the spot's answer. */
export interface JoinGrant {
  readonly place: SpotPlace;
  readonly reply: Payload;
}

export type Captured =
  | { readonly type: "captured"; readonly bytes: Uint8Array }
  | { readonly type: "failed"; readonly failure: MoveFailure };

export interface CaptureOrder {
  readonly config: SourceConfig;
  readonly grant: JoinGrant | undefined;
  readonly maxPayloadBytes: number;
  /** Base versions of a spot's members, in their order. */
  readonly memberVersions: readonly string[];
  /** Bounds the `capture` calls that run at once on this node (`protocol.md` T4). */
  readonly captures: Semaphore;
}

/**
 * Runs every `capture` of a unit and makes the payload of its move. Never rejects, and each call has until the move's
 * deadline. One that fails ends the move for all of them, and is named.
 */
export async function captureUnit(unit: OutboundUnit, order: CaptureOrder): Promise<Captured> {
  try {
    const bytes = unit.spot ? await captureSpot(unit, unit.spot, order) : await captureActor(unit.members[0]!, order);
    if (bytes.length <= order.maxPayloadBytes) return { type: "captured", bytes };
    throw tooLarge(unit.name, bytes.length, order.maxPayloadBytes);
  } catch (cause) {
    return { type: "failed", failure: failureOf(unit, cause) };
  }
}

/** What `captureUnit` throws to itself: the failure is about this member. */
class MemberFailed extends Error {
  readonly actorId: string;

  constructor(actorId: string, cause: unknown) {
    super(`capture of actor "${actorId}" failed`, { cause });
    this.actorId = actorId;
  }
}

async function captureSpot(unit: OutboundUnit, spot: Spot, order: CaptureOrder): Promise<Uint8Array> {
  const { host } = unit;
  const object = objectOf(order.config.unit);
  const { definition } = spot;
  const [state, ...members] = await Promise.all([
    order.captures.run(() => timed(host, order, unit.name, () => definition.capture!(spot.state))),
    ...unit.members.map(async (activation, index) => ({
      baseVersion: order.memberVersions[index]!,
      payload: await captureMember(activation, order),
    })),
  ]);
  return encodeSpotPayload({
    spotId: spot.spotId,
    stableType: definition.type,
    objectGeneration: object.objectGeneration,
    authorityOwnerGeneration: object.authorityOwnerGeneration,
    applicationVersion: host.config.applicationVersion,
    stateVersion: definition.version ?? 1,
    state: statePayload(spot.state, state),
    membershipEpoch: spot.epoch,
    members,
  });
}

async function captureMember(activation: Activation, order: CaptureOrder): Promise<Uint8Array> {
  const { actorId, host } = activation;
  const { actorStateBytes } = host.config.limits;
  try {
    const bytes = await captureActor(activation, order);
    if (bytes.length > actorStateBytes) throw tooLarge(`actor "${actorId}"`, bytes.length, actorStateBytes);
    return bytes;
  } catch (cause) {
    throw new MemberFailed(actorId, cause);
  }
}

async function captureActor(activation: Activation, order: CaptureOrder): Promise<Uint8Array> {
  const { host, actorId, definition } = activation;
  const value = await order.captures.run(() =>
    timed(host, order, `actor "${actorId}"`, () => definition.capture(activation.state)),
  );
  return encodePayload(
    {
      actorId,
      stableType: definition.type,
      objectGeneration: activation.record.objectGeneration,
      authorityOwnerGeneration: activation.record.authorityOwnerGeneration,
      applicationVersion: host.config.applicationVersion,
      stateVersion: definition.version ?? 1,
      state: statePayload(activation.state, value),
      queued: activation.queued(),
      timers: activation.timers.remaining(),
      streams: activation.streams.capture(host.config.clock.nowMs()),
      sessions: activation.bindings.list(),
      outgoing: activation.sender.positions.entries(),
      previousPlace: activation.place,
      join: order.grant,
    },
    activation.fence,
  );
}

function timed<T>(host: Host, { config }: CaptureOrder, whose: string, run: () => T | Promise<T>): Promise<T> {
  return withDeadline(host.config.clock, config.deadlines.moveMs, `capture of ${whose}`, run);
}

function tooLarge(whose: string, bytes: number, most: number): RuntimeError {
  return new RuntimeError(
    "tooLarge",
    `the state of ${whose} makes ${bytes} bytes, more than the ${most} that may move`,
  );
}

function failureOf(unit: OutboundUnit, error: unknown): MoveFailure {
  const cause = error instanceof MemberFailed ? error.cause : error;
  const named = error instanceof MemberFailed ? { actorId: error.actorId } : {};
  if (!(cause instanceof RuntimeError)) {
    const whose = error instanceof MemberFailed ? `actor "${error.actorId}"` : unit.name;
    return { code: "captureFailed", message: `capture of ${whose} failed`, cause, ...named };
  }
  const code =
    cause.code === "timedOut" ? "deadlineExceeded" : cause.code === "tooLarge" ? "stateTooLarge" : "captureFailed";
  return { code, message: cause.message, cause, ...named };
}
