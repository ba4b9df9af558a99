import type {
  ActorFence,
  ActorRef,
  Coordinator,
  Id128,
  RelocationObject,
  RequestSource,
  Session,
  Target,
} from "@rehome/wire";
import type { OwnerIdentity } from "../ports/authority-store.ts";

/*
 * Comparisons of fences, field by field. Each names the first field that differs, as wire.md spells it, so that a
 * refused record can be reported with the reason; `undefined` means that the two are equal in every field.
 */

/** The first entry that has a name: lets comparisons be listed in the order of a record's fields. */
export function firstDifference(...differences: readonly (string | undefined)[]): string | undefined {
  return differences.find((difference) => difference !== undefined);
}

/** `field` when the two values differ. For values that compare with `===`. */
export function differs(field: string, expected: unknown, actual: unknown): string | undefined {
  return expected === actual ? undefined : field;
}

export function id128Difference(field: string, expected: Id128, actual: Id128): string | undefined {
  return expected.high === actual.high && expected.low === actual.low ? undefined : field;
}

export function actorRefDifference(field: string, expected: ActorRef, actual: ActorRef): string | undefined {
  return firstDifference(
    differs(`${field}.actorId`, expected.actorId, actual.actorId),
    differs(`${field}.objectGeneration`, expected.objectGeneration, actual.objectGeneration),
  );
}

export function actorFenceDifference(field: string, expected: ActorFence, actual: ActorFence): string | undefined {
  return firstDifference(
    actorRefDifference(`${field}.actor`, expected.actor, actual.actor),
    differs(`${field}.nodeRid`, expected.nodeRid, actual.nodeRid),
    differs(`${field}.nodeGeneration`, expected.nodeGeneration, actual.nodeGeneration),
    differs(`${field}.authorityOwnerGeneration`, expected.authorityOwnerGeneration, actual.authorityOwnerGeneration),
    differs(`${field}.ownerLeaseGeneration`, expected.ownerLeaseGeneration, actual.ownerLeaseGeneration),
  );
}

export function coordinatorDifference(field: string, expected: Coordinator, actual: Coordinator): string | undefined {
  return firstDifference(
    differs(`${field}.ownerId`, expected.ownerId, actual.ownerId),
    differs(`${field}.leaseGeneration`, expected.leaseGeneration, actual.leaseGeneration),
    differs(`${field}.nodeRid`, expected.nodeRid, actual.nodeRid),
    differs(`${field}.nodeGeneration`, expected.nodeGeneration, actual.nodeGeneration),
    differs(
      `${field}.expectedAuthorityStoreVersion`,
      expected.expectedAuthorityStoreVersion,
      actual.expectedAuthorityStoreVersion,
    ),
  );
}

export function sessionDifference(field: string, expected: Session, actual: Session): string | undefined {
  return firstDifference(
    differs(`${field}.ownerNodeRid`, expected.ownerNodeRid, actual.ownerNodeRid),
    differs(`${field}.ownerNodeGeneration`, expected.ownerNodeGeneration, actual.ownerNodeGeneration),
    differs(`${field}.ownerId`, expected.ownerId, actual.ownerId),
    differs(`${field}.ownerLeaseGeneration`, expected.ownerLeaseGeneration, actual.ownerLeaseGeneration),
    differs(`${field}.sessionRid`, expected.sessionRid, actual.sessionRid),
    differs(`${field}.bindingGeneration`, expected.bindingGeneration, actual.bindingGeneration),
  );
}

/** Compares a `target` or a `requestSource`: the four fields that name a run of a node and its lease. */
export function nodeRunDifference(
  field: string,
  expected: Target | RequestSource,
  actual: Target | RequestSource,
): string | undefined {
  return firstDifference(
    differs(`${field}.nodeRid`, expected.nodeRid, actual.nodeRid),
    differs(`${field}.nodeGeneration`, expected.nodeGeneration, actual.nodeGeneration),
    differs(`${field}.ownerId`, expected.ownerId, actual.ownerId),
    differs(`${field}.ownerLeaseGeneration`, expected.ownerLeaseGeneration, actual.ownerLeaseGeneration),
  );
}

export function objectDifference(
  field: string,
  expected: RelocationObject,
  actual: RelocationObject,
): string | undefined {
  return firstDifference(
    differs(`${field}.kind`, expected.kind, actual.kind),
    differs(`${field}.objectGeneration`, expected.objectGeneration, actual.objectGeneration),
    differs(`${field}.id`, objectId(expected), objectId(actual)),
    differs(`${field}.stableType`, objectType(expected), objectType(actual)),
    differs(`${field}.authorityOwnerGeneration`, objectAuthority(expected), objectAuthority(actual)),
  );
}

/** Compares a run of a node with its lease and mesh, as the store and the handshake name it. */
export function ownerDifference(field: string, expected: OwnerIdentity, actual: OwnerIdentity): string | undefined {
  return firstDifference(
    differs(`${field}.meshName`, expected.meshName, actual.meshName),
    nodeRunDifference(field, expected, actual),
  );
}

function objectId(object: RelocationObject): string {
  return object.kind === "actor" ? object.actorId : object.spotId;
}

function objectType(object: RelocationObject): string | undefined {
  return object.kind === "instanceSpot" ? object.stableType : undefined;
}

function objectAuthority(object: RelocationObject): bigint | undefined {
  return object.kind === "instanceSpot" ? undefined : object.authorityOwnerGeneration;
}
