import type { RelocationCutover, RelocationFailed, RelocationPrepare } from "@rehome/wire";
import type { CommitState } from "../authority-commit/state.ts";
import type { MoveFailure } from "../move/failure.ts";
import type { AuthorityRecord } from "../ports/authority-store.ts";
import type { TargetConfig } from "./config.ts";
import type { RestoredFacts } from "./inputs.ts";

/** What stays the same from the 40 on. */
export interface TargetAttempt {
  readonly config: TargetConfig;
  readonly prepare: RelocationPrepare;
  /** The 40's frame 0: its fingerprint (T1, I9). */
  readonly prepareBytes: Uint8Array;
  readonly deadlineAtMs: number;
}

/** The records of the 31s that came, in order, as bytes, and the running CRC32C over them. */
export interface Relayed {
  readonly records: readonly Uint8Array[];
  readonly bytes: number;
  readonly checksumCrc32c: number;
}

/** The chunks that came, in order, their bytes together, and the running CRC32C over them. */
export interface ReceivedChunks {
  readonly chunks: readonly Uint8Array[];
  readonly bytes: number;
  readonly checksumCrc32c: number;
}

/** One attempt to take one unit over (`protocol.md` sections 4 and 8). */
export type TargetState =
  /** Chunks are missing. Nothing of the payload has been looked at (T2). */
  | { readonly type: "receiving"; readonly attempt: TargetAttempt; readonly received: ReceivedChunks }
  /** The payload is whole and handed over; the copy is being built, unseen (T3). */
  | { readonly type: "restoring"; readonly attempt: TargetAttempt }
  /** 30 was sent; the 34 is awaited. */
  | {
      readonly type: "ready";
      readonly attempt: TargetAttempt;
      readonly restored: RestoredFacts;
      readonly relayed: Relayed;
    }
  /** The 34 matched, the first commit write is out, and only exact evidence ends this (T6). */
  | {
      readonly type: "committing";
      readonly attempt: TargetAttempt;
      readonly restored: RestoredFacts;
      readonly relayed: Relayed;
      readonly cutover: RelocationCutover;
      readonly commit: CommitState;
    }
  /** The end: this node is the owner. Nothing rolls back (I7). */
  | { readonly type: "adopted"; readonly attempt: TargetAttempt; readonly fence: AdoptedFence }
  /** The end: nothing of the attempt is left. `answer` is the 53 that was sent, if one was. */
  | {
      readonly type: "failed";
      readonly attempt: TargetAttempt;
      readonly failure: MoveFailure;
      readonly answer: RelocationFailed | undefined;
    };

/** The generations that the store gave the new owner (T9). */
export type AdoptedFence = Pick<AuthorityRecord, "storeVersion" | "authorityOwnerGeneration" | "objectGeneration">;

/** The attempts that have not ended. */
export type OpenTarget = Extract<TargetState, { type: "receiving" | "restoring" | "ready" | "committing" }>;
/** The attempts that the deadline, a 53 or a lost link ends unrun (T5). */
export type UncommittedTarget = Exclude<OpenTarget, { type: "committing" }>;
/** The attempts that have ended. */
export type EndedTarget = Extract<TargetState, { type: "adopted" | "failed" }>;

/** Whether the attempt has ended. `Settle` has been given out then, and nothing of it will change again. */
export function targetEnded(state: TargetState): state is EndedTarget {
  return state.type === "adopted" || state.type === "failed";
}
