/** Time, so that tests can bring their own. The runtime's `Clock` fits. */
export interface ClientClock {
  /** Monotonic. */
  nowMs(): number;
  /** Runs `fn` once, not before `delayMs` has passed, unless it is cancelled. */
  after(delayMs: number, fn: () => void): { cancel(): void };
}

interface Timers {
  readonly performance: { now(): number };
  setTimeout(fn: () => void, delayMs: number): unknown;
  clearTimeout(handle: unknown): void;
}

/** The longest delay that `setTimeout` knows; a longer one would fire at once. */
const MAX_DELAY_MS = 2_147_483_647;

const now = (): number => (globalThis as unknown as Timers).performance.now();

/**
 * The real clock. Its timers keep a Node process alive: a client that waits for its next try to connect is not done.
 * `close()` cancels them all.
 */
export const systemClock: ClientClock = {
  nowMs: now,
  after(delayMs, fn) {
    const timers = globalThis as unknown as Timers;
    const dueMs = now() + delayMs;
    let handle: unknown;
    const wait = (waitMs: number): void => {
      handle = timers.setTimeout(
        () => {
          // `setTimeout` counts whole milliseconds of a clock of its own, so it can be a little early.
          const leftMs = dueMs - now();
          if (leftMs > 0) wait(leftMs);
          else fn();
        },
        Math.min(Math.ceil(waitMs), MAX_DELAY_MS),
      );
    };
    wait(delayMs);
    return { cancel: () => timers.clearTimeout(handle) };
  },
};
