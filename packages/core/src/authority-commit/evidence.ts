import type { Coordinator, Id128 } from "@rehome/wire";
import type { AuthorityRecord, OwnerIdentity, ReadAnswer } from "../ports/authority-store.ts";

/** What one move wants to change at one authority, and what that authority must have been before. */
export interface MoveClaim {
  readonly relocation: Id128;
  readonly kind: AuthorityRecord["kind"];
  readonly stableType: string;
  readonly objectGeneration: bigint;
  /** Of the owner that the object moves away from. */
  readonly authorityOwnerGeneration: bigint;
  /** The source. Its `expectedAuthorityStoreVersion` is the base version that the move stands on. */
  readonly coordinator: Coordinator;
  /** The target: the owner that the move wants to make. */
  readonly newOwner: OwnerIdentity;
}

/** The fields that `protocol.md` T7 compares. */
export type MoveClaimField =
  | "state"
  | "kind"
  | "stableType"
  | "objectGeneration"
  | "owner.ownerId"
  | "owner.ownerLeaseGeneration"
  | "owner.meshName"
  | "owner.nodeRid"
  | "owner.nodeGeneration"
  | "relocation";

const AGREES: Readonly<Record<MoveClaimField, (record: AuthorityRecord, claim: MoveClaim) => boolean>> = {
  state: (record) => record.state === "active",
  kind: (record, claim) => record.kind === claim.kind,
  stableType: (record, claim) => record.stableType === claim.stableType,
  objectGeneration: (record, claim) => record.objectGeneration === claim.objectGeneration,
  "owner.ownerId": (record, claim) => record.owner.ownerId === claim.newOwner.ownerId,
  "owner.ownerLeaseGeneration": (record, claim) =>
    record.owner.ownerLeaseGeneration === claim.newOwner.ownerLeaseGeneration,
  "owner.meshName": (record, claim) => record.owner.meshName === claim.newOwner.meshName,
  "owner.nodeRid": (record, claim) => record.owner.nodeRid === claim.newOwner.nodeRid,
  "owner.nodeGeneration": (record, claim) => record.owner.nodeGeneration === claim.newOwner.nodeGeneration,
  relocation: (record, claim) =>
    record.relocation !== undefined &&
    record.relocation.high === claim.relocation.high &&
    record.relocation.low === claim.relocation.low,
};

/** Every field that {@link differencesFromMove} compares, in the order of its answer. */
export const MOVE_CLAIM_FIELDS = Object.keys(AGREES) as readonly MoveClaimField[];

/** The fields in which the record is not what this move would have written; empty when it is exactly this move (T7). */
export function differencesFromMove(record: AuthorityRecord, claim: MoveClaim): readonly MoveClaimField[] {
  return MOVE_CLAIM_FIELDS.filter((field) => !AGREES[field](record, claim));
}

/** `protocol.md` T7: the record is this move's commit, field by field. Only this lets a target adopt. */
export function isExactlyThisMove(record: AuthorityRecord, claim: MoveClaim): boolean {
  return differencesFromMove(record, claim).length === 0;
}

/**
 * What a reading of the store proves about a move. Source (O4, O5) and target (T6) draw different conclusions from the
 * same evidence.
 *
 * - `thisMove`: the move committed (T7).
 * - `base`: the base version is still there. Nothing is decided yet, and a commit on its way may still succeed.
 * - `sameOwner`: the source still owns the object, under another version: no commit of this move can succeed any more.
 * - `newerOwner`: the same object has an owner of a higher authority generation, but not by this move.
 * - `gone`: the object was destroyed, made anew, or the key is not there.
 * - `none`: no answer, or one that the store's own obligations rule out (an older authority generation, an owner that is
 *   not the generation's). It proves nothing.
 */
export type MoveEvidence =
  | { readonly type: "thisMove"; readonly record: AuthorityRecord }
  | { readonly type: "base" }
  | { readonly type: "sameOwner"; readonly record: AuthorityRecord }
  | { readonly type: "newerOwner"; readonly record: AuthorityRecord }
  | { readonly type: "gone" }
  | { readonly type: "none"; readonly reason: string };

/** Sorts one answer of the store; see {@link MoveEvidence}. */
export function evidenceOf(answer: ReadAnswer, claim: MoveClaim): MoveEvidence {
  switch (answer.outcome) {
    case "unknown":
      return { type: "none", reason: answer.reason };
    case "absent":
      return { type: "gone" };
    case "found":
      return evidenceOfRecord(answer.reading.record, claim);
  }
}

/** The same of the authority that was asked for: a record under another key proves nothing about it. */
export function evidenceAt(key: string, answer: ReadAnswer, claim: MoveClaim): MoveEvidence {
  if (answer.outcome !== "found" || answer.reading.record.key === key) return evidenceOf(answer, claim);
  return { type: "none", reason: "the store answered for another key" };
}

function evidenceOfRecord(record: AuthorityRecord, claim: MoveClaim): MoveEvidence {
  if (isExactlyThisMove(record, claim)) return { type: "thisMove", record };
  if (record.storeVersion === claim.coordinator.expectedAuthorityStoreVersion) return { type: "base" };
  if (record.authorityOwnerGeneration < claim.authorityOwnerGeneration) {
    return { type: "none", reason: "the record's authority generation is older than the move's base" };
  }
  if (record.state !== "active" || record.objectGeneration !== claim.objectGeneration) return { type: "gone" };
  if (record.authorityOwnerGeneration > claim.authorityOwnerGeneration) return { type: "newerOwner", record };
  if (isCoordinator(record.owner, claim.coordinator)) return { type: "sameOwner", record };
  return { type: "none", reason: "the record names another owner under the base's authority generation" };
}

function isCoordinator(owner: OwnerIdentity, coordinator: Coordinator): boolean {
  return (
    owner.ownerId === coordinator.ownerId &&
    owner.ownerLeaseGeneration === coordinator.leaseGeneration &&
    owner.nodeRid === coordinator.nodeRid &&
    owner.nodeGeneration === coordinator.nodeGeneration
  );
}
