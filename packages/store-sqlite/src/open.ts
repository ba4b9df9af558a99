import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import type { BigIntStats } from "node:fs";
import { dirname } from "node:path";
import { authorityStoreOver } from "@rehome/core";
import type { AuthorityStore, Clock, Random } from "@rehome/core";
import { backoff } from "./backoff.ts";
import { loadSqlite } from "./driver.ts";
import type { OpenDatabase, SqliteDatabase } from "./driver.ts";
import { isBusy, isSqliteError, SqliteStoreError, storeErrorFrom } from "./errors.ts";
import { machineClock, readBootId } from "./machine-clock.ts";
import type { StoreClock } from "./machine-clock.ts";
import { prepareDatabase } from "./schema.ts";
import { SqliteTables } from "./tables.ts";
import { SqliteTransactions } from "./transactions.ts";

export interface SqliteStoreOptions {
  /** The file, made if it is not there; beside it SQLite keeps `-wal` and `-shm`. It must be on a local disk. */
  readonly path: string;
  /**
   * `normal` (the default): a write survives the end of any process, kill -9 included; a power cut or a crash of the operating
   * system may take back the last writes of all, with every node of the machine. `full`: a write that was answered is on the
   * disk, at the price of a sync for each, some 0.2 ms or more.
   */
  readonly synchronous?: "normal" | "full";
  /** How long a call tries to get the file's lock before it answers `unknown`. Default 2000. */
  readonly callDeadlineMs?: number;
  /** How long opening tries to get the file's lock before it fails as `busy`. Default 10,000. */
  readonly openDeadlineMs?: number;
  /**
   * The store's own clock, by which leases end. Its `nowMs` must be the same for every process that uses the file. Default:
   * the machine's monotonic clock.
   */
  readonly clock?: Clock;
  /** For the pauses between attempts only. Default: the operating system's. */
  readonly random?: Random;
}

/** Half the store resolution of a move (5 s), so that an `unknown` leaves time to read again. */
const DEFAULT_CALL_DEADLINE_MS = 2000;
/** Longer than a dozen processes need to start on one core. */
const DEFAULT_OPEN_DEADLINE_MS = 10_000;

/** What opening needs of its surroundings; tests put other things in their place. */
export interface SqliteSurroundings {
  readonly openDatabase: OpenDatabase;
  readonly bootId: string | undefined;
}

/**
 * Opens the authority store in one SQLite file, which any number of processes of one machine may share; makes the file if
 * need be. Each call opens a connection of its own, to be closed with `close`.
 *
 * Rejects with {@link SqliteStoreError}; afterwards nothing that SQLite or the disk does makes a call reject: its answer is
 * `unknown`, and its `reason` says so where it is certain that nothing was written.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<AuthorityStore> {
  return openStoreWith(options, { openDatabase: await loadSqlite(), bootId: readBootId() });
}

export async function openStoreWith(
  options: SqliteStoreOptions,
  surroundings: SqliteSurroundings,
): Promise<AuthorityStore> {
  const config = await parseOptions(options);
  checkPath(config.path);
  const database = openFile(surroundings.openDatabase, config.path);
  try {
    await prepare(database, config, surroundings.bootId);
    const isFileInPlace = fileWatch(config.path);
    const tables = new SqliteTables(database);
    return authorityStoreOver(new SqliteTransactions({ ...config, database, tables, isFileInPlace }));
  } catch (error) {
    database.close();
    throw isSqliteError(error) ? storeErrorFrom(error, config.path) : error;
  }
}

type Config = Readonly<Required<Omit<SqliteStoreOptions, "clock">>> & { readonly clock: StoreClock };

async function parseOptions(options: SqliteStoreOptions): Promise<Config> {
  const { path, synchronous = "normal" } = options;
  const { callDeadlineMs = DEFAULT_CALL_DEADLINE_MS, openDeadlineMs = DEFAULT_OPEN_DEADLINE_MS } = options;
  if (typeof path !== "string" || path === "" || path.startsWith(":memory:") || path.startsWith("file:")) {
    throw invalidOption(
      "path must be the path of a file; for a store in memory there is createMemoryStore of @rehome/core",
    );
  }
  if (synchronous !== "normal" && synchronous !== "full") throw invalidOption('synchronous is "normal" or "full"');
  for (const [name, value] of Object.entries({ callDeadlineMs, openDeadlineMs })) {
    if (!Number.isFinite(value) || value < 0) throw invalidOption(`${name} is a number of milliseconds, 0 or more`);
  }
  const clock = options.clock ?? (await machineClock());
  const random = options.random ?? { bytes: (count) => randomBytes(count) };
  return { path, synchronous, callDeadlineMs, openDeadlineMs, clock, random };
}

function invalidOption(sentence: string): SqliteStoreError {
  return new SqliteStoreError("invalidOption", `The options of the SQLite store are wrong: ${sentence}.`);
}

/** SQLite says `cannot open` to all of these. */
function checkPath(path: string): void {
  if (statsOf(path)?.isDirectory() === true) {
    throw new SqliteStoreError(
      "pathIsDirectory",
      `The store file ${path} is a directory: give the path of a file in it.`,
    );
  }
  const directory = dirname(path);
  if (statsOf(directory)?.isDirectory() !== true) {
    throw new SqliteStoreError("directoryMissing", `There is no directory ${directory} for the store file: create it.`);
  }
}

/** Nothing for what is not there, and for what this process may not see. */
function statsOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function openFile(openDatabase: OpenDatabase, path: string): SqliteDatabase {
  try {
    return openDatabase(path);
  } catch (error) {
    throw storeErrorFrom(error, path);
  }
}

/** Many processes may start at once: whoever finds the file locked tries again. */
async function prepare(database: SqliteDatabase, config: Config, bootId: string | undefined): Promise<void> {
  const { path, synchronous, clock, openDeadlineMs } = config;
  const deadlineMs = clock.nowMs() + openDeadlineMs;
  const pause = backoff(config.random);
  for (;;) {
    try {
      prepareDatabase(database, { path, synchronous, bootId, nowMs: clock.nowMs() });
      return;
    } catch (error) {
      rollBack(database);
      if (!isBusy(error) || clock.nowMs() >= deadlineMs) throw error;
    }
    await new Promise<void>((resolve) => clock.after(pause.nextMs(), resolve));
  }
}

function rollBack(database: SqliteDatabase): void {
  try {
    database.exec("ROLLBACK");
  } catch {
    return; // there was no transaction
  }
}

/** Answers whether the path still leads to the file that it leads to now. */
function fileWatch(path: string): () => boolean {
  const identity = () => {
    const stats = statsOf(path);
    return stats === undefined ? undefined : `${stats.dev}:${stats.ino}`;
  };
  const opened = identity();
  return () => identity() === opened;
}
