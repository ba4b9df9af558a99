import type { DestroyAnswer, OwnerLease, PublishAnswer, PublishRequest } from "../ports/authority-store.ts";
import { activeAt, leaseStands, NO_BYTES, recordOf, sameLease, STALE, STALE_LEASE } from "./records.ts";
import type { AuthorityRow, AuthorityTables } from "./tables.ts";

/** `AuthorityStore.publish`. */
export function publish(tables: AuthorityTables, nowMs: number, request: PublishRequest): PublishAnswer {
  if (!leaseStands(tables, request.lease, nowMs)) return STALE_LEASE;
  const row = activeAt(tables, request, nowMs);
  if (row === undefined || !sameLease(row.owner, request.lease)) return STALE;
  const next: AuthorityRow = {
    ...row,
    version: row.version + 1n,
    payload: request.payload ?? row.payload,
    place: request.place === undefined ? row.place : request.place.spot,
  };
  tables.putObject(next, row);
  return { outcome: "published", record: recordOf(next) };
}

/** `AuthorityStore.destroy`. */
export function destroy(
  tables: AuthorityTables,
  nowMs: number,
  of: { readonly key: string; readonly baseVersion: string; readonly lease: OwnerLease },
): DestroyAnswer {
  if (!leaseStands(tables, of.lease, nowMs)) return STALE_LEASE;
  const row = activeAt(tables, of, nowMs);
  if (row === undefined || !sameLease(row.owner, of.lease)) return STALE;
  const next: AuthorityRow = {
    ...row,
    version: row.version + 1n,
    state: "destroyed",
    place: undefined,
    relocation: undefined,
    membershipDigest: NO_BYTES,
    payload: NO_BYTES,
    reservation: undefined,
  };
  tables.putObject(next, row);
  tables.changeOwned(row.owner, -1);
  return { outcome: "destroyed" };
}
