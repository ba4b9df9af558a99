import { RENEW_AFTER_SHARE, RETRY_AFTER_SHARE, surelyStandsUntil } from "./decisions.ts";
import type { LeaseConfig, LeaseEffect, LeaseLossReason, LeaseStep, StandingLease } from "./state.ts";

type In<T extends StandingLease["type"]> = Extract<StandingLease, { type: T }>;

/** The lease stands for `durationMs` from `askedAtMs`, when it was asked for. */
export function becomeRenewed(
  config: LeaseConfig,
  granted: { readonly askedAtMs: number; readonly durationMs: number },
  now: number,
): LeaseStep {
  const validUntilMs = surelyStandsUntil(granted.askedAtMs, granted.durationMs);
  if (now >= validUntilMs) return becomeEnded("lapsed");
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

export function becomeEnded(reason: LeaseLossReason): LeaseStep {
  return { state: { type: "ended" }, effects: [...stopTimers(), { type: "LoseLease", reason }] };
}

/** By the node's own will: nobody has to be told. */
export function becomeStopped(): LeaseStep {
  return { state: { type: "ended" }, effects: stopTimers() };
}

function stopTimers(): LeaseEffect[] {
  return [
    { type: "StopTimer", timer: "renew" },
    { type: "StopTimer", timer: "expiry" },
  ];
}
