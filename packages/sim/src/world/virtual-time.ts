/** Something that will happen. */
export interface Appointment {
  readonly atMs: number;
  cancel(): void;
}

class Entry implements Appointment {
  readonly atMs: number;
  readonly order: number;
  run: (() => void) | undefined;

  constructor(atMs: number, order: number, run: () => void) {
    this.atMs = atMs;
    this.order = order;
    this.run = run;
  }

  cancel(): void {
    this.run = undefined;
  }
}

/**
 * The one queue of everything that happens in a run, by virtual time, and in the order of the calls where the time is the
 * same. Each event runs in a macrotask of its own, so that all microtasks that it leads to are done before the next.
 */
export class VirtualTime {
  nowMs = 0;
  /** Events that have run. */
  count = 0;
  /** Called with what an event throws; by default it is thrown on, and ends the run. */
  onError: (error: unknown) => void = (error) => {
    throw error;
  };
  readonly #heap: Entry[] = [];
  #order = 0;

  at(atMs: number, run: () => void): Appointment {
    const entry = new Entry(Math.max(atMs, this.nowMs), this.#order++, run);
    this.#push(entry);
    return entry;
  }

  after(delayMs: number, run: () => void): Appointment {
    return this.at(this.nowMs + Math.max(0, delayMs), run);
  }

  /** Lets everything up to that time happen, or until `stop` says so. */
  runUntil(untilMs: number, stop: () => boolean = () => false): Promise<void> {
    return new Promise((resolve, reject) => {
      const step = (): void => {
        const next = stop() ? undefined : this.#next(untilMs);
        if (!next) {
          this.nowMs = Math.max(this.nowMs, untilMs);
          resolve();
          return;
        }
        this.nowMs = next.atMs;
        this.count += 1;
        const { run } = next;
        next.run = undefined;
        try {
          this.#run(run);
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
          return;
        }
        // Node empties the microtask queue after every immediate: nothing is cheaper and as certain.
        setImmediate(step);
      };
      setImmediate(step);
    });
  }

  #run(run: (() => void) | undefined): void {
    try {
      run?.();
    } catch (error) {
      this.onError(error);
    }
  }

  #next(untilMs: number): Entry | undefined {
    for (let first = this.#heap[0]; first && first.atMs <= untilMs; first = this.#heap[0]) {
      this.#pop();
      if (first.run) return first;
    }
    return undefined;
  }

  #push(entry: Entry): void {
    const heap = this.#heap;
    let at = heap.push(entry) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (isBefore(heap[parent]!, entry)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = entry;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
      if (isBefore(last, heap[child]!)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
  }
}

function isBefore(one: Entry, other: Entry): boolean {
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);
}
