/**
 * - `invalidOption`: see the message.
 * - `unreachable`: nothing answers there, or the connection broke while opening. Check the URL and the server.
 * - `notAuthorized`: user or password are wrong, or the user may not run what the store needs (README, "Rights").
 * - `unsuitableServer`: older than Redis 7, a replica, or one that evicts data when its memory is full.
 * - `foreignData`: the keys under this prefix are something else's. Take another prefix.
 * - `newerFormat`: the data were written by a newer version of this package.
 */
export type RedisStoreErrorCode =
  "invalidOption" | "unreachable" | "notAuthorized" | "unsuitableServer" | "foreignData" | "newerFormat";

/**
 * The only error of this package, and only `openRedisStore` rejects with it: what goes wrong later is the answer `unknown`.
 * `message` is one sentence that says what to do; tell cases apart by `code`.
 */
export class RedisStoreError extends Error {
  override readonly name = "RedisStoreError";
  readonly code: RedisStoreErrorCode;

  constructor(code: RedisStoreErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** The first word of an error that Redis answered with: its protocol's error code. */
export function replyCode(error: unknown): string {
  return error instanceof Error ? (/^[A-Z]+/.exec(error.message)?.[0] ?? "") : "";
}

export function textOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
