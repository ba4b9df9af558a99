import type { AuthorityTransactions, Random, TimerHandle, TransactionBody, UnknownAnswer } from "@rehome/core";
import { prepareWriter } from "./driver.ts";
import type { SqliteDatabase, SqliteWriter } from "./driver.ts";
import { isBusy, isSqliteError, storeErrorFrom } from "./errors.ts";
import type { StoreClock } from "./machine-clock.ts";
import { backoff } from "./backoff.ts";
import type { Backoff } from "./backoff.ts";
import { NEEDS_TRANSACTION } from "./tables.ts";
import type { SqliteTables } from "./tables.ts";

export interface TransactionOptions {
  readonly path: string;
  readonly database: SqliteDatabase;
  readonly tables: SqliteTables;
  readonly clock: StoreClock;
  readonly random: Random;
  /** The longest that a call may wait for other processes. */
  readonly callDeadlineMs: number;
  /** Whether `path` still leads to the open file. */
  readonly isFileInPlace: () => boolean;
}

/** How long one turn of the event loop may go on with calls that have waited for the lock. */
const TURN_MS = 5;
/** How often a writer looks whether its file is still the one that others would open. */
const FILE_CHECK_INTERVAL_MS = 1000;

/** The first attempt of a call, and each one after it: `busy` while another process has the lock. */
interface WaitingCall {
  readonly deadlineMs: number;
  attempt(): "settled" | "busy";
  settle(reason: string): void;
}

/**
 * The transactions of one connection. SQLite never waits in here: it answers `busy` at once, and the call is tried again
 * later, so that the event loop goes on. Calls that write wait in the order in which they came.
 */
export class SqliteTransactions implements AuthorityTransactions {
  readonly #options: TransactionOptions;
  readonly #begin: SqliteWriter;
  readonly #beginImmediate: SqliteWriter;
  readonly #commit: SqliteWriter;
  readonly #writes: WaitingCall[] = [];
  readonly #reads = new Set<WaitingCall>();
  readonly #timers = new Set<TimerHandle>();
  /** Why every call is refused from now on. */
  #ended: string | undefined;
  #fileCheckedAtMs: number;

  constructor(options: TransactionOptions) {
    this.#options = options;
    this.#begin = prepareWriter(options.database, "BEGIN");
    this.#beginImmediate = prepareWriter(options.database, "BEGIN IMMEDIATE");
    this.#commit = prepareWriter(options.database, "COMMIT");
    this.#fileCheckedAtMs = options.clock.nowMs();
  }

  read<A>(body: TransactionBody<A>): Promise<A | UnknownAnswer> {
    return this.#call(
      (settle, fail) => this.#attemptRead(body, settle, fail),
      (call) => this.#readLater(call),
    );
  }

  write<A>(body: TransactionBody<A>): Promise<A | UnknownAnswer> {
    this.#checkFile();
    return this.#call(
      (settle, fail) => this.#attemptWrite(body, settle, fail),
      (call) => this.#writeLater(call),
      this.#writes.length > 0,
    );
  }

  close(): Promise<void> {
    this.#end("The store is closed. Nothing was written.");
    return Promise.resolve();
  }

  #call<A>(
    attempt: (settle: (answer: A | UnknownAnswer) => void, fail: (error: unknown) => void) => "settled" | "busy",
    later: (call: WaitingCall) => void,
    mustWait = false,
  ): Promise<A | UnknownAnswer> {
    if (this.#ended !== undefined) return Promise.resolve(unknown(this.#ended));
    return new Promise((resolve, reject) => {
      const call: WaitingCall = {
        deadlineMs: this.#options.clock.nowMs() + this.#options.callDeadlineMs,
        attempt: () => attempt(resolve, reject as (error: unknown) => void),
        settle: (reason) => resolve(unknown(reason)),
      };
      if (mustWait || call.attempt() === "busy") later(call);
    });
  }

  /**
   * The clock is read before the transaction sees its rows: a lease that had ended by then cannot have been renewed since,
   * so that a reading never calls a lease ended that was not.
   */
  #attemptRead<A>(
    body: TransactionBody<A>,
    settle: (answer: A | UnknownAnswer) => void,
    fail: (error: unknown) => void,
  ): "settled" | "busy" {
    const nowMs = this.#options.clock.nowMs();
    try {
      settle(this.#readAlone(body, nowMs) ?? this.#readInTransaction(body, nowMs));
    } catch (error) {
      this.#rollBack();
      if (isBusy(error)) return "busy";
      if (isSqliteError(error)) settle(unknown(storeErrorFrom(error, this.#options.path).message));
      else fail(error);
    }
    return "settled";
  }

  #readAlone<A>(body: TransactionBody<A>, nowMs: number): A | undefined {
    const { tables } = this.#options;
    try {
      return tables.alone(() => body(tables, nowMs));
    } catch (error) {
      if (error === NEEDS_TRANSACTION) return undefined;
      throw error;
    }
  }

  #readInTransaction<A>(body: TransactionBody<A>, nowMs: number): A {
    const { tables } = this.#options;
    this.#begin();
    tables.begin();
    const answer = body(tables, nowMs);
    this.#commit();
    return answer;
  }

  /** The clock is read under the lock, when nothing can change any more before this transaction has ended. */
  #attemptWrite<A>(
    body: TransactionBody<A>,
    settle: (answer: A | UnknownAnswer) => void,
    fail: (error: unknown) => void,
  ): "settled" | "busy" {
    let answer: A;
    try {
      this.#beginImmediate();
      this.#options.tables.begin();
      answer = body(this.#options.tables, this.#options.clock.nowMs());
    } catch (error) {
      this.#rollBack();
      if (isBusy(error)) return "busy";
      if (isSqliteError(error)) settle(unknown(`${this.#sentence(error)} Nothing was written.`));
      else fail(error);
      return "settled";
    }
    try {
      this.#commit();
      settle(answer);
    } catch (error) {
      // The frames may be in the WAL already, and the next one to open the file would then find them committed.
      this.#rollBack();
      settle(unknown(`${this.#sentence(error)} Whether the write took effect is not known.`));
    }
    return "settled";
  }

  #sentence(error: unknown): string {
    return storeErrorFrom(error, this.#options.path).message;
  }

  /** SQLite has often ended the transaction by itself; then there is nothing to roll back, and it says so. */
  #rollBack(): void {
    try {
      this.#options.database.exec("ROLLBACK");
    } catch {
      return;
    }
  }

  #readLater(call: WaitingCall): void {
    this.#reads.add(call);
    const pause = this.#newBackoff();
    const retry = () => {
      if (!this.#isOver(call) && call.attempt() === "busy") this.#after(pause, retry);
      else this.#reads.delete(call);
    };
    this.#after(pause, retry);
  }

  #writeLater(call: WaitingCall): void {
    this.#writes.push(call);
    if (this.#writes.length === 1) this.#pumpLater(this.#newBackoff());
  }

  #pumpLater(pause: Backoff): void {
    this.#after(pause, () => this.#pump(pause));
  }

  /** Works off the calls that wait to write, until the lock is taken, the turn is over, or none is left. */
  #pump(pause: Backoff): void {
    const { clock } = this.#options;
    const turnEndsAtMs = clock.nowMs() + TURN_MS;
    let next = pause;
    while (this.#writes.length > 0) {
      const call = this.#writes[0]!;
      if (!this.#isOver(call) && call.attempt() === "busy") break;
      this.#writes.shift();
      next = this.#newBackoff();
      if (clock.nowMs() >= turnEndsAtMs) break;
    }
    this.#dropOverdueWrites();
    if (this.#writes.length > 0) this.#pumpLater(next);
  }

  #dropOverdueWrites(): void {
    while (this.#writes.length > 0 && this.#isOver(this.#writes[0]!)) this.#writes.shift();
  }

  /** Whether the call's deadline has passed; it is settled then. Only calls that never had the lock come here. */
  #isOver(call: WaitingCall): boolean {
    const { clock, path, callDeadlineMs } = this.#options;
    if (clock.nowMs() < call.deadlineMs) return false;
    call.settle(`The store file ${path} was locked by other processes for ${callDeadlineMs} ms. Nothing was written.`);
    return true;
  }

  #after(pause: Backoff, fn: () => void): void {
    const timer = this.#options.clock.after(pause.nextMs(), () => {
      this.#timers.delete(timer);
      fn();
    });
    this.#timers.add(timer);
  }

  #newBackoff(): Backoff {
    return backoff(this.#options.random);
  }

  /** Whoever opens `path` after it was replaced has another store: two records of who owns what. */
  #checkFile(): void {
    const nowMs = this.#options.clock.nowMs();
    if (this.#ended !== undefined || nowMs - this.#fileCheckedAtMs < FILE_CHECK_INTERVAL_MS) return;
    this.#fileCheckedAtMs = nowMs;
    if (this.#options.isFileInPlace()) return;
    this.#end(
      `The store file ${this.#options.path} was removed or replaced: end all nodes that use it, then start them. Nothing was written.`,
    );
  }

  #end(reason: string): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    for (const call of this.#writes.splice(0)) call.settle(reason);
    for (const call of this.#reads) call.settle(reason);
    this.#reads.clear();
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
    try {
      this.#options.database.close();
    } catch {
      return; // nothing uses it any more, and what was answered is in the file
    }
  }
}

function unknown(reason: string): UnknownAnswer {
  return { outcome: "unknown", reason };
}
