import type {
  ActorJoined,
  RelocationFailed,
  RelocationReady,
  Rid,
  Session,
  SessionRelocationSealed,
} from "@rehome/wire";
import type { FenceAnswer, ReadAnswer } from "../ports/authority-store.ts";
import type { MoveFailure } from "../move/failure.ts";
import type { SourceTimer } from "./timers.ts";

/** The payload of a move as it will be sent: `protocol.md` T2. */
export interface PayloadSummary {
  readonly totalLength: bigint;
  readonly chunkCount: number;
  readonly checksumCrc32c: number;
}

/** A session that is bound to a member of the unit. */
export interface MemberBinding {
  readonly actorId: string;
  readonly session: Session;
}

/** Facts that a source move can learn. */
export type SourceInput =
  /**
   * The target was asked (descriptor and link; for a join, 28 and its 20) and can take the actor.
   * `receiveChunkLimitBytes` is what a join's answer said (T2); leave it out when nothing was said.
   */
  | { readonly type: "CheckPassed"; readonly receiveChunkLimitBytes?: number }
  | { readonly type: "CheckFailed"; readonly failure: MoveFailure }
  /** Every member's running turn ended; no new one starts and pushes outside a turn wait. `bindings` are final (H7). */
  | { readonly type: "TurnsStopped"; readonly bindings: readonly MemberBinding[] }
  | { readonly type: "AuthorityRead"; readonly answer: ReadAnswer }
  /** One answer for each key that was asked for, in their order. */
  | { readonly type: "MembersRead"; readonly answers: readonly ReadAnswer[] }
  | { readonly type: "SealedReceived"; readonly peer: Rid; readonly command: SessionRelocationSealed }
  /** A 53 from a session owner (S4, S6, S19). */
  | { readonly type: "SealRefused"; readonly peer: Rid; readonly command: RelocationFailed }
  /**
   * The store says that this session owner's lease ended or that it runs under a new generation (O1). With
   * `ownerNodeGeneration`, only sessions of that run are gone; without, all of that node's.
   */
  | { readonly type: "SessionOwnerGone"; readonly ownerNodeRid: Rid; readonly ownerNodeGeneration?: bigint }
  | { readonly type: "StateCaptured"; readonly payload: PayloadSummary }
  | { readonly type: "CaptureFailed"; readonly failure: MoveFailure }
  | { readonly type: "ReadyReceived"; readonly peer: Rid; readonly command: RelocationReady }
  /** A 53 from the target. */
  | { readonly type: "FailedReceived"; readonly peer: Rid; readonly command: RelocationFailed }
  /** 37: a hint to look at the store, nothing more. */
  | { readonly type: "JoinedReceived"; readonly peer: Rid; readonly command: ActorJoined }
  | { readonly type: "FenceSettled"; readonly answer: FenceAnswer }
  | { readonly type: "LinkLost"; readonly peer: Rid }
  | { readonly type: "AbortRequested"; readonly failure: MoveFailure }
  | { readonly type: "TimerFired"; readonly timer: SourceTimer };
