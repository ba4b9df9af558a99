import type { ClientClock } from "./clock.ts";
import { ClientError } from "./errors.ts";

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: ClientError) => void;
  readonly timer: { cancel(): void };
}

/** The requests of one binding that wait for their answer, by sequence. */
export class Requests {
  readonly #clock: ClientClock;
  readonly #pending = new Map<number, Pending>();

  constructor(clock: ClientClock) {
    this.#clock = clock;
  }

  get count(): number {
    return this.#pending.size;
  }

  /** The promise of the answer. It is rejected with `timedOut` when the time is over. */
  open(sequence: number, timeoutMs: number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const timer = this.#clock.after(timeoutMs, () => {
        const text = `No answer within ${timeoutMs} ms. The actor may have run the request all the same.`;
        this.fail(sequence, new ClientError("timedOut", text));
      });
      this.#pending.set(sequence, { resolve, reject, timer });
    });
  }

  /** Whether somebody still waits for it. */
  isOpen(sequence: number): boolean {
    return this.#pending.has(sequence);
  }

  answer(sequence: number, value: unknown): void {
    this.#take(sequence)?.resolve(value);
  }

  fail(sequence: number, error: ClientError): void {
    this.#take(sequence)?.reject(error);
  }

  /** Fails all but those that `keep` names. */
  failAll(error: ClientError, keep?: ReadonlySet<number>): void {
    for (const sequence of [...this.#pending.keys()]) if (!keep?.has(sequence)) this.fail(sequence, error);
  }

  #take(sequence: number): Pending | undefined {
    const pending = this.#pending.get(sequence);
    this.#pending.delete(sequence);
    pending?.timer.cancel();
    return pending;
  }
}
