import type { RenewAnswer } from "../ports/authority-store.ts";
import { AFTER_RENEWAL } from "./decisions.ts";
import type { LeaseConfig, LeaseInput, LeaseState, LeaseStep, StandingLease } from "./state.ts";
import {
  becomeEnded,
  becomeGranted,
  becomeRenewed,
  becomeRenewing,
  becomeRetrying,
  becomeStopped,
} from "./transitions.ts";

/** Begins to keep a lease that the store granted for `durationMs`; `askedAtMs` is when the call was made. */
export function startLease(
  config: LeaseConfig,
  granted: { readonly askedAtMs: number; readonly durationMs: number },
  now: number,
): LeaseStep {
  return becomeGranted(config, granted, now);
}

/**
 * `protocol.md` L1: takes one fact and the time on the node's own monotonic clock. Whatever the fact is, a lease that may
 * have ended by then is over; an answer that comes later brings nothing back.
 */
export function stepLease(state: LeaseState, input: LeaseInput, now: number): LeaseStep {
  if (state.type === "ended") return stay(state);
  if (input.type === "Stopped") return becomeStopped(state);
  if (now >= state.validUntilMs) return becomeEnded(state, "lapsed");
  switch (state.type) {
    case "resting":
      if (input.type === "TimerFired" && input.timer === "renew") return becomeRenewing(state, now);
      return input.type === "TimerFired" ? expireAgain(state, now) : stay(state);
    case "renewing":
      if (input.type === "RenewSettled") return afterRenewal(state, input.answer, now);
      if (input.type === "RenewRejected") return becomeEnded(state, "storeFailed");
      return input.type === "TimerFired" && input.timer === "expiry" ? expireAgain(state, now) : stay(state);
  }
}

/** Whether anything of this run may have effect at this moment. */
export function leaseStands(state: LeaseState, now: number): boolean {
  return state.type !== "ended" && now < state.validUntilMs;
}

function afterRenewal(
  state: Extract<StandingLease, { type: "renewing" }>,
  answer: RenewAnswer,
  now: number,
): LeaseStep {
  const decision = AFTER_RENEWAL[answer.outcome];
  switch (decision) {
    case "extend":
      return becomeRenewed(state, durationOf(answer), now);
    case "retry":
      return becomeRetrying(state, answer.outcome === "unknown" ? answer.reason : answer.outcome);
    case "refused":
    case "replaced":
      return becomeEnded(state, decision);
  }
}

function durationOf(answer: RenewAnswer): number {
  return answer.outcome === "renewed" ? answer.durationMs : 0;
}

/** Timers may fire a little early by the clock; the rest is waited for. */
function expireAgain(state: StandingLease, now: number): LeaseStep {
  return { state, effects: [{ type: "StartTimer", timer: "expiry", delayMs: state.validUntilMs - now }] };
}

function stay(state: LeaseState): LeaseStep {
  return { state, effects: [] };
}
