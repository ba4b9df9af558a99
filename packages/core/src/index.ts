export { LruMap } from "./memory/lru.ts";

export { AFTER_COMMIT, AFTER_FENCE, AFTER_READ } from "./authority-commit/decisions.ts";
export type { CommitDecision, CommitGoal, CommitSeen, WriteHistory } from "./authority-commit/decisions.ts";
export { MOVE_CLAIM_FIELDS, differencesFromMove, evidenceOf, isExactlyThisMove } from "./authority-commit/evidence.ts";
export type { MoveClaim, MoveClaimField, MoveEvidence } from "./authority-commit/evidence.ts";
export { brokenCommitInvariants } from "./authority-commit/invariants.ts";
export { DEFAULT_STORE_RETRY } from "./authority-commit/state.ts";
export type {
  CommitEffect,
  CommitFailureCode,
  CommitInput,
  CommitMove,
  CommitPursuit,
  CommitState,
  CommitStep,
  GiveUpReason,
  StoreRetry,
} from "./authority-commit/state.ts";
export { startCommit, stepCommit } from "./authority-commit/step.ts";
