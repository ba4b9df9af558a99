import type {
  CommitAnswer,
  CommitParticipant,
  CommitRequest,
  FenceAnswer,
  OwnerLease,
} from "../ports/authority-store.ts";
import {
  activeAt,
  CAPACITY_EXCEEDED,
  GENERATION_EXHAUSTED,
  hasRoom,
  isActiveAt,
  leaseStands,
  liveOwner,
  MAX_GENERATION,
  recordOf,
  sameLease,
  sameOwner,
  STALE,
  STALE_LEASE,
} from "./records.ts";
import type { AuthorityRow, AuthorityTables } from "./tables.ts";

/** `AuthorityStore.commit`: every participant is looked at before the first one is written. */
export function commit(tables: AuthorityTables, nowMs: number, request: CommitRequest): CommitAnswer {
  const lease = liveOwner(tables, request.owner, nowMs);
  if (lease === undefined) return STALE_LEASE;
  const rows: AuthorityRow[] = [];
  for (const participant of request.participants) {
    const row = tables.object(participant.key);
    if (row === undefined) return STALE;
    rows.push(row);
  }
  const { participants } = request;
  if (rows.every((row, index) => hasMoved(row, participants[index]!, request))) {
    return { outcome: "alreadyCommitted", records: rows.map(recordOf) };
  }
  if (!rows.every((row, index) => isBase(tables, nowMs, row, participants[index]!))) return STALE;
  const gained = rows.filter((row) => !sameLease(row.owner, request.owner)).length;
  if (gained > 0 && !hasRoom(tables, lease, gained, nowMs)) return CAPACITY_EXCEEDED;
  if (rows.some((row) => row.highestAuthorityOwnerGeneration === MAX_GENERATION)) return GENERATION_EXHAUSTED;
  const moved = rows.map((row, index) => movedRow(row, participants[index]!, request));
  moved.forEach((row, index) => tables.putObject(row, rows[index]));
  countOwners(tables, rows, request.owner);
  return { outcome: "committed", records: moved.map(recordOf) };
}

/** An earlier write of this move has already moved it. */
function hasMoved(row: AuthorityRow, participant: CommitParticipant, request: CommitRequest): boolean {
  return (
    row.state === "active" &&
    row.relocation?.high === request.relocation.high &&
    row.relocation.low === request.relocation.low &&
    row.objectGeneration === participant.expectedObjectGeneration &&
    sameOwner(row.owner, request.owner)
  );
}

/** It is exactly what the move stands on. */
function isBase(tables: AuthorityTables, nowMs: number, row: AuthorityRow, participant: CommitParticipant): boolean {
  return (
    isActiveAt(tables, row, participant.baseVersion, nowMs) &&
    row.objectGeneration === participant.expectedObjectGeneration &&
    row.authorityOwnerGeneration === participant.expectedAuthorityOwnerGeneration
  );
}

function movedRow(row: AuthorityRow, participant: CommitParticipant, request: CommitRequest): AuthorityRow {
  const authorityOwnerGeneration = row.highestAuthorityOwnerGeneration + 1n;
  return {
    ...row,
    version: row.version + 1n,
    authorityOwnerGeneration,
    highestAuthorityOwnerGeneration: authorityOwnerGeneration,
    owner: request.owner,
    place: participant.place,
    relocation: request.relocation,
    membershipDigest: participant.membershipDigest,
    reservation: undefined,
  };
}

/** One count per owner instead of one per object: a spot moves with up to thousands of members. */
function countOwners(tables: AuthorityTables, before: readonly AuthorityRow[], owner: OwnerLease): void {
  const losses = new Map<string, { readonly lease: OwnerLease; count: number }>();
  for (const row of before) {
    const id = `${row.owner.ownerLeaseGeneration}:${row.owner.ownerId}`;
    const loss = losses.get(id);
    if (loss === undefined) losses.set(id, { lease: row.owner, count: 1 });
    else loss.count += 1;
  }
  for (const loss of losses.values()) tables.changeOwned(loss.lease, -loss.count);
  tables.changeOwned(owner, before.length);
}

/** `AuthorityStore.fence`: whoever holds a live lease may, the source by O4 and the target by T6. */
export function fence(
  tables: AuthorityTables,
  nowMs: number,
  of: { readonly key: string; readonly baseVersion: string; readonly lease: OwnerLease },
): FenceAnswer {
  if (!leaseStands(tables, of.lease, nowMs)) return STALE_LEASE;
  const row = activeAt(tables, of, nowMs);
  if (row === undefined) return STALE;
  const next: AuthorityRow = { ...row, version: row.version + 1n };
  tables.putObject(next, row);
  return { outcome: "fenced", record: recordOf(next) };
}
