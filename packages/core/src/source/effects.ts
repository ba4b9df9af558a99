import type {
  ActorFence,
  RelocationCutover,
  RelocationData,
  RelocationFailed,
  RelocationPrepare,
  RelocationState,
  Rid,
  SessionRelocationRoute,
  SessionRelocationSeal,
} from "@rehome/wire";
import type { MoveFailure } from "../move/failure.ts";
import type { OwnerIdentity } from "../ports/authority-store.ts";
import type { SourceTimer } from "./timers.ts";

/** Everything of a 52 but its ordinal and data. */
export type StateHeader = Omit<RelocationState, "chunkOrdinal" | "chunkData">;
/** Everything of a 31 but its record. */
export type RelayHeader = Omit<RelocationData, "record">;
/** Everything of a 34 but count and checksum. */
export type CutoverHeader = Omit<RelocationCutover, "boundaryRecordCount" | "boundaryChecksumCrc32c">;

/**
 * What became of the messages that were queued or held before the 34. Whatever was held after it is forwarded in any case.
 *
 * - `delivered`: this move committed; the target runs them. Forget them here.
 * - `unknown`: they were handed to the target, but somebody else is the owner now. Whether they were run cannot be shown:
 *   each is reported so (I2), and none is sent a second time (I3).
 * - `nothing`: nothing had been handed over: forward the queue and all of the hold.
 */
export type HandedOver = "delivered" | "unknown" | "nothing";

/** What a source move wants done, in this order. */
export type SourceEffect =
  /** Ask the target whether it can take the unit. Answer with `CheckPassed` or `CheckFailed`. Before anything stops. */
  | { readonly type: "CheckTarget" }
  /**
   * Messages to every member go into one ingress hold, in arrival order, from now on; provisional for a join that is not
   * granted yet (H2).
   */
  | { readonly type: "HoldIngress"; readonly mode: "provisional" | "full" }
  | { readonly type: "PromoteHold" }
  /** Let every member's running turn end and start no other; answer with `TurnsStopped`. After the hold stands. */
  | { readonly type: "StopTurns" }
  /** Read the unit's own authority; answer with `AuthorityRead`. */
  | { readonly type: "ReadAuthority" }
  /** Answer with `MembersRead`. After the unit's own authority was read. */
  | { readonly type: "ReadMembers"; readonly keys: readonly string[] }
  /**
   * After the base version was read. `peer` may be this node itself. If there is no link to take it, answer with
   * `LinkLost` or `SessionOwnerGone`; the 42 counts as handed over all the same.
   */
  | { readonly type: "SendSeal"; readonly peer: Rid; readonly command: SessionRelocationSeal }
  /**
   * Answer with `StateCaptured` or `CaptureFailed`. After every session is sealed, so that what it fed is in the payload.
   * `chunkBytes` is what the payload's chunk count goes by (T2); past `maxPayloadBytes` it is too large (T4). The payload
   * says each member's base version: `memberVersions`, in the order of a spot's members; an actor's is in the coordinator.
   */
  | {
      readonly type: "CaptureState";
      readonly chunkBytes: number;
      readonly maxPayloadBytes: number;
      readonly memberVersions: readonly string[];
    }
  | { readonly type: "SendPrepare"; readonly peer: Rid; readonly command: RelocationPrepare }
  /** Send the captured payload in 52s of `chunkBytes`, the last one less, as the link takes them. After the 40. */
  | { readonly type: "SendState"; readonly peer: Rid; readonly header: StateHeader; readonly chunkBytes: number }
  /**
   * In one step: take the hold's snapshot (H3), send it as 31 records, then the 34 with their count and checksum. From
   * here on this node runs and answers nothing for the actor until the store has spoken. After the 30.
   */
  | {
      readonly type: "RelayAndCutOver";
      readonly peer: Rid;
      readonly relay: RelayHeader;
      readonly cutover: CutoverHeader;
    }
  /** On the unit's own authority; answer with `FenceSettled` (O4). */
  | { readonly type: "FenceAuthority"; readonly baseVersion: string }
  /**
   * 44 `abort`, owed for every 42 that was handed to a link (S20); 44 `commit` only on committed evidence. Keep it in
   * `OwedRoutes`: it is sent again after a new link.
   */
  | { readonly type: "SendRoute"; readonly peer: Rid; readonly command: SessionRelocationRoute }
  /** O11. After O3 or O4 allowed the abort. */
  | { readonly type: "SendFailed"; readonly peer: Rid; readonly command: RelocationFailed }
  /** H4: held records return to the front of the queue, behind a closed gate; timers get their remaining time back. */
  | { readonly type: "GiveBackHold" }
  /** The last step of a rollback: turns may start again. */
  | { readonly type: "OpenGate" }
  /**
   * Forward what is held for this member, and what still arrives, to its exact fence (F1). Only on evidence from the
   * store. Every member gets either this or `FailHold`.
   */
  | {
      readonly type: "StartFollow";
      readonly target: ActorFence;
      readonly relay: RelayHeader;
      readonly handedOver: HandedOver;
    }
  /** Nobody owns this member any more, or nobody knows whom to forward to: fail what is held for it (H5). */
  | {
      readonly type: "FailHold";
      readonly actorId: string;
      readonly failure: MoveFailure;
      readonly handedOver: HandedOver;
    }
  /**
   * Remove this node's copies of the unit, these very ones (O9); run the leave follow-up. After every member's
   * `StartFollow` or `FailHold`.
   */
  | { readonly type: "DropCopy" }
  | { readonly type: "StartTimer"; readonly timer: SourceTimer; readonly delayMs: number }
  | { readonly type: "StopTimer"; readonly timer: SourceTimer }
  /** A fact for the operator that ends nothing: a late record, an undecided owner (O5). */
  | { readonly type: "Report"; readonly event: string; readonly fields: Readonly<Record<string, unknown>> }
  /** The move has ended. Once. */
  | { readonly type: "Settle"; readonly outcome: SourceOutcome };

export type SourceOutcome =
  | { readonly type: "committed"; readonly owner: OwnerIdentity; readonly authorityOwnerGeneration: bigint }
  /** The store names another owner, but not by this move: this node departed. */
  | { readonly type: "superseded"; readonly failure: MoveFailure }
  | { readonly type: "aborted"; readonly failure: MoveFailure };
