import type { Random } from "@rehome/core";

/** A transaction takes some 50 µs, so that the shortest wait of a timer is enough for most. */
const FIRST_PAUSE_MS = 1;
/** Long enough that dozens of waiting processes do not keep a core busy, short against a move. */
const LONGEST_PAUSE_MS = 16;

export interface Backoff {
  /** How long to wait before the next attempt; grows from call to call. */
  nextMs(): number;
}

/** Pauses that double up to a limit, each shortened at random by up to half, so that processes do not try in step. */
export function backoff(random: Random): Backoff {
  let pauseMs = FIRST_PAUSE_MS;
  return {
    nextMs() {
      const jittered = pauseMs * (1 - random.bytes(1)[0]! / 512);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      return jittered;
    },
  };
}
