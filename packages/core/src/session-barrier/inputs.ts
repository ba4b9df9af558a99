import type { ActorFence, Rid, SessionRelocationRoute, SessionRelocationSeal, Target } from "@rehome/wire";
import type { ReadAnswer } from "../ports/authority-store.ts";
import type { PeerIdentity } from "../ports/transport.ts";

/** The run of a node at the other end of a link, as the handshake proved it. */
export type PeerRun = Pick<PeerIdentity, "nodeRid" | "nodeGeneration">;

/** Names one binding on its session owner. */
export interface BindingRef {
  readonly actorId: string;
  readonly sessionRid: Rid;
  readonly bindingGeneration: bigint;
}

/** A binding as it is at the moment of the input: whom it binds, and where it sends. */
export interface BindingView {
  readonly sessionRid: Rid;
  readonly bindingGeneration: bigint;
  /** The actor and the owner that the binding's messages go to now. */
  readonly route: ActorFence;
}

/** Why a binding's barrier was cleared from outside. */
export type ClearReason = "bindingEnded" | "ownershipCleared" | "stopping";

/** Facts that the barrier of one identity can learn. `owner` is this node's own run and lease. */
export type BarrierInput =
  /** A 42 came in. `bytes` are frame 0 as it came: its fingerprint (S1). */
  | {
      readonly type: "SealReceived";
      readonly peer: PeerRun;
      readonly command: SessionRelocationSeal;
      readonly bytes: Uint8Array;
      readonly owner: Target;
      readonly binding: BindingView | undefined;
    }
  /** A 44 came in. */
  | {
      readonly type: "RouteReceived";
      readonly peer: PeerRun;
      readonly command: SessionRelocationRoute;
      readonly owner: Target;
      readonly binding: BindingView | undefined;
    }
  /** The answer to `InstallSeal`: the binding feeds nothing more, and all that it fed is on its link. */
  | { readonly type: "SealInstalled" }
  | { readonly type: "SealInstallFailed"; readonly reason: string }
  /** The answer to `StartSealTimer`. */
  | { readonly type: "SealDeadlinePassed" }
  /** The answer to `ReadAuthority`, with the number that it asked under. */
  | {
      readonly type: "AuthorityRead";
      readonly read: number;
      readonly answer: ReadAnswer;
      readonly binding: BindingView | undefined;
    }
  /** The answer to `RepointBinding`: the binding's route is the new one. */
  | { readonly type: "RouteApplied" }
  | { readonly type: "RouteApplyFailed"; readonly reason: string }
  /** The binding, the actor's ownership or the whole node went (S16). */
  | { readonly type: "Cleared"; readonly reason: ClearReason };

type Named<T extends BarrierInput["type"]> = Extract<BarrierInput, { type: T }> & { readonly identity: string };

/** Facts that a session owner's registry of barriers can learn. Answers carry the `identity` that their effect named. */
export type SessionBarrierInput =
  | Extract<BarrierInput, { type: "SealReceived" | "RouteReceived" }>
  | Named<"SealInstalled" | "SealInstallFailed" | "SealDeadlinePassed">
  | Named<"AuthorityRead">
  | Named<"RouteApplied" | "RouteApplyFailed">
  /** A bind was accepted under this authority generation (S15). */
  | { readonly type: "BindAccepted"; readonly actorId: string; readonly authorityOwnerGeneration: bigint }
  /** A binding ended for a reason of its own: an unbind that ran, a replacement, a lost owner. */
  | { readonly type: "BindingEnded"; readonly binding: BindingRef }
  /** S16: the actor was destroyed. */
  | { readonly type: "OwnershipCleared"; readonly actorId: string }
  /** S16: this node stops. */
  | { readonly type: "Stopping" };
