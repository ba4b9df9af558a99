export { PostgresStoreError } from "./errors.ts";
export type { PostgresStoreErrorCode } from "./errors.ts";
export { openPostgresStore } from "./open.ts";
export { checkPostgresStoreOptions } from "./options.ts";
export type { PostgresStoreOptions } from "./options.ts";
