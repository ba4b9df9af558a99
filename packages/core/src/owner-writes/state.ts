import type { StoreRetry } from "../authority-commit/state.ts";
import type {
  AuthorityRecord,
  DestroyAnswer,
  FenceAnswer,
  OwnerIdentity,
  PublishAnswer,
  ReadAnswer,
  SpotPlace,
} from "../ports/authority-store.ts";
import type { JournalRefusal } from "../join-journal/steps.ts";
import type { DocumentCodec, OwnerChange, OwnerDocument } from "./document.ts";

/** Writes that wait behind one another for one authority; more than any actor can mean at once (`protocol.md` I8). */
export const MAX_WAITING_WRITES = 64;

/** Which ownership the writes belong to. Under any other they are refused. */
export interface OwnedAuthority {
  readonly key: string;
  readonly objectGeneration: bigint;
  readonly authorityOwnerGeneration: bigint;
  readonly owner: OwnerIdentity;
}

export interface WriterConfig {
  readonly authority: OwnedAuthority;
  readonly codec: DocumentCodec;
  readonly retry: StoreRetry;
  /** How long one write may stay without an answer that decides it, in ms. */
  readonly deadlineMs: number;
}

/** What the record is known to hold under its version. */
export interface StandingVersion {
  readonly version: string;
  readonly bytes: Uint8Array;
  readonly document: OwnerDocument;
}

export type SentWrite =
  | {
      readonly type: "published";
      readonly bytes: Uint8Array;
      readonly document: OwnerDocument;
      /** `undefined`: the place was left as it is. */
      readonly place: { readonly spot: SpotPlace | undefined } | undefined;
    }
  | { readonly type: "destroyed" };

/** Whether a write that was given up may still happen on the known version. */
export type Doubt = { readonly type: "none" } | { readonly type: "doubtful"; readonly sent: SentWrite };

/** A write that somebody asked for. `id` is the asker's. */
export interface WriteJob {
  readonly id: number;
  readonly change: OwnerChange;
}

/**
 * O6: `open`: writes go out. `closing`: a move wants to read its base version; the write that is out is the last. `closed`:
 * a move stands on the version; writes wait.
 */
export type WriteGate = "open" | "closing" | "closed";

export interface WriterBase {
  readonly config: WriterConfig;
  readonly known: StandingVersion;
  readonly doubt: Doubt;
  readonly gate: WriteGate;
  readonly waiting: readonly WriteJob[];
}

/** `goal` is `giveUp` once the deadline has passed: the answer that is out still counts, nothing else is begun. */
export interface Working extends WriterBase {
  readonly job: WriteJob;
  readonly goal: "finish" | "giveUp";
  readonly pauses: number;
}

/** What the owner is waiting to learn: the fate of the job's write, or of an earlier one before the job can begin. */
export type Question =
  | { readonly purpose: "publish" | "destroy"; readonly sent: SentWrite }
  | { readonly purpose: "settle"; readonly sent: SentWrite };

export type WriterState =
  | (WriterBase & { readonly type: "idle" })
  | (Working & { readonly type: "writing"; readonly sent: SentWrite })
  | (Working & { readonly type: "pausing"; readonly question: Question })
  | (Working & { readonly type: "reading"; readonly question: Question })
  | (Working & { readonly type: "fencing"; readonly question: Question })
  /** Nothing of this ownership is written any more. */
  | { readonly type: "ended"; readonly reason: WriterEnd };

/** `notOwner`: it moved on or was destroyed. `leaseEnded`: the store refused this run. */
export type WriterEnd = "notOwner" | "leaseEnded";

export type WriteOutcome =
  /** `record` is what the store now holds, where it said so; a destroyed object has none, nor has a change that was there already. */
  | { readonly type: "written"; readonly record: AuthorityRecord | undefined }
  /** The journal's rules forbid it (J5); nothing was written. */
  | { readonly type: "refused"; readonly reason: JournalRefusal }
  /** `inDoubt`: nobody can tell whether it was written. `notWritten`: the store gave no chance in time, but it was not. */
  | { readonly type: "failed"; readonly reason: WriterEnd | "inDoubt" | "notWritten" | "dataLoss" | "tooMany" };

export type WriterInput =
  | { readonly type: "WriteAsked"; readonly job: WriteJob }
  /** A move is about to read its base version. Answered by `Frozen`. */
  | { readonly type: "FreezeAsked" }
  /** The move has ended and this node still owns the object. */
  | { readonly type: "Thawed" }
  | { readonly type: "WriteSettled"; readonly answer: PublishAnswer | DestroyAnswer }
  | { readonly type: "AuthorityRead"; readonly answer: ReadAnswer }
  | { readonly type: "FenceSettled"; readonly answer: FenceAnswer }
  | { readonly type: "TimerFired"; readonly timer: WriterTimer }
  /** This node's copy has ended. */
  | { readonly type: "Departed" };

export type WriterTimer = "retryStore" | "deadline";

/** One question to the store is out at a time. */
export type WriterEffect =
  /** Answer with `WriteSettled`. */
  | {
      readonly type: "Publish";
      readonly baseVersion: string;
      readonly payload: Uint8Array;
      readonly place: { readonly spot: SpotPlace | undefined } | undefined;
    }
  /** Answer with `WriteSettled`. */
  | { readonly type: "Destroy"; readonly baseVersion: string }
  /** Answer with `AuthorityRead`. */
  | { readonly type: "ReadAuthority" }
  /** Answer with `FenceSettled`. */
  | { readonly type: "FenceAuthority"; readonly baseVersion: string }
  | { readonly type: "StartTimer"; readonly timer: WriterTimer; readonly delayMs: number }
  | { readonly type: "StopTimer"; readonly timer: WriterTimer }
  /** No write is out and none begins before `Thawed`. */
  | { readonly type: "Frozen" }
  | { readonly type: "SettleWrite"; readonly id: number; readonly outcome: WriteOutcome }
  /** What the store holds is not what this owner wrote: report it. What it held is lost; the next write replaces it. */
  | { readonly type: "ReportLoss" };

export interface WriterStep {
  readonly state: WriterState;
  readonly effects: readonly WriterEffect[];
}
