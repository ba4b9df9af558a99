import type {
  ActorRef,
  RelocationCutover,
  RelocationData,
  RelocationFailed,
  RelocationPrepare,
  RelocationState,
  Rid,
  Session,
} from "@rehome/wire";
import type { CommitAnswer, FenceAnswer, ReadAnswer, SpotPlace } from "../ports/authority-store.ts";
import type { MoveFailure } from "../move/failure.ts";
import type { TargetTimer } from "./timers.ts";

/** A 40 as it came. `bytes` are its frame 0, which tells a repeat from another record under the same id (I9). */
export interface PrepareReceived {
  readonly type: "PrepareReceived";
  readonly peer: Rid;
  readonly command: RelocationPrepare;
  readonly bytes: Uint8Array;
}

/** Facts that a target move can learn. It begins with a 40 (`protocol.md` T1); a later `PrepareReceived` is a repeat. */
export type TargetInput =
  | PrepareReceived
  | { readonly type: "StateReceived"; readonly peer: Rid; readonly command: RelocationState }
  /** `restore` returned for all of the unit, and the copies stand, unseen. The facts are what the payload says. */
  | { readonly type: "Restored"; readonly restored: RestoredFacts }
  | { readonly type: "RestoreFailed"; readonly failure: MoveFailure; readonly failureCode: RestoreFailureCode }
  /** `bytes` are the frozen record's bytes as they came: the 34's checksum is over them. */
  | { readonly type: "RelayReceived"; readonly peer: Rid; readonly command: RelocationData; readonly bytes: Uint8Array }
  | { readonly type: "CutoverReceived"; readonly peer: Rid; readonly command: RelocationCutover }
  | { readonly type: "FailedReceived"; readonly peer: Rid; readonly command: RelocationFailed }
  | { readonly type: "CommitSettled"; readonly answer: CommitAnswer }
  | { readonly type: "AuthorityRead"; readonly answer: ReadAnswer }
  /** One answer for each key that was asked for, in their order. */
  | { readonly type: "MembersRead"; readonly answers: readonly ReadAnswer[] }
  | { readonly type: "FenceSettled"; readonly answer: FenceAnswer }
  | { readonly type: "LinkLost"; readonly peer: Rid }
  /** This node gives the attempt up, because it stops, or because the actor is claimed by a newer fence (`staleOwner`). */
  | { readonly type: "AbortRequested"; readonly failure: MoveFailure }
  | { readonly type: "TimerFired"; readonly timer: TargetTimer };

/** What a payload says of the unit. */
export interface RestoredFacts {
  /** Of the object that the 40 named. */
  readonly stableType: string;
  /** Where an actor will be: a spot that it joins, or `undefined` for this node's entry spot. A spot is in none. */
  readonly place: SpotPlace | undefined;
  /** SHA-256 of the unit's membership change (T8), 32 bytes. */
  readonly membershipDigest: Uint8Array;
  /** Of an actor that moves alone: itself. */
  readonly members: readonly RestoredMember[];
}

export interface RestoredMember {
  readonly actor: ActorRef;
  readonly stableType: string;
  /** The generation that it leaves, and the version that its part of the commit stands on. */
  readonly authorityOwnerGeneration: bigint;
  readonly baseVersion: string;
  readonly sessions: readonly Session[];
  /** Where it was, for the 37. */
  readonly previousPlace: SpotPlace | undefined;
}

/** `failureCode`s of a 53 that a failed restore can have (`wire.md` section 3). */
export type RestoreFailureCode =
  | "actorTypeMismatch"
  | "payloadDecodeFailed"
  | "actorCreateFailed"
  | "workerQueueFull"
  /** The spot that the actor was to join is on its way to another node, or not here any more: look it up again. */
  | "spotMoving"
  | "spotRouteNotFound";
