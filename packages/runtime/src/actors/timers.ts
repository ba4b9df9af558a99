import type { Clock, TimerHandle } from "@rehome/core";

interface RunningTimer {
  readonly dueMs: number;
  readonly handle: TimerHandle;
}

/**
 * An actor's named one-shot timers. During a move they stand still with their remaining time (`protocol.md` section 4,
 * step 2); one that comes due then fires once after the saved messages (T12).
 */
export class ActorTimers {
  readonly #clock: Clock;
  readonly #onDue: (name: string) => void;
  readonly #running = new Map<string, RunningTimer>();
  #paused: Map<string, number> | undefined;

  constructor(clock: Clock, onDue: (name: string) => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  set(name: string, delayMs: number): void {
    if (this.#paused) {
      this.#paused.set(name, delayMs);
      return;
    }
    this.clear(name);
    const handle = this.#clock.after(delayMs, () => {
      this.#running.delete(name);
      this.#onDue(name);
    });
    this.#running.set(name, { dueMs: this.#clock.nowMs() + delayMs, handle });
  }

  clear(name: string): void {
    this.#paused?.delete(name);
    this.#running.get(name)?.handle.cancel();
    this.#running.delete(name);
  }

  /** Stops them all with their remaining times. A second call changes nothing. */
  pause(): void {
    if (this.#paused) return;
    const paused = new Map(this.remaining());
    for (const timer of this.#running.values()) timer.handle.cancel();
    this.#running.clear();
    this.#paused = paused;
  }

  /** What is left of each, whether they stand still or run: who only looks must not stop them. */
  remaining(): ReadonlyMap<string, number> {
    if (this.#paused) return this.#paused;
    const now = this.#clock.nowMs();
    return new Map([...this.#running].map(([name, { dueMs }]) => [name, Math.max(0, dueMs - now)]));
  }

  resume(): void {
    const paused = this.#paused;
    this.#paused = undefined;
    for (const [name, remainingMs] of paused ?? []) this.set(name, remainingMs);
  }

  stop(): void {
    for (const timer of this.#running.values()) timer.handle.cancel();
    this.#running.clear();
    this.#paused = undefined;
  }
}
