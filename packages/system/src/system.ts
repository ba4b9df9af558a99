import { randomFillSync } from "node:crypto";
import type { Clock, Log, Random } from "@rehome/core";

const NANOSECONDS_PER_MILLISECOND = 1e6;
/** `setTimeout` counts in a signed 32-bit number; a longer wait is made of several. */
const LONGEST_TIMEOUT_MS = 0x7fffffff;

/** The machine's clock. `nowMs` is monotonic; on Node it is the clock that all processes of a machine share. */
export const systemClock: Clock = {
  nowMs: () => Number(process.hrtime.bigint()) / NANOSECONDS_PER_MILLISECOND,
  unixMs: () => Date.now(),
  after: (delayMs, fn) => {
    const dueMs = systemClock.nowMs() + delayMs;
    let timer: NodeJS.Timeout;
    const arm = (waitMs: number): void => {
      timer = setTimeout(wake, Math.min(Math.ceil(Math.max(0, waitMs)), LONGEST_TIMEOUT_MS)).unref();
    };
    // Node counts from when its loop last looked at the clock, so a timer of its can be early.
    const wake = (): void => {
      const leftMs = dueMs - systemClock.nowMs();
      if (leftMs > 0) arm(leftMs);
      else fn();
    };
    arm(delayMs);
    return { cancel: () => clearTimeout(timer) };
  },
};

/** The machine's source of cryptographically strong bytes. */
export const systemRandom: Random = { bytes: (count) => randomFillSync(new Uint8Array(count)) };

/** For who does not want to hear. */
export const silentLog: Log = { write: () => undefined };
