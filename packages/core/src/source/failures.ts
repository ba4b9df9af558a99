import type { FailureCode } from "@rehome/wire";
import type { MoveFailure } from "../move/failure.ts";
import type { BeforeCutOver } from "./state.ts";

/** What the first error of a move is called when it came from outside the machine. */
export const FAILURES = {
  targetLost: {
    code: "targetUnavailable",
    message: "The link to the target was lost; try again when the target can be reached.",
  },
  sessionOwnerLost: {
    code: "sessionOwnerUnavailable",
    message: "The link to a session owner was lost before it had answered the seal; try again when it can be reached.",
  },
  verdictDeadline: {
    code: "deadlineExceeded",
    message: "The target was handed everything but did not commit in time; look at the target's load and try again.",
  },
  baseGone: {
    code: "targetRefused",
    message: "The base version was taken back before the target could commit; try again.",
  },
  staleOwner: {
    code: "staleOwner",
    message: "The store does not name this run of this node as the actor's owner; ask the owner that it names.",
  },
  staleMember: {
    code: "staleOwner",
    message: "The store does not name this run of this node as the owner of a member of the unit; see `actorId`.",
  },
  ownerUnknown: {
    code: "storeUnavailable",
    message: "The actor moved on, and the store did not say in time where to; look it up and send again.",
  },
  objectGone: {
    code: "staleOwner",
    message: "The object was destroyed or made anew while it was to move; there is nothing left to move.",
  },
  superseded: {
    code: "staleOwner",
    message: "The store names another owner, not by this move; ask that owner to move it.",
  },
  payloadOff: {
    code: "captureFailed",
    message: "The captured payload does not fit its own description; its chunks are not of the agreed size.",
  },
} as const satisfies Readonly<Record<string, MoveFailure>>;

/** Which step was not done in time, for people. */
const DEADLINES: Readonly<Record<BeforeCutOver["type"], MoveFailure>> = {
  checking: late("The target did not say in time whether it can take the actor."),
  stopping: late("The running turn did not end in time; give the move a longer deadline than the longest turn."),
  readingBase: { code: "storeUnavailable", message: "The store did not tell the base version before the deadline." },
  readingMembers: { code: "storeUnavailable", message: "The store did not tell the members' versions in time." },
  pausingBase: { code: "storeUnavailable", message: "The store did not tell the base version before the deadline." },
  sealing: late("A session owner did not answer the seal in time."),
  capturing: late("`capture` did not return in time."),
  transferring: late("The target was not ready in time; look at its load and at `restore`."),
};

export function deadlineFailure(state: BeforeCutOver): MoveFailure {
  return DEADLINES[state.type];
}

export function undecidedFailure(first: MoveFailure): MoveFailure {
  return {
    code: "ownerUndecided",
    message: "The store gave no evidence of who owns the actor; it stays closed here until the store can be read.",
    cause: first,
  };
}

export function targetRefused(failureCode: FailureCode): MoveFailure {
  if (failureCode === "spotMoving" || failureCode === "spotRouteNotFound") {
    return { code: "spotMoved", message: "The spot that the actor was to join moves, or has moved; look it up again." };
  }
  if (failureCode === "payloadDecodeFailed" || failureCode === "actorTypeMismatch") {
    return {
      code: "stateIncompatible",
      message: `The target cannot read what was captured (${failureCode}); move to a build that can, or let \`restore\` take it.`,
    };
  }
  const message =
    failureCode === "actorCreateFailed"
      ? "`restore` failed on the target; what it threw is in the target's log (`restore.failed`) and event (`RestoreFailed`)."
      : `The target gave the move up (${failureCode}); the target's log says why (\`move.inboundFailed\`).`;
  return { code: "targetRefused", message };
}

export function sealRefused(failureCode: FailureCode): MoveFailure {
  return { code: "sealRefused", message: `A session owner refused the seal (${failureCode}); try again.` };
}

export function tooLarge(totalLength: bigint, limit: bigint): MoveFailure {
  return {
    code: "stateTooLarge",
    message: `The payload has ${totalLength} bytes, but at most ${limit} can be moved; shrink the actor's state or raise the limit.`,
  };
}

function late(message: string): MoveFailure {
  return { code: "deadlineExceeded", message };
}
