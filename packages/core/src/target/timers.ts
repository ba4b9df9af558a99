/**
 * The timers of a target move.
 *
 * - `deadline`: up to the first commit write the attempt is dropped unrun (T5); after it, the doubt is ended by the
 *   target's own fence write (T6).
 * - `retryStore`: the pause before the store is asked again.
 */
export type TargetTimer = "deadline" | "retryStore";
