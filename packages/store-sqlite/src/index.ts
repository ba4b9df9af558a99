export { SqliteStoreError } from "./errors.ts";
export type { SqliteStoreErrorCode } from "./errors.ts";
export { openSqliteStore } from "./open.ts";
export type { SqliteStoreOptions } from "./open.ts";
