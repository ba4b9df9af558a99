import { surelyStandsUntil } from "./decisions.ts";
import type { LeaseState } from "./state.ts";

/**
 * What holds in every state of a lease; the broken ones, by number.
 *
 * 1. No lease is taken to stand longer than one that would have been asked for just now.
 * 2. A renewal was not asked for in the future.
 */
export function brokenLeaseInvariants(state: LeaseState, now: number): readonly string[] {
  const broken: string[] = [];
  if (state.type === "ended") return broken;
  if (state.validUntilMs > surelyStandsUntil(now, state.config.durationMs)) broken.push("1: it stands too long");
  if (state.type === "renewing" && state.askedAtMs > now) broken.push("2: asked for in the future");
  return broken;
}
