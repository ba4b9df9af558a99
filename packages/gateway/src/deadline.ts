import type { Clock } from "@rehome/core";

/** What {@link withDeadline} gives when the time is over. */
export const LATE = Symbol("late");

/** Waits for what `start` begins, at most so long. Rejects as `start` does, also when it throws at once. */
export async function withDeadline<T>(
  clock: Clock,
  limitMs: number,
  start: () => T | Promise<T>,
): Promise<T | typeof LATE> {
  let timer: { cancel(): void } | undefined;
  const late = new Promise<typeof LATE>((resolve) => {
    timer = clock.after(limitMs, () => resolve(LATE));
  });
  try {
    return await Promise.race([start(), late]);
  } finally {
    timer?.cancel();
  }
}

/** Waits so long. */
export function pause(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => void clock.after(delayMs, resolve));
}
