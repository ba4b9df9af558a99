import type { Id128, Target } from "@rehome/wire";
import type { OwnerIdentity } from "../ports/authority-store.ts";
import { firstDifference, differs } from "../move/fences.ts";
import { membersOf, type MoveUnit } from "../move/unit.ts";

/** What one move of one unit is about, and how long and how large it may be. */
export interface SourceConfig {
  /** This run of this node: the source and the coordinator of the move. */
  readonly self: OwnerIdentity;
  /** What moves, under the fences that this node holds. Its members are final: no actor comes or goes any more (H7). */
  readonly unit: MoveUnit;
  /** Never used before, never zero (`protocol.md` section 1). */
  readonly relocation: Id128;
  /** Another node than this one, as the store describes it. */
  readonly target: Target;
  /** For a join the hold is provisional until the spot has said yes (H2). */
  readonly kind: "relocate" | "join";
  readonly applicationVersion: bigint;
  readonly deadlines: SourceDeadlines;
  /** The size of a 52's data unless the join's answer says less (T2). */
  readonly chunkBytes: number;
  /** The most bytes that a captured payload may have (T4). */
  readonly maxPayloadBytes: number;
}

export interface SourceDeadlines {
  /** From the start of the move to the moment at which it is given up, or a verdict is asked for (O3, O5). */
  readonly moveMs: number;
  /** How long a verdict is sought after that before it is called undecided (O5). */
  readonly storeResolutionMs: number;
}

/** `wire.md`: a 40 can announce no more chunks. */
export const MAX_CHUNK_COUNT = 4_096;

/** Section 1: attempts are not repeated under one relocation id. */
export const TARGET_ATTEMPT_GENERATION = 1n;

/**
 * The pause before the store is read again while the move may still end in time (O5). 64 moves (T4) that all wait for a
 * broken store ask it 1,280 times a second, which a healthy one would hardly notice.
 */
export const READ_AGAIN_MS = 50;

/** The pause once the deadline has passed without evidence (O5): the actor is closed anyway, so the store comes first. */
export const READ_AGAIN_SLOWLY_MS = 1_000;

/**
 * O1: what keeps this node from starting the move under these fences, as the name of a field, or `undefined`. Whether the
 * store agrees is found out later.
 */
export function ownFenceFault({ unit, self }: SourceConfig): string | undefined {
  const object = unit.kind === "actor" ? unit.fence.actor : unit.fence.spot;
  return (
    fenceFault(unit.fence, object, self) ??
    firstDifference(...membersOf(unit).map(({ fence }) => fenceFault(fence, fence.actor, self)))
  );
}

function fenceFault(
  fence: MoveUnit["fence"],
  { objectGeneration }: { readonly objectGeneration: bigint },
  self: OwnerIdentity,
): string | undefined {
  return firstDifference(
    isGeneration(objectGeneration) ? undefined : "objectGeneration",
    isGeneration(fence.authorityOwnerGeneration) ? undefined : "authorityOwnerGeneration",
    isGeneration(fence.ownerLeaseGeneration) ? undefined : "ownerLeaseGeneration",
    isGeneration(fence.nodeGeneration) ? undefined : "nodeGeneration",
    differs("nodeRid", self.nodeRid, fence.nodeRid),
    differs("nodeGeneration", self.nodeGeneration, fence.nodeGeneration),
    differs("ownerLeaseGeneration", self.ownerLeaseGeneration, fence.ownerLeaseGeneration),
  );
}

const MAX_GENERATION = 2n ** 63n - 1n;

/** `wire.md` `gen`: 1 to 2^63−1. */
export function isGeneration(value: bigint): boolean {
  return value >= 1n && value <= MAX_GENERATION;
}
