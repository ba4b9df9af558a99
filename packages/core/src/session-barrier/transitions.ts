import type { RelocationFailed, RouteUpdate } from "@rehome/wire";
import type { BarrierEffect, BindingEndReason, BindingRoute, HoldEffect } from "./effects.ts";
import { ownerOf, refusalAnswer, sealedAnswer } from "./fence.ts";
import type { BindingRef, ClearReason } from "./inputs.ts";
import type { BarrierLimits } from "./limits.ts";
import { subjectOf } from "./state.ts";
import type {
  ActiveBarrier,
  BarrierEnd,
  BarrierState,
  BarrierSubject,
  CommitRoute,
  EndedBarrier,
  Seal,
  SealAnswer,
  SealingBarrier,
} from "./state.ts";

type In<T extends BarrierState["type"]> = Extract<BarrierState, { type: T }>;

/** What a step knows beside its state and its input. */
export interface Moment {
  readonly nowMs: number;
  readonly limits: BarrierLimits;
  /** The identity that holds the same binding now, if another one does (S19). */
  readonly rival: string | undefined;
  /** The newest authority generation seen for the actor (S15); 0 if none. */
  readonly newest: bigint;
  /** The number that a new reading of the store gets, so that an older answer is not taken for it. */
  readonly nextRead: number;
}

export interface BarrierStep {
  readonly state: BarrierState;
  readonly effects: readonly (BarrierEffect | HoldEffect)[];
}

export function bindingOf(subject: BarrierSubject): BindingRef {
  const { session, fence } = subject;
  return {
    actorId: fence.actor.actorId,
    sessionRid: session.sessionRid,
    bindingGeneration: session.bindingGeneration,
  };
}

/** S4: the identity is registered, and its deadline runs, before the first asynchronous step. */
export function becomeSealing(seal: Seal, moment: Moment): BarrierStep {
  const { identity } = seal.subject;
  const delayMs = moment.limits.sealDeadlineMs;
  return {
    state: { type: "sealing", seal, giveUpAtMs: moment.nowMs + delayMs },
    effects: [
      { type: "StartSealTimer", identity, delayMs },
      { type: "InstallSeal", identity, binding: bindingOf(seal.subject) },
    ],
  };
}

/** S9: the route waits until the binding has stopped. */
export function becomeSealingRouted(from: In<"sealing">, route: RouteUpdate): BarrierStep {
  return { state: { ...from, type: "sealingRouted", route }, effects: [] };
}

export function becomeSealed(from: SealingBarrier): BarrierStep & { readonly state: In<"sealed"> } {
  const { seal, giveUpAtMs } = from;
  return { state: { type: "sealed", seal, giveUpAtMs }, effects: [sendSealed(seal)] };
}

/** The store gave no word that counts: the seal stands as before, and its deadline decides (S5). */
export function becomeSealedAgain(from: In<"confirming">): BarrierStep {
  const { seal, giveUpAtMs } = from;
  return { state: { type: "sealed", seal, giveUpAtMs }, effects: [] };
}

/** S6: registration and timer go, what was held goes back to the source, and the source is told. */
export function becomeUnsealed(from: SealingBarrier): BarrierStep & { readonly state: In<"unknown"> } {
  const { identity } = from.seal.subject;
  return {
    state: { type: "unknown", identity },
    effects: [
      { type: "StopSealTimer", identity },
      { type: "ReleaseHeld", to: "source" },
      { type: "DropHeldPushes", reason: "sealFailed" },
      sendRefusal(from.seal),
    ],
  };
}

/** S11, S15: only the store can say where the commit leads. */
export function becomeConfirming(from: In<"sealed" | "confirming">, route: CommitRoute, moment: Moment): BarrierStep {
  const { seal, giveUpAtMs } = from;
  return {
    state: { type: "confirming", seal, route, read: moment.nextRead, giveUpAtMs },
    effects: [readAuthority(seal.subject, moment)],
  };
}

/**
 * S5: the deadline has passed, the owner asks the store itself. The reading gets a deadline of its own. A binding that
 * could not be stopped in all that time was never sealed, and the source is told so.
 */
export function becomeResolving(from: SealingBarrier | In<"sealed" | "confirming">, moment: Moment): BarrierStep {
  const { seal } = from;
  const { identity } = seal.subject;
  const delayMs = moment.limits.storeResolutionMs;
  const unsealed = from.type === "sealing" || from.type === "sealingRouted";
  const answer = unsealed ? refusedAnswerOf(seal) : answerOf(seal);
  return {
    state: { type: "resolving", seal, answer, read: moment.nextRead, giveUpAtMs: moment.nowMs + delayMs },
    effects: [
      ...(unsealed ? [sendRefusal(seal)] : []),
      { type: "StartSealTimer", identity, delayMs },
      readAuthority(seal.subject, moment),
    ],
  };
}

/** S5, S15: the answer was from before something that this node knows. The deadline stays. */
export function becomeResolvingAgain(from: In<"resolving">, moment: Moment): BarrierStep {
  return { state: { ...from, read: moment.nextRead }, effects: [readAuthority(from.seal.subject, moment)] };
}

/** S7: an ended identity's newer commit. The binding is held while the store is asked. */
export function becomeVerifying(
  before: EndedBarrier,
  subject: BarrierSubject,
  route: CommitRoute,
  moment: Moment,
): BarrierStep {
  const delayMs = moment.limits.storeResolutionMs;
  return {
    state: {
      type: "verifying",
      subject,
      route,
      read: moment.nextRead,
      before,
      giveUpAtMs: moment.nowMs + delayMs,
    },
    effects: [{ type: "StartSealTimer", identity: subject.identity, delayMs }, readAuthority(subject, moment)],
  };
}

/** S7: the store did not bear the commit out; the binding goes on as it was. */
export function becomeEndedAsBefore(from: In<"verifying">): BarrierStep {
  return {
    state: from.before,
    effects: [
      { type: "StopSealTimer", identity: from.subject.identity },
      { type: "ReleaseHeld", to: "source" },
      { type: "DropHeldPushes", reason: "otherOwner" },
    ],
  };
}

/** S11: an accepted 44 leads here, under the deadline that the seal has. */
export function becomeApplying(from: In<"sealed" | "confirming">, to: BindingRoute, route: RouteUpdate): BarrierStep {
  const { seal, giveUpAtMs } = from;
  const answer = answerIn(from);
  return {
    state: { type: "applying", subject: seal.subject, to, route, answer, giveUpAtMs },
    effects: [repoint(seal.subject, to)],
  };
}

/** S5, S7: the seal's deadline is over; repointing has one of its own. */
export function becomeApplyingLate(
  from: In<"resolving" | "verifying">,
  to: BindingRoute,
  route: RouteUpdate,
  moment: Moment,
): BarrierStep {
  const subject = subjectOf(from);
  const answer = answerIn(from);
  const delayMs = moment.limits.storeResolutionMs;
  return {
    state: { type: "applying", subject, to, route, answer, giveUpAtMs: moment.nowMs + delayMs },
    effects: [{ type: "StartSealTimer", identity: subject.identity, delayMs }, repoint(subject, to)],
  };
}

/** S9, S11: the route stands. The timer stops, and what was held goes where it leads. */
export function becomeCommitted(from: In<"applying">): BarrierStep {
  const { identity } = from.subject;
  return {
    state: ended(identity, from.answer, { type: "routed", route: from.route }),
    effects: [
      { type: "StopSealTimer", identity },
      { type: "ReleaseHeld", to: "target" },
      { type: "DeliverHeldPushes", route: from.to },
    ],
  };
}

/** S12, S5: the binding keeps its route. */
export function becomeAborted(from: In<"sealed" | "resolving">, route: RouteUpdate): BarrierStep {
  const { identity } = from.seal.subject;
  return {
    state: ended(identity, answerIn(from), { type: "routed", route }),
    effects: [
      { type: "StopSealTimer", identity },
      { type: "ReleaseHeld", to: "source" },
      { type: "DropHeldPushes", reason: "moveAborted" },
    ],
  };
}

/** S5, S13: the binding ends, and nobody is left without an answer. */
export function becomeBindingEnded(from: ActiveBarrier, reason: BindingEndReason): BarrierStep {
  const subject = subjectOf(from);
  const { identity } = subject;
  const end: BarrierEnd = from.type === "applying" ? { type: "routed", route: from.route } : { type: "unrouted" };
  return {
    state: ended(identity, answerIn(from), end),
    effects: [
      { type: "StopSealTimer", identity },
      { type: "FailHeld", reason },
      { type: "DropHeldPushes", reason },
      { type: "EndBinding", binding: bindingOf(subject), reason },
    ],
  };
}

/** S16: nothing of the identity is left but, if it had ended before, that. */
export function becomeCleared(from: ActiveBarrier, reason: ClearReason): BarrierStep {
  const { identity } = subjectOf(from);
  return {
    state: from.type === "verifying" ? from.before : { type: "unknown", identity },
    effects: [
      { type: "StopSealTimer", identity },
      { type: "FailHeld", reason },
      { type: "DropHeldPushes", reason },
    ],
  };
}

/** S8: a 44 that came first. */
export function becomeEndedUnasked(from: In<"unknown">, route: RouteUpdate): BarrierStep {
  return { state: ended(from.identity, { type: "unasked" }, { type: "routed", route }), effects: [] };
}

/** S8: the 42 that came after its 44; its answer is remembered (I9). */
export function becomeRefused(from: EndedBarrier, answer: Extract<SealAnswer, { type: "refused" }>): BarrierStep {
  return { state: { ...from, answer }, effects: [] };
}

/** An identity that ended without a route has now been told one. */
export function becomeRouted(from: EndedBarrier, route: RouteUpdate): BarrierStep {
  return { state: { ...from, end: { type: "routed", route } }, effects: [] };
}

/** What a repeat of the 42 is answered with in this state. */
export function answerIn(state: ActiveBarrier): SealAnswer {
  if (state.type === "verifying") return state.before.answer;
  return state.type === "applying" || state.type === "resolving" ? state.answer : answerOf(state.seal);
}

function answerOf(seal: Seal): SealAnswer {
  return { type: "sealed", fingerprint: seal.fingerprint, command: sealedAnswer(seal.command) };
}

function refusedAnswerOf(seal: Seal): SealAnswer {
  return { type: "refused", fingerprint: seal.fingerprint, command: refusalOf(seal) };
}

/** S6: what a source is told whose seal could not be set. */
function refusalOf(seal: Seal): RelocationFailed {
  return refusalAnswer(seal.command, ownerOf(seal.command), "requestRejected");
}

function ended(identity: string, answer: SealAnswer, end: BarrierEnd): EndedBarrier {
  return { type: "ended", identity, answer, end };
}

function sendSealed(seal: Seal): BarrierEffect {
  return { type: "SendSealed", peer: seal.command.coordinator.nodeRid, command: sealedAnswer(seal.command) };
}

function sendRefusal(seal: Seal): BarrierEffect {
  return { type: "SendRefusal", peer: seal.command.coordinator.nodeRid, command: refusalOf(seal) };
}

function readAuthority(subject: BarrierSubject, moment: Moment): BarrierEffect {
  const binding = bindingOf(subject);
  return {
    type: "ReadAuthority",
    identity: subject.identity,
    binding,
    read: moment.nextRead,
    actorId: binding.actorId,
  };
}

function repoint(subject: BarrierSubject, route: BindingRoute): BarrierEffect {
  return { type: "RepointBinding", identity: subject.identity, binding: bindingOf(subject), route };
}
