import type { CommitAnswer, FenceAnswer } from "../ports/authority-store.ts";
import { isExactlyThisMove } from "./evidence.ts";
import type { MoveEvidence } from "./evidence.ts";
import type { CommitMove } from "./state.ts";

/**
 * What the target is after (`protocol.md` T6).
 *
 * - `commit`: before the deadline; the write may be tried again.
 * - `fence`: it has given up, but an earlier write may still be on its way or have happened. Only its own fence write on
 *   the base version, or a reading, ends that.
 * - `learn`: its lease ended, so that none of its writes can succeed any more, earlier ones on their way included. It only
 *   needs to know whether one already did.
 */
export type CommitGoal = "commit" | "fence" | "learn";

/**
 * - `adopt`: this move committed; the target is the owner.
 * - `failed`: this move did not commit and never will.
 * - `read`: ask the store what is there now.
 * - `readLast`: the same, with the goal `learn` from now on.
 * - `writeAgain`: the base version is still there; send the commit again.
 * - `fence`: give up, with the goal `fence` from now on: make sure that no commit on the base version can succeed.
 * - `keepReading`: no answer; read again after a pause.
 */
export type CommitDecision = "adopt" | "failed" | "read" | "readLast" | "writeAgain" | "fence" | "keepReading";

/** The answer to a commit write. `otherRecord`: success was claimed, but for records that are not exactly this move's. */
export type CommitSeen =
  "thisMove" | "otherRecord" | "stale" | "capacityExceeded" | "generationExhausted" | "staleLease" | "unknown";

/** Whether an earlier commit write of this move is in doubt. It may be on its way while this one is answered. */
export type WriteHistory = "first" | "repeated";

/**
 * After a commit write. `commit` and `fence` are the goals it can be answered under: the deadline may pass meanwhile.
 *
 * A plain refusal of the first write is exact evidence. A refusal of a repeated one says nothing about the earlier ones.
 */
export const AFTER_COMMIT: Readonly<
  Record<CommitSeen, Readonly<Record<WriteHistory, Readonly<Record<"commit" | "fence", CommitDecision>>>>>
> = {
  thisMove: {
    first: { commit: "adopt", fence: "adopt" },
    repeated: { commit: "adopt", fence: "adopt" },
  },
  otherRecord: {
    first: { commit: "read", fence: "fence" },
    repeated: { commit: "read", fence: "fence" },
  },
  stale: {
    first: { commit: "failed", fence: "failed" },
    repeated: { commit: "read", fence: "read" },
  },
  capacityExceeded: {
    first: { commit: "failed", fence: "failed" },
    repeated: { commit: "fence", fence: "fence" },
  },
  generationExhausted: {
    first: { commit: "failed", fence: "failed" },
    repeated: { commit: "fence", fence: "fence" },
  },
  staleLease: {
    first: { commit: "failed", fence: "failed" },
    repeated: { commit: "readLast", fence: "readLast" },
  },
  unknown: {
    first: { commit: "read", fence: "fence" },
    repeated: { commit: "read", fence: "fence" },
  },
};

/** After a read. An earlier write is in doubt whenever the target reads. */
export const AFTER_READ: Readonly<Record<MoveEvidence["type"], Readonly<Record<CommitGoal, CommitDecision>>>> = {
  thisMove: { commit: "adopt", fence: "adopt", learn: "adopt" },
  base: { commit: "writeAgain", fence: "fence", learn: "failed" },
  sameOwner: { commit: "failed", fence: "failed", learn: "failed" },
  newerOwner: { commit: "failed", fence: "failed", learn: "failed" },
  gone: { commit: "failed", fence: "failed", learn: "failed" },
  none: { commit: "keepReading", fence: "fence", learn: "keepReading" },
};

/** After the target's own fence write on the base version. Its goal is `fence`. */
export const AFTER_FENCE: Readonly<Record<FenceAnswer["outcome"], CommitDecision>> = {
  fenced: "failed",
  stale: "read",
  staleLease: "readLast",
  unknown: "read",
};

/**
 * After a reading of a companion's record, once the object's own record has proven that the move committed. It changed with
 * the object in one write (T8), so that anything but this move means that it has changed hands again.
 */
export const COMPANION_AFTER_READ: Readonly<Record<MoveEvidence["type"], "take" | "lost" | "readAgain">> = {
  thisMove: "take",
  base: "readAgain",
  sameOwner: "readAgain",
  newerOwner: "lost",
  gone: "lost",
  none: "readAgain",
};

/** Sorts an answer to a commit write: success counts only with records that are exactly this move, all of them (T7). */
export function commitSeen(answer: CommitAnswer, move: CommitMove): CommitSeen {
  if (answer.outcome !== "committed" && answer.outcome !== "alreadyCommitted") return answer.outcome;
  const records = new Map(answer.records.map((record) => [record.key, record]));
  const exact = [{ key: move.key, claim: move.claim }, ...move.companions].every(({ key, claim }) => {
    const record = records.get(key);
    return record !== undefined && isExactlyThisMove(record, claim);
  });
  return exact ? "thisMove" : "otherRecord";
}
