import type {
  ActorFence,
  RelocationFailed,
  RouteUpdate,
  Session,
  SessionRelocationSeal,
  SessionRelocationSealed,
} from "@rehome/wire";
import type { BindingRoute } from "./effects.ts";

export type CommitRoute = Extract<RouteUpdate, { action: "commit" }>;

/** The binding that a barrier stands in front of, under the route that it has while the barrier stands. */
export interface BarrierSubject {
  /** Session relocation identity key (`wire.md` section 5). */
  readonly identity: string;
  readonly fence: ActorFence;
  readonly session: Session;
}

/** An accepted 42. */
export interface Seal {
  readonly subject: BarrierSubject;
  readonly command: SessionRelocationSeal;
  /** The 42's bytes (S1). */
  readonly fingerprint: Uint8Array;
}

/** What a 42 of an identity is answered with, the first time and every time (I9). */
export type SealAnswer =
  | { readonly type: "sealed"; readonly fingerprint: Uint8Array; readonly command: SessionRelocationSealed }
  | { readonly type: "refused"; readonly fingerprint: Uint8Array; readonly command: RelocationFailed }
  /** No 42 has come: a 44 was first (S8). */
  | { readonly type: "unasked" };

/** How an identity ended: with this route (S7 compares with it), or without one. */
export type BarrierEnd = { readonly type: "routed"; readonly route: RouteUpdate } | { readonly type: "unrouted" };

/**
 * One identity at its session owner (`protocol.md` section 5). `giveUpAtMs` is when the identity's one timer is due.
 *
 * In every state but `unknown` and `ended` the binding's messages are held.
 */
export type BarrierState =
  | { readonly type: "unknown"; readonly identity: string }
  /** The 42 is registered; the binding is being stopped. */
  | { readonly type: "sealing"; readonly seal: Seal; readonly giveUpAtMs: number }
  /** The same, and an accepted 44 waits for it (S9). */
  | {
      readonly type: "sealingRouted";
      readonly seal: Seal;
      readonly route: RouteUpdate;
      readonly giveUpAtMs: number;
    }
  /** The 43 is out. */
  | { readonly type: "sealed"; readonly seal: Seal; readonly giveUpAtMs: number }
  /** An accepted commit needs the store's word: it carries no lease (S11), or a newer owner is already known (S15). */
  | {
      readonly type: "confirming";
      readonly seal: Seal;
      readonly route: CommitRoute;
      readonly read: number;
      readonly giveUpAtMs: number;
    }
  /** The seal's deadline passed; the store is being read (S5). */
  | {
      readonly type: "resolving";
      readonly seal: Seal;
      readonly answer: SealAnswer;
      readonly read: number;
      readonly giveUpAtMs: number;
    }
  /** The identity had ended, and a newer commit came: the store is being read (S7). */
  | {
      readonly type: "verifying";
      readonly subject: BarrierSubject;
      readonly route: CommitRoute;
      readonly read: number;
      readonly before: EndedBarrier;
      readonly giveUpAtMs: number;
    }
  /** The binding is being repointed. */
  | {
      readonly type: "applying";
      readonly subject: BarrierSubject;
      readonly to: BindingRoute;
      /** What a repeat is compared with. */
      readonly route: RouteUpdate;
      readonly answer: SealAnswer;
      readonly giveUpAtMs: number;
    }
  | EndedBarrier;

/** Terminal (S14). */
export interface EndedBarrier {
  readonly type: "ended";
  readonly identity: string;
  readonly answer: SealAnswer;
  readonly end: BarrierEnd;
}

/** The states in which the binding's messages are held. */
export type ActiveBarrier = Exclude<BarrierState, { type: "unknown" | "ended" }>;

/** The states in which the first answer to the 42 is still owed. */
export type SealingBarrier = Extract<BarrierState, { type: "sealing" | "sealingRouted" }>;

export function isActive(state: BarrierState): state is ActiveBarrier {
  return state.type !== "unknown" && state.type !== "ended";
}

export function subjectOf(state: ActiveBarrier): BarrierSubject {
  return "seal" in state ? state.seal.subject : state.subject;
}
