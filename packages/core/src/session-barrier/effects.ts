import type { RelocationFailed, Rid, SessionRelocationSealed } from "@rehome/wire";
import type { BindingRef, ClearReason } from "./inputs.ts";

/** Where a binding's messages go: the fields of an actor fence that a 44 changes. */
export interface BindingRoute {
  readonly nodeRid: Rid;
  readonly nodeGeneration: bigint;
  readonly authorityOwnerGeneration: bigint;
  readonly ownerLeaseGeneration: bigint;
}

/**
 * Why a barrier ended its binding. `ownerGone`: the store has no such actor any more. `ownerUnknown`: the store could not
 * be read (S5). `routeFailed`: the binding could not be repointed (S13).
 */
export type BindingEndReason = "ownerGone" | "ownerUnknown" | "routeFailed";

/** Why held messages were not sent. None of them was run, and none will be. */
export type HeldFailureReason = BindingEndReason | ClearReason;

/** Why a held push was not delivered. */
export type HeldPushDropReason = HeldFailureReason | "moveAborted" | "otherOwner" | "sealFailed";

/** What one barrier wants done, in this order. */
export type BarrierEffect =
  /**
   * Stop feeding the binding, and answer `SealInstalled` once all that it fed is handed to its link: the 43 must come
   * after it. Answer `SealInstallFailed` if that cannot be. Messages offered meanwhile are already held.
   */
  | { readonly type: "InstallSeal"; readonly identity: string; readonly binding: BindingRef }
  /** 43. After `SealInstalled`. */
  | { readonly type: "SendSealed"; readonly peer: Rid; readonly command: SessionRelocationSealed }
  /** 53 (S4, S6, S19). `peer` is whoever sent the 42. */
  | { readonly type: "SendRefusal"; readonly peer: Rid; readonly command: RelocationFailed }
  /** Answer with `SealDeadlinePassed`. Replaces a timer of the same identity. */
  | { readonly type: "StartSealTimer"; readonly identity: string; readonly delayMs: number }
  /** Harmless when there is none. */
  | { readonly type: "StopSealTimer"; readonly identity: string }
  /** Read the actor's authority and answer with `AuthorityRead` under the same number. */
  | {
      readonly type: "ReadAuthority";
      readonly identity: string;
      readonly binding: BindingRef;
      readonly read: number;
      readonly actorId: string;
    }
  /**
   * Make this the binding's route, and answer `RouteApplied` or `RouteApplyFailed` in bounded time. After an accepted 44
   * or the store's own word. Nothing may be fed before `ReleaseHeld`.
   */
  | {
      readonly type: "RepointBinding";
      readonly identity: string;
      readonly binding: BindingRef;
      readonly route: BindingRoute;
    }
  /** The binding cannot go on: remove it and tell the client (`bindingLost`). After `FailHeld`. */
  | { readonly type: "EndBinding"; readonly binding: BindingRef; readonly reason: BindingEndReason }
  /** A fact for the operator: a warning, nothing changed. */
  | { readonly type: "Report"; readonly event: string; readonly fields: Readonly<Record<string, unknown>> }
  /** I9: a record that contradicts what stands. It changed nothing; a peer that keeps on is to be cut off. */
  | {
      readonly type: "ReportProtocolError";
      readonly peer: Rid;
      readonly event: string;
      readonly fields: Readonly<Record<string, unknown>>;
    };

/** What a barrier wants done with what is held. The registry knows the items. */
export type HoldEffect =
  | { readonly type: "ReleaseHeld"; readonly to: "source" | "target" }
  | { readonly type: "FailHeld"; readonly reason: HeldFailureReason }
  | { readonly type: "DeliverHeldPushes"; readonly route: BindingRoute }
  | { readonly type: "DropHeldPushes"; readonly reason: HeldPushDropReason };

/** What a registry of barriers wants done, in this order. `Message` and `Push` are what the driver gave it to hold. */
export type SessionBarrierEffect<Message, Push> =
  | BarrierEffect
  /**
   * Feed these, in this order and before anything newer of the binding, to where its route says: unchanged for `source`
   * (S6, S12), the new one for `target` (S11). After `RepointBinding` was answered. An unbind that queued behind them is
   * the last.
   */
  | {
      readonly type: "ReleaseHeld";
      readonly binding: BindingRef;
      readonly to: "source" | "target";
      readonly items: readonly Message[];
    }
  /** Tell the sender of each that it was not run (S5, S13, S16). An unbind among them is simply done. */
  | {
      readonly type: "FailHeld";
      readonly binding: BindingRef;
      readonly reason: HeldFailureReason;
      readonly items: readonly Message[];
    }
  /** Deliver these to the client, in this order and before anything newer (S17). After the route was applied. */
  | { readonly type: "DeliverHeldPushes"; readonly binding: BindingRef; readonly items: readonly Push[] }
  /** Report each: it came from no owner that this binding has (S17). */
  | {
      readonly type: "DropHeldPushes";
      readonly binding: BindingRef;
      readonly reason: HeldPushDropReason;
      readonly items: readonly Push[];
    };
