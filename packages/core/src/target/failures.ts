import type { CommitFailureCode } from "../authority-commit/state.ts";
import type { MoveFailure } from "../move/failure.ts";
import type { RestoreFailureCode } from "./inputs.ts";

/** `failureCode`s with which a target answers a 40 at once (`wire.md` section 3). */
export type DeclineCode =
  "actorLocationStale" | "actorTypeMismatch" | "workerQueueFull" | "relocationDataLost" | "requestRejected";

/** Every `failureCode` of a target's 53. */
export type TargetFailureCode = DeclineCode | CommitFailureCode | RestoreFailureCode;

/** Why an attempt ends, and what the source is told: `undefined` where it said so itself, or where no link is left. */
export interface AttemptFailure {
  readonly failure: MoveFailure;
  readonly failureCode: TargetFailureCode | undefined;
}

export const DEADLINE: AttemptFailure = {
  failure: {
    code: "deadlineExceeded",
    message: "The move was not ready to commit at the target's deadline; move again.",
  },
  failureCode: "requestRejected",
};

export const LINK_LOST: AttemptFailure = {
  failure: {
    code: "targetUnavailable",
    message: "The link between source and target was lost before the commit; move again.",
  },
  failureCode: undefined,
};

export const SOURCE_GAVE_UP: AttemptFailure = {
  failure: { code: "aborted", message: "The source gave the move up before the commit." },
  failureCode: undefined,
};

export const CHUNKS_LOST: AttemptFailure = {
  failure: {
    code: "targetRefused",
    message: "The payload did not arrive as its 40 announced it; move again.",
  },
  failureCode: "relocationDataLost",
};

export const PAYLOAD_OFF: AttemptFailure = {
  failure: {
    code: "targetRefused",
    message: "The payload is not that of the unit that its 40 named; the source's payload is wrong.",
  },
  failureCode: "payloadDecodeFailed",
};

export const SPOT_MOVING: AttemptFailure = {
  failure: {
    code: "spotMoved",
    message: "The spot that the actor was to join is on its way to another node; look it up again.",
  },
  failureCode: "spotMoving",
};

export const RELAY_LOST: AttemptFailure = {
  failure: {
    code: "targetRefused",
    message: "The relayed records are not those that the 34 speaks of; move again.",
  },
  failureCode: "relocationDataLost",
};

export const RELAY_FULL: AttemptFailure = {
  failure: {
    code: "targetRefused",
    message: "The source relayed more than this node holds for one move; raise its limits or send less meanwhile.",
  },
  failureCode: "workerQueueFull",
};

/** `staleOwner` is a newer claim on the actor; anything else is this node's own wish. */
export function givenUp(failure: MoveFailure): AttemptFailure {
  return { failure, failureCode: failure.code === "staleOwner" ? "actorLocationStale" : "requestRejected" };
}
