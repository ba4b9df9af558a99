import type { Rid } from "@rehome/wire";
import type {
  AuthorityRow,
  AuthorityTables,
  LeaseRow,
  LeaseTerm,
  PageBounds,
  RowPage,
} from "../authority-rules/tables.ts";
import type { OwnerLease } from "../ports/authority-store.ts";
import { sameLease } from "../authority-rules/records.ts";
import { nodeNameText } from "../authority-rules/row-exchange.ts";

/** Everything that an in-memory store keeps. */
export class MemoryTables implements AuthorityTables {
  readonly #objects = new Map<string, AuthorityRow>();
  readonly #reservedKeys = new Set<string>();
  readonly #leases = new Map<string, LeaseRow>();
  readonly #nodeGenerations = new Map<string, bigint>();
  #lastLeaseGeneration = 0n;

  object(key: string): AuthorityRow | undefined {
    const row = this.#objects.get(key);
    return row === undefined ? undefined : withOwnBytes(row);
  }

  putObject(row: AuthorityRow): void {
    this.#objects.set(row.key, withOwnBytes(row));
    if (row.reservation === undefined) this.#reservedKeys.delete(row.key);
    else this.#reservedKeys.add(row.key);
  }

  activeObjects(prefix: string, after: string | undefined, bounds: PageBounds): RowPage {
    const keys: string[] = [];
    for (const [key, row] of this.#objects) {
      if (row.state === "active" && key.startsWith(prefix) && (after === undefined || key > after)) keys.push(key);
    }
    // Keys are ASCII, so that the order of UTF-16 units is the order of bytes.
    keys.sort();
    const rows: AuthorityRow[] = [];
    let payloadBytes = 0;
    for (const key of keys) {
      const row = this.#objects.get(key)!;
      payloadBytes += row.payload.length;
      if (rows.length === bounds.rows || (rows.length > 0 && payloadBytes > bounds.payloadBytes)) {
        return { rows, more: true };
      }
      rows.push(withOwnBytes(row));
    }
    return { rows, more: false };
  }

  lease(ownerId: string): LeaseRow | undefined {
    return this.#leases.get(ownerId);
  }

  leaseTerm(ownerId: string): LeaseTerm | undefined {
    return this.#leases.get(ownerId);
  }

  leases(meshName: string): readonly LeaseRow[] {
    const rows = [...this.#leases.values()].filter((row) => row.owner.meshName === meshName);
    return rows.sort((one, other) => (one.owner.nodeRid < other.owner.nodeRid ? -1 : 1));
  }

  putLease(row: LeaseRow): void {
    this.#leases.set(row.owner.ownerId, row);
  }

  removeLease(ownerId: string): void {
    this.#leases.delete(ownerId);
  }

  removeEndedLeases(nowMs: number): void {
    for (const [ownerId, row] of this.#leases) if (row.endsAtMs <= nowMs) this.#leases.delete(ownerId);
  }

  changeOwned(lease: OwnerLease, by: number): void {
    const row = this.#leases.get(lease.ownerId);
    if (row === undefined || !sameLease(row.owner, lease)) return;
    this.#leases.set(lease.ownerId, { ...row, owned: row.owned + by });
  }

  reservationsOf(lease: OwnerLease, nowMs: number): number {
    let count = 0;
    for (const key of this.#reservedKeys) {
      const reservation = this.#objects.get(key)?.reservation;
      if (reservation !== undefined && sameLease(reservation.owner, lease) && nowMs < reservation.endsAtMs) count += 1;
    }
    return count;
  }

  ownsAtMost(lease: LeaseRow, limit: number, nowMs: number): boolean {
    return lease.owned + this.reservationsOf(lease.owner, nowMs) <= limit;
  }

  nodeGeneration(meshName: string, nodeRid: Rid): bigint {
    return this.#nodeGenerations.get(nodeNameText(meshName, nodeRid)) ?? 0n;
  }

  putNodeGeneration(meshName: string, nodeRid: Rid, generation: bigint): void {
    this.#nodeGenerations.set(nodeNameText(meshName, nodeRid), generation);
  }

  lastLeaseGeneration(): bigint {
    return this.#lastLeaseGeneration;
  }

  putLastLeaseGeneration(generation: bigint): void {
    this.#lastLeaseGeneration = generation;
  }
}

/** A row of which no array is anybody else's: callers get records and may write into their bytes. */
function withOwnBytes(row: AuthorityRow): AuthorityRow {
  return { ...row, payload: row.payload.slice(), membershipDigest: row.membershipDigest.slice() };
}
