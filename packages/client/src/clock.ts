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

/**
 * The real clock. Its timers keep a Node process alive: a client that waits for its next try to connect is not done.
 * `close()` cancels them all.
 */
export const systemClock: ClientClock = {
  nowMs: () => (globalThis as unknown as Timers).performance.now(),
  after(delayMs, fn) {
    const timers = globalThis as unknown as Timers;
    const handle = timers.setTimeout(fn, Math.min(delayMs, MAX_DELAY_MS));
    return { cancel: () => timers.clearTimeout(handle) };
  },
};

/** The longest delay that `setTimeout` knows; a longer one would fire at once. */
const MAX_DELAY_MS = 2_147_483_647;
