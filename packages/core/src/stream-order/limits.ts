/** How much an actor's owner keeps for the order of what it receives (`protocol.md` N4, N6, I8). */
export interface StreamLimits {
  /** The follow period: as long as a message can be on its way through former owners (F1). */
  readonly followMs: number;
  readonly maxStreams: number;
  /** Messages ahead of their turn, of all streams of the actor together. */
  readonly maxWaiting: number;
  readonly maxWaitingBytes: number;
  /** Ranges of given-up places that are remembered for one stream. */
  readonly maxSkippedRanges: number;
}

/**
 * - `followMs` 30 s and `maxStreams` 10,000: F1 and N6.
 * - 1,024 and 16 MiB: what one former owner can have waiting for the actor (F1), and so what can be overtaken.
 * - `maxSkippedRanges` 16: a gap that nobody closed is rare, and each costs a follow period. Beyond it the oldest ranges
 *   are forgotten, and a message for one counts as a repeat.
 */
export const DEFAULT_STREAM_LIMITS: StreamLimits = Object.freeze({
  followMs: 30_000,
  maxStreams: 10_000,
  maxWaiting: 1_024,
  maxWaitingBytes: 16 * 1024 * 1024,
  maxSkippedRanges: 16,
});

/**
 * A sender that sent nothing on a stream for this part of the follow period says so in its next message (`resumes`). The
 * receiver forgets a stream after the whole of it, so that a sender always says it when it matters, whatever the way
 * takes.
 */
export const RESUMES_AFTER_PART_OF_FOLLOW = 0.5;
