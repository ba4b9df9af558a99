import type { Clock, TimerHandle } from "@rehome/core";

/** The timers that a machine asks for, by name. Starting one that runs replaces it, stopping one that does not is nothing. */
export class NamedTimers<Name extends string> {
  readonly #clock: Clock;
  readonly #onFired: (name: Name) => void;
  readonly #running = new Map<Name, TimerHandle>();

  constructor(clock: Clock, onFired: (name: Name) => void) {
    this.#clock = clock;
    this.#onFired = onFired;
  }

  start(name: Name, delayMs: number): void {
    this.stop(name);
    const handle = this.#clock.after(delayMs, () => {
      this.#running.delete(name);
      this.#onFired(name);
    });
    this.#running.set(name, handle);
  }

  stop(name: Name): void {
    this.#running.get(name)?.cancel();
    this.#running.delete(name);
  }

  stopAll(): void {
    for (const name of [...this.#running.keys()]) this.stop(name);
  }
}
