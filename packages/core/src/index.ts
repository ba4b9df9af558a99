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

export { authorityStoreOver } from "./authority-rules/store.ts";
export type { AuthorityTransactions, TransactionBody } from "./authority-rules/store.ts";
export type {
  AuthorityRow,
  AuthorityTables,
  KeyReservation,
  LeaseRow,
  PageBounds,
  RowPage,
} from "./authority-rules/tables.ts";
export { createMemoryStore } from "./memory-store/store.ts";
export type { MemoryStore, MemoryStoreOptions } from "./memory-store/store.ts";

export type {
  AbortCreateAnswer,
  AcquireAnswer,
  AcquireRequest,
  AuthorityReading,
  AuthorityRecord,
  AuthorityStore,
  CommitAnswer,
  CommitParticipant,
  CommitRequest,
  CreateAnswer,
  CreateReservation,
  DescribeAnswer,
  DestroyAnswer,
  FenceAnswer,
  NodeDescriptor,
  NodesAnswer,
  OwnerIdentity,
  OwnerLease,
  PublishAnswer,
  PublishRequest,
  ReadAnswer,
  ReleaseAnswer,
  RenewAnswer,
  ReserveAnswer,
  ReserveRequest,
  ScanAnswer,
  SpotPlace,
  UnknownAnswer,
} from "./ports/authority-store.ts";
export type { Clock, TimerHandle } from "./ports/clock.ts";
export type { Log, LogLevel } from "./ports/log.ts";
export type { Random } from "./ports/random.ts";
