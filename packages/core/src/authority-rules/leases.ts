import type {
  AcquireAnswer,
  AcquireRequest,
  DescribeAnswer,
  NodeDescriptor,
  NodesAnswer,
  OwnerIdentity,
  OwnerLease,
  ReleaseAnswer,
  RenewAnswer,
} from "../ports/authority-store.ts";
import { GENERATION_EXHAUSTED, leaseStands, liveLease, liveOwner, MAX_GENERATION, STALE_LEASE } from "./records.ts";
import type { AuthorityTables, LeaseRow } from "./tables.ts";

/** `AuthorityStore.acquire`. Lease generations come from one counter, so that a forgotten lease's is never used again. */
export function acquire(tables: AuthorityTables, nowMs: number, request: AcquireRequest): AcquireAnswer {
  const held = tables.lease(request.ownerId);
  if (held !== undefined && nowMs < held.endsAtMs) return { outcome: "held", remainingMs: held.endsAtMs - nowMs };
  const lastNode = tables.nodeGeneration(request.meshName, request.nodeRid);
  const lastLease = tables.lastLeaseGeneration();
  if (lastNode === MAX_GENERATION || lastLease === MAX_GENERATION) return GENERATION_EXHAUSTED;
  const owner: OwnerIdentity = {
    ownerId: request.ownerId,
    ownerLeaseGeneration: lastLease + 1n,
    meshName: request.meshName,
    nodeRid: request.nodeRid,
    nodeGeneration: lastNode + 1n,
  };
  tables.removeEndedLeases(nowMs);
  tables.putNodeGeneration(owner.meshName, owner.nodeRid, owner.nodeGeneration);
  tables.putLastLeaseGeneration(owner.ownerLeaseGeneration);
  tables.putLease({
    owner,
    renewedAtMs: nowMs,
    endsAtMs: nowMs + request.durationMs,
    owned: 0,
    descriptor: undefined,
  });
  return { outcome: "acquired", owner, durationMs: request.durationMs };
}

/** `AuthorityStore.renew`. */
export function renew(
  tables: AuthorityTables,
  nowMs: number,
  of: { readonly lease: OwnerLease; readonly durationMs: number },
): RenewAnswer {
  const row = liveLease(tables, of.lease, nowMs);
  if (row === undefined) return STALE_LEASE;
  if (isSuperseded(tables, row)) return { outcome: "superseded" };
  tables.putLease({ ...row, renewedAtMs: nowMs, endsAtMs: nowMs + of.durationMs });
  return { outcome: "renewed", durationMs: of.durationMs };
}

/** `AuthorityStore.release`. */
export function release(tables: AuthorityTables, nowMs: number, lease: OwnerLease): ReleaseAnswer {
  if (!leaseStands(tables, lease, nowMs)) return STALE_LEASE;
  tables.removeLease(lease.ownerId);
  return { outcome: "released" };
}

/** `AuthorityStore.describe`. */
export function describe(tables: AuthorityTables, nowMs: number, descriptor: NodeDescriptor): DescribeAnswer {
  const row = liveOwner(tables, descriptor.owner, nowMs);
  if (row === undefined || isSuperseded(tables, row)) return STALE_LEASE;
  tables.putLease({ ...row, descriptor });
  return { outcome: "described" };
}

/** `AuthorityStore.nodes`. */
export function nodes(tables: AuthorityTables, nowMs: number, meshName: string): NodesAnswer {
  const listed: { descriptor: NodeDescriptor; owned: number }[] = [];
  for (const row of tables.leases(meshName)) {
    if (row.descriptor === undefined || nowMs >= row.endsAtMs || isSuperseded(tables, row)) continue;
    listed.push({ descriptor: row.descriptor, owned: row.owned + tables.reservationsOf(row.owner, nowMs) });
  }
  return { outcome: "listed", nodes: listed };
}

/** Links reject the older of two runs of a node (`protocol.md` N2), so it must not hold on to its objects for ever. */
function isSuperseded(tables: AuthorityTables, row: LeaseRow): boolean {
  return tables.nodeGeneration(row.owner.meshName, row.owner.nodeRid) > row.owner.nodeGeneration;
}
