import { SqliteStoreError } from "./errors.ts";

export type SqliteValue = null | number | bigint | string | Uint8Array;
export type SqliteRow = Readonly<Record<string, SqliteValue>>;
/** The values of a row, in the order of its columns. */
export type SqliteValues = readonly SqliteValue[];

/** What this package uses of `StatementSync` in `node:sqlite`. */
export interface SqliteStatement {
  run(...values: SqliteValue[]): unknown;
  get(...values: SqliteValue[]): SqliteRow | undefined;
  all(...values: SqliteValue[]): SqliteRow[];
  setReadBigInts(enabled: boolean): void;
  /** Newer than the rest: Node 22.16 has it, 22.13 has not. */
  setReturnArrays?(enabled: boolean): void;
}

/** What this package uses of `DatabaseSync` in `node:sqlite`. */
export interface SqliteDatabase {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

/** A statement that reads. Integers come as bigints. */
export interface SqliteReader {
  get(...values: SqliteValue[]): SqliteValues | undefined;
  all(...values: SqliteValue[]): SqliteValues[];
}

/**
 * Rows as arrays: those of twenty columns are read in half the time, since no names have to be made. Every column needs a name of its
 * own, for drivers that can only give objects.
 */
export function prepareReader(database: SqliteDatabase, sql: string): SqliteReader {
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  if (statement.setReturnArrays !== undefined) {
    statement.setReturnArrays(true);
    return statement as unknown as SqliteReader;
  }
  return {
    get(...values) {
      const row = statement.get(...values);
      return row === undefined ? undefined : Object.values(row);
    },
    all: (...values) => statement.all(...values).map((row) => Object.values(row)),
  };
}

/** A statement that gives no rows. */
export type SqliteWriter = (...values: SqliteValue[]) => void;

/** `get` does the same as `run`, which makes an object of counts that nobody looks at: a tenth of a whole write. */
export function prepareWriter(database: SqliteDatabase, sql: string): SqliteWriter {
  const statement = database.prepare(sql);
  return (...values) => void statement.get(...values);
}

export type OpenDatabase = (path: string) => SqliteDatabase;

interface SqliteModule {
  readonly DatabaseSync: new (path: string) => SqliteDatabase;
}

/** `node:sqlite` where the runtime has it (Node 22.13 and newer, Bun), else the package with the same API. */
export async function loadSqlite(): Promise<OpenDatabase> {
  const builtin = builtinSqlite();
  if (builtin !== undefined) return (path) => new builtin.DatabaseSync(path);
  const { DatabaseSync } = await packagedSqlite();
  return (path) => closingWithCheckpoint(new DatabaseSync(path));
}

function builtinSqlite(): SqliteModule | undefined {
  const load = () => process.getBuiltinModule("node:sqlite") as SqliteModule | undefined;
  return withoutExperimentalWarning(load);
}

async function packagedSqlite(): Promise<SqliteModule> {
  try {
    return await import("@photostructure/sqlite");
  } catch (cause) {
    const advice = "run on Node 22.13 or newer, or install @photostructure/sqlite 1.2.1 for this platform";
    throw new SqliteStoreError("sqliteMissing", `There is no SQLite in this runtime: ${advice}.`, { cause });
  }
}

/**
 * The package leaves a connection half open until its statements are collected as garbage, so that the last one to close
 * does not move the WAL into the file as SQLite would. The emptied `-wal` and the `-shm` stay.
 */
function closingWithCheckpoint(database: SqliteDatabase): SqliteDatabase {
  return {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => database.prepare(sql),
    close() {
      emptyWal(database);
      database.close();
    },
  };
}

/** Where that fails, because of others that use the file or for any other reason, the next to open it does it. */
function emptyWal(database: SqliteDatabase): void {
  try {
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch {
    return;
  }
}

/** Node 22 warns at the first load that SQLite is experimental: nothing that a user of this package could act on. */
function withoutExperimentalWarning<T>(load: () => T): T {
  const emitWarning = process.emitWarning.bind(process);
  const original = Object.getOwnPropertyDescriptor(process, "emitWarning");
  process.emitWarning = (warning: string | Error, ...rest: never[]) => {
    const isThisOne = typeof warning === "string" && warning.startsWith("SQLite is an experimental");
    if (!isThisOne) emitWarning(warning, ...rest);
  };
  try {
    return load();
  } finally {
    if (original === undefined) Reflect.deleteProperty(process, "emitWarning");
    else Object.defineProperty(process, "emitWarning", original);
  }
}
