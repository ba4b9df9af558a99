export { LruMap } from "./memory/lru.ts";

export { AFTER_COMMIT, AFTER_FENCE, AFTER_READ, COMPANION_AFTER_READ } from "./authority-commit/decisions.ts";
export type { CommitDecision, CommitGoal, CommitSeen, WriteHistory } from "./authority-commit/decisions.ts";
export { MOVE_CLAIM_FIELDS, differencesFromMove, evidenceOf, isExactlyThisMove } from "./authority-commit/evidence.ts";
export type { MoveClaim, MoveClaimField, MoveEvidence } from "./authority-commit/evidence.ts";
export { brokenCommitInvariants } from "./authority-commit/invariants.ts";
export { DEFAULT_STORE_RETRY } from "./authority-commit/state.ts";
export type {
  CommitCompanion,
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

export { MAX_OPTIMISTIC_TRIES, OptimisticCall } from "./authority-rules/optimistic-call.ts";
export type { OptimisticStep } from "./authority-rules/optimistic-call.ts";
export { nodeNameText } from "./authority-rules/row-exchange.ts";
export type {
  NodeName,
  ObjectWrite,
  PageNeed,
  RowBundle,
  RowGuards,
  RowNeeds,
  RowSnapshot,
  RowWrites,
  SeenLease,
  SeenTerm,
} from "./authority-rules/row-exchange.ts";
export { RowMemory } from "./authority-rules/row-memory.ts";
export { authorityStoreOver } from "./authority-rules/store.ts";
export type { AuthorityTransactions, TransactionBody } from "./authority-rules/store.ts";
export type {
  AuthorityRow,
  AuthorityTables,
  KeyReservation,
  LeaseRow,
  LeaseTerm,
  PageBounds,
  RowPage,
} from "./authority-rules/tables.ts";
export { createMemoryStore } from "./memory-store/store.ts";
export type { MemoryStore, MemoryStoreOptions } from "./memory-store/store.ts";
export { MemoryTables } from "./memory-store/tables.ts";

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

export {
  AFTER_RENEWAL,
  LEASE_MARGIN,
  RENEW_AFTER_SHARE,
  RETRY_AFTER_SHARE,
  surelyStandsUntil,
} from "./lease/decisions.ts";
export type { RenewalDecision } from "./lease/decisions.ts";
export { brokenLeaseInvariants } from "./lease/invariants.ts";
export type {
  EndedLease,
  LeaseConfig,
  LeaseEffect,
  LeaseInput,
  LeaseLossReason,
  LeaseState,
  LeaseStep,
  LeaseTimer,
  StandingLease,
} from "./lease/state.ts";
export { leaseStands, startLease, stepLease } from "./lease/step.ts";

export { OCCUPANT, SPOT_MOVING_PAUSE_MS, startJoin, stepJoin } from "./join/step.ts";
export type { OccupantDecision } from "./join/step.ts";
export type {
  JoinConfig,
  JoinEffect,
  JoinInput,
  JoinRefusal,
  JoinState,
  JoinStep,
  JournalOccupant,
  SpotAnswer,
  SpotFound,
} from "./join/state.ts";
export { JoinDeliveries, REMEMBERED_DELIVERIES } from "./join-journal/deliveries.ts";
export type { DeliveryAdmission } from "./join-journal/deliveries.ts";
export { AFTER_REREAD, DELIVERY_PAUSES_MS, rereadOf, startDelivery, stepDelivery } from "./join-journal/delivery.ts";
export type {
  DeliveryEffect,
  DeliveryInput,
  DeliveryOutcome,
  DeliveryState,
  DeliveryStep,
  JournalReread,
} from "./join-journal/delivery.ts";
export { sameOperation } from "./join-journal/record.ts";
export type { JournalCursor, JournalRecord } from "./join-journal/record.ts";
export { afterLoss, afterMove, JOURNAL_AFTER_LOSS, JOURNAL_AFTER_MOVE, unmarkedJoin } from "./join-journal/standing.ts";
export type { AdoptionDecision, JournalEvidence, JournalRelation, RecoveryDecision } from "./join-journal/standing.ts";
export { JOURNAL_STEPS, stepJournal } from "./join-journal/steps.ts";
export type {
  JournalDecision,
  JournalRefusal,
  JournalSeen,
  JournalStep,
  JournalStepped,
} from "./join-journal/steps.ts";

export { AFTER_DOUBT_FENCE, AFTER_WRITE, AFTER_WRITE_READ } from "./owner-writes/decisions.ts";
export type { WriteDecision, WritePurpose } from "./owner-writes/decisions.ts";
export { EMPTY_DOCUMENT } from "./owner-writes/document.ts";
export type { DocumentCodec, OwnerChange, OwnerDocument, SavedState } from "./owner-writes/document.ts";
export type { WriteEvidence, WriteSeen } from "./owner-writes/evidence.ts";
export { brokenWriterInvariants } from "./owner-writes/invariants.ts";
export { MAX_WAITING_WRITES } from "./owner-writes/state.ts";
export type {
  OwnedAuthority,
  WriteJob,
  WriteOutcome,
  WriterConfig,
  WriterEffect,
  WriterEnd,
  WriterInput,
  WriterState,
  WriterStep,
  WriterTimer,
} from "./owner-writes/state.ts";
export { startWriter, stepWriter } from "./owner-writes/step.ts";

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
export type { MemberBinding, PayloadSummary, SourceInput } from "./source/inputs.ts";
export { EMPTY_TRAIL, brokenSourceInvariants, watchSource } from "./source/invariants.ts";
export type { SourceTrail } from "./source/invariants.ts";
export { MEMBER_AFTER_VERDICT, MEMBER_AT_BASE } from "./source/members.ts";
export type { MemberBaseAction, MemberOwnerAction } from "./source/members.ts";
export { SOURCE_EVENTS } from "./source/reports.ts";
export { SOURCE_AFTER_FENCE, SOURCE_AFTER_READ } from "./source/resolution.ts";
export type { FenceReading, FenceRow, ReadRow, Reading, Situation } from "./source/resolution.ts";
export { authorityFrozen, sourceEnded } from "./source/state.ts";
export type { SourceState } from "./source/state.ts";
export { startSource, stepSource } from "./source/step.ts";
export type { SourceStep } from "./source/step.ts";
export type { SourceTimer } from "./source/timers.ts";

export { maxPayloadBytes, prepareFault, prepareSenderFault } from "./target/checks.ts";
export type { PrepareFault, ProvenPeer } from "./target/checks.ts";
export { weighClaims } from "./target/claims.ts";
export type { Claim, ClaimVerdict } from "./target/claims.ts";
export { DEFAULT_TARGET_LIMITS, REMEMBERED_RELOCATIONS } from "./target/config.ts";
export type { TargetConfig, TargetLimits } from "./target/config.ts";
export type { TargetEffect, TargetOutcome, TargetReport } from "./target/effects.ts";
export type { DeclineCode, TargetFailureCode } from "./target/failures.ts";
export type {
  PrepareReceived,
  RestoreFailureCode,
  RestoredFacts,
  RestoredMember,
  TargetInput,
} from "./target/inputs.ts";
export { brokenTargetInvariants } from "./target/invariants.ts";
export { TargetRegistry } from "./target/registry.ts";
export type { TargetWork } from "./target/registry.ts";
export { targetEnded } from "./target/state.ts";
export type { EndedTarget, OpenTarget, TargetAttempt, TargetState } from "./target/state.ts";
export { startTarget, stepTarget } from "./target/step.ts";
export type { TargetStep } from "./target/transitions.ts";
export type { TargetTimer } from "./target/timers.ts";

export { IngressHold } from "./ingress-hold/hold.ts";
export type { HoldMode, ReleasedRecords } from "./ingress-hold/hold.ts";
export { DEFAULT_HOLD_LIMITS } from "./ingress-hold/limits.ts";
export type { HoldLimits } from "./ingress-hold/limits.ts";
export { releaseEach } from "./ingress-hold/release.ts";
export type { ReleaseFailure } from "./ingress-hold/release.ts";
export { ActorFollow } from "./message-follow/follow.ts";
export type { FollowAnswer, FollowArrival, FollowMessage, ForwardedMessage } from "./message-follow/follow.ts";
export { dropsCachedRoute } from "./message-follow/hint.ts";
export { DEFAULT_FOLLOW_LIMITS, FOLLOW_REFUSALS, MAX_HOPS } from "./message-follow/limits.ts";
export type { FollowLimits, FollowRefusal } from "./message-follow/limits.ts";
export { DEFAULT_OUTBOUND_MOVES, OutboundMoves } from "./move/outbound.ts";
export type { MoveAdmission, MoveRequest } from "./move/outbound.ts";
export { DEFAULT_OWED_ROUTES, OwedRoutes } from "./move/owed-routes.ts";
export { passedOverText } from "./move/passed-over.ts";
export type { PassedOver } from "./move/passed-over.ts";
export { targetObstacle } from "./move/target-check.ts";
export type { UnitNeeds } from "./move/target-check.ts";
export { holdingOf, membersOf, objectOf } from "./move/unit.ts";
export type { Holding, MoveUnit, UnitMember, UnitObject } from "./move/unit.ts";
export { DEFAULT_TERMINAL_MEMORY, ReplyRelayReceiver } from "./reply-relay/receiver.ts";
export type { OpenRequest, RelayAnswer } from "./reply-relay/receiver.ts";
export { DEFAULT_RELAY_LIMITS, ReplyRelaySender } from "./reply-relay/sender.ts";
export type { AckAnswer, RelayedRequest, RelayedResult, RelayLimits, SentRelay } from "./reply-relay/sender.ts";
export type {
  LinkEvent,
  LinkLossReason,
  LocalIdentity,
  PeerAddress,
  PeerIdentity,
  SendResult,
  TrafficClass,
  Transport,
  TransportHandler,
} from "./ports/transport.ts";

export { brokenStreamOrderInvariants } from "./stream-order/invariants.ts";
export { DEFAULT_STREAM_LIMITS, RESUMES_AFTER_PART_OF_FOLLOW } from "./stream-order/limits.ts";
export type { StreamLimits } from "./stream-order/limits.ts";
export { StreamOrder, restoreStreamOrder } from "./stream-order/order.ts";
export type { StreamOrderView, StreamPlace } from "./stream-order/order.ts";
export type {
  SkippedRange,
  StreamAcceptance,
  StreamArrival,
  StreamContent,
  StreamExpiry,
  StreamMark,
  StreamRefusal,
  StreamSnapshot,
  WaitingMessage,
} from "./stream-order/messages.ts";

export { SessionBarriers } from "./session-barrier/barriers.ts";
export type { BarriersView, MessageVerdict, PushOffer, PushRefusal, PushVerdict } from "./session-barrier/barriers.ts";
export type {
  BindingEndReason,
  BindingRoute,
  HeldFailureReason,
  HeldPushDropReason,
  SessionBarrierEffect,
} from "./session-barrier/effects.ts";
export type { BindingRef, BindingView, PeerRun, SessionBarrierInput } from "./session-barrier/inputs.ts";
export { brokenBarrierInvariants } from "./session-barrier/invariants.ts";
export { DEFAULT_BARRIER_LIMITS, checkSealDeadline } from "./session-barrier/limits.ts";
export type { BarrierLimits } from "./session-barrier/limits.ts";
export { replyWay } from "./session-barrier/reply-route.ts";
export type { ReplyKnowledge, ReplyWay, SessionOwner } from "./session-barrier/reply-route.ts";
export type { BarrierEvent } from "./session-barrier/reports.ts";

export { DEFAULT_DRAIN_MS, DRAIN_AFTER_END, DRAIN_AFTER_FAILURE, afterUnitFailure } from "./drain/decisions.ts";
export type { FailureRow, RetryDecision, UnitFailureCode } from "./drain/decisions.ts";
export { DrainDesk } from "./drain/desk.ts";
export type { DrainAdmission, DrainRequest } from "./drain/desk.ts";
export { brokenDrainInvariants } from "./drain/invariants.ts";
export type {
  ArrivingUnit,
  DrainConfig,
  DrainEffect,
  DrainFailure,
  DrainInput,
  DrainNode,
  DrainProgress,
  DrainReason,
  DrainResult,
  DrainState,
  DrainStep,
  DrainTimer,
  DrainUnit,
  StayedUnit,
  UnitFailure,
} from "./drain/state.ts";
export { startDrain, stepDrain } from "./drain/step.ts";
export { MAY_REPLACE, STATE_AFTER_LOSS } from "./lost-owner/decisions.ts";
export type {
  HeldPayload,
  LossPolicy,
  OwnerLeaseSeen,
  RecreationDecision,
  ReplacementDecision,
  SavedSeen,
} from "./lost-owner/decisions.ts";
