import type {
  RelocationCutover,
  RelocationData,
  RelocationFailed,
  RelocationPrepare,
  RelocationState,
  Rid,
  Session,
} from "@rehome/wire";
import type { CommitAnswer, FenceAnswer, ReadAnswer } from "../ports/authority-store.ts";
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
  /** `restore` returned and the copy stands, unseen. `sessions` and `previousSpot` are what the payload says. */
  | { readonly type: "Restored"; readonly restored: RestoredFacts }
  | { readonly type: "RestoreFailed"; readonly failure: MoveFailure; readonly failureCode: RestoreFailureCode }
  /** `bytes` are the frozen record's bytes as they came: the 34's checksum is over them. */
  | { readonly type: "RelayReceived"; readonly peer: Rid; readonly command: RelocationData; readonly bytes: Uint8Array }
  | { readonly type: "CutoverReceived"; readonly peer: Rid; readonly command: RelocationCutover }
  | { readonly type: "FailedReceived"; readonly peer: Rid; readonly command: RelocationFailed }
  | { readonly type: "CommitSettled"; readonly answer: CommitAnswer }
  | { readonly type: "AuthorityRead"; readonly answer: ReadAnswer }
  | { readonly type: "FenceSettled"; readonly answer: FenceAnswer }
  | { readonly type: "LinkLost"; readonly peer: Rid }
  /** This node gives the attempt up, because it stops, or because the actor is claimed by a newer fence (`staleOwner`). */
  | { readonly type: "AbortRequested"; readonly failure: MoveFailure }
  | { readonly type: "TimerFired"; readonly timer: TargetTimer };

export interface RestoredFacts {
  readonly stableType: string;
  readonly sessions: readonly Session[];
  /** Where the actor will be: a spot that it joins, or `undefined` for this node's entry spot. */
  readonly place: { readonly spotId: string; readonly objectGeneration: bigint } | undefined;
  /** Where it was, for the 37. */
  readonly previousPlace: { readonly spotId: string; readonly objectGeneration: bigint } | undefined;
  /** SHA-256 of the membership change (T8), 32 bytes. */
  readonly membershipDigest: Uint8Array;
}

/** `failureCode`s of a 53 that a failed restore can have (`wire.md` section 3). */
export type RestoreFailureCode = "actorTypeMismatch" | "payloadDecodeFailed" | "actorCreateFailed" | "workerQueueFull";
