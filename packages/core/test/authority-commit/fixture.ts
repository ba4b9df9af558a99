import { actorAuthorityKey, ridFromText } from "@rehome/wire";
import type { Coordinator } from "@rehome/wire";
import type { MoveClaim } from "../../src/authority-commit/evidence.ts";
import type { CommitMove } from "../../src/authority-commit/state.ts";
import type { AuthorityRecord, OwnerIdentity, ReadAnswer } from "../../src/ports/authority-store.ts";

export const source: OwnerIdentity = {
  meshName: "mesh",
  nodeRid: ridFromText("node-a"),
  nodeGeneration: 3n,
  ownerId: "owner-a",
  ownerLeaseGeneration: 5n,
};
export const target: OwnerIdentity = {
  meshName: "mesh",
  nodeRid: ridFromText("node-b"),
  nodeGeneration: 4n,
  ownerId: "owner-b",
  ownerLeaseGeneration: 6n,
};
export const coordinator: Coordinator = {
  ownerId: source.ownerId,
  leaseGeneration: source.ownerLeaseGeneration,
  nodeRid: source.nodeRid,
  nodeGeneration: source.nodeGeneration,
  expectedAuthorityStoreVersion: "v10",
};
export const key = actorAuthorityKey("user:42");

export const claim: MoveClaim = {
  relocation: { high: 1n, low: 2n },
  kind: "actor",
  stableType: "player",
  objectGeneration: 7n,
  authorityOwnerGeneration: 8n,
  coordinator,
  newOwner: target,
};

export const move: CommitMove = {
  claim,
  key,
  companions: [],
  request: {
    relocation: claim.relocation,
    owner: target,
    participants: [
      {
        key,
        baseVersion: coordinator.expectedAuthorityStoreVersion,
        expectedObjectGeneration: claim.objectGeneration,
        expectedAuthorityOwnerGeneration: claim.authorityOwnerGeneration,
        place: undefined,
        membershipDigest: new Uint8Array(32),
      },
    ],
  },
  retry: { firstMs: 10, mostMs: 1_000 },
};

/** As the source read it: the base version. */
export const baseRecord: AuthorityRecord = {
  key,
  storeVersion: "v10",
  state: "active",
  kind: "actor",
  stableType: "player",
  objectGeneration: 7n,
  authorityOwnerGeneration: 8n,
  owner: source,
  place: undefined,
  relocation: { high: 9n, low: 9n },
  membershipDigest: new Uint8Array(),
  payload: new Uint8Array(),
};
/** What the commit of this move writes. */
export const movedRecord: AuthorityRecord = {
  ...baseRecord,
  storeVersion: "v11",
  authorityOwnerGeneration: 9n,
  owner: target,
  relocation: claim.relocation,
};
/** The source's, with its version changed by a fence write. */
export const fencedRecord: AuthorityRecord = { ...baseRecord, storeVersion: "v11" };
/** Someone else owns the same object, by another move. */
export const supersededRecord: AuthorityRecord = {
  ...movedRecord,
  owner: { ...target, nodeRid: ridFromText("node-c"), ownerId: "owner-c" },
  relocation: { high: 3n, low: 3n },
};

export function found(record: AuthorityRecord): ReadAnswer {
  return { outcome: "found", reading: { record, ownerLeaseLive: true } };
}
