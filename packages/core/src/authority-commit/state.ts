import type {
  AuthorityRecord,
  CommitAnswer,
  CommitRequest,
  FenceAnswer,
  ReadAnswer,
} from "../ports/authority-store.ts";
import type { MoveFailure } from "../move/failure.ts";
import type { WriteHistory } from "./decisions.ts";
import type { MoveClaim } from "./evidence.ts";

/** The pauses between two questions to the store: `firstMs`, then twice as long each time, up to `mostMs`. */
export interface StoreRetry {
  readonly firstMs: number;
  readonly mostMs: number;
}

/**
 * 10 ms is some times a healthy store's answer, and far below any deadline. A second is the slower pace of a store that
 * does not answer: 64 moves in doubt then cost it 64 reads a second.
 */
export const DEFAULT_STORE_RETRY: StoreRetry = Object.freeze({ firstMs: 10, mostMs: 1_000 });

/** What every state of a commit needs. */
export interface CommitMove {
  readonly claim: MoveClaim;
  readonly request: CommitRequest;
  /** Authority key of the object, the one participant whose record decides: the write changes all of them or none. */
  readonly key: string;
  /** The other participants, a spot's members: they follow the object, and are asked for no more than their generations. */
  readonly companions: readonly CommitCompanion[];
  readonly retry: StoreRetry;
}

export interface CommitCompanion {
  readonly key: string;
  readonly claim: MoveClaim;
}

/** Why the target gave up writing. It becomes the failure if the fence write, or a reading, shows that it may. */
export type GiveUpReason = "deadline" | "capacityExceeded" | "generationExhausted";

/** `CommitGoal` with what belongs to it. */
export type CommitPursuit =
  { readonly goal: "commit" } | { readonly goal: "fence"; readonly reason: GiveUpReason } | { readonly goal: "learn" };

/** `pauses` counts the pauses so far. */
export type CommitState =
  /** A commit write is out. */
  | {
      readonly type: "writing";
      readonly move: CommitMove;
      readonly history: WriteHistory;
      readonly pursuit: Exclude<CommitPursuit, { goal: "learn" }>;
      readonly pauses: number;
    }
  /** The pause before a read. */
  | {
      readonly type: "pausing";
      readonly move: CommitMove;
      readonly pursuit: CommitPursuit;
      readonly pauses: number;
    }
  /** A read is out. */
  | {
      readonly type: "reading";
      readonly move: CommitMove;
      readonly pursuit: CommitPursuit;
      readonly pauses: number;
    }
  /** The target's own fence write is out. */
  | {
      readonly type: "fencing";
      readonly move: CommitMove;
      readonly reason: GiveUpReason;
      readonly pauses: number;
    }
  /** A reading proved that this move committed, and the companions' records are being read (T9). Nothing rolls back. */
  | {
      readonly type: "readingCompanions";
      readonly move: CommitMove;
      readonly record: AuthorityRecord;
      readonly pauses: number;
    }
  /** The pause before they are read again. */
  | {
      readonly type: "pausingCompanions";
      readonly move: CommitMove;
      readonly record: AuthorityRecord;
      readonly pauses: number;
    }
  /**
   * The end: exact evidence that this move committed. A companion whose record is missing in `companions` has left this
   * owner since, because its lease ended.
   */
  | {
      readonly type: "committed";
      readonly move: CommitMove;
      readonly record: AuthorityRecord;
      readonly companions: readonly AuthorityRecord[];
    }
  /** The end: exact evidence that it did not and never will. */
  | {
      readonly type: "failed";
      readonly move: CommitMove;
      readonly failure: MoveFailure;
      readonly failureCode: CommitFailureCode;
    };

/** `failureCode`s of a 53 that a failed commit can have (`wire.md` section 3). */
export type CommitFailureCode = "actorLocationStale" | "workerQueueFull" | "requestRejected";

/** Facts that a commit can learn. `RetryDue`: the pause is over. `DeadlinePassed`: the move's deadline (T6). */
export type CommitInput =
  | { readonly type: "CommitSettled"; readonly answer: CommitAnswer }
  | { readonly type: "AuthorityRead"; readonly answer: ReadAnswer }
  /** One answer for each key that was asked for, in their order. */
  | { readonly type: "MembersRead"; readonly answers: readonly ReadAnswer[] }
  | { readonly type: "FenceSettled"; readonly answer: FenceAnswer }
  | { readonly type: "RetryDue" }
  | { readonly type: "DeadlinePassed" };

/** What a commit wants done. One question to the store is out at a time, or the pause timer runs, never both. */
export type CommitEffect =
  /** Answer with `CommitSettled`. */
  | { readonly type: "CommitAuthority"; readonly request: CommitRequest }
  /** Answer with `AuthorityRead`. */
  | { readonly type: "ReadAuthority" }
  /** Answer with `MembersRead`. */
  | { readonly type: "ReadMembers"; readonly keys: readonly string[] }
  /** Answer with `FenceSettled`. */
  | { readonly type: "FenceAuthority"; readonly baseVersion: string }
  | { readonly type: "StartTimer"; readonly timer: "retryStore"; readonly delayMs: number }
  | { readonly type: "StopTimer"; readonly timer: "retryStore" };

export interface CommitStep {
  readonly state: CommitState;
  readonly effects: readonly CommitEffect[];
}
