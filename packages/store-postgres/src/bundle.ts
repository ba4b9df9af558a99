import type { ObjectWrite, RowBundle } from "@rehome/core";
import { ridToBytes } from "@rehome/wire";
import { hexOf, leaseJson, objectJson, revisionJson } from "./rows.ts";
import type { JsonRow } from "./rows.ts";

/** How a lease is locked (`apply-function.ts`), the strongest last. */
const LOCKS = ["see", "count", "update"] as const;
type Lock = (typeof LOCKS)[number];

/** A bundle as the function `apply` takes it: JSON, JSON, and all new payloads one after another. */
export function applyValues(bundle: RowBundle): readonly [bundle: string, objects: string, payloads: Uint8Array] {
  const { guards, writes } = bundle;
  const { rows, payloads } = objectRows(bundle);
  const leaseRows = writes.leases.filter((write) => write.row !== undefined);
  const isNewLease = new Set(
    guards.leases.filter((guard) => guard.revision === undefined).map((guard) => guard.ownerId),
  );
  const given = {
    from: guards.fromMs,
    until: guards.untilMs,
    there: guards.objects.filter((guard) => guard.version !== undefined).length,
    added: writes.objects.filter((write) => write.previous === undefined).length || undefined,
    changed: writes.objects.filter((write) => write.previous !== undefined).length || undefined,
    counter: counterOf(bundle),
    nodes: orNothing(nodeRows(bundle)),
    leases: leaseLocks(bundle),
    loads: guards.loads.map(({ lease, limit }) => ({
      owner_id: lease.ownerId,
      generation: lease.ownerLeaseGeneration.toString(),
      most: limit,
    })),
    leaseRows: orNothing(
      leaseRows.map(({ ownerId, row }) => ({ ...leaseJson(row!), is_new: isNewLease.has(ownerId) })),
    ),
    newLeases: leaseRows.filter(({ ownerId }) => isNewLease.has(ownerId)).length,
    forgotten: orNothing(writes.leases.filter((write) => write.row === undefined).map((write) => write.ownerId)),
    owned: orNothing(ownedRows(bundle)),
    endedAtMs: writes.removeLeasesEndedAtMs,
  };
  return [JSON.stringify(given), JSON.stringify(rows), payloads];
}

function orNothing<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}

function counterOf({ guards, writes }: RowBundle): JsonRow | undefined {
  if (guards.lastLeaseGeneration === undefined) return undefined;
  const seen = guards.lastLeaseGeneration.toString();
  const put = writes.lastLeaseGeneration;
  return put === undefined ? { seen } : { seen, put: put.toString() };
}

function nodeRows({ guards, writes }: RowBundle): JsonRow[] {
  return guards.nodes.map(({ meshName, nodeRid, generation }) => {
    const put = writes.nodes.find((node) => node.meshName === meshName && node.nodeRid === nodeRid);
    return {
      mesh_name: meshName,
      node_rid: hexOf(ridToBytes(nodeRid)),
      seen: generation.toString(),
      put: put?.generation.toString() ?? null,
    };
  });
}

/** One row for each lease: an update takes no second one. */
function ownedRows({ writes }: RowBundle): JsonRow[] {
  const sums = new Map<string, { owner_id: string; generation: string; by: number }>();
  for (const { lease, by } of writes.owned) {
    const generation = lease.ownerLeaseGeneration.toString();
    const name = `${generation}/${lease.ownerId}`;
    sums.set(name, { owner_id: lease.ownerId, generation, by: by + (sums.get(name)?.by ?? 0) });
  }
  return [...sums.values()].filter(({ by }) => by !== 0);
}

/** Every lease that the bundle stands on or changes, once, with the strongest lock that it needs. */
function leaseLocks({ guards, writes }: RowBundle): JsonRow[] {
  const locks = new Map<string, Lock>();
  const need = (ownerId: string, lock: Lock) => {
    const had = locks.get(ownerId);
    if (had === undefined || LOCKS.indexOf(had) < LOCKS.indexOf(lock)) locks.set(ownerId, lock);
  };
  for (const { ownerId } of guards.leases) need(ownerId, "see");
  for (const { lease } of guards.loads) need(lease.ownerId, "count");
  for (const { lease } of writes.owned) need(lease.ownerId, "count");
  for (const { ownerId } of writes.leases) need(ownerId, "update");
  const seen = new Map(guards.leases.map(({ ownerId, revision }) => [ownerId, revision]));
  return [...locks].map(([ownerId, lock]) => ({
    owner_id: ownerId,
    lock,
    guarded: seen.has(ownerId),
    ...revisionJson(seen.get(ownerId)),
  }));
}

/** The rows that are written with what was seen of each, and those that must only be as they were. */
function objectRows({ guards, writes }: RowBundle): { rows: JsonRow[]; payloads: Uint8Array } {
  const seen = new Map(guards.objects.map(({ key, version }) => [key, version?.toString() ?? null]));
  const written = new Set(writes.objects.map(({ row }) => row.key));
  const payloads = writes.objects.filter(hasNewPayload).map(({ row }) => row.payload);
  let payloadAt = 1;
  const rows = writes.objects.map((write): JsonRow => {
    const columns = { ...objectJson(write.row), seen: seen.get(write.row.key) ?? null };
    if (!hasNewPayload(write)) return columns;
    const payloadBytes = write.row.payload.length;
    const row = { ...columns, payload_at: payloadAt, payload_bytes: payloadBytes };
    payloadAt += payloadBytes;
    return row;
  });
  for (const [key, version] of seen) if (!written.has(key)) rows.push({ key, seen: version });
  return { rows, payloads: payloads.length === 1 ? payloads[0]! : Buffer.concat(payloads) };
}

function hasNewPayload({ row, previous }: ObjectWrite): boolean {
  return row.payload !== previous?.payload;
}
