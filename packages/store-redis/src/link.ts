import type { TimerHandle } from "@rehome/core";
import { backoff } from "./backoff.ts";
import type { Backoff } from "./backoff.ts";
import { Connection } from "./connection.ts";
import type { RedisStoreError } from "./errors.ts";
import type { RedisStoreConfig } from "./options.ts";
import { checkServer, storeErrorFrom } from "./server-check.ts";

/**
 * The way to the server: one connection at a time, and a new one as soon as it breaks. It brings connections and knows nothing
 * of commands, so that nothing can be sent again over the next one.
 */
export class Link {
  readonly #config: RedisStoreConfig;
  readonly #keys: readonly string[];
  readonly #pause: Backoff;
  readonly #waiting = new Set<() => void>();
  #connection: Connection | undefined;
  #timer: TimerHandle | undefined;
  #isClosed = false;
  /** Why there was no connection the last time. */
  obstacle: RedisStoreError | undefined;

  constructor(config: RedisStoreConfig, keys: readonly string[]) {
    this.#config = config;
    this.#keys = keys;
    this.#pause = backoff(config.random);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get connection(): Connection | undefined {
    return this.#connection;
  }

  /** Tries once. From then on it keeps a connection by itself. */
  async connect(): Promise<void> {
    let opened: Connection | undefined;
    try {
      opened = await Connection.open(this.#config, () => this.#lost(opened));
      await this.#withinTimeout(opened, checkServer(opened, this.#keys));
      this.obstacle = undefined;
      if (this.#isClosed) return opened.break(new Error("The store is closed."));
      this.#pause.reset();
      this.#connection = opened;
      this.#wakeAll();
    } catch (error) {
      this.obstacle = storeErrorFrom(error);
      opened?.break(error);
      this.#connectLater();
    }
  }

  /** Waits for a connection, or until `deadlineMs` of the clock or `close`. */
  async connected(deadlineMs: number): Promise<Connection | undefined> {
    const { clock } = this.#config;
    while (this.#connection === undefined && !this.#isClosed && clock.nowMs() < deadlineMs) {
      await new Promise<void>((resolve) => {
        const wake = () => {
          timer.cancel();
          this.#waiting.delete(wake);
          resolve();
        };
        const timer = clock.after(deadlineMs - clock.nowMs(), wake);
        this.#waiting.add(wake);
      });
    }
    return this.#connection;
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#connection?.break(new Error("The store is closed."));
    this.#wakeAll();
  }

  /** A server that takes connections and says nothing. */
  async #withinTimeout(connection: Connection, check: Promise<void>): Promise<void> {
    const { clock, connectTimeoutMs } = this.#config;
    const timer = clock.after(connectTimeoutMs, () =>
      connection.break(new Error(`No answer within ${connectTimeoutMs} ms.`)),
    );
    try {
      await check;
    } finally {
      timer.cancel();
    }
  }

  #lost(connection: Connection | undefined): void {
    if (connection === undefined || this.#connection !== connection) return;
    this.#connection = undefined;
    this.#connectLater();
  }

  #connectLater(): void {
    if (this.#isClosed) return;
    this.#timer = this.#config.clock.after(this.#pause.nextMs(), () => void this.connect());
  }

  #wakeAll(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}
