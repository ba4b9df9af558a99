import type { RouteUpdate } from "@rehome/wire";
import type { BindingRoute } from "./effects.ts";
import { confirms, ownerEvidence } from "./evidence.ts";
import type { OwnerEvidence } from "./evidence.ts";
import { isSameRoute, isUntouched, routeSenderDifference, sealFenceDifference } from "./fence.ts";
import type { BarrierInput } from "./inputs.ts";
import {
  answerAgain,
  identityOf,
  noteRoute,
  refuse,
  refuseRoute,
  routeFields,
  stay,
  unlessMatching,
  unlessRepeat,
} from "./received.ts";
import type { RouteReceived } from "./received.ts";
import { report } from "./reports.ts";
import { stepEnded } from "./step-ended.ts";
import { isActive } from "./state.ts";
import type { BarrierState, CommitRoute, SealingBarrier } from "./state.ts";
import {
  answerIn,
  becomeAborted,
  becomeApplying,
  becomeApplyingLate,
  becomeBindingEnded,
  becomeCleared,
  becomeCommitted,
  becomeConfirming,
  becomeEndedAsBefore,
  becomeEndedUnasked,
  becomeResolving,
  becomeResolvingAgain,
  becomeSealed,
  becomeSealedAgain,
  becomeSealing,
  becomeSealingRouted,
  becomeUnsealed,
} from "./transitions.ts";
import type { BarrierStep, Moment } from "./transitions.ts";

type In<T extends BarrierState["type"]> = Extract<BarrierState, { type: T }>;
type Got<T extends BarrierInput["type"]> = Extract<BarrierInput, { type: T }>;

/**
 * One identity of a session barrier (`protocol.md` section 5): takes one fact, gives back the new state and what to do.
 * An input that its state does not wait for changes nothing.
 */
export function stepBarrier(state: BarrierState, input: BarrierInput, moment: Moment): BarrierStep {
  if (input.type === "SealDeadlinePassed" && isActive(state) && moment.nowMs < state.giveUpAtMs) {
    // A timer of an earlier phase: the identity's deadline is absolute.
    const delayMs = state.giveUpAtMs - moment.nowMs;
    return stay(state, [{ type: "StartSealTimer", identity: identityOf(state), delayMs }]);
  }
  if (input.type === "Cleared") return isActive(state) ? becomeCleared(state, input.reason) : stay(state);
  switch (state.type) {
    case "unknown":
      return stepUnknown(state, input, moment);
    case "sealing":
    case "sealingRouted":
      return stepSealing(state, input, moment);
    case "sealed":
      return stepSealed(state, input, moment);
    case "confirming":
      return stepConfirming(state, input, moment);
    case "resolving":
      return stepResolving(state, input, moment);
    case "verifying":
      return stepVerifying(state, input, moment);
    case "applying":
      return stepApplying(state, input);
    case "ended":
      return stepEnded(state, input, moment);
  }
}

function stepUnknown(state: In<"unknown">, input: BarrierInput, moment: Moment): BarrierStep {
  switch (input.type) {
    case "SealReceived": {
      const field = sealFenceDifference(input);
      if (field !== undefined) return refuse(state, input, "actorLocationStale", field);
      if (moment.rival !== undefined) return refuse(state, input, "requestRejected", "session.bindingGeneration");
      const { command, bytes } = input;
      const subject = { identity: state.identity, fence: command.actor, session: command.session };
      return becomeSealing({ subject, command, fingerprint: bytes }, moment);
    }
    case "RouteReceived": {
      const field = routeSenderDifference(input.peer, input.command);
      if (field !== undefined) return refuseRoute(state, input, field);
      return noteRoute(becomeEndedUnasked(state, input.command.route).state, input, "route.unknownIdentity");
    }
    default:
      return stay(state);
  }
}

function stepSealing(state: SealingBarrier, input: BarrierInput, moment: Moment): BarrierStep {
  switch (input.type) {
    case "SealReceived":
      return unlessRepeat(state, input, state.seal.fingerprint) ?? stay(state);
    case "RouteReceived":
      if (state.type === "sealing") {
        return unlessMatching(state, input) ?? becomeSealingRouted(state, input.command.route);
      }
      return repeatOrRefuse(state, input, state.route);
    case "SealInstalled": {
      const sealed = becomeSealed(state);
      if (state.type === "sealing") return sealed;
      return after(sealed, acceptRoute(sealed.state, state.route, moment));
    }
    case "SealInstallFailed": {
      const unsealed = becomeUnsealed(state);
      const told = report("seal.failed", { identity: identityOf(state), reason: input.reason });
      if (state.type === "sealing") return { ...unsealed, effects: [...unsealed.effects, told] };
      // The 44 that waited finds no registration any more (S8).
      const ended = becomeEndedUnasked(unsealed.state, state.route);
      return { state: ended.state, effects: [...unsealed.effects, told, ...ended.effects] };
    }
    case "SealDeadlinePassed":
      return deadlinePassed(state, moment);
    default:
      return stay(state);
  }
}

function stepSealed(state: In<"sealed">, input: BarrierInput, moment: Moment): BarrierStep {
  switch (input.type) {
    case "SealReceived":
      return answerAgain(state, input, answerIn(state));
    case "RouteReceived":
      return unlessMatching(state, input) ?? acceptRoute(state, input.command.route, moment);
    case "SealDeadlinePassed":
      return deadlinePassed(state, moment);
    default:
      return stay(state);
  }
}

function stepConfirming(state: In<"confirming">, input: BarrierInput, moment: Moment): BarrierStep {
  switch (input.type) {
    case "SealReceived":
      return answerAgain(state, input, answerIn(state));
    case "RouteReceived":
      return repeatOrRefuse(state, input, state.route);
    case "AuthorityRead":
      return input.read === state.read ? confirmed(state, input, moment) : stay(state);
    case "SealDeadlinePassed":
      return deadlinePassed(state, moment);
    default:
      return stay(state);
  }
}

function stepResolving(state: In<"resolving">, input: BarrierInput, moment: Moment): BarrierStep {
  switch (input.type) {
    case "SealReceived":
      return answerAgain(state, input, answerIn(state));
    case "RouteReceived":
      return unlessMatching(state, input) ?? acceptRoute(state, input.command.route, moment);
    case "AuthorityRead":
      return input.read === state.read ? resolved(state, input, moment) : stay(state);
    case "SealDeadlinePassed":
      return becomeBindingEnded(state, "ownerUnknown");
    default:
      return stay(state);
  }
}

function stepVerifying(state: In<"verifying">, input: BarrierInput, moment: Moment): BarrierStep {
  switch (input.type) {
    case "SealReceived":
      return answerAgain(state, input, answerIn(state));
    case "RouteReceived":
      return repeatOrRefuse(state, input, state.route);
    case "AuthorityRead":
      return input.read === state.read ? verified(state, input, moment) : stay(state);
    case "SealDeadlinePassed":
      return unconfirmed(becomeEndedAsBefore(state), state, "no answer in time");
    default:
      return stay(state);
  }
}

function stepApplying(state: In<"applying">, input: BarrierInput): BarrierStep {
  switch (input.type) {
    case "SealReceived":
      return answerAgain(state, input, answerIn(state));
    case "RouteReceived":
      return repeatOrRefuse(state, input, state.route);
    case "RouteApplied":
      return becomeCommitted(state);
    case "RouteApplyFailed":
      return applyFailed(state, input.reason);
    case "SealDeadlinePassed":
      return applyFailed(state, "not done in time");
    default:
      return stay(state);
  }
}

/** S9–S12: an accepted 44. A commit that does not say everything, or is behind what is known (S15), asks the store. */
function acceptRoute(state: In<"sealed" | "resolving">, route: RouteUpdate, moment: Moment): BarrierStep {
  if (route.action === "abort") return becomeAborted(state, route);
  const to = routeOf(route);
  if (to !== undefined && to.authorityOwnerGeneration >= moment.newest) {
    return state.type === "sealed" ? becomeApplying(state, to, route) : becomeApplyingLate(state, to, route, moment);
  }
  // While resolving, the store is being asked already.
  return state.type === "sealed" ? becomeConfirming(state, route, moment) : stay(state);
}

function routeOf(route: CommitRoute): BindingRoute | undefined {
  const ownerLeaseGeneration = route.targetOwnerLeaseGeneration;
  if (ownerLeaseGeneration === undefined) return undefined;
  return {
    nodeRid: route.targetNodeRid,
    nodeGeneration: route.targetNodeGeneration,
    authorityOwnerGeneration: route.targetAuthorityOwnerGeneration,
    ownerLeaseGeneration,
  };
}

/** S11: the store's word on a commit that was accepted. */
function confirmed(state: In<"confirming">, input: Got<"AuthorityRead">, moment: Moment): BarrierStep {
  if (!isUntouched(input.binding, state.seal.subject)) return becomeCleared(state, "bindingEnded");
  const evidence = ownerEvidence(input.answer, state.seal.subject.fence, moment.newest);
  switch (evidence.type) {
    case "newer":
      if (confirms(evidence.route, state.route)) return becomeApplying(state, evidence.route, state.route);
      return unconfirmed(becomeSealedAgain(state), state, "the store names another owner");
    case "gone":
      return becomeBindingEnded(state, "ownerGone");
    case "outdated":
      return becomeConfirming(state, state.route, moment);
    case "unchanged":
    case "unreadable":
      return unconfirmed(becomeSealedAgain(state), state, reasonOf(evidence));
  }
}

/** S5: the store decides. */
function resolved(state: In<"resolving">, input: Got<"AuthorityRead">, moment: Moment): BarrierStep {
  const { subject } = state.seal;
  if (!isUntouched(input.binding, subject)) return becomeCleared(state, "bindingEnded");
  const evidence = ownerEvidence(input.answer, subject.fence, moment.newest);
  const sealedGeneration = subject.fence.authorityOwnerGeneration;
  switch (evidence.type) {
    case "unchanged":
      return becomeAborted(state, { action: "abort", currentAuthorityOwnerGeneration: sealedGeneration });
    case "newer":
      return becomeApplyingLate(state, evidence.route, commitTo(evidence.route, sealedGeneration), moment);
    case "gone":
      return becomeBindingEnded(state, "ownerGone");
    case "outdated":
      return becomeResolvingAgain(state, moment);
    case "unreadable":
      return becomeBindingEnded(state, "ownerUnknown");
  }
}

/** S7: the store's word on a commit that came after the end. */
function verified(state: In<"verifying">, input: Got<"AuthorityRead">, moment: Moment): BarrierStep {
  if (!isUntouched(input.binding, state.subject)) return becomeCleared(state, "bindingEnded");
  const evidence = ownerEvidence(input.answer, state.subject.fence, moment.newest);
  if (evidence.type === "newer" && confirms(evidence.route, state.route)) {
    return becomeApplyingLate(state, evidence.route, state.route, moment);
  }
  return unconfirmed(becomeEndedAsBefore(state), state, reasonOf(evidence));
}

function commitTo(route: BindingRoute, previousAuthorityOwnerGeneration: bigint): CommitRoute {
  return {
    action: "commit",
    previousAuthorityOwnerGeneration,
    targetAuthorityOwnerGeneration: route.authorityOwnerGeneration,
    targetNodeRid: route.nodeRid,
    targetNodeGeneration: route.nodeGeneration,
    targetOwnerLeaseGeneration: route.ownerLeaseGeneration,
  };
}

function deadlinePassed(state: SealingBarrier | In<"sealed" | "confirming">, moment: Moment): BarrierStep {
  const { effects, state: resolving } = becomeResolving(state, moment);
  return { state: resolving, effects: [...effects, report("seal.deadlinePassed", { identity: identityOf(state) })] };
}

function applyFailed(state: In<"applying">, reason: string): BarrierStep {
  const ended = becomeBindingEnded(state, "routeFailed");
  const told = report("route.applyFailed", { identity: identityOf(state), reason, ...routeFields(state.route) });
  return { state: ended.state, effects: [...ended.effects, told] };
}

/** A 44 while another one is being worked on: the same again is nothing, another one contradicts it (I9). */
function repeatOrRefuse(state: BarrierState, input: RouteReceived, accepted: RouteUpdate): BarrierStep {
  return isSameRoute(accepted, input.command.route)
    ? noteRoute(state, input, "route.repeated")
    : refuseRoute(state, input, "route");
}

function unconfirmed(step: BarrierStep, from: In<"confirming" | "verifying">, reason: string): BarrierStep {
  const told = report("route.unconfirmed", { identity: identityOf(from), reason, ...routeFields(from.route) });
  return { state: step.state, effects: [...step.effects, told] };
}

function reasonOf(evidence: OwnerEvidence): string {
  return evidence.type === "unreadable" ? evidence.reason : `the store says: ${evidence.type}`;
}

function after(first: BarrierStep, then: BarrierStep): BarrierStep {
  return { state: then.state, effects: [...first.effects, ...then.effects] };
}
