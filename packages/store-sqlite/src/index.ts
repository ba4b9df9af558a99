export { SqliteStoreError } from "./errors.ts";
export type { SqliteStoreErrorCode } from "./errors.ts";
export { machineClock } from "./machine-clock.ts";
export type { StoreClock } from "./machine-clock.ts";
export { openSqliteStore } from "./open.ts";
export type { SqliteStoreOptions } from "./open.ts";
