import type { ActorFence, ActorRef, Session } from "@rehome/wire";
import { sessionRelocationKey } from "@rehome/wire";
import { assert } from "../errors.ts";
import { LruMap } from "../memory/lru.ts";
import type { BarrierEffect, HeldPushDropReason, HoldEffect, SessionBarrierEffect } from "./effects.ts";
import { BindingHold, HeldBytes, isSameOwner } from "./hold.ts";
import type { BarrierInput, BindingRef, BindingView, PeerRun, SessionBarrierInput } from "./inputs.ts";
import type { BarrierLimits } from "./limits.ts";
import { isActive, subjectOf } from "./state.ts";
import type { ActiveBarrier, BarrierState, EndedBarrier } from "./state.ts";
import { stepBarrier } from "./step.ts";
import { bindingOf } from "./transitions.ts";

/**
 * What becomes of a client's message. `feed`: no seal, send it now. `held`: it will come back with `ReleaseHeld` or
 * `FailHeld`. `overflow`: the hold is full; a request fails `backpressured`, a one-way send is reported as refused.
 * `closing`: an unbind is queued before it; the binding takes nothing more.
 */
export type MessageVerdict = "feed" | "held" | "overflow" | "closing";

/**
 * Why a push was refused. `notBound`: no such binding. `notSender`: the link's peer is not the node that its fence names.
 * `stale`: from an owner that is no more (S15). `otherOwner`: from an owner that this binding does not have (S17).
 * `overflow`: the hold is full.
 */
export type PushRefusal = "notBound" | "notSender" | "stale" | "otherOwner" | "overflow";

export type PushVerdict =
  | { readonly outcome: "pass" }
  /** It will come back with `DeliverHeldPushes` or `DropHeldPushes`. */
  | { readonly outcome: "held" }
  | { readonly outcome: "refused"; readonly reason: PushRefusal };

/** A 36 that came in, and the binding that it names as it is now. */
export interface PushOffer<Push> {
  readonly peer: PeerRun;
  readonly actor: ActorFence;
  readonly expectedBindingGeneration: bigint;
  readonly binding: BindingView | undefined;
  readonly push: Push;
  /** What it counts against the limits. */
  readonly bytes: number;
}

/** What a registry holds and remembers, for checks and for `inspect`. */
export interface BarriersView {
  readonly active: readonly {
    readonly key: string;
    readonly state: ActiveBarrier;
    readonly heldMessages: number;
    readonly heldPushes: number;
    readonly heldBytes: number;
  }[];
  /** Binding to the identity that seals it (S19). */
  readonly byBinding: ReadonlyMap<string, string>;
  readonly ended: ReadonlyMap<string, EndedBarrier>;
  readonly heldTotalBytes: number;
  readonly limits: BarrierLimits;
}

interface Entry<Message, Push> {
  readonly state: ActiveBarrier;
  readonly hold: BindingHold<Message, Push>;
}

/**
 * The session owner's side of every move (`protocol.md` section 5): the barriers of all bindings of one node, what they
 * hold, and what is remembered of ended ones. It decides and never acts: the driver carries out the effects in their
 * order, and before it offers anything more, and hands the answers in as facts.
 *
 * `Message` is what the driver queues towards actors (sends, requests and the unbind behind them), `Push` what it queues
 * towards clients.
 */
export class SessionBarriers<Message, Push> {
  readonly #limits: BarrierLimits;
  readonly #active = new Map<string, Entry<Message, Push>>();
  readonly #byBinding = new Map<string, string>();
  readonly #ended: LruMap<string, EndedBarrier>;
  readonly #newest: LruMap<string, bigint>;
  readonly #heldBytes: HeldBytes;
  readonly #refusedPushes = new Map<PushRefusal | HeldPushDropReason, number>();
  #reads = 0;

  constructor(limits: BarrierLimits) {
    this.#limits = limits;
    this.#ended = new LruMap(limits.maxEndedIdentities);
    this.#newest = new LruMap(limits.maxActorGenerations);
    this.#heldBytes = new HeldBytes(limits.maxHeldTotalBytes);
  }

  /** Takes one fact. `nowMs` is the monotonic time of the `Clock` port. */
  handle(input: SessionBarrierInput, nowMs: number): readonly SessionBarrierEffect<Message, Push>[] {
    switch (input.type) {
      case "SealReceived": {
        const { relocation, actor, session } = input.command;
        const identity = sessionRelocationKey({ relocation, actor: actor.actor, session });
        return this.#record(bindingFrom(actor.actor, session), identity, input, nowMs);
      }
      case "RouteReceived": {
        const { relocation, actor, session } = input.command;
        const identity = sessionRelocationKey({ relocation, actor, session });
        return this.#record(bindingFrom(actor, session), identity, input, nowMs);
      }
      case "BindAccepted":
        this.#raise(input.actorId, input.authorityOwnerGeneration);
        return [];
      case "BindingEnded":
        return this.#clear(
          (state) => keyOf(bindingOf(subjectOf(state))) === keyOf(input.binding),
          "bindingEnded",
          nowMs,
        );
      case "OwnershipCleared":
        return this.#clear((state) => actorOf(state) === input.actorId, "ownershipCleared", nowMs);
      case "Stopping":
        return this.#clear(() => true, "stopping", nowMs);
      default: {
        // An answer to an effect of a barrier that is no more (S15, S16).
        const entry = this.#active.get(input.identity);
        if (entry === undefined) return [];
        return this.#step(concernOf(input.identity, entry.state), input, nowMs);
      }
    }
  }

  /** S17: a client's message on a binding. */
  offerMessage(binding: BindingRef, message: Message, bytes: number): MessageVerdict {
    const hold = this.#holdOf(binding);
    if (hold === undefined) return "feed";
    if (hold.isClosing) return "closing";
    return hold.holdMessage(message, bytes) ? "held" : "overflow";
  }

  /** S17: an unbind or a disconnect queues behind what is held. `now`: no seal, do it now. A second one is `closing`. */
  offerUnbind(binding: BindingRef, unbind: Message): "now" | "held" | "closing" {
    const hold = this.#holdOf(binding);
    if (hold === undefined) return "now";
    if (hold.isClosing) return "closing";
    hold.holdUnbind(unbind);
    return "held";
  }

  /** S15, S17: a push for a bound client. Refused ones are counted. */
  offerPush(offer: PushOffer<Push>): PushVerdict {
    const verdict = this.#judgePush(offer);
    if (verdict.outcome === "refused") this.#count(verdict.reason, 1);
    return verdict;
  }

  /** Whether messages of this binding are being held. */
  isSealed(binding: BindingRef): boolean {
    return this.#byBinding.has(keyOf(binding));
  }

  /** S15: traffic and answers under an older authority generation than this are stale. 0 if none is known. */
  newestGeneration(actorId: string): bigint {
    return this.#newest.peek(actorId) ?? 0n;
  }

  /** Pushes that were refused or dropped since the start, by reason. */
  refusedPushes(): ReadonlyMap<PushRefusal | HeldPushDropReason, number> {
    return new Map(this.#refusedPushes);
  }

  inspect(): BarriersView {
    return {
      active: [...this.#active].map(([key, { state, hold }]) => ({
        key,
        state,
        heldMessages: hold.messageCount,
        heldPushes: hold.pushCount,
        heldBytes: hold.bytes,
      })),
      byBinding: new Map(this.#byBinding),
      ended: new Map(this.#ended),
      heldTotalBytes: this.#heldBytes.now,
      limits: this.#limits,
    };
  }

  #judgePush({ peer, actor, expectedBindingGeneration, binding, push, bytes }: PushOffer<Push>): PushVerdict {
    if (binding === undefined || binding.bindingGeneration !== expectedBindingGeneration) return refused("notBound");
    const { route, sessionRid, bindingGeneration } = binding;
    const { actorId, objectGeneration } = route.actor;
    if (actor.actor.actorId !== actorId || actor.actor.objectGeneration !== objectGeneration)
      return refused("notBound");
    if (peer.nodeRid !== actor.nodeRid || peer.nodeGeneration !== actor.nodeGeneration) return refused("notSender");

    const generation = actor.authorityOwnerGeneration;
    if (generation < this.newestGeneration(actorId) || generation < route.authorityOwnerGeneration) {
      return refused("stale");
    }
    if (isSameOwner(actor, route)) return { outcome: "pass" };
    const hold = this.#holdOf({ actorId, sessionRid, bindingGeneration });
    if (hold === undefined || generation === route.authorityOwnerGeneration) return refused("otherOwner");
    return hold.holdPush(push, bytes, actor) ? { outcome: "held" } : refused("overflow");
  }

  #record(
    binding: BindingRef,
    identity: string,
    input: Extract<BarrierInput, { type: "SealReceived" | "RouteReceived" }>,
    nowMs: number,
  ): readonly SessionBarrierEffect<Message, Push>[] {
    const state = this.#active.get(identity)?.state ?? this.#ended.peek(identity) ?? { type: "unknown", identity };
    return this.#step({ identity, binding, state }, input, nowMs);
  }

  #step(
    { identity, binding, state }: Concern,
    input: BarrierInput,
    nowMs: number,
  ): readonly SessionBarrierEffect<Message, Push>[] {
    const holder = this.#byBinding.get(keyOf(binding));
    const step = stepBarrier(state, input, {
      nowMs,
      limits: this.#limits,
      rival: holder === identity ? undefined : holder,
      newest: this.newestGeneration(binding.actorId),
      nextRead: this.#reads + 1,
    });
    if (step.effects.some((effect) => effect.type === "ReadAuthority")) this.#reads += 1;
    if (input.type === "RouteApplied" && state.type === "applying") {
      this.#raise(binding.actorId, state.to.authorityOwnerGeneration);
    }
    this.#keep(identity, binding, step.state);
    const effects = step.effects.flatMap((effect) => this.#carry(identity, binding, effect));
    if (!isActive(step.state)) this.#release(identity, binding);
    return effects;
  }

  /** Registers a barrier before its first effect goes out (S4), and remembers an ended one (S14). */
  #keep(identity: string, binding: BindingRef, state: BarrierState): void {
    if (isActive(state)) {
      const hold = this.#active.get(identity)?.hold ?? new BindingHold<Message, Push>(this.#limits, this.#heldBytes);
      this.#active.set(identity, { state, hold });
      this.#byBinding.set(keyOf(binding), identity);
      this.#ended.delete(identity);
    } else if (state.type === "ended") {
      // A repeat comes here as well, and so refreshes its entry (S14).
      this.#ended.set(identity, state);
    }
  }

  #release(identity: string, binding: BindingRef): void {
    if (!this.#active.delete(identity)) return;
    this.#byBinding.delete(keyOf(binding));
  }

  /** Fills in what is held. */
  #carry(
    identity: string,
    binding: BindingRef,
    effect: BarrierEffect | HoldEffect,
  ): readonly SessionBarrierEffect<Message, Push>[] {
    if (!isHoldEffect(effect)) return [effect];
    const hold = this.#active.get(identity)?.hold;
    assert(hold !== undefined, "only an active barrier has something held");
    switch (effect.type) {
      case "ReleaseHeld":
        return [{ type: "ReleaseHeld", binding, to: effect.to, items: hold.takeMessages() }];
      case "FailHeld": {
        const items = hold.takeMessages();
        return items.length === 0 ? [] : [{ type: "FailHeld", binding, reason: effect.reason, items }];
      }
      case "DeliverHeldPushes": {
        const { own, rest } = hold.takePushes(effect.route);
        const dropped = this.#dropped(binding, "otherOwner", rest);
        return own.length === 0 ? dropped : [{ type: "DeliverHeldPushes", binding, items: own }, ...dropped];
      }
      case "DropHeldPushes":
        return this.#dropped(binding, effect.reason, hold.takePushes(undefined).rest);
    }
  }

  #dropped(
    binding: BindingRef,
    reason: HeldPushDropReason,
    items: readonly Push[],
  ): readonly SessionBarrierEffect<Message, Push>[] {
    if (items.length === 0) return [];
    this.#count(reason, items.length);
    return [{ type: "DropHeldPushes", binding, reason, items }];
  }

  #clear(
    concerns: (state: ActiveBarrier) => boolean,
    reason: Extract<BarrierInput, { type: "Cleared" }>["reason"],
    nowMs: number,
  ): readonly SessionBarrierEffect<Message, Push>[] {
    const concerned = [...this.#active].filter(([, { state }]) => concerns(state));
    return concerned.flatMap(([identity, { state }]) =>
      this.#step(concernOf(identity, state), { type: "Cleared", reason }, nowMs),
    );
  }

  /** S15: only an accepted bind or route does this. */
  #raise(actorId: string, authorityOwnerGeneration: bigint): void {
    const newest = this.newestGeneration(actorId);
    this.#newest.set(actorId, authorityOwnerGeneration > newest ? authorityOwnerGeneration : newest);
  }

  #count(reason: PushRefusal | HeldPushDropReason, items: number): void {
    this.#refusedPushes.set(reason, (this.#refusedPushes.get(reason) ?? 0) + items);
  }

  #holdOf(binding: BindingRef): BindingHold<Message, Push> | undefined {
    // Nearly always nothing is sealed, and every message comes through here.
    if (this.#byBinding.size === 0) return undefined;
    const identity = this.#byBinding.get(keyOf(binding));
    return identity === undefined ? undefined : this.#active.get(identity)?.hold;
  }
}

/** Whom a step is about. */
interface Concern {
  readonly identity: string;
  readonly binding: BindingRef;
  readonly state: BarrierState;
}

function concernOf(identity: string, state: ActiveBarrier): Concern {
  return { identity, binding: bindingOf(subjectOf(state)), state };
}

/** The binding that a record names, whether it exists or not. */
function bindingFrom({ actorId }: ActorRef, { sessionRid, bindingGeneration }: Session): BindingRef {
  return { actorId, sessionRid, bindingGeneration };
}

function refused(reason: PushRefusal): PushVerdict {
  return { outcome: "refused", reason };
}

const HOLD_EFFECTS: ReadonlySet<string> = new Set<HoldEffect["type"]>([
  "ReleaseHeld",
  "FailHeld",
  "DeliverHeldPushes",
  "DropHeldPushes",
]);

function isHoldEffect(effect: BarrierEffect | HoldEffect): effect is HoldEffect {
  return HOLD_EFFECTS.has(effect.type);
}

function actorOf(state: ActiveBarrier): string {
  return subjectOf(state).fence.actor.actorId;
}

/** A key that no two bindings share: the lengths keep apart what may hold any character. */
export function keyOf({ actorId, sessionRid, bindingGeneration }: BindingRef): string {
  return `${bindingGeneration}:${sessionRid.length}:${sessionRid}:${actorId}`;
}
