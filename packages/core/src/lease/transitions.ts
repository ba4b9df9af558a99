import { RENEW_AFTER_SHARE, RETRY_AFTER_SHARE, surelyStandsUntil } from "./decisions.ts";
import type { LeaseConfig, LeaseEffect, LeaseLossReason, LeaseStep, LeaseTimer, StandingLease } from "./state.ts";

interface Granted {
  readonly askedAtMs: number;
  readonly durationMs: number;
}
type In<T extends StandingLease["type"]> = Extract<StandingLease, { type: T }>;

/** The store has granted a lease; it may have ended again before the answer came. */
export function becomeGranted(config: LeaseConfig, granted: Granted, now: number): LeaseStep {
  return standing(config, granted, now) ?? lost([], "lapsed");
}

export function becomeRenewed(from: In<"renewing">, durationMs: number, now: number): LeaseStep {
  const { config, askedAtMs } = from;
  return standing(config, { askedAtMs, durationMs }, now) ?? becomeEnded(from, "lapsed");
}

/** The lease stands for `durationMs` from `askedAtMs`, when it was asked for; `undefined` if it may have ended by now. */
function standing(config: LeaseConfig, granted: Granted, now: number): LeaseStep | undefined {
  const validUntilMs = surelyStandsUntil(granted.askedAtMs, granted.durationMs);
  if (now >= validUntilMs) return undefined;
  const renewAtMs = granted.askedAtMs + granted.durationMs * RENEW_AFTER_SHARE;
  return {
    state: { type: "resting", config, validUntilMs },
    effects: [
      { type: "StartTimer", timer: "renew", delayMs: Math.max(0, renewAtMs - now) },
      { type: "StartTimer", timer: "expiry", delayMs: validUntilMs - now },
    ],
  };
}

export function becomeRenewing(from: In<"resting">, now: number): LeaseStep {
  const { config, validUntilMs } = from;
  return {
    state: { type: "renewing", config, validUntilMs, askedAtMs: now },
    effects: [{ type: "RenewLease", durationMs: config.durationMs }],
  };
}

/** No answer: the old validity still counts, and the expiry timer still runs. */
export function becomeRetrying(from: In<"renewing">, reason: string): LeaseStep {
  const { config, validUntilMs } = from;
  return {
    state: { type: "resting", config, validUntilMs },
    effects: [
      { type: "ReportUnrenewed", reason },
      { type: "StartTimer", timer: "renew", delayMs: config.durationMs * RETRY_AFTER_SHARE },
    ],
  };
}

export function becomeEnded(from: StandingLease, reason: LeaseLossReason): LeaseStep {
  return lost(timersOf(from), reason);
}

/** By the node's own will: nobody has to be told. */
export function becomeStopped(from: StandingLease): LeaseStep {
  return { state: { type: "ended" }, effects: stop(timersOf(from)) };
}

function lost(running: readonly LeaseTimer[], reason: LeaseLossReason): LeaseStep {
  return { state: { type: "ended" }, effects: [...stop(running), { type: "LoseLease", reason }] };
}

/** While a renewal is out, none is due. */
function timersOf(state: StandingLease): readonly LeaseTimer[] {
  return state.type === "resting" ? ["renew", "expiry"] : ["expiry"];
}

function stop(timers: readonly LeaseTimer[]): LeaseEffect[] {
  return timers.map((timer) => ({ type: "StopTimer", timer }));
}
