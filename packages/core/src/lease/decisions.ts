import type { RenewAnswer } from "../ports/authority-store.ts";

/**
 * L1: the node stops this share of a lease before it ends. It covers clocks whose pace differs by as much (real ones
 * differ by a thousandth of it) and a turn that notices late.
 */
export const LEASE_MARGIN = 0.1;
/** A lease is renewed when this share of it has passed (L1: well before it ends). */
export const RENEW_AFTER_SHARE = 1 / 3;
/**
 * A renewal without an answer is repeated after this share: a store that is away for half a lease is asked several times
 * before the node has to stop, and a thousand nodes do not fall upon a store that is just coming back.
 */
export const RETRY_AFTER_SHARE = 1 / 10;

/**
 * - `extend`: it stands for as long again, from when it was asked for.
 * - `retry`: nobody can tell; what was known of the lease still counts.
 * - `refused`: it has ended.
 * - `replaced`: another process is this node by now.
 */
export type RenewalDecision = "extend" | "retry" | "refused" | "replaced";

/** What the store's word on a renewal means. A lost answer is never taken for success. */
export const AFTER_RENEWAL: Readonly<Record<RenewAnswer["outcome"], RenewalDecision>> = {
  renewed: "extend",
  staleLease: "refused",
  superseded: "replaced",
  unknown: "retry",
};

/** Until when a lease surely stands that was asked for at `askedAtMs`: the store counted from then at the earliest. */
export function surelyStandsUntil(askedAtMs: number, durationMs: number): number {
  return askedAtMs + durationMs * (1 - LEASE_MARGIN);
}
