import type { RenewAnswer } from "../ports/authority-store.ts";

/** What a lease's keeper is told when it begins. */
export interface LeaseConfig {
  /** What every renewal asks for, in ms. */
  readonly durationMs: number;
}

/**
 * What is true of a run's own lease. Every time is on the node's monotonic clock. `validUntilMs` is until when the lease
 * surely stands: counted from before the call that got it was made, with the margin taken off (`protocol.md` L1).
 */
export type LeaseState = StandingLease | EndedLease;

export type StandingLease =
  /** The `renew` timer runs. */
  | { readonly type: "resting"; readonly config: LeaseConfig; readonly validUntilMs: number }
  /** A renewal is out, asked for at `askedAtMs`. */
  | {
      readonly type: "renewing";
      readonly config: LeaseConfig;
      readonly validUntilMs: number;
      readonly askedAtMs: number;
    };

/** Nothing of this run may have effect any more (`protocol.md` I1). */
export interface EndedLease {
  readonly type: "ended";
}

/**
 * - `lapsed`: it was not renewed before it may have ended. `refused`: the store says that it has ended. `replaced`: the store
 *   says that a newer run of the same node has begun. `storeFailed`: the store broke its own contract.
 */
export type LeaseLossReason = "lapsed" | "refused" | "replaced" | "storeFailed";

/** Facts. Each is told with the time, and the time alone can end a lease: a suspended process wakes with any of them. */
export type LeaseInput =
  /** A timer fired. */
  | { readonly type: "TimerFired"; readonly timer: LeaseTimer }
  | { readonly type: "RenewSettled"; readonly answer: RenewAnswer }
  /** The store's promise was rejected, which its port forbids. */
  | { readonly type: "RenewRejected" }
  /** Somebody is about to act and looks whether the lease still stands. */
  | { readonly type: "Looked" }
  /** The node ends by its own will. */
  | { readonly type: "Stopped" };

/** `renew`: the next renewal is due. `expiry`: from then on the lease may have ended. */
export type LeaseTimer = "renew" | "expiry";

export type LeaseEffect =
  /** Answer with `RenewSettled`. At most one is out at a time. */
  | { readonly type: "RenewLease"; readonly durationMs: number }
  /** Starting a timer that runs replaces it. */
  | { readonly type: "StartTimer"; readonly timer: LeaseTimer; readonly delayMs: number }
  | { readonly type: "StopTimer"; readonly timer: LeaseTimer }
  /** The store gave no answer; for the log. */
  | { readonly type: "ReportUnrenewed"; readonly reason: string }
  /** Once, and nothing after it: stop everything of this run, now. */
  | { readonly type: "LoseLease"; readonly reason: LeaseLossReason };

export interface LeaseStep {
  readonly state: LeaseState;
  readonly effects: readonly LeaseEffect[];
}
