import type { OpenDatabase, SqliteDatabase, SqliteStatement } from "../../src/driver.ts";

/** Called around each statement that runs. What `before` throws, the store sees in place of SQLite's answer. */
export interface Interference {
  before?(sql: string): void;
  after?(sql: string): void;
}

/** An error as SQLite's drivers throw it. */
export function sqliteError(errcode: number, message: string): Error {
  return Object.assign(new Error(message), { code: "ERR_SQLITE_ERROR", errcode });
}

/** Opens real databases whose every statement `interference` can spoil. */
export function interfering(openDatabase: OpenDatabase, interference: Interference): OpenDatabase {
  return (path) => {
    const database = openDatabase(path);
    const around = <T>(sql: string, run: () => T): T => {
      interference.before?.(sql);
      const result = run();
      interference.after?.(sql);
      return result;
    };
    return {
      exec: (sql) => around(sql, () => database.exec(sql)),
      prepare: (sql) => wrapped(database, sql, around),
      close: () => database.close(),
    };
  };
}

function wrapped(database: SqliteDatabase, sql: string, around: <T>(sql: string, run: () => T) => T): SqliteStatement {
  const statement = database.prepare(sql);
  return {
    run: (...values) => around(sql, () => statement.run(...values)),
    get: (...values) => around(sql, () => statement.get(...values)),
    all: (...values) => around(sql, () => statement.all(...values)),
    setReadBigInts: (enabled) => statement.setReadBigInts(enabled),
  };
}
