/**
 * The codes that a `Failure` can carry: those of the runtime, which the gateway hands on, and the gateway's own. A test
 * of the gateway checks that no code of the runtime is missing.
 */
export const FAILURE_CODES = [
  // The runtime's.
  "notFound",
  "notConnected",
  "backpressured",
  "busy",
  "timedOut",
  "outcomeUnknown",
  "rejected",
  "handlerFailed",
  "handlerNotFound",
  "typeUnknown",
  "typeMismatch",
  "actorSessionNotBound",
  "stale",
  "operationInProgress",
  "notOwner",
  "moveFailed",
  "dataLoss",
  "cancelled",
  "capacityExceeded",
  "storeUnavailable",
  "leaseLost",
  "closed",
  "invalidArgument",
  "tooLarge",
  "protocolError",
  // The gateway's.
  /** The authentication hook refused the token. */
  "unauthenticated",
  /** The authorization hook refused the bind. */
  "forbidden",
  "unsupportedVersion",
  /** Too many clients at once. */
  "overloaded",
  "goingAway",
  /** Something that the gateway depends on failed or took too long; it may work later. */
  "unavailable",
  /** One of the limits in `Limits`. */
  "limitExceeded",
  /** The session has a binding to this actor. */
  "alreadyBound",
  /** A failure that says nothing more to a client; the gateway's log does. */
  "failed",
] as const;

export type FailureCode = (typeof FAILURE_CODES)[number];

const known: ReadonlySet<string> = new Set(FAILURE_CODES);

export function isFailureCode(code: unknown): code is FailureCode {
  return typeof code === "string" && known.has(code);
}
