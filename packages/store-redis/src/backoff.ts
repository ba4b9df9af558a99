import type { Random } from "@rehome/core";

/** A connection that broke is usually there again at once. */
const FIRST_PAUSE_MS = 10;
/** Long enough that a thousand clients do not keep a server that starts from starting, short against a lease. */
const LONGEST_PAUSE_MS = 1000;

export interface Backoff {
  /** How long to wait before the next attempt; grows from call to call. */
  nextMs(): number;
  /** The next pause is the first one again. */
  reset(): void;
}

/** Pauses that double up to a limit, each shortened at random by up to half, so that clients do not come back in step. */
export function backoff(random: Random): Backoff {
  let pauseMs = FIRST_PAUSE_MS;
  return {
    nextMs() {
      const jitteredMs = pauseMs * (1 - random.bytes(1)[0]! / 512);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      return jitteredMs;
    },
    reset: () => void (pauseMs = FIRST_PAUSE_MS),
  };
}
