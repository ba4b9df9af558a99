import { randomFillSync } from "node:crypto";
import type { Clock, Log, Random } from "@rehome/core";

const NANOSECONDS_PER_MILLISECOND = 1e6;
/** `setTimeout` counts in a signed 32-bit number. A wait of 24 days that ends early is one nobody has. */
const LONGEST_TIMEOUT_MS = 0x7fffffff;

/** The machine's clock. `nowMs` is the monotonic one that all processes of a machine share. */
export const systemClock: Clock = {
  nowMs: () => Number(process.hrtime.bigint()) / NANOSECONDS_PER_MILLISECOND,
  unixMs: () => Date.now(),
  after: (delayMs, fn) => {
    // `setTimeout` cuts fractions off, and a timer must not be early.
    const timer = setTimeout(fn, Math.min(Math.ceil(Math.max(0, delayMs)), LONGEST_TIMEOUT_MS));
    timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
};

/** The machine's source of cryptographically strong bytes. */
export const systemRandom: Random = { bytes: (count) => randomFillSync(new Uint8Array(count)) };

/** For who does not want to hear. */
export const silentLog: Log = { write: () => undefined };
