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

export { CoreError } from "./errors.ts";
export type { CoreErrorCode } from "./errors.ts";

export type { MoveFailure, MoveFailureCode } from "./move/failure.ts";

export { MAX_CHUNK_COUNT, READ_AGAIN_MS, READ_AGAIN_SLOWLY_MS, TARGET_ATTEMPT_GENERATION } from "./source/config.ts";
export type { SourceConfig, SourceDeadlines } from "./source/config.ts";
export type {
  CutoverHeader,
  HandedOver,
  RelayHeader,
  SourceEffect,
  SourceOutcome,
  StateHeader,
} from "./source/effects.ts";
export type { PayloadSummary, SourceInput } from "./source/inputs.ts";
export { EMPTY_TRAIL, brokenSourceInvariants, watchSource } from "./source/invariants.ts";
export type { SourceTrail } from "./source/invariants.ts";
export { SOURCE_EVENTS } from "./source/reports.ts";
export { SOURCE_AFTER_FENCE, SOURCE_AFTER_READ } from "./source/resolution.ts";
export type { FenceReading, FenceRow, ReadRow, Reading, Situation } from "./source/resolution.ts";
export { authorityFrozen, committedFence, sourceEnded } from "./source/state.ts";
export type { SourceState } from "./source/state.ts";
export { startSource, stepSource } from "./source/step.ts";
export type { SourceStep } from "./source/step.ts";
export type { SourceTimer } from "./source/timers.ts";
