import type {
  AbortCreateAnswer,
  CreateAnswer,
  OwnerLease,
  ReserveAnswer,
  ReserveRequest,
} from "../ports/authority-store.ts";
import {
  CAPACITY_EXCEEDED,
  GENERATION_EXHAUSTED,
  hasRoom,
  inheritedPayload,
  leaseStands,
  liveOwner,
  MAX_GENERATION,
  NO_BYTES,
  readingOf,
  recordOf,
  reservationOf,
  sameLease,
  sameOwner,
  STALE,
  STALE_LEASE,
  standingReservation,
} from "./records.ts";
import type { AuthorityRow, AuthorityTables, KeyReservation } from "./tables.ts";

/** `AuthorityStore.reserve`. */
export function reserve(tables: AuthorityTables, nowMs: number, request: ReserveRequest): ReserveAnswer {
  const lease = liveOwner(tables, request.owner, nowMs);
  if (lease === undefined) return STALE_LEASE;
  const row = tables.object(request.key);
  const obstacle = row === undefined ? undefined : obstacleTo(tables, nowMs, row, request);
  if (obstacle !== undefined) return obstacle;
  if (!hasRoom(tables, lease, 1, nowMs)) return CAPACITY_EXCEEDED;
  if (row?.highestObjectGeneration === MAX_GENERATION || row?.highestAuthorityOwnerGeneration === MAX_GENERATION) {
    return GENERATION_EXHAUSTED;
  }
  const reservation: KeyReservation = {
    reservationId: request.reservationId,
    kind: request.kind,
    stableType: request.stableType,
    owner: request.owner,
    endsAtMs: nowMs + request.ttlMs,
  };
  const next = rowWith(row, request.key, reservation);
  tables.putObject(next, row);
  return {
    outcome: "reserved",
    reservation: reservationOf(next, reservation),
    replacesLostOwner: next.state === "active",
  };
}

/** What speaks against making an object where there is a row already; also the answer to a repeated call. */
function obstacleTo(
  tables: AuthorityTables,
  nowMs: number,
  row: AuthorityRow,
  request: ReserveRequest,
): ReserveAnswer | undefined {
  const standing = standingReservation(tables, row, nowMs);
  if (standing !== undefined) {
    if (standing.reservationId !== request.reservationId || !sameOwner(standing.owner, request.owner)) {
      return { outcome: "busy", remainingMs: standing.endsAtMs - nowMs };
    }
    return {
      outcome: "reserved",
      reservation: reservationOf(row, standing),
      replacesLostOwner: row.state === "active",
    };
  }
  if (row.state === "destroyed") return undefined;
  const reading = readingOf(tables, row, nowMs);
  const replaceable = request.ifOwnerLeaseEnded === "replace" && !reading.ownerLeaseLive;
  return replaceable ? undefined : { outcome: "exists", reading };
}

/** Generations are used up even if the reservation comes to nothing: no two owners ever see the same one. */
function rowWith(row: AuthorityRow | undefined, key: string, reservation: KeyReservation): AuthorityRow {
  const version = (row?.version ?? 0n) + 1n;
  const highestObjectGeneration = (row?.highestObjectGeneration ?? 0n) + 1n;
  const highestAuthorityOwnerGeneration = (row?.highestAuthorityOwnerGeneration ?? 0n) + 1n;
  const highest = { highestObjectGeneration, highestAuthorityOwnerGeneration };
  if (row?.state === "active") return { ...row, ...highest, version, reservation };
  return {
    key,
    version,
    state: "destroyed",
    kind: reservation.kind,
    stableType: reservation.stableType,
    objectGeneration: highestObjectGeneration,
    authorityOwnerGeneration: highestAuthorityOwnerGeneration,
    ...highest,
    owner: reservation.owner,
    place: undefined,
    relocation: undefined,
    membershipDigest: NO_BYTES,
    payload: NO_BYTES,
    createdBy: row?.createdBy ?? "",
    reservation,
  };
}

/** `AuthorityStore.commitCreate`. */
export function commitCreate(
  tables: AuthorityTables,
  nowMs: number,
  of: { readonly key: string; readonly reservationId: string; readonly lease: OwnerLease },
): CreateAnswer {
  if (!leaseStands(tables, of.lease, nowMs)) return STALE_LEASE;
  const row = tables.object(of.key);
  if (row === undefined) return STALE;
  const standing = standingReservation(tables, row, nowMs);
  if (standing === undefined) {
    const done = row.state === "active" && row.createdBy === of.reservationId && sameLease(row.owner, of.lease);
    return done ? { outcome: "committed", record: recordOf(row) } : STALE;
  }
  if (standing.reservationId !== of.reservationId || !sameLease(standing.owner, of.lease)) return STALE;
  const next: AuthorityRow = {
    ...row,
    version: row.version + 1n,
    state: "active",
    kind: standing.kind,
    stableType: standing.stableType,
    objectGeneration: row.highestObjectGeneration,
    authorityOwnerGeneration: row.highestAuthorityOwnerGeneration,
    owner: standing.owner,
    place: undefined,
    relocation: undefined,
    membershipDigest: NO_BYTES,
    payload: inheritedPayload(row, standing),
    createdBy: standing.reservationId,
    reservation: undefined,
  };
  tables.putObject(next, row);
  if (row.state === "active") tables.changeOwned(row.owner, -1);
  tables.changeOwned(next.owner, 1);
  return { outcome: "committed", record: recordOf(next) };
}

/** `AuthorityStore.abortCreate`. */
export function abortCreate(
  tables: AuthorityTables,
  of: { readonly key: string; readonly reservationId: string },
): AbortCreateAnswer {
  const row = tables.object(of.key);
  if (row?.reservation?.reservationId !== of.reservationId) return STALE;
  tables.putObject({ ...row, version: row.version + 1n, reservation: undefined }, row);
  return { outcome: "aborted" };
}
