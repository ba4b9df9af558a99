import { LruMap } from "@rehome/core";
import type { RedisLease } from "./exchange.ts";
import { nonceOf } from "./rows.ts";

/** A process has one lease or a few; those of the past need not be remembered. */
const REMEMBERED_LEASES = 1000;

/** What this process knows for certain of a lease, because the server has said so. */
export interface Testimony {
  readonly ownerLeaseGeneration: bigint;
  /** Of the run that took the lease. */
  readonly nonce: string;
  /** Writes under the lease that were acknowledged, or seen. */
  readonly writes: bigint;
  /** The server has once fallen behind this. Never mended: what else it has forgotten nobody knows. */
  readonly isBroken: boolean;
}

/**
 * Remembers of each lease that is used here how far it had come. A server that has forgotten a write which it had
 * acknowledged (restored from older data, or a replica that took over) is found out at the next write under that lease.
 */
export class Witness {
  readonly #known = new LruMap<string, Testimony>(REMEMBERED_LEASES);

  /** To be taken before a request is sent: its answer must not fall behind it. */
  recall(ownerId: string): Testimony | undefined {
    return this.#known.get(ownerId);
  }

  /** Notes what the server has said. */
  note(ownerId: string, seen: Omit<Testimony, "isBroken">): void {
    const known = this.#known.get(ownerId);
    const isNewer = known === undefined || seen.ownerLeaseGeneration > known.ownerLeaseGeneration;
    const isSame = known?.ownerLeaseGeneration === seen.ownerLeaseGeneration && !known.isBroken;
    if (isNewer || (isSame && seen.writes > known.writes)) this.#known.set(ownerId, { ...seen, isBroken: false });
  }

  /**
   * Looks at a lease as the answer to a request shows it, and notes it. False if the server has forgotten a write under it, or
   * shows another run's lease of the same generation. `recalled` was taken before the request was sent.
   */
  confirms(lease: RedisLease, recalled: Testimony | undefined): boolean {
    const { ownerId, ownerLeaseGeneration } = lease.row.owner;
    const nonce = nonceOf(lease.revision);
    if (recalled?.ownerLeaseGeneration === ownerLeaseGeneration) {
      const isIntact = !recalled.isBroken && recalled.nonce === nonce && lease.writes >= recalled.writes;
      if (!isIntact) this.#known.set(ownerId, { ...recalled, isBroken: true });
      if (!isIntact) return false;
    }
    this.note(ownerId, { ownerLeaseGeneration, nonce, writes: lease.writes });
    return true;
  }
}
