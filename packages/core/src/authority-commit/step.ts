import type { AuthorityRecord, CommitAnswer, FenceAnswer, ReadAnswer } from "../ports/authority-store.ts";
import { CoreError } from "../errors.ts";
import { AFTER_COMMIT, AFTER_FENCE, AFTER_READ, COMPANION_AFTER_READ, commitSeen } from "./decisions.ts";
import type { CommitDecision, CommitSeen } from "./decisions.ts";
import { evidenceAt } from "./evidence.ts";
import type { MoveEvidence } from "./evidence.ts";
import type { CommitFailureReason } from "./failures.ts";
import type { CommitInput, CommitMove, CommitPursuit, CommitState, CommitStep } from "./state.ts";
import {
  becomeCommitted,
  becomeFailed,
  becomeFencing,
  becomeFirstWriting,
  becomePausing,
  becomePausingCompanions,
  becomeReading,
  becomeReadingCompanions,
  becomeRewriting,
} from "./transitions.ts";

type In<T extends CommitState["type"]> = Extract<CommitState, { type: T }>;

const OVERDUE = { goal: "fence", reason: "deadline" } as const;

/** Begins the commit of a move whose 34 matched (T5): the first conditional write goes out. */
export function startCommit(move: CommitMove): CommitStep {
  return becomeFirstWriting(move);
}

/**
 * `protocol.md` T6: takes one fact, gives back the new state and what to do. An input that its state does not wait for
 * changes nothing. {@link AFTER_COMMIT}, {@link AFTER_READ} and {@link AFTER_FENCE} decide; this only carries out.
 */
export function stepCommit(state: CommitState, input: CommitInput): CommitStep {
  switch (state.type) {
    case "writing":
      if (input.type === "CommitSettled") return afterCommit(state, input.answer);
      if (input.type === "DeadlinePassed" && state.pursuit.goal === "commit")
        return stay({ ...state, pursuit: OVERDUE });
      return stay(state);
    case "pausing":
      if (input.type === "RetryDue") return becomeReading(state);
      if (input.type === "DeadlinePassed" && state.pursuit.goal === "commit") return becomeFencing(state, "deadline");
      return stay(state);
    case "reading":
      if (input.type === "AuthorityRead") return afterRead(state, input.answer);
      if (input.type === "DeadlinePassed" && state.pursuit.goal === "commit")
        return stay({ ...state, pursuit: OVERDUE });
      return stay(state);
    case "fencing":
      return input.type === "FenceSettled" ? afterFence(state, input.answer) : stay(state);
    case "readingCompanions":
      return input.type === "MembersRead" ? companionsRead(state, input.answers) : stay(state);
    case "pausingCompanions":
      return input.type === "RetryDue" ? becomeReadingCompanions(state, state.record) : stay(state);
    case "committed":
    case "failed":
      return stay(state);
  }
}

function afterCommit(state: In<"writing">, answer: CommitAnswer): CommitStep {
  const { move, history, pursuit } = state;
  const seen = commitSeen(answer, move);
  const decision = AFTER_COMMIT[seen][history][pursuit.goal];
  switch (decision) {
    case "adopt":
      return becomeCommitted(state, ...writtenRecords(answer, move));
    case "failed":
      return becomeFailed(state, refusalReason(seen));
    case "fence":
      return becomeFencing(state, fenceReason(seen));
    case "read":
      return becomePausing(state, pursuit, seen === "unknown" ? "unknown" : "definite");
    case "readLast":
      return becomePausing(state, { goal: "learn" }, "definite");
    case "writeAgain":
    case "keepReading":
      return impossible(decision);
  }
}

function afterRead(state: In<"reading">, answer: ReadAnswer): CommitStep {
  const { move, pursuit } = state;
  const evidence = evidenceAt(move.key, answer, move.claim);
  const decision = AFTER_READ[evidence.type][pursuit.goal];
  switch (decision) {
    case "adopt":
      if (evidence.type !== "thisMove") return impossible(decision);
      return move.companions.length === 0
        ? becomeCommitted(state, evidence.record, [])
        : becomeReadingCompanions(state, evidence.record);
    case "failed":
      return becomeFailed(state, readingReason(evidence, pursuit));
    case "writeAgain":
      return becomeRewriting(state);
    case "fence":
      return becomeFencing(state, pursuit.goal === "fence" ? pursuit.reason : "deadline");
    case "keepReading":
      return becomePausing(state, pursuit, "unknown");
    case "read":
    case "readLast":
      return impossible(decision);
  }
}

function afterFence(state: In<"fencing">, answer: FenceAnswer): CommitStep {
  const decision = AFTER_FENCE[answer.outcome];
  switch (decision) {
    case "failed":
      return becomeFailed(state, state.reason);
    case "read":
      return becomePausing(
        state,
        { goal: "fence", reason: state.reason },
        answer.outcome === "unknown" ? "unknown" : "definite",
      );
    case "readLast":
      return becomePausing(state, { goal: "learn" }, "definite");
    case "adopt":
    case "writeAgain":
    case "fence":
    case "keepReading":
      return impossible(decision);
  }
}

/** I7: only when every companion's record is known does the move go on, and nothing else can come of it. */
function companionsRead(state: In<"readingCompanions">, answers: readonly ReadAnswer[]): CommitStep {
  const records: AuthorityRecord[] = [];
  for (const [index, { key, claim }] of state.move.companions.entries()) {
    const answer = answers[index] ?? { outcome: "unknown", reason: "no answer came" };
    const evidence = evidenceAt(key, answer, claim);
    const decision = COMPANION_AFTER_READ[evidence.type];
    if (decision === "readAgain") return becomePausingCompanions(state);
    if (decision === "take" && evidence.type === "thisMove") records.push(evidence.record);
  }
  return becomeCommitted(state, state.record, records);
}

function writtenRecords(answer: CommitAnswer, move: CommitMove): [AuthorityRecord, AuthorityRecord[]] {
  const records = answer.outcome === "committed" || answer.outcome === "alreadyCommitted" ? answer.records : [];
  const byKey = new Map(records.map((record) => [record.key, record]));
  const written = (key: string): AuthorityRecord => byKey.get(key) ?? impossible("adopt");
  return [written(move.key), move.companions.map(({ key }) => written(key))];
}

function refusalReason(seen: CommitSeen): CommitFailureReason {
  switch (seen) {
    case "stale":
      return "staleBase";
    case "capacityExceeded":
    case "generationExhausted":
      return seen;
    case "staleLease":
      return "leaseEnded";
    case "thisMove":
    case "otherRecord":
    case "unknown":
      return impossible("failed");
  }
}

function fenceReason(seen: CommitSeen): "deadline" | "capacityExceeded" | "generationExhausted" {
  return seen === "capacityExceeded" || seen === "generationExhausted" ? seen : "deadline";
}

function readingReason(evidence: MoveEvidence, pursuit: CommitPursuit): CommitFailureReason {
  switch (evidence.type) {
    case "sameOwner":
      // Someone fenced the base version: the source (O4), or this target's own fence write whose answer was lost.
      return pursuit.goal === "fence" ? pursuit.reason : "staleBase";
    case "newerOwner":
      return "ownerChanged";
    case "gone":
      return "objectGone";
    case "base":
      return "leaseEnded";
    case "thisMove":
    case "none":
      return impossible("failed");
  }
}

function stay(state: CommitState): CommitStep {
  return { state, effects: [] };
}

/** The tables never say this; a table that does is a bug. */
function impossible(decision: CommitDecision): never {
  throw new CoreError("assertionFailed", `The decision tables have no place for "${decision}" here.`);
}
