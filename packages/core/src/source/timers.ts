/**
 * The timers of a source move.
 *
 * - `deadline`: the whole move, up to the 34 (O3) and after it for the verdict of the store (O5).
 * - `retryRead`: the pause before the store is read again.
 */
export type SourceTimer = "deadline" | "retryRead";
