import type { Clock } from "@rehome/core";

/** What a client needs of a {@link Clock}: deadlines and pauses. Leases end by the server's clock. */
export type WaitingClock = Pick<Clock, "nowMs" | "after">;

/** Unlike other clocks' timers, these keep the process alive: they run only while somebody waits for an answer. */
export const waitingClock: WaitingClock = {
  nowMs: () => performance.now(),
  after(delayMs, fn) {
    const timer = setTimeout(fn, delayMs);
    return { cancel: () => clearTimeout(timer) };
  },
};
