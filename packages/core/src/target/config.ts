import type { SpotRef } from "@rehome/wire";
import type { StoreRetry } from "../authority-commit/state.ts";
import type { OwnerIdentity } from "../ports/authority-store.ts";

/** What one attempt needs to know of its node. */
export interface TargetConfig {
  /** This run of this node. A 40 for any other is refused. */
  readonly self: OwnerIdentity;
  /** What a 37 calls this node's entry spot, where an actor is that joins no other. */
  readonly entrySpot: SpotRef;
  /** From the 40's arrival to the moment at which an attempt without a commit write is dropped (T5). */
  readonly deadlineMs: number;
  /** The pauses between two questions to the store (T6). */
  readonly storeRetry: StoreRetry;
  readonly limits: TargetLimits;
}

/** Every limit of `protocol.md` T2 and T4 that a target keeps. */
export interface TargetLimits {
  /** Attempts that are open at once. */
  readonly inboundMoves: number;
  /** `restore` calls that run at once. */
  readonly concurrentRestores: number;
  /** Payload bytes of all open attempts together, counted from their 40s. A single larger payload runs alone. */
  readonly payloadBytesInFlight: number;
  /** Payload bytes of one attempt. */
  readonly actorStateBytes: number;
  /** The most data that a 52 may carry. */
  readonly chunkBytes: number;
  /** 31 records of one attempt before its 34. */
  readonly relayedRecords: number;
  /** Frozen-record bytes of those. */
  readonly relayedBytes: number;
}

/**
 * T4's figures. 256 KiB is T2's chunk. A source's hold gives out at most 1,024 records and 16 MiB (H1); in frozen form each
 * carries its fences and metadata too, at most 4 KiB, so the bytes are allowed 20 MiB.
 */
export const DEFAULT_TARGET_LIMITS: TargetLimits = Object.freeze({
  inboundMoves: 64,
  concurrentRestores: 8,
  payloadBytesInFlight: 256 * 1024 * 1024,
  actorStateBytes: 64 * 1024 * 1024,
  chunkBytes: 256 * 1024,
  relayedRecords: 1_024,
  relayedBytes: (16 + 4) * 1024 * 1024,
});

/** The ended relocation ids that a target remembers (T1). */
export const REMEMBERED_RELOCATIONS = 4_096;
