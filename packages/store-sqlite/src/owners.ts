import type { OwnerIdentity } from "@rehome/core";

/** More runs than a mesh has at a time; when it is full, all are read anew. */
const MOST_OWNERS = 4096;

/**
 * The owners that this connection has read. A lease generation is given to one run only and says all about it, so that each
 * object's owner need not be read in full again and again.
 */
export class KnownOwners {
  readonly #owners = new Map<bigint, OwnerIdentity>();

  get(ownerId: string, ownerLeaseGeneration: bigint): OwnerIdentity | undefined {
    const owner = this.#owners.get(ownerLeaseGeneration);
    return owner?.ownerId === ownerId ? owner : undefined;
  }

  add(owner: OwnerIdentity): OwnerIdentity {
    if (this.#owners.size >= MOST_OWNERS) this.#owners.clear();
    this.#owners.set(owner.ownerLeaseGeneration, owner);
    return owner;
  }
}
