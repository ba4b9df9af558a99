/** A timer that was started with {@link Clock.after}. */
export interface TimerHandle {
  /** Stops the timer; its function MUST NOT run afterwards. A second call does nothing. */
  cancel(): void;
}

/**
 * Time, injected. Nothing outside an implementation of this port reads a real clock.
 *
 * - `nowMs` MUST be monotonic and MUST NOT jump with the wall clock. Its zero is arbitrary; fractions are allowed.
 * - `unixMs` is wall-clock time, for deadlines that cross processes (`deadlineUnixMs`) and for logs, never for intervals.
 * - `after` MUST run `fn` once, not before `delayMs` has passed, and MUST NOT keep the process alive by itself.
 */
export interface Clock {
  nowMs(): number;
  unixMs(): number;
  after(delayMs: number, fn: () => void): TimerHandle;
}
