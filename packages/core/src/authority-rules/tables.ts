import type { Id128, Rid } from "@rehome/wire";
import type {
  AuthorityRecord,
  NodeDescriptor,
  OwnerIdentity,
  OwnerLease,
  SpotPlace,
} from "../ports/authority-store.ts";

/** Somebody is about to make the object. It stands beside the row, so that giving up brings back what was there. */
export interface KeyReservation {
  readonly reservationId: string;
  readonly kind: AuthorityRecord["kind"];
  readonly stableType: string;
  readonly owner: OwnerIdentity;
  /** By the store's clock. */
  readonly endsAtMs: number;
}

/** All that a store keeps for one key. A row stays when its object ends, so that no version and no generation comes back. */
export interface AuthorityRow {
  readonly key: string;
  /** Rises by one with every write. */
  readonly version: bigint;
  readonly state: "active" | "destroyed";
  readonly kind: AuthorityRecord["kind"];
  readonly stableType: string;
  readonly objectGeneration: bigint;
  readonly authorityOwnerGeneration: bigint;
  /** The highest ever handed out for this key, reservations that came to nothing included. */
  readonly highestObjectGeneration: bigint;
  readonly highestAuthorityOwnerGeneration: bigint;
  readonly owner: OwnerIdentity;
  readonly place: SpotPlace | undefined;
  readonly relocation: Id128 | undefined;
  readonly membershipDigest: Uint8Array;
  readonly payload: Uint8Array;
  /** The reservation that became this object; empty before the first. */
  readonly createdBy: string;
  readonly reservation: KeyReservation | undefined;
}

/** One lease, with what its holder says of itself. A lease that was released or swept away has no row. */
export interface LeaseRow {
  readonly owner: OwnerIdentity;
  /** By the store's clock. */
  readonly renewedAtMs: number;
  readonly endsAtMs: number;
  /** Active objects under this lease. */
  readonly owned: number;
  readonly descriptor: NodeDescriptor | undefined;
}

/** Of a lease, what tells whether it stands. */
export type LeaseTerm = Pick<LeaseRow, "owner" | "endsAtMs">;

/**
 * What {@link authorityRules} need of a database: the rows, inside one transaction, without waiting.
 *
 * - Within a transaction that writes, nobody else MUST change anything; within one that reads, all reads MUST see the
 *   same moment.
 * - A row that was handed out or taken MUST NOT change afterwards, its bytes included.
 */
export interface AuthorityTables {
  object(key: string): AuthorityRow | undefined;
  /** Adds the row or replaces it whole. `previous` is what {@link object} gave; what it shares with `row` is unchanged. */
  putObject(row: AuthorityRow, previous: AuthorityRow | undefined): void;
  /** Active objects whose key begins with `prefix` and is above `after`, in key order, within both `bounds`. */
  activeObjects(prefix: string, after: string | undefined, bounds: PageBounds): RowPage;

  lease(ownerId: string): LeaseRow | undefined;
  /** Of the same lease as much as most calls need: databases often have it at hand when they have read its objects. */
  leaseTerm(ownerId: string): LeaseTerm | undefined;
  /** All leases of a mesh, in the order of their nodes' rids. */
  leases(meshName: string): readonly LeaseRow[];
  putLease(row: LeaseRow): void;
  removeLease(ownerId: string): void;
  /** Forgets the leases that ended at or before that time, so that runs of the past do not pile up. */
  removeEndedLeases(nowMs: number): void;
  /** Adds to the lease's `owned`. Does nothing if that lease is not there any more. */
  changeOwned(lease: OwnerLease, by: number): void;
  /** How many reservations of this lease end after that time. */
  reservationsOf(lease: OwnerLease, nowMs: number): number;
  /** Whether `owned` and {@link reservationsOf} of a lease, as {@link lease} gave it, are together `limit` or fewer. */
  ownsAtMost(lease: LeaseRow, limit: number, nowMs: number): boolean;

  /** The newest generation of a node, 0 before the first. */
  nodeGeneration(meshName: string, nodeRid: Rid): bigint;
  putNodeGeneration(meshName: string, nodeRid: Rid, generation: bigint): void;
  /** The last lease generation handed out to anyone, 0 before the first. */
  lastLeaseGeneration(): bigint;
  putLastLeaseGeneration(generation: bigint): void;
}

/** Ends a page at whichever comes first; one row is always allowed. */
export interface PageBounds {
  readonly rows: number;
  readonly payloadBytes: number;
}

export interface RowPage {
  readonly rows: readonly AuthorityRow[];
  /** Whether there are rows after the last one of this page. */
  readonly more: boolean;
}
