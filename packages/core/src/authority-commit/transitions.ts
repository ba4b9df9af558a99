import type { AuthorityRecord } from "../ports/authority-store.ts";
import { commitFailure } from "./failures.ts";
import type { CommitFailureReason } from "./failures.ts";
import type { CommitMove, CommitPursuit, CommitState, CommitStep, GiveUpReason } from "./state.ts";

type In<T extends CommitState["type"]> = Extract<CommitState, { type: T }>;
/** The states that can still change. */
export type UndecidedCommit = In<
  "writing" | "pausing" | "reading" | "fencing" | "readingCompanions" | "pausingCompanions"
>;

/** The first commit write goes out. From here on the move ends only on exact evidence (T6). */
export function becomeFirstWriting(move: CommitMove): CommitStep {
  const state: CommitState = { type: "writing", move, history: "first", pursuit: { goal: "commit" }, pauses: 0 };
  return { state, effects: [{ type: "CommitAuthority", request: move.request }] };
}

/** The base version is still there and the deadline has not passed. The write stands on the same base version (T6). */
export function becomeRewriting(from: In<"reading">): CommitStep {
  const state: CommitState = {
    type: "writing",
    move: from.move,
    history: "repeated",
    pursuit: { goal: "commit" },
    pauses: from.pauses,
  };
  return { state, effects: [{ type: "CommitAuthority", request: from.move.request }] };
}

/**
 * Every way round passes through here, so that a store that contradicts itself, or says at once that it does not know,
 * cannot make the machine spin. After a definite answer the pause is a short one.
 */
export function becomePausing(
  from: In<"writing" | "reading" | "fencing">,
  pursuit: CommitPursuit,
  answer: "definite" | "unknown",
): CommitStep {
  const delayMs = answer === "definite" ? from.move.retry.firstMs : pauseMs(from);
  const state: CommitState = { type: "pausing", move: from.move, pursuit, pauses: from.pauses + 1 };
  return { state, effects: [{ type: "StartTimer", timer: "retryStore", delayMs }] };
}

function pauseMs({ move, pauses }: In<"writing" | "reading" | "fencing" | "readingCompanions">): number {
  const { firstMs, mostMs } = move.retry;
  // Twenty doublings are more than any `mostMs` needs; the bound keeps the power finite.
  return Math.min(firstMs * 2 ** Math.min(pauses, 20), mostMs);
}

/** T9: the object's record has proven the commit; the companions' generations are the store's to say. */
export function becomeReadingCompanions(
  from: In<"reading" | "pausingCompanions">,
  record: AuthorityRecord,
): CommitStep {
  const { move, pauses } = from;
  return {
    state: { type: "readingCompanions", move, record, pauses },
    effects: [{ type: "ReadMembers", keys: move.companions.map(({ key }) => key) }],
  };
}

export function becomePausingCompanions(from: In<"readingCompanions">): CommitStep {
  const { move, record, pauses } = from;
  return {
    state: { type: "pausingCompanions", move, record, pauses: pauses + 1 },
    effects: [{ type: "StartTimer", timer: "retryStore", delayMs: pauseMs(from) }],
  };
}

export function becomeReading(from: In<"pausing">): CommitStep {
  const { move, pursuit, pauses } = from;
  return { state: { type: "reading", move, pursuit, pauses }, effects: [{ type: "ReadAuthority" }] };
}

/** T6: the target's own fence write on the base version. */
export function becomeFencing(from: In<"writing" | "pausing" | "reading">, reason: GiveUpReason): CommitStep {
  const { move, pauses } = from;
  return {
    state: { type: "fencing", move, reason, pauses },
    effects: [
      ...stopPause(from),
      { type: "FenceAuthority", baseVersion: move.claim.coordinator.expectedAuthorityStoreVersion },
    ],
  };
}

export function becomeCommitted(
  from: UndecidedCommit,
  record: AuthorityRecord,
  companions: readonly AuthorityRecord[],
): CommitStep {
  return { state: { type: "committed", move: from.move, record, companions }, effects: [] };
}

export function becomeFailed(
  from: In<"writing" | "pausing" | "reading" | "fencing">,
  reason: CommitFailureReason,
): CommitStep {
  return { state: { type: "failed", move: from.move, ...commitFailure(reason) }, effects: [] };
}

function stopPause(from: UndecidedCommit): CommitStep["effects"] {
  return from.type === "pausing" ? [{ type: "StopTimer", timer: "retryStore" }] : [];
}
