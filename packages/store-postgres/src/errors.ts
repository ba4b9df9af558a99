import { DatabaseError } from "pg";

/**
 * Why a store could not be opened.
 *
 * - `invalidOption`: an option is not what its comment asks for.
 * - `unreachable`: no server answered until the deadline, or it would not speak as asked (TLS).
 * - `accessDenied`: the server refuses this user, or the user lacks a right.
 * - `databaseMissing`: the server has no such database.
 * - `unsupportedServer`: it is older than PostgreSQL 14.
 * - `wrongEncoding`: the database does not hold UTF-8.
 * - `readOnly`: it is a standby, or takes no writes.
 * - `foreignSchema`: the schema holds another program's tables. They are not touched.
 * - `newerSchema`: a newer version of this package has made the schema.
 * - `busy`: another client kept the schema locked until the deadline.
 * - `serverError`: the server said something else; `cause` is what it said.
 */
export type PostgresStoreErrorCode =
  | "invalidOption"
  | "unreachable"
  | "accessDenied"
  | "databaseMissing"
  | "unsupportedServer"
  | "wrongEncoding"
  | "readOnly"
  | "foreignSchema"
  | "newerSchema"
  | "busy"
  | "serverError";

/**
 * The only error of this package, and only `openPostgresStore` rejects with it: what goes wrong later is the answer
 * `unknown`. `message` is one sentence that says what to do; tell cases apart by `code`. Neither holds a password.
 */
export class PostgresStoreError extends Error {
  override readonly name = "PostgresStoreError";
  readonly code: PostgresStoreErrorCode;

  constructor(code: PostgresStoreErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/* SQLSTATEs, by the names of PostgreSQL's appendix A. */
const SERIALIZATION_FAILURE = "40001";
const DEADLOCK_DETECTED = "40P01";
const LOCK_NOT_AVAILABLE = "55P03";
const QUERY_CANCELED = "57014";
const READ_ONLY_SQL_TRANSACTION = "25006";
const INVALID_CATALOG_NAME = "3D000";
const INSUFFICIENT_PRIVILEGE = "42501";
const INVALID_AUTHORIZATION_CLASS = "28";

function stateOf(error: unknown): string {
  return error instanceof DatabaseError ? (error.code ?? "") : "";
}

/**
 * The server itself has said, about a statement, that it failed: then its transaction is rolled back. What ends the session
 * (`FATAL`, `PANIC`) may have come after a commit, and what the network does says nothing.
 */
export function isRolledBack(error: unknown): boolean {
  return error instanceof DatabaseError && error.severity === "ERROR";
}

/** Rolled back because of somebody else's transaction: the same again may succeed. */
export function isConflict(error: unknown): boolean {
  return isRolledBack(error) && [SERIALIZATION_FAILURE, DEADLOCK_DETECTED].includes(stateOf(error));
}

/** This connection leads to a server that takes no writes; another may lead to the one that does. */
export function isReadOnly(error: unknown): boolean {
  return stateOf(error) === READ_ONLY_SQL_TRANSACTION;
}

/** Another attempt to connect may succeed: the server is starting, has no free connection, or cannot be reached. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return true;
  return /^(?:57P|53|08)/.test(stateOf(error));
}

/** Why opening failed, as this package's error. `where` names the server and the database, without a password. */
export function storeErrorFrom(error: unknown, where: string): PostgresStoreError {
  if (error instanceof PostgresStoreError) return error;
  const [code, sentence] = openFailure(error);
  return new PostgresStoreError(code, `The store at ${where} ${sentence}.`, { cause: error });
}

function openFailure(error: unknown): readonly [PostgresStoreErrorCode, string] {
  const said = textOf(error);
  if (!(error instanceof DatabaseError)) {
    return ["unreachable", `cannot be reached (${said}): check that the server runs, its address and its TLS`];
  }
  const state = stateOf(error);
  if (state.startsWith(INVALID_AUTHORIZATION_CLASS)) {
    return ["accessDenied", `refuses this user (${said}): check the user, the password and the server's pg_hba.conf`];
  }
  if (state === INSUFFICIENT_PRIVILEGE) {
    return ["accessDenied", `lacks a right for this user (${said}): grant it, or let its owner open the store once`];
  }
  if (state === INVALID_CATALOG_NAME) return ["databaseMissing", `has no such database (${said}): create it`];
  if (state === READ_ONLY_SQL_TRANSACTION) return ["readOnly", "takes no writes: give the address of the primary"];
  if (state === LOCK_NOT_AVAILABLE || state === QUERY_CANCELED) {
    return ["busy", "is locked by another client: wait for it, or end the session that holds it"];
  }
  if (isPassing(error)) return ["unreachable", `takes no connection (${said}): check the server and its limits`];
  return ["serverError", `cannot be used (${said}): see the server's log`];
}

export function textOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return textOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
