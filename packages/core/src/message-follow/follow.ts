import type { ActorFence, Id128, MessageFollow, Rid } from "@rehome/wire";
import { assert } from "../errors.ts";
import { LruMap } from "../memory/lru.ts";
import { DEFAULT_FOLLOW_LIMITS, FOLLOW_REFUSALS, MAX_HOPS, type FollowLimits, type FollowRefusal } from "./limits.ts";

/** How a message reached the old owner. */
export type FollowArrival =
  /** A 24 or 25 straight from its sender, under the fence that the sender has in its cache. */
  | {
      readonly via: "direct";
      readonly addressed: ActorFence;
      readonly senderNodeRid: Rid;
      readonly operation: Id128;
      /** 0 for a one-way message. */
      readonly replyRouteId: bigint;
    }
  /** A 31 of an earlier owner's follow. The generations are those of its `object`: what that owner left. */
  | { readonly via: "forwarded"; readonly objectGeneration: bigint; readonly leftGeneration: bigint };

export interface FollowMessage<T> {
  readonly message: T;
  readonly bytes: number;
  /** 0–8: how often it has been forwarded so far. */
  readonly hops: number;
  readonly arrival: FollowArrival;
}

/** A message on its way out, with the hop count that it goes under. */
export interface ForwardedMessage<T> {
  readonly message: T;
  readonly bytes: number;
  readonly hops: number;
}

export type FollowAnswer =
  /** It waits in line; `hint` is a 50 for the sender's node, the first time that this route of it was used (F4). */
  | { readonly outcome: "waiting"; readonly hint: { readonly peer: Rid; readonly command: MessageFollow } | undefined }
  | ({ readonly outcome: "refused" } & FollowRefusal);

/**
 * What an old owner does with the messages of an actor that it has handed over (`protocol.md` section 9): they wait in
 * arrival order for the link to the exact fence that the store named (F1), each under one more hop. It ends by time.
 */
export class ActorFollow<T> {
  readonly left: ActorFence;
  readonly target: ActorFence;
  readonly expiresAtMs: number;
  readonly #limits: FollowLimits;
  readonly #waiting: ForwardedMessage<T>[] = [];
  readonly #told: LruMap<string, true>;
  #bytes = 0;

  /** `left` is the fence that this node held, `target` what the store said. `now` is `Clock.nowMs`. */
  constructor(left: ActorFence, target: ActorFence, now: number, limits: FollowLimits = DEFAULT_FOLLOW_LIMITS) {
    assert(
      target.authorityOwnerGeneration > left.authorityOwnerGeneration,
      "F1: an actor is followed to a newer owner only.",
    );
    assert(
      target.actor.actorId === left.actor.actorId && target.actor.objectGeneration === left.actor.objectGeneration,
      "F1: an actor is followed as the same object only.",
    );
    this.left = left;
    this.target = target;
    this.expiresAtMs = now + limits.lifeMs;
    this.#limits = limits;
    this.#told = new LruMap(limits.maxHints);
  }

  get size(): number {
    return this.#waiting.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  expired(now: number): boolean {
    return now >= this.expiresAtMs;
  }

  /** Takes a message into the line, or says what its sender is told instead. Nothing is kept of a refused one. */
  offer(offered: FollowMessage<T>, now: number): FollowAnswer {
    const { message, bytes, hops, arrival } = offered;
    const refusal = this.#refusal(offered, now);
    if (refusal !== undefined) return { outcome: "refused", ...refusal };
    this.#waiting.push({ message, bytes, hops: hops + 1 });
    this.#bytes += bytes;
    return { outcome: "waiting", hint: this.#hint(arrival, hops + 1) };
  }

  /** The next message to send, which stays in line until `removeFirst`. */
  first(): ForwardedMessage<T> | undefined {
    return this.#waiting[0];
  }

  /** The link took the first one. */
  removeFirst(): void {
    const first = this.#waiting.shift();
    assert(first !== undefined, "Nothing waits.");
    this.#bytes -= first.bytes;
  }

  /**
   * Everything that waits, in order, and nothing waits any more: when it has expired (each is then refused as `expired`),
   * or when this node is about to become the actor's target itself (F5).
   */
  takeAll(): readonly ForwardedMessage<T>[] {
    this.#bytes = 0;
    return this.#waiting.splice(0);
  }

  #refusal({ bytes, hops, arrival }: FollowMessage<T>, now: number): FollowRefusal | undefined {
    if (objectGenerationOf(arrival) !== this.left.actor.objectGeneration) return FOLLOW_REFUSALS.otherObject;
    if (this.expired(now)) return FOLLOW_REFUSALS.expired;
    if (hops >= MAX_HOPS || this.#isCircle(arrival)) return FOLLOW_REFUSALS.noWay;
    const { maxMessages, maxBytes } = this.#limits;
    return this.#waiting.length >= maxMessages || this.#bytes + bytes > maxBytes ? FOLLOW_REFUSALS.full : undefined;
  }

  /**
   * F2: every hop must lead to a newer owner. A sender that knows the owner this leads to, or a newer one, and an old owner
   * that left no earlier than this node did, would only see the message again.
   */
  #isCircle(arrival: FollowArrival): boolean {
    return arrival.via === "direct"
      ? arrival.addressed.authorityOwnerGeneration >= this.target.authorityOwnerGeneration
      : arrival.leftGeneration >= this.left.authorityOwnerGeneration;
  }

  /** F4: once per route. A forwarded message's sender was told by the owner that it had sent to. */
  #hint(arrival: FollowArrival, hops: number): { readonly peer: Rid; readonly command: MessageFollow } | undefined {
    if (arrival.via === "forwarded") return undefined;
    const { addressed, senderNodeRid: peer, operation, replyRouteId } = arrival;
    const route = `${addressed.nodeGeneration}:${addressed.authorityOwnerGeneration}:${peer}`;
    if (this.#told.get(route) !== undefined) return undefined;
    this.#told.set(route, true);
    const command: MessageFollow = {
      command: "messageFollow",
      version: 1,
      source: { kind: "actor", actor: addressed },
      target: { kind: "actor", actor: this.target },
      hopCount: hops,
      queuedMessages: this.#waiting.length,
      queuedBytes: this.#bytes,
      operation,
      replyRouteId,
    };
    return { peer, command };
  }
}

function objectGenerationOf(arrival: FollowArrival): bigint {
  return arrival.via === "direct" ? arrival.addressed.actor.objectGeneration : arrival.objectGeneration;
}
