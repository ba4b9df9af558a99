import type { ActorJoined, RelocationFailed, RelocationReady, Rid, SessionRelocationRoute } from "@rehome/wire";
import type { AuthorityRecord, CommitRequest } from "../ports/authority-store.ts";
import type { MoveFailure } from "../move/failure.ts";
import type { TargetTimer } from "./timers.ts";

/** What a target move wants done, in this order. */
export type TargetEffect =
  /** Decode the payload, build the actor unseen and run `restore`; answer `Restored` or `RestoreFailed`. */
  | { readonly type: "RestoreActor"; readonly payload: Uint8Array }
  /** Stop following this actor (F5) and queue what arrives for it from now on in the attempt's temporary queue. Before the 30. */
  | { readonly type: "OpenTemporaryQueue" }
  | { readonly type: "SendReady"; readonly peer: Rid; readonly command: RelocationReady }
  | { readonly type: "SendFailed"; readonly peer: Rid; readonly command: RelocationFailed }
  /** Answer with `CommitSettled`. After the 34 matched (T5). */
  | { readonly type: "CommitAuthority"; readonly request: CommitRequest }
  /** Answer with `AuthorityRead`. */
  | { readonly type: "ReadAuthority" }
  /** Answer with `FenceSettled`. */
  | { readonly type: "FenceAuthority"; readonly baseVersion: string }
  /** Make the copy the actor, with the store's values (T9). After exact evidence only. */
  | { readonly type: "Adopt"; readonly record: AuthorityRecord }
  /** In one step: queue saved messages, `relayed`, then the temporary queue, and let turns start. After `Adopt`. */
  | { readonly type: "OpenDispatch"; readonly relayed: readonly Uint8Array[] }
  /** 44 `commit`. After `Adopt` (T10). `peer` may be this node itself. */
  | { readonly type: "SendRoute"; readonly peer: Rid; readonly command: SessionRelocationRoute }
  /** 37, to the source. After `Adopt` (T10). */
  | { readonly type: "SendJoined"; readonly peer: Rid; readonly command: ActorJoined }
  /** T11: destroy the copy, pass on or refuse what waits in the temporary queue, release the reservation. */
  | { readonly type: "DropCopy"; readonly failure: MoveFailure }
  | { readonly type: "StartTimer"; readonly timer: TargetTimer; readonly delayMs: number }
  | { readonly type: "StopTimer"; readonly timer: TargetTimer }
  | { readonly type: "Report"; readonly event: string; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly type: "Settle"; readonly outcome: TargetOutcome };

export type TargetOutcome =
  | { readonly type: "adopted"; readonly record: AuthorityRecord }
  | { readonly type: "failed"; readonly failure: MoveFailure };
