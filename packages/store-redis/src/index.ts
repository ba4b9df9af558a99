export { RedisStoreError } from "./errors.ts";
export type { RedisStoreErrorCode } from "./errors.ts";
export { openRedisStore } from "./open.ts";
export { checkRedisStoreOptions } from "./options.ts";
export type { RedisStoreOptions } from "./options.ts";
