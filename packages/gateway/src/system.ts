import { randomFillSync } from "node:crypto";
import type { Clock, Log, Random } from "@rehome/core";

/** The longest delay that `setTimeout` knows; a longer one would fire at once. */
const MAX_DELAY_MS = 2_147_483_647;

/** The machine's clock. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  nowMs: () => performance.now(),
  unixMs: () => Date.now(),
  after(delayMs, fn) {
    const dueMs = performance.now() + delayMs;
    let timer: NodeJS.Timeout;
    const wait = (waitMs: number): void => {
      timer = setTimeout(
        () => {
          // `setTimeout` counts from when the event loop last looked at the clock, which may be a while ago.
          const leftMs = dueMs - performance.now();
          if (leftMs > 0) wait(leftMs);
          else fn();
        },
        Math.min(Math.ceil(waitMs), MAX_DELAY_MS),
      );
      timer.unref();
    };
    wait(delayMs);
    return { cancel: () => clearTimeout(timer) };
  },
};

/** Cryptographically strong. */
export const systemRandom: Random = { bytes: (count) => randomFillSync(new Uint8Array(count)) };

export const silentLog: Log = { write: () => undefined };

/** A number from 0 up to 1. */
export function randomFraction(random: Random): number {
  const bytes = random.bytes(4);
  return new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0) / 2 ** 32;
}
