import { nodeNameText } from "@rehome/core";
import type {
  AuthorityRow,
  LeaseRow,
  ObjectWrite,
  PageNeed,
  RowBundle,
  RowNeeds,
  RowPage,
  RowSnapshot,
  RowWrites,
  SeenLease,
} from "@rehome/core";
import type { Argument } from "./connection.ts";
import { leaseFrom, leaseId, leaseText, nodeField, objectFrom, objectText, reservationMember } from "./rows.ts";

/* What goes to the scripts and what comes back, as the scripts have it. */

/** A lease as this store sees it. `writes` counts the writes under it; it never falls. */
export interface RedisLease extends SeenLease {
  readonly writes: bigint;
}

export interface RedisSnapshot extends RowSnapshot {
  readonly leases: ReadonlyMap<string, RedisLease | undefined>;
}

/** What a script says; bulk strings come as bytes. */
export type Reply = Buffer | number | null | readonly Reply[];

/** The lease under which a bundle writes, and how many writes under it there are at least. */
export interface WriterGuard {
  readonly leaseId: string;
  readonly writes: bigint;
}

const NO_BYTES = Buffer.alloc(0);
/** Above every key that begins with what stands before it: keys are printable ASCII. */
const ABOVE_EVERY_CHARACTER = "\x7f";

/** What a script is to fetch, as it takes it. */
export function needsArguments(needs: RowNeeds): string[] {
  const { objects, leases, nodes, mesh, page } = needs;
  return [
    ...listed(objects),
    ...listed(leases),
    ...listed(nodes.map(({ meshName, nodeRid }) => nodeField(meshName, nodeRid))),
    needs.lastLeaseGeneration ? "1" : "",
    ...(mesh === undefined ? [""] : ["1", mesh]),
    ...(page === undefined ? [""] : pageArguments(page)),
  ];
}

function pageArguments({ prefix, after, bounds }: PageNeed): string[] {
  const from = after !== undefined && after >= prefix ? `(${after}` : `[${prefix}`;
  return [from, `(${prefix}${ABOVE_EVERY_CHARACTER}`, String(bounds.rows), String(bounds.payloadBytes)];
}

/** A list after its length. */
function listed(items: readonly string[]): string[] {
  return [String(items.length), ...items];
}

/** Throws where the reply is not what the script sends: the data in Redis are damaged. */
export function snapshotFrom(reply: Reply, needs: RowNeeds, aheadUs: number): RedisSnapshot {
  const [seconds, microseconds, rows, brought, named, generations, last, mesh, page] = reply as readonly Reply[];
  const nodes = new Map<string, bigint>();
  const objects = new Map<string, AuthorityRow | undefined>();
  const leases = new Map<string, RedisLease | undefined>();
  for (const ownerId of needs.leases) leases.set(ownerId, undefined);
  needs.objects.forEach((key, index) => {
    const [row, payload] = (rows as readonly (Buffer | null)[]).slice(2 * index, 2 * index + 2);
    objects.set(key, row ? noteOwners(objectFrom(key, row, ownBytes(payload ?? null)), leases) : undefined);
  });
  const rowPage = needs.page === undefined ? undefined : pageFrom(page as readonly Reply[], leases);
  for (const row of brought as readonly Buffer[]) {
    const lease = leaseFrom(row, 0);
    leases.set(lease.row.owner.ownerId, { ...lease, reservations: undefined, writes: 0n });
  }
  for (const entry of named as readonly LeaseReply[]) {
    if (entry !== null) noteLease(countedLease(entry, nodes), leases);
  }
  const ofMesh = (mesh as readonly LeaseReply[]).map((entry) => countedLease(entry!, nodes));
  for (const lease of ofMesh) noteLease(lease, leases);
  needs.nodes.forEach(({ meshName, nodeRid }, index) => {
    nodes.set(nodeNameText(meshName, nodeRid), integer((generations as readonly (Buffer | null)[])[index] ?? null));
  });
  return {
    nowMs: (Number(String(seconds)) * 1_000_000 + Number(String(microseconds)) + aheadUs) / 1000,
    objects,
    leases,
    nodes,
    lastLeaseGeneration: needs.lastLeaseGeneration ? integer(last as Buffer | null) : undefined,
    mesh: needs.mesh === undefined ? undefined : ofMesh.sort(byRid),
    page: rowPage,
  };
}

/** Row, objects, writes, reservations, node generation. */
type LeaseReply = readonly [Buffer, Buffer | null, Buffer | null, number, Buffer | null] | null;

function countedLease(
  [row, owned, writes, reservations, generation]: NonNullable<LeaseReply>,
  nodes: Map<string, bigint>,
) {
  const lease = leaseFrom(row, Number(owned ?? 0));
  const { meshName, nodeRid } = lease.row.owner;
  nodes.set(nodeNameText(meshName, nodeRid), integer(generation));
  return { ...lease, reservations, writes: integer(writes) };
}

function noteLease(lease: RedisLease, leases: Map<string, RedisLease | undefined>): void {
  leases.set(lease.row.owner.ownerId, lease);
}

function integer(text: Buffer | null): bigint {
  return text === null ? 0n : BigInt(String(text));
}

function byRid(one: RedisLease, other: RedisLease): number {
  return one.row.owner.nodeRid < other.row.owner.nodeRid ? -1 : 1;
}

/** The script brings the leases of these owners; of those that it does not, there are none. */
function noteOwners(row: AuthorityRow, leases: Map<string, RedisLease | undefined>): AuthorityRow {
  for (const owner of [row.owner, row.reservation?.owner]) {
    if (owner !== undefined && !leases.has(owner.ownerId)) leases.set(owner.ownerId, undefined);
  }
  return row;
}

function pageFrom([more, entries]: readonly Reply[], leases: Map<string, RedisLease | undefined>): RowPage {
  const rows = (entries as readonly (readonly [Buffer, Buffer, Buffer | null])[]).map(([key, row, payload]) =>
    noteOwners(objectFrom(String(key), row, ownBytes(payload)), leases),
  );
  return { rows, more: more === 1 };
}

/** A bundle as the script takes it, after what it is to fetch. */
export function bundleArguments(
  { guards, writes }: RowBundle,
  snapshot: RedisSnapshot,
  extras: { readonly writer: WriterGuard | undefined; readonly nonce: string },
): Argument[] {
  const { writer } = extras;
  const parts: Argument[] = [String(guards.fromMs), String(guards.untilMs)];
  parts.push(writer?.leaseId ?? "", String(writer?.writes ?? 0));
  const list = <T>(items: readonly T[], each: (item: T) => readonly Argument[]) => {
    parts.push(String(items.length));
    for (const item of items) parts.push(...each(item));
  };
  const optional = (value: bigint | number | undefined) => parts.push(value === undefined ? "" : String(value));
  list(guards.objects, ({ key, version }) => [key, version === undefined ? "" : String(version)]);
  list(guards.leases, ({ ownerId, revision }) => [ownerId, revision ?? ""]);
  list(guards.nodes, nodeArguments);
  optional(guards.lastLeaseGeneration);
  list(guards.loads, ({ lease, limit }) => [leaseId(lease), String(limit)]);
  list(writes.objects, objectWrite);
  optional(writes.removeLeasesEndedAtMs);
  list(writes.leases, ({ ownerId, row }) => leaseWrite(ownerId, row, snapshot, extras.nonce));
  list(writes.owned, ({ lease, by }) => [leaseId(lease), String(by)]);
  list(writes.nodes, nodeArguments);
  optional(writes.lastLeaseGeneration);
  return parts;
}

function nodeArguments(node: RowWrites["nodes"][number]): readonly Argument[] {
  return [nodeField(node.meshName, node.nodeRid), String(node.generation)];
}

function objectWrite({ row, previous }: ObjectWrite): readonly Argument[] {
  const [isActive, wasActive] = [row.state === "active", previous?.state === "active"];
  const member = row.reservation === undefined ? "" : reservationMember(row.key, row.reservation);
  const old = previous?.reservation === undefined ? "" : reservationMember(row.key, previous.reservation);
  const payloadAction = payloadWrite(row, previous);
  return [
    row.key,
    objectText(row),
    payloadAction,
    payloadAction === "set" ? viewOf(row.payload) : "",
    isActive === wasActive ? "" : isActive ? "add" : "drop",
    ...(old === member ? ["", ""] : [old, member]),
  ];
}

function payloadWrite(row: AuthorityRow, previous: AuthorityRow | undefined): "set" | "drop" | "" {
  if (row.payload === previous?.payload) return "";
  if (row.payload.length > 0) return "set";
  return (previous?.payload.length ?? 0) > 0 ? "drop" : "";
}

/**
 * A revision is a nonce of the run that took the lease and a number. After older data were restored the same generation can be
 * handed out again; the nonce then tells the two runs apart.
 */
function leaseWrite(
  ownerId: string,
  row: LeaseRow | undefined,
  snapshot: RedisSnapshot,
  nonce: string,
): readonly Argument[] {
  if (row === undefined) return [ownerId, "drop", "", "", ""];
  const there = snapshot.leases.get(ownerId);
  const isNew = there?.row.owner.ownerLeaseGeneration !== row.owner.ownerLeaseGeneration;
  const revision = isNew ? `${nonce}.1` : nextRevision(there.revision);
  const text = leaseText(row, revision);
  return [ownerId, isNew ? "make" : "put", leaseId(row.owner), String(row.endsAtMs), text];
}

export function nonceOf(revision: string): string {
  return revision.slice(0, revision.indexOf("."));
}

function nextRevision(revision: string): string {
  const nonce = nonceOf(revision);
  return `${nonce}.${BigInt(revision.slice(nonce.length + 1)) + 1n}`;
}

/** A plain array of its own, not a view of all that came in one piece. */
function ownBytes(bytes: Buffer | null): Uint8Array {
  return new Uint8Array(bytes ?? NO_BYTES);
}

/** The client encodes strings and Buffers only. */
function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
