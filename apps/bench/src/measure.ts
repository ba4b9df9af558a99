/** Measures a task. Runs in the worker process; the time and the collector come in, so that it can be tested. */
import type { Plan, Task } from "./task.ts";

export interface Machine {
  /** In milliseconds, never back. */
  now(): number;
  /** Collects all garbage now. */
  collect(): void;
}

/** A sample begins with this share of its operations that are not timed: caches and clock speed settle. */
const LEAD_IN = 0.1;
const MAX_BATCH = 2 ** 30;

export class Measurement {
  readonly #task: Task;
  readonly #machine: Machine;
  #count = 1;

  constructor(task: Task, machine: Machine) {
    this.#task = task;
    this.#machine = machine;
  }

  /** Operations in a sample, as warming up has found. */
  get count(): number {
    return this.#count;
  }

  /** Runs the task until it is as fast as it gets, and finds how many operations make a sample. */
  async warmUp(plan: Plan): Promise<void> {
    // What making the task has left on the heap is not its operation's fault. Between samples nothing is collected: on V8
    // a full collection also throws away optimized code whose intermediate objects happen to be dead.
    this.#machine.collect();
    const until = this.#machine.now() + plan.warmUpMs;
    let batch = 1;
    let perOperation: number;
    do {
      const began = this.#machine.now();
      await this.#task.run(batch);
      const took = this.#machine.now() - began;
      perOperation = took / batch;
      if (took < plan.sampleMs && batch < MAX_BATCH) batch *= 2;
    } while (this.#machine.now() < until || perOperation === 0);
    this.#count = Math.max(1, Math.round(plan.sampleMs / perOperation));
    this.#task.check();
  }

  /** Nanoseconds per operation. */
  async sample(): Promise<number> {
    await this.#task.run(Math.ceil(this.#count * LEAD_IN));
    const began = this.#machine.now();
    await this.#task.run(this.#count);
    const took = this.#machine.now() - began;
    this.#task.check();
    return (took * 1e6) / this.#count;
  }
}
