import { Socket } from "node:net";
import { Client, Pool } from "pg";
import type { ClientBase, ClientConfig, PoolClient, QueryResultRow } from "pg";
import { isReadOnly, isRolledBack, textOf } from "./errors.ts";
import type { PostgresStoreConfig } from "./options.ts";

/** One statement, prepared under its name once per connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/**
 * How a statement ended.
 *
 * - `done`: it took effect, and this is what the server said.
 * - `notSent`: no connection could be had in time; `reason` is a sentence.
 * - `rolledBack`: the server said that it failed, so that nothing of it remains.
 * - `lost`: it was sent and no answer came. It may have taken effect, or may yet.
 */
export type StatementOutcome<R> =
  | { readonly kind: "done"; readonly rows: readonly R[] }
  | { readonly kind: "notSent"; readonly reason: string }
  | { readonly kind: "rolledBack"; readonly error: unknown }
  | { readonly kind: "lost"; readonly reason: string };

/** Some 10 s of work for a server that answers in 1 ms: who comes later would wait in vain. */
const MOST_WAITING = 10_000;
/** A connection that nobody used for so long is closed. */
const IDLE_MS = 30_000;
/** How much of a call's time the server may spend on one statement, so that it gives up before its client does. */
const SERVER_SHARE = 0.75;
/** And how much of that on waiting for a lock. */
const LOCK_SHARE = 0.5;

/**
 * What each session must have, whatever the server's defaults are. A write that was answered must be there after a crash of
 * the server, so that `synchronous_commit` is not left `off`; the stronger settings stay. A single statement needs no
 * stricter isolation, and the rules of locking are written for this one.
 *
 * All statements find their few rows by an index, whatever the tables hold: a plan is made once per session, which saves
 * more time than the statement takes, and it must not be the one that suits tables that are still empty.
 */
const SESSION = `SELECT set_config('statement_timeout', $1, false), set_config('lock_timeout', $2, false),
  set_config('idle_in_transaction_session_timeout', $1, false),
  set_config('default_transaction_isolation', 'read committed', false),
  set_config('client_encoding', 'UTF8', false), set_config('extra_float_digits', '1', false),
  set_config('bytea_output', 'hex', false), set_config('plan_cache_mode', 'force_generic_plan', false),
  set_config('enable_seqscan', 'off', false), set_config('enable_hashjoin', 'off', false),
  set_config('enable_mergejoin', 'off', false), set_config('jit', 'off', false),
  CASE WHEN current_setting('synchronous_commit') = 'off' THEN set_config('synchronous_commit', 'on', false) END,
  pg_is_in_recovery() AS is_standby`;

/** A client whose socket can be destroyed, whatever state its session is in. */
export class SocketClient extends Client {
  readonly socket: Socket;

  constructor(config: ClientConfig) {
    const socket = new Socket();
    super({ ...config, stream: () => socket });
    this.socket = socket;
    // What happens to a connection is learnt from its queries; without a listener the process would end.
    this.on("error", () => undefined);
  }
}

interface Waiter {
  readonly proceed: (obstacle: string | undefined) => void;
}

/** A bounded number of connections, and a bounded queue for them. */
export class Connections {
  readonly #config: PostgresStoreConfig;
  readonly #pool: Pool;
  readonly #sockets = new Set<Socket>();
  readonly #waiting = new Set<Waiter>();
  #free: number;
  #closed: Promise<void> | undefined;

  constructor(config: PostgresStoreConfig) {
    this.#config = config;
    this.#free = config.maxConnections;
    const sockets = this.#sockets;
    const TrackedClient = class extends SocketClient {
      constructor(options?: ClientConfig) {
        super(options ?? {});
        sockets.add(this.socket);
        this.socket.once("close", () => sockets.delete(this.socket));
      }
    };
    this.#pool = new Pool({
      ...config.connection,
      Client: TrackedClient,
      max: config.maxConnections,
      idleTimeoutMillis: IDLE_MS,
      connectionTimeoutMillis: config.callDeadlineMs,
      verify: (client, done) => {
        prepareSession(client, config.callDeadlineMs).then(() => done(), done);
      },
    });
    this.#pool.on("error", () => undefined);
  }

  /** Runs one statement as a transaction of its own. Settles by `deadlineMs` of the config's clock and never rejects. */
  async run<R extends QueryResultRow>(
    statement: Statement,
    values: readonly unknown[],
    deadlineMs: number,
  ): Promise<StatementOutcome<R>> {
    const obstacle = await this.#turn(deadlineMs);
    if (obstacle !== undefined) return { kind: "notSent", reason: obstacle };
    const had = await this.#connect(deadlineMs);
    if (typeof had === "string") return { kind: "notSent", reason: had };
    return this.#send<R>(had, { ...statement, values: [...values] }, deadlineMs);
  }

  /** Statements that were sent are waited for; those that wait are not sent any more. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    for (const waiter of [...this.#waiting]) waiter.proceed(CLOSED);
    await this.#pool.end();
    // The farewell of an idle connection was written; a server that does not answer it must not keep the process alive.
    for (const socket of this.#sockets) socket.destroySoon();
  }

  /** Waits until fewer than all connections are in use. Answers what stands in the way. */
  #turn(deadlineMs: number): Promise<string | undefined> {
    if (this.#closed !== undefined) return Promise.resolve(CLOSED);
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve(undefined);
    }
    if (this.#waiting.size >= MOST_WAITING) {
      return Promise.resolve(`More than ${MOST_WAITING} calls wait for the server at ${this.#config.where}.`);
    }
    return new Promise((resolve) => {
      const { clock } = this.#config;
      const timer = clock.after(deadlineMs - clock.nowMs(), () =>
        waiter.proceed(this.#tooLate("had no time for this")),
      );
      const waiter: Waiter = {
        proceed: (obstacle) => {
          timer.cancel();
          this.#waiting.delete(waiter);
          resolve(obstacle);
        },
      };
      this.#waiting.add(waiter);
    });
  }

  /** Hands the turn on to whoever has waited longest. */
  #giveBack(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#free += 1;
    else next.proceed(undefined);
  }

  /** A connection, or the sentence that says why there is none. One that comes too late goes back to the pool. */
  #connect(deadlineMs: number): Promise<PoolClient | string> {
    const { clock, where } = this.#config;
    return new Promise((resolve) => {
      let isOver = false;
      const timer = clock.after(deadlineMs - clock.nowMs(), () => {
        isOver = true;
        resolve(this.#tooLate("did not accept a connection"));
      });
      this.#pool.connect().then(
        (client) => {
          timer.cancel();
          if (!isOver) return resolve(client);
          client.release();
          this.#giveBack();
        },
        (error: unknown) => {
          timer.cancel();
          this.#giveBack();
          const closed = this.#closed === undefined ? undefined : CLOSED;
          resolve(closed ?? `The server at ${where} cannot be reached (${textOf(error)}).`);
        },
      );
    });
  }

  #send<R extends QueryResultRow>(
    client: PoolClient,
    query: Statement & { values: unknown[] },
    deadlineMs: number,
  ): Promise<StatementOutcome<R>> {
    const { clock, where } = this.#config;
    return new Promise((resolve) => {
      let isOver = false;
      const settle = (outcome: StatementOutcome<R>, keep: boolean) => {
        if (isOver) return;
        isOver = true;
        timer.cancel();
        // A connection of which the answer is still to come must never serve another call.
        if (!keep) (client as unknown as SocketClient).socket.destroy();
        client.release(!keep);
        this.#giveBack();
        resolve(outcome);
      };
      const timer = clock.after(deadlineMs - clock.nowMs(), () => {
        settle({ kind: "lost", reason: this.#tooLate("did not answer") }, false);
      });
      client.query<R>(query).then(
        ({ rows }) => settle({ kind: "done", rows }, true),
        (error: unknown) => {
          if (isRolledBack(error)) return settle({ kind: "rolledBack", error }, !isReadOnly(error));
          settle({ kind: "lost", reason: `The connection to ${where} ended (${textOf(error)}).` }, false);
        },
      );
    });
  }

  #tooLate(what: string): string {
    return `The server at ${this.#config.where} ${what} within ${this.#config.callDeadlineMs} ms.`;
  }
}

const CLOSED = "The store is closed.";

/**
 * Makes a new session what this store expects; gives up after `deadlineMs`. Rejects for a standby: what it knows may be old.
 * A server that becomes one ends its sessions first, so that it is enough to ask each new one.
 */
export async function prepareSession(client: Pick<ClientBase, "query">, deadlineMs: number): Promise<void> {
  const statementMs = Math.max(1, Math.floor(deadlineMs * SERVER_SHARE));
  const lockMs = Math.max(1, Math.floor(statementMs * LOCK_SHARE));
  const query = { text: SESSION, values: [String(statementMs), String(lockMs)], query_timeout: deadlineMs };
  const { rows } = await client.query<{ is_standby: boolean }>(query);
  if (rows[0]!.is_standby) throw new StandbyError("it is a standby, give the address of the primary");
}

export class StandbyError extends Error {}
