import type {
  ActorJoined,
  RelocationData,
  RelocationFailed,
  RelocationReady,
  Rid,
  SessionRelocationRoute,
} from "@rehome/wire";
import type { AuthorityRecord, CommitRequest } from "../ports/authority-store.ts";
import type { MoveFailure } from "../move/failure.ts";
import type { TargetTimer } from "./timers.ts";

/** What a target move wants done, in this order. */
export type TargetEffect =
  /** Decode the payload, build the unit unseen and run every `restore`; answer `Restored` or `RestoreFailed`. */
  | { readonly type: "RestoreUnit"; readonly payload: Uint8Array }
  /** Stop following every member (F5), and queue what arrives for them from now on, in the attempt's temporary queue. Before the 30. */
  | { readonly type: "OpenTemporaryQueue" }
  | { readonly type: "SendReady"; readonly peer: Rid; readonly command: RelocationReady }
  | { readonly type: "SendFailed"; readonly peer: Rid; readonly command: RelocationFailed }
  /** Answer with `CommitSettled`. After the 34 matched (T5). */
  | { readonly type: "CommitAuthority"; readonly request: CommitRequest }
  /** Answer with `AuthorityRead`. */
  | { readonly type: "ReadAuthority" }
  /** Answer with `MembersRead`. */
  | { readonly type: "ReadMembers"; readonly keys: readonly string[] }
  /** Answer with `FenceSettled`. */
  | { readonly type: "FenceAuthority"; readonly baseVersion: string }
  /**
   * Make the copies the unit, with the store's values (T9). After exact evidence only. A member without a record has left
   * this owner since: its copy goes.
   */
  | { readonly type: "Adopt"; readonly record: AuthorityRecord; readonly members: readonly AuthorityRecord[] }
  /** In one step: queue each member's saved messages, `relayed`, then the temporary queue, and let turns start. After `Adopt`. */
  | { readonly type: "OpenDispatch"; readonly relayed: readonly Uint8Array[] }
  /**
   * A 31 that came after the matching 34: the source has read the commit and forwards already (F2), while this node still
   * waits for the store's word. It goes to the end of the temporary queue, as a forwarded message.
   */
  | { readonly type: "QueueForwarded"; readonly command: RelocationData }
  /** 44 `commit`. After `Adopt` (T10). `peer` may be this node itself. */
  | { readonly type: "SendRoute"; readonly peer: Rid; readonly command: SessionRelocationRoute }
  /** 37, to the source. After `Adopt` (T10). */
  | { readonly type: "SendJoined"; readonly peer: Rid; readonly command: ActorJoined }
  /** T11: destroy the copies, pass on or refuse what waits in the temporary queue, release the reservation. */
  | { readonly type: "DropCopy"; readonly failure: MoveFailure }
  | { readonly type: "StartTimer"; readonly timer: TargetTimer; readonly delayMs: number }
  | { readonly type: "StopTimer"; readonly timer: TargetTimer }
  /** A fact for the operator that ends nothing: a record that was refused (I9), or came too late. */
  | { readonly type: "Report"; readonly event: TargetReport; readonly fields: Readonly<Record<string, unknown>> }
  /** The attempt has ended. Once. Its relocation id is remembered as ended (T1). */
  | { readonly type: "Settle"; readonly outcome: TargetOutcome };

/**
 * - `target.refused`: a record broke the protocol (wrong sender, wrong fence, other content under the same identity). A peer
 *   that keeps on is cut off (I9).
 * - `target.ignored`: a record that may well come late, and has no effect any more.
 * - `target.declined`: a 40 from its rightful sender was answered with 53 at once.
 */
export type TargetReport = "target.refused" | "target.ignored" | "target.declined";

export type TargetOutcome =
  | { readonly type: "adopted"; readonly record: AuthorityRecord }
  | { readonly type: "failed"; readonly failure: MoveFailure };
