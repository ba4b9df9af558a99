import type {
  AuthorityReading,
  AuthorityRecord,
  CreateReservation,
  OwnerIdentity,
  OwnerLease,
} from "../ports/authority-store.ts";
import type { AuthorityRow, AuthorityTables, KeyReservation, LeaseRow } from "./tables.ts";

/** The highest generation: `gen` of `wire.md` section 2, and the highest integer of every database. */
export const MAX_GENERATION = 2n ** 63n - 1n;

export const STALE = { outcome: "stale" } as const;
export const STALE_LEASE = { outcome: "staleLease" } as const;
export const CAPACITY_EXCEEDED = { outcome: "capacityExceeded" } as const;
export const GENERATION_EXHAUSTED = { outcome: "generationExhausted" } as const;

export const NO_BYTES = new Uint8Array(0);

export function sameLease(one: OwnerLease, other: OwnerLease): boolean {
  return one.ownerId === other.ownerId && one.ownerLeaseGeneration === other.ownerLeaseGeneration;
}

export function sameOwner(one: OwnerIdentity, other: OwnerIdentity): boolean {
  return (
    sameLease(one, other) &&
    one.meshName === other.meshName &&
    one.nodeRid === other.nodeRid &&
    one.nodeGeneration === other.nodeGeneration
  );
}

/** The lease's row while it lasts. */
export function liveLease(tables: AuthorityTables, lease: OwnerLease, nowMs: number): LeaseRow | undefined {
  const row = tables.lease(lease.ownerId);
  return row !== undefined && sameLease(row.owner, lease) && nowMs < row.endsAtMs ? row : undefined;
}

/** The same for a whole identity: a lease that belongs to another run is not this owner's. */
export function liveOwner(tables: AuthorityTables, owner: OwnerIdentity, nowMs: number): LeaseRow | undefined {
  const row = liveLease(tables, owner, nowMs);
  return row !== undefined && sameOwner(row.owner, owner) ? row : undefined;
}

/** Whether there is such a lease and it lasts. */
export function leaseStands(tables: AuthorityTables, lease: OwnerLease, nowMs: number): boolean {
  const term = tables.leaseTerm(lease.ownerId);
  return term !== undefined && sameLease(term.owner, lease) && nowMs < term.endsAtMs;
}

function ownerStands(tables: AuthorityTables, owner: OwnerIdentity, nowMs: number): boolean {
  const term = tables.leaseTerm(owner.ownerId);
  return term !== undefined && sameOwner(term.owner, owner) && nowMs < term.endsAtMs;
}

/** A reservation holds until its time is up or its owner's lease has ended: then it could not be committed any more. */
export function standingReservation(
  tables: AuthorityTables,
  row: AuthorityRow,
  nowMs: number,
): KeyReservation | undefined {
  const reservation = row.reservation;
  if (reservation === undefined || nowMs >= reservation.endsAtMs) return undefined;
  return leaseStands(tables, reservation.owner, nowMs) ? reservation : undefined;
}

/** The row if it is active under exactly this version and nobody is making it anew. */
export function activeAt(
  tables: AuthorityTables,
  at: { readonly key: string; readonly baseVersion: string },
  nowMs: number,
): AuthorityRow | undefined {
  const row = tables.object(at.key);
  return row !== undefined && isActiveAt(tables, row, at.baseVersion, nowMs) ? row : undefined;
}

export function isActiveAt(tables: AuthorityTables, row: AuthorityRow, baseVersion: string, nowMs: number): boolean {
  const isThis = row.state === "active" && storeVersionOf(row) === baseVersion;
  return isThis && standingReservation(tables, row, nowMs) === undefined;
}

export function storeVersionOf(row: AuthorityRow): string {
  return row.version.toString();
}

/** What a row says without regard to a reservation. */
export function recordOf(row: AuthorityRow): AuthorityRecord {
  return {
    key: row.key,
    storeVersion: storeVersionOf(row),
    state: row.state,
    kind: row.kind,
    stableType: row.stableType,
    objectGeneration: row.objectGeneration,
    authorityOwnerGeneration: row.authorityOwnerGeneration,
    owner: row.owner,
    place: row.place,
    relocation: row.relocation,
    membershipDigest: row.membershipDigest,
    payload: row.payload,
  };
}

/** The object as it will be when its reservation is committed. */
export function reservedRecordOf(row: AuthorityRow, reservation: KeyReservation): AuthorityRecord {
  return {
    key: row.key,
    storeVersion: storeVersionOf(row),
    state: "reserved",
    kind: reservation.kind,
    stableType: reservation.stableType,
    objectGeneration: row.highestObjectGeneration,
    authorityOwnerGeneration: row.highestAuthorityOwnerGeneration,
    owner: reservation.owner,
    place: undefined,
    relocation: isSameSort(row, reservation) ? row.relocation : undefined,
    membershipDigest: NO_BYTES,
    payload: inheritedPayload(row, reservation),
  };
}

export function reservationOf(row: AuthorityRow, reservation: KeyReservation): CreateReservation {
  return { reservationId: reservation.reservationId, record: reservedRecordOf(row, reservation) };
}

/** The last saved state of a lost owner's object passes to the one that takes its place (`protocol.md` L3). */
export function inheritedPayload(row: AuthorityRow, reservation: KeyReservation): Uint8Array {
  return isSameSort(row, reservation) ? row.payload : NO_BYTES;
}

function isSameSort(row: AuthorityRow, reservation: KeyReservation): boolean {
  return row.kind === reservation.kind && row.stableType === reservation.stableType;
}

/** What a reader is told: the reservation while it stands, else the row. */
export function readingOf(tables: AuthorityTables, row: AuthorityRow, nowMs: number): AuthorityReading {
  const reservation = standingReservation(tables, row, nowMs);
  const record = reservation === undefined ? recordOf(row) : reservedRecordOf(row, reservation);
  return { record, ownerLeaseLive: ownerStands(tables, record.owner, nowMs) };
}

/** Whether this lease may own `more` objects beyond those that it owns or has reserved. No descriptor, no limit. */
export function hasRoom(tables: AuthorityTables, lease: LeaseRow, more: number, nowMs: number): boolean {
  if (lease.descriptor === undefined) return true;
  return tables.ownsAtMost(lease, lease.descriptor.capacity - more, nowMs);
}
