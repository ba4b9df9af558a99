import type { AuthorityRecord, SpotPlace } from "@rehome/core";
import type { SpotFence } from "@rehome/wire";
import type { SpotDefinition } from "../api.ts";

/** One copy of a spot in memory. */
export interface Spot {
  readonly spotId: string;
  readonly definition: SpotDefinition<unknown>;
  /** The store's record as this owner last wrote or read it. */
  record: AuthorityRecord;
  readonly state: unknown;
  /** Ids of the actors in it. */
  readonly members: Set<string>;
  /** Counts the answers to joins, from 1. */
  epoch: bigint;
  /** It is about to move, or moving: nobody comes in or goes out (`protocol.md` H7). */
  leaving: boolean;
}

export function placeOf({ spotId, record }: Spot): SpotPlace {
  return { spotId, objectGeneration: record.objectGeneration };
}

export function fenceOfSpot({ spotId, record }: Spot): SpotFence {
  return {
    spot: { spotId, objectGeneration: record.objectGeneration },
    nodeRid: record.owner.nodeRid,
    nodeGeneration: record.owner.nodeGeneration,
    authorityOwnerGeneration: record.authorityOwnerGeneration,
    ownerLeaseGeneration: record.owner.ownerLeaseGeneration,
  };
}
