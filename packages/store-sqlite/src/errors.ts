/**
 * Why a store could not be opened.
 *
 * - `invalidOption`: an option is not what its comment asks for.
 * - `sqliteMissing`: this runtime has no `node:sqlite` and `@photostructure/sqlite` cannot be loaded.
 * - `clockMissing`: this runtime shows no clock that all processes of the machine share; pass `clock`.
 * - `pathIsDirectory`, `directoryMissing`, `notWritable`: what they say about `path`.
 * - `notADatabase`: the file is something else. `foreignDatabase`: it is some other program's database. Neither is touched.
 * - `newerSchema`: a newer version of this package has written the file.
 * - `corrupt`: SQLite finds the file damaged.
 * - `walUnavailable`: the file system cannot share a WAL between processes; network file systems cannot.
 * - `busy`: another process kept the file locked until the deadline.
 * - `diskFull`, `ioError`: the disk or the operating system said so.
 */
export type SqliteStoreErrorCode =
  | "invalidOption"
  | "sqliteMissing"
  | "clockMissing"
  | "pathIsDirectory"
  | "directoryMissing"
  | "notWritable"
  | "notADatabase"
  | "foreignDatabase"
  | "newerSchema"
  | "corrupt"
  | "walUnavailable"
  | "busy"
  | "diskFull"
  | "ioError";

/**
 * The only error of this package, and only `openSqliteStore` rejects with it: what goes wrong later is the answer `unknown`.
 * `message` is one sentence that says what to do; tell cases apart by `code`.
 */
export class SqliteStoreError extends Error {
  override readonly name = "SqliteStoreError";
  readonly code: SqliteStoreErrorCode;

  constructor(code: SqliteStoreErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/* Primary result codes, by the names and numbers of SQLite's documentation. */
const SQLITE_PERM = 3;
const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
const SQLITE_READONLY = 8;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const SQLITE_NOTADB = 26;

const LOCKED = "is locked by another process: end the process that holds it, or wait for it";
const PROTECTED = "may not be written by this process: check who owns the file and its directory";
const UNREACHABLE = "cannot be opened for writing: check that this process may write in its directory";
const DAMAGED = "is damaged: move it away and start with a new file, or restore a copy while no process uses it";
const NOT_SQLITE = "is not a SQLite database: give the path of a new file, or of one that this store made";

const FAILURES: ReadonlyMap<number, readonly [SqliteStoreErrorCode, string]> = new Map([
  [SQLITE_PERM, ["notWritable", PROTECTED]],
  [SQLITE_BUSY, ["busy", LOCKED]],
  [SQLITE_LOCKED, ["busy", LOCKED]],
  [SQLITE_READONLY, ["notWritable", PROTECTED]],
  [SQLITE_CORRUPT, ["corrupt", DAMAGED]],
  [SQLITE_FULL, ["diskFull", "has no room left on its disk: free some space"]],
  [SQLITE_CANTOPEN, ["notWritable", UNREACHABLE]],
  [SQLITE_NOTADB, ["notADatabase", NOT_SQLITE]],
]);

/** The primary result code, where the error of a driver has one. All three call the field `errcode`. */
function resultCode(error: unknown): number | undefined {
  const code = error instanceof Error && "errcode" in error ? error.errcode : undefined;
  return typeof code === "number" ? code & 0xff : undefined;
}

/** An error of SQLite itself, not of this package's code. `all` of `@photostructure/sqlite` leaves out the result code. */
export function isSqliteError(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_SQLITE_ERROR";
}

/** Somebody else has the lock that this needs. Nothing was written, and it may be tried again. */
export function isBusy(error: unknown): boolean {
  const code = resultCode(error);
  return code === SQLITE_BUSY || code === SQLITE_LOCKED;
}

/** What SQLite said about the file, as this package's error. */
export function storeErrorFrom(error: unknown, path: string): SqliteStoreError {
  const [code, advice] = FAILURES.get(resultCode(error) ?? -1) ?? ["ioError" as const, undefined];
  const sentence = advice ?? `cannot be used (${textOf(error)}): check the disk and the file system under it`;
  return new SqliteStoreError(code, `The store file ${path} ${sentence}.`, { cause: error });
}

export function corruptError(path: string, cause: Error): SqliteStoreError {
  return storeErrorFrom(Object.assign(cause, { errcode: SQLITE_CORRUPT }), path);
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
