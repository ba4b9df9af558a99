import type { Clock } from "@rehome/core";
import { systemClock } from "@rehome/system";

/** The system's clock, but its timers keep the process alive: they run only while somebody waits for the store. */
export const waitingClock: Pick<Clock, "nowMs" | "after"> = {
  nowMs: () => systemClock.nowMs(),
  after(delayMs, fn) {
    const timer = setTimeout(fn, Math.max(0, delayMs));
    return { cancel: () => clearTimeout(timer) };
  },
};
