import type { Clock, TimerHandle } from "@rehome/core";

interface Timer {
  readonly dueMs: number;
  readonly order: number;
  readonly fn: () => void;
}

/** Time that passes when a test says so. */
export class FakeClock implements Clock {
  private now = 1_000;
  private order = 0;
  private readonly timers = new Set<Timer>();

  nowMs(): number {
    return this.now;
  }

  unixMs(): number {
    return this.now;
  }

  after(delayMs: number, fn: () => void): TimerHandle {
    const timer = { dueMs: this.now + delayMs, order: (this.order += 1), fn };
    this.timers.add(timer);
    return { cancel: () => void this.timers.delete(timer) };
  }

  get pendingTimers(): number {
    return this.timers.size;
  }

  /** Runs every timer that is due by then, in order, and `between` after each. */
  advance(ms: number, between: () => void): void {
    const end = this.now + ms;
    between();
    for (let next = this.next(end); next !== undefined; next = this.next(end)) {
      this.timers.delete(next);
      this.now = Math.max(this.now, next.dueMs);
      next.fn();
      between();
    }
    this.now = end;
  }

  /** Lets time pass in which nothing ran, as for a process that was suspended. */
  suspend(ms: number): void {
    this.now += ms;
  }

  private next(endMs: number): Timer | undefined {
    let best: Timer | undefined;
    for (const timer of this.timers) {
      if (timer.dueMs > endMs) continue;
      if (best === undefined || timer.dueMs < best.dueMs || (timer.dueMs === best.dueMs && timer.order < best.order))
        best = timer;
    }
    return best;
  }
}
