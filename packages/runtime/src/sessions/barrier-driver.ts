import {
  DEFAULT_BARRIER_LIMITS,
  SessionBarriers,
  type BindingEndReason,
  type BindingRef,
  type HeldFailureReason,
  type SessionBarrierEffect,
  type SessionBarrierInput,
} from "@rehome/core";
import { actorAuthorityKey } from "@rehome/wire";
import { background } from "../background.ts";
import { RuntimeError, type RuntimeErrorCode } from "../errors.ts";
import type { Host } from "../host.ts";
import type { Payload } from "../payload.ts";
import type { Binding } from "./binding.ts";
import type { Letter } from "./letters.ts";
import { NamedTimers } from "../named-timers.ts";

type Effect = SessionBarrierEffect<Letter, Payload>;
type EffectOf<T extends Effect["type"]> = Extract<Effect, { type: T }>;

/** What the driver needs of those who hold the bindings. */
export interface BarrierBindings {
  find(ref: BindingRef): Binding | undefined;
  deliver(binding: Binding, payload: Payload): void;
  /** The letter was not sent and will not be. */
  fail(ref: BindingRef, letter: Letter, error: RuntimeError): void;
  /** The barrier ended the binding; the actor's node may still have it, if there is one. */
  end(binding: Binding, error: RuntimeError, mayLiveOn: boolean): void;
}

const heldCodes: Record<HeldFailureReason, RuntimeErrorCode> = {
  ownerGone: "notFound",
  ownerUnknown: "storeUnavailable",
  routeFailed: "notConnected",
  bindingEnded: "actorSessionNotBound",
  ownershipCleared: "notFound",
  stopping: "closed",
};

/** Carries out what `core/session-barrier` decides (`protocol.md` section 5), in order and at once. */
export class BarrierDriver {
  readonly barriers: SessionBarriers<Letter, Payload>;
  readonly #host: Host;
  readonly #bindings: BarrierBindings;
  /** By identity. */
  readonly #timers: NamedTimers<string>;

  constructor(host: Host, bindings: BarrierBindings) {
    this.#host = host;
    this.#bindings = bindings;
    this.#timers = new NamedTimers(host.config.clock, (identity) =>
      this.handle({ type: "SealDeadlinePassed", identity }),
    );
    const { deadlines, limits } = host.config;
    this.barriers = new SessionBarriers({
      ...DEFAULT_BARRIER_LIMITS,
      sealDeadlineMs: deadlines.sealMs,
      storeResolutionMs: deadlines.storeResolutionMs,
      maxHeldMessages: limits.holdMessages,
      maxHeldMessageBytes: limits.holdBytes,
    });
  }

  handle(input: SessionBarrierInput): void {
    for (const effect of this.barriers.handle(input, this.#host.config.clock.nowMs())) this.#perform(effect);
  }

  stop(): void {
    this.handle({ type: "Stopping" });
    this.#timers.stopAll();
  }

  #perform(effect: Effect): void {
    const { links, config } = this.#host;
    switch (effect.type) {
      case "InstallSeal":
        // Feeding is synchronous: whatever was fed has been handed to its link already.
        this.handle({ type: "SealInstalled", identity: effect.identity });
        return;
      case "SendSealed":
      case "SendRefusal":
        links.send(effect.peer, effect.command);
        return;
      case "StartSealTimer":
        this.#timers.start(effect.identity, effect.delayMs);
        return;
      case "StopSealTimer":
        this.#timers.stop(effect.identity);
        return;
      case "ReadAuthority":
        this.#read(effect);
        return;
      case "RepointBinding":
        this.#repoint(effect);
        return;
      case "ReleaseHeld":
        this.#release(effect);
        return;
      case "FailHeld":
        for (const letter of effect.items) this.#fail(effect.binding, letter, effect.reason);
        return;
      case "DeliverHeldPushes": {
        const binding = this.#bindings.find(effect.binding);
        if (binding) for (const payload of effect.items) this.#bindings.deliver(binding, payload);
        return;
      }
      case "EndBinding":
        this.#end(effect);
        return;
      case "DropHeldPushes": {
        const { binding, reason, items } = effect;
        config.log.write("warn", "push.dropped", { actorId: binding.actorId, count: items.length, reason });
        return;
      }
      case "Report":
        config.log.write("warn", effect.event, effect.fields);
        return;
      case "ReportProtocolError":
        links.reportViolation(effect.peer, effect.event, effect.fields);
        return;
    }
  }

  #read({ identity, read, actorId, binding: ref }: EffectOf<"ReadAuthority">): void {
    const reading = this.#host.store.read(actorAuthorityKey(actorId)).then((answer) => {
      const binding = this.#bindings.find(ref)?.view;
      this.handle({ type: "AuthorityRead", identity, read, answer, binding });
    });
    background(this.#host.config.log, "seal.read", reading);
  }

  #repoint({ binding: ref, identity, route }: EffectOf<"RepointBinding">): void {
    const binding = this.#bindings.find(ref);
    if (!binding) {
      this.handle({ type: "RouteApplyFailed", identity, reason: "the binding has ended" });
      return;
    }
    binding.repoint(route);
    this.#host.directory.learn(binding.route);
    this.handle({ type: "RouteApplied", identity });
  }

  #release({ binding: ref, items }: EffectOf<"ReleaseHeld">): void {
    const binding = this.#bindings.find(ref);
    for (const letter of items) {
      if (!binding) this.#fail(ref, letter, "bindingEnded");
      else if (letter.kind === "unbind") letter.run();
      else binding.feed(letter);
    }
    binding?.unsealed();
  }

  #fail(ref: BindingRef, letter: Letter, reason: HeldFailureReason): void {
    const message = `the message to actor "${ref.actorId}" was not run: ${reason}`;
    this.#bindings.fail(ref, letter, new RuntimeError(heldCodes[reason], message));
  }

  #end({ binding: ref, reason }: EffectOf<"EndBinding">): void {
    const binding = this.#bindings.find(ref);
    if (!binding) return;
    const error = new RuntimeError(heldCodes[reason], `the binding to actor "${ref.actorId}" has ended: ${reason}`);
    this.#bindings.end(binding, error, mayLiveOn(reason));
  }
}

function mayLiveOn(reason: BindingEndReason): boolean {
  return reason !== "ownerGone";
}
