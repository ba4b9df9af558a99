import { randomFillSync } from "node:crypto";
import type { Clock, Random } from "@rehome/core";

const NANOSECONDS_PER_MILLISECOND = 1e6;
/** setTimeout takes a signed 32-bit number of milliseconds; longer waits are clamped and simply wake early. */
const LONGEST_TIMEOUT_MS = 0x7fffffff;

/** The machine's clock: `nowMs` is the monotonic clock that all processes of one machine share. */
export const systemClock: Clock = {
  nowMs: () => Number(process.hrtime.bigint()) / NANOSECONDS_PER_MILLISECOND,
  unixMs: () => Date.now(),
  after(delayMs, fn) {
    const timer = setTimeout(fn, Math.min(Math.max(delayMs, 0), LONGEST_TIMEOUT_MS));
    timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
};

/** Cryptographically strong random bytes. */
export const systemRandom: Random = { bytes: (count) => randomFillSync(new Uint8Array(count)) };
