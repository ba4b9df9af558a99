import { createClient, RESP_TYPES } from "redis";
import type { TimerHandle } from "@rehome/core";
import type { RedisStoreConfig } from "./options.ts";
import { replyCode } from "./errors.ts";
import type { Reply } from "./exchange.ts";
import type { Script } from "./scripts.ts";

/** Payloads are bytes, and so is everything else until it is read. */
const AS_BYTES = { [RESP_TYPES.BLOB_STRING]: Buffer };

export type Argument = string | Buffer;

/**
 * One connection to the server, used until it breaks and never again: then every command on it is rejected, sent or not, and
 * none is ever sent a second time. The client's own reconnecting and its queue for later are switched off for that.
 */
export class Connection {
  readonly #client: ReturnType<typeof newClient>;
  readonly #onBroken: (reason: unknown) => void;
  #isBroken = false;
  /** By when each request must be answered that is not yet, in the order of sending. */
  readonly #due = new Map<number, number>();
  #sent = 0;
  #timer: TimerHandle | undefined;
  readonly #config: RedisStoreConfig;

  private constructor(config: RedisStoreConfig, onBroken: (reason: unknown) => void) {
    this.#config = config;
    this.#client = newClient(config);
    this.#onBroken = onBroken;
    // Also when the server says something that is no Redis: replies could then be taken for those of other commands.
    this.#client.on("error", (error) => this.break(error));
    this.#client.on("end", () => this.break(new Error("The connection was closed.")));
  }

  /** Rejects if there is none in time. `onBroken` is called once, when the connection can no longer be used. */
  static async open(config: RedisStoreConfig, onBroken: (reason: unknown) => void): Promise<Connection> {
    const connection = new Connection(config, onBroken);
    const timer = config.clock.after(config.connectTimeoutMs, () =>
      connection.break(new Error(`No connection within ${config.connectTimeoutMs} ms.`)),
    );
    try {
      await connection.#client.connect();
      if (connection.#isBroken) throw new Error("The connection was closed.");
      return connection;
    } catch (error) {
      connection.break(error);
      throw error;
    } finally {
      timer.cancel();
    }
  }

  /** Rejects with what Redis answered, or when the connection breaks first: then nobody knows whether it was run. */
  send(command: readonly Argument[]): Promise<Reply> {
    return this.#client.sendCommand(command, { typeMapping: AS_BYTES });
  }

  /**
   * Runs a script, which the server may not have seen yet: it then says so and has run nothing. Without an answer by `deadlineMs`
   * of the clock the connection is broken: Redis answers in order, so that whatever was sent after it is late as well.
   */
  async run(
    script: Script,
    keys: readonly string[],
    scriptArguments: readonly Argument[],
    deadlineMs: number,
  ): Promise<Reply> {
    const rest = [String(keys.length), ...keys, ...scriptArguments];
    this.#sent += 1;
    const request = this.#sent;
    this.#due.set(request, deadlineMs);
    if (this.#timer === undefined) this.#watch();
    try {
      return await this.send(["EVALSHA", script.sha1, ...rest]);
    } catch (error) {
      if (replyCode(error) !== "NOSCRIPT") throw error;
      return await this.send(["EVAL", script.source, ...rest]);
    } finally {
      this.#due.delete(request);
    }
  }

  /** One timer at a time, for the request that has waited longest: most have their answer long before it ends. */
  #watch(): void {
    this.#timer = undefined;
    const [oldest] = this.#due.values();
    if (oldest === undefined || this.#isBroken) return;
    const { clock, callDeadlineMs } = this.#config;
    const leftMs = oldest - clock.nowMs();
    if (leftMs > 0) this.#timer = clock.after(leftMs, () => this.#watch());
    else this.break(new Error(`No answer from Redis within ${callDeadlineMs} ms.`));
  }

  break(reason: unknown): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    this.#timer?.cancel();
    this.#client.destroy();
    this.#onBroken(reason);
  }
}

function newClient({ url, connectTimeoutMs }: RedisStoreConfig) {
  return createClient({
    url,
    RESP: 2,
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: "disabled",
    // The store has deadlines of its own.
    commandOptions: { timeout: 0 },
    socket: { reconnectStrategy: false, connectTimeout: Math.ceil(connectTimeoutMs) },
  });
}
