import type { Clock, TimerHandle } from "@rehome/core";

/** A clock whose timers all end with their owner, so that a closed node leaves none behind. */
export class ScopedClock implements Clock {
  readonly #clock: Clock;
  readonly #running = new Set<TimerHandle>();
  #ended = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Timers that have neither fired nor been cancelled. */
  get running(): number {
    return this.#running.size;
  }

  nowMs(): number {
    return this.#clock.nowMs();
  }

  unixMs(): number {
    return this.#clock.unixMs();
  }

  after(delayMs: number, fn: () => void): TimerHandle {
    if (this.#ended) return { cancel: () => undefined };
    const inner = this.#clock.after(delayMs, () => {
      this.#running.delete(handle);
      fn();
    });
    const handle: TimerHandle = {
      cancel: () => {
        this.#running.delete(handle);
        inner.cancel();
      },
    };
    this.#running.add(handle);
    return handle;
  }

  /** Cancels everything; nothing fires any more, not even what is started from here on. */
  end(): void {
    this.#ended = true;
    for (const handle of [...this.#running]) handle.cancel();
  }
}
