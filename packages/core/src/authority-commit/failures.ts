import type { MoveFailure } from "../move/failure.ts";
import type { CommitFailureCode, GiveUpReason } from "./state.ts";

/** Why a commit cannot happen. */
export type CommitFailureReason = GiveUpReason | "staleBase" | "ownerChanged" | "objectGone" | "leaseEnded";

const FAILURES: Readonly<Record<CommitFailureReason, { failure: MoveFailure; failureCode: CommitFailureCode }>> = {
  staleBase: {
    failure: {
      code: "staleOwner",
      message: "The authority changed after the source had read its base version; move again from the current owner.",
    },
    failureCode: "actorLocationStale",
  },
  ownerChanged: {
    failure: {
      code: "staleOwner",
      message: "The store names another owner than this move would make; move again from the current owner.",
    },
    failureCode: "actorLocationStale",
  },
  objectGone: {
    failure: {
      code: "staleOwner",
      message: "The object that was to move was destroyed or made anew; there is nothing left to move.",
    },
    failureCode: "actorLocationStale",
  },
  leaseEnded: {
    failure: {
      code: "targetUnavailable",
      message: "The target's lease ended before it could commit; choose another target.",
    },
    failureCode: "actorLocationStale",
  },
  capacityExceeded: {
    failure: {
      code: "targetRefused",
      message: "The target owns as many objects as its descriptor allows; raise its capacity or choose another target.",
    },
    failureCode: "workerQueueFull",
  },
  generationExhausted: {
    failure: {
      code: "targetRefused",
      message: "The authority's owner generation is at its end; the object cannot change its owner again.",
    },
    failureCode: "requestRejected",
  },
  deadline: {
    failure: {
      code: "deadlineExceeded",
      message: "The commit was in doubt at the move's deadline and has been ruled out; move again.",
    },
    failureCode: "requestRejected",
  },
};

/** What source and caller are told about a commit that cannot happen. */
export function commitFailure(reason: CommitFailureReason): {
  readonly failure: MoveFailure;
  readonly failureCode: CommitFailureCode;
} {
  return FAILURES[reason];
}
