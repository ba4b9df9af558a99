import type { Clock } from "@rehome/core";

/** An acknowledgement waits so long for a frame to ride with. Short against any grace period, long against a tick. */
const ACK_DELAY_MS = 25;

/** What can be flushed. */
export interface Flushable {
  /** Writes what there is to write; `acknowledge` also when that is only an acknowledgement. */
  flush(acknowledge: boolean): void;
}

/**
 * Gathers what is written to each connection in one tick of the event loop, so that it leaves in one write: worth a
 * factor of ten over a write per message.
 */
export class Flusher {
  readonly #clock: Clock;
  readonly #soon = new Set<Flushable>();
  readonly #owing = new Set<Flushable>();
  #scheduled = false;
  #timer: { cancel(): void } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Flush it once this tick's input is read. */
  soon(connection: Flushable): void {
    this.#soon.add(connection);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#run());
  }

  /** It owes an acknowledgement. */
  owes(connection: Flushable): void {
    this.#owing.add(connection);
    this.#timer ??= this.#clock.after(ACK_DELAY_MS, () => this.#acknowledge());
  }

  forget(connection: Flushable): void {
    this.#soon.delete(connection);
    this.#owing.delete(connection);
  }

  close(): void {
    this.#timer?.cancel();
    this.#soon.clear();
    this.#owing.clear();
  }

  #run(): void {
    this.#scheduled = false;
    const connections = [...this.#soon];
    this.#soon.clear();
    for (const connection of connections) connection.flush(false);
  }

  #acknowledge(): void {
    this.#timer = undefined;
    const connections = [...this.#owing];
    this.#owing.clear();
    for (const connection of connections) connection.flush(true);
  }
}
