import { CoreError } from "../errors.ts";

/** How much a session owner keeps, and for how long. Every buffer has a count and a byte limit (`protocol.md` I8). */
export interface BarrierLimits {
  /** S5: from the arrival of a 42 until the owner asks the store itself. */
  readonly sealDeadlineMs: number;
  /** The longest that a reading of the store, or the repointing of a binding, may take after that. */
  readonly storeResolutionMs: number;
  /** S17, client messages held for one binding. */
  readonly maxHeldMessages: number;
  readonly maxHeldMessageBytes: number;
  /** S17, pushes of a target that spoke before its route arrived, for one binding. */
  readonly maxHeldPushes: number;
  readonly maxHeldPushBytes: number;
  /** Messages and pushes held for all bindings of the node together. */
  readonly maxHeldTotalBytes: number;
  /** S14: ended identities remembered. */
  readonly maxEndedIdentities: number;
  /** S15: actors whose newest authority generation is remembered. */
  readonly maxActorGenerations: number;
}

/**
 * - `sealDeadlineMs` 20 s: a move may take 10 s and its store resolution 5 s (S5); the rest is for the way.
 * - 1,024 and 16 MiB per binding: what a source may hold for the whole actor (H1), so that neither side gives up first.
 * - `maxHeldTotalBytes` 256 MiB: what a node may have in flight for moves (T4).
 * - `maxEndedIdentities` 4,096: S14. 64 outbound moves of 64 sessions each.
 * - `maxActorGenerations` 65,536: a number per actor. Past it the binding's own route is the only guard.
 */
export const DEFAULT_BARRIER_LIMITS: BarrierLimits = Object.freeze({
  sealDeadlineMs: 20_000,
  storeResolutionMs: 5_000,
  maxHeldMessages: 1_024,
  maxHeldMessageBytes: 16 * 1024 * 1024,
  maxHeldPushes: 1_024,
  maxHeldPushBytes: 16 * 1024 * 1024,
  maxHeldTotalBytes: 256 * 1024 * 1024,
  maxEndedIdentities: 4_096,
  maxActorGenerations: 65_536,
});

/**
 * `protocol.md` S5: a seal must outlive the move that it serves together with that move's store resolution, or the owner
 * would decide on its own while the move can still commit. Throws {@link CoreError} `deadlinesInconsistent`.
 */
export function checkSealDeadline(deadlines: {
  readonly sealDeadlineMs: number;
  readonly moveDeadlineMs: number;
  readonly storeResolutionMs: number;
}): void {
  const { sealDeadlineMs, moveDeadlineMs, storeResolutionMs } = deadlines;
  if (sealDeadlineMs > moveDeadlineMs + storeResolutionMs) return;
  throw new CoreError(
    "deadlinesInconsistent",
    `A seal of ${sealDeadlineMs} ms can end before its move is decided: set it above ` +
      `${moveDeadlineMs + storeResolutionMs} ms (move ${moveDeadlineMs} + store resolution ${storeResolutionMs}).`,
  );
}
