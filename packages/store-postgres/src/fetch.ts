import { nodeNameText } from "@rehome/core";
import type { AuthorityRow, PageNeed, RowNeeds, RowSnapshot, SeenLease, SeenTerm } from "@rehome/core";
import { ridFromBytes, ridToBytes } from "@rehome/wire";
import { columnNames, OBJECT_COLUMNS } from "./columns.ts";
import type { Statement } from "./connections.ts";
import { isOneObject, objectSnapshotFrom, objectStatements } from "./fetch-object.ts";
import type { FetchedObject, ObjectStatements } from "./fetch-object.ts";
import { hexOf, leaseFrom, objectFrom, revisionJson } from "./rows.ts";
import type { LeaseColumns, ObjectColumns } from "./rows.ts";
import { leaseJsonText } from "./lease-json.ts";
import type { Names } from "./schema.ts";

/** A statement that reads, with its values. {@link snapshotFrom} takes what it gives. */
export interface Fetch {
  readonly statement: Statement;
  readonly values: readonly unknown[];
}

/** One row alone, or first one with `head`, then one for each object. */
export type FetchedRow = FetchedObject | { readonly head: Head } | ({ readonly head: null } & ObjectColumns);

interface Head {
  readonly nowMs: number;
  readonly leases: readonly LeaseColumns[] | null;
  readonly nodes?: readonly { mesh_name: string; node_rid: string; node_generation: string }[] | null;
  readonly lastLeaseGeneration?: string;
  readonly more?: boolean;
}

/** Above every key that begins with what stands before it: keys are printable ASCII. */
const ABOVE_EVERY_CHARACTER = "\x7f";
const NO_TERMS: RowSnapshot["terms"] = new Map();
const NO_ROW = OBJECT_COLUMNS.map(([name, type]) => `NULL::${type} AS ${name}`).join(", ");

/** The statements of one schema. Each reads all of its rows at one moment. */
export interface FetchStatements extends ObjectStatements {
  readonly rows: Statement;
  readonly mesh: Statement;
  readonly page: Statement;
  readonly stillEnded: Statement;
}

export function fetchStatements(names: Names): FetchStatements {
  return {
    ...objectStatements(names),
    rows: { name: "rehome_rows", text: rowsText(names) },
    mesh: { name: "rehome_mesh", text: meshText(names) },
    page: { name: "rehome_page", text: pageText(names) },
    stillEnded: { name: "rehome_ended", text: stillEndedText(names) },
  };
}

/** Several of them, in the order of their nodes' rids. */
function leasesJson(names: Names, asked: string): string {
  return `json_agg(${leaseJsonText(names, asked)} ORDER BY lease.owner_node_rid)`;
}

function rowsText(names: Names): string {
  const objectNames = columnNames(OBJECT_COLUMNS);
  return `WITH found AS MATERIALIZED (
    SELECT ${objectNames}, payload FROM ${names.object} WHERE key = ANY($1::text[])
  ), wanted AS (
    SELECT owner_id, bool_or(is_asked) AS is_asked FROM (
      SELECT unnest($2::text[]) COLLATE "C" AS owner_id, true AS is_asked
      UNION ALL SELECT owner_id, false FROM found
      UNION ALL SELECT reservation_owner_id COLLATE "C", false FROM found WHERE reservation_id IS NOT NULL
    ) every GROUP BY owner_id
  )
  SELECT json_build_object(
    'nowMs', ${names.statementMs}(),
    'leases', (
      SELECT ${leasesJson(names, "wanted.is_asked")}
      FROM wanted JOIN ${names.lease} lease ON lease.id = ${names.textId}(wanted.owner_id)),
    'nodes', (
      SELECT json_agg(json_build_object('mesh_name', asked.mesh_name, 'node_rid', asked.node_rid,
        'node_generation', node.node_generation::text))
      FROM json_to_recordset($3::json) AS asked(mesh_name text, node_rid text)
      JOIN ${names.node} node ON node.id = ${names.nodeId}(asked.mesh_name, decode(asked.node_rid, 'hex'))),
    'lastLeaseGeneration', CASE WHEN $4::boolean THEN (SELECT last_lease_generation::text FROM ${names.counter}) END
  ) AS head, ${NO_ROW}, NULL::bytea AS payload
  UNION ALL SELECT NULL, ${objectNames}, payload FROM found`;
}

function meshText(names: Names): string {
  return `SELECT json_build_object('nowMs', ${names.statementMs}(), 'leases', (
    SELECT ${leasesJson(names, "true")} FROM ${names.lease} lease WHERE lease.owner_mesh_name = $1::text)) AS head`;
}

/** Sizes are known without reading the payloads: a page of large ones must not be read whole. */
function pageText(names: Names): string {
  const objectNames = columnNames(OBJECT_COLUMNS);
  return `WITH sized AS (
    SELECT key, row_number() OVER (ORDER BY key) AS number, sum(bytes) OVER (ORDER BY key) AS bytes FROM (
      SELECT key, octet_length(payload) AS bytes FROM ${names.object}
      WHERE state = 'active' AND key >= $1::text AND key > $2::text AND key < $3::text ORDER BY key LIMIT $4::bigint + 1
    ) next
  ), page AS MATERIALIZED (
    SELECT key FROM sized WHERE number <= $4::bigint AND (number = 1 OR bytes <= $5::bigint)
  ), found AS MATERIALIZED (
    SELECT ${objectNames}, payload FROM ${names.object} WHERE key IN (SELECT key FROM page)
  )
  SELECT json_build_object(
    'nowMs', ${names.statementMs}(),
    'more', (SELECT count(*) FROM sized) > (SELECT count(*) FROM page),
    'leases', (
      SELECT ${leasesJson(names, "false")}
      FROM (SELECT DISTINCT reservation_owner_id AS owner_id FROM found WHERE reservation_id IS NOT NULL) wanted
      JOIN ${names.lease} lease ON lease.id = ${names.textId}(wanted.owner_id))
  ) AS head, ${NO_ROW}, NULL::bytea AS payload
  UNION ALL (SELECT NULL, ${objectNames}, payload FROM found ORDER BY key)`;
}

/** Waits for whoever is writing one of these leases, and counts those that are still as they were seen. */
function stillEndedText(names: Names): string {
  return `SELECT count(*)::integer AS unchanged FROM (
    SELECT lease.owner_lease_generation = seen.generation AND lease.revision = seen.revision AS is_unchanged
    FROM json_to_recordset($1::json) AS seen(owner_id text, generation bigint, revision bigint)
    JOIN ${names.lease} lease ON lease.id = ${names.textId}(seen.owner_id)
    ORDER BY lease.id FOR KEY SHARE OF lease
  ) locked WHERE is_unchanged`;
}

/**
 * The leases of a snapshot that had ended by then, as far as it knew: one that was renewed just in time looks so too until
 * that is committed.
 */
export function endedLeases({ nowMs, leases, terms, mesh }: RowSnapshot): SeenTerm[] {
  const seen = [...leases.values(), ...(mesh ?? [])].filter((lease) => lease !== undefined);
  const rows = seen.map(({ row: { owner, endsAtMs }, revision }) => ({ owner, endsAtMs, revision }));
  return [...rows, ...terms.values()].filter(({ endsAtMs }) => endsAtMs <= nowMs);
}

export function stillEndedOf(statements: FetchStatements, ended: readonly SeenTerm[]): Fetch {
  const seen = ended.map(({ owner, revision }) => ({ owner_id: owner.ownerId, ...revisionJson(revision) }));
  return { statement: statements.stillEnded, values: [JSON.stringify(seen)] };
}

/** The one statement that brings what is needed: a mesh, a page and one object are each read by themselves. */
export function fetchOf(statements: FetchStatements, needs: RowNeeds): Fetch {
  if (needs.mesh !== undefined) return { statement: statements.mesh, values: [needs.mesh] };
  if (needs.page !== undefined) return { statement: statements.page, values: pageValues(needs.page) };
  if (isOneObject(needs)) {
    const statement = needs.leases.length === 0 ? statements.object : statements.objectUnder;
    return { statement, values: [...needs.objects, ...needs.leases] };
  }
  const nodes = needs.nodes.map((node) => ({ mesh_name: node.meshName, node_rid: hexOf(ridToBytes(node.nodeRid)) }));
  const values = [needs.objects, needs.leases, JSON.stringify(nodes), needs.lastLeaseGeneration];
  return { statement: statements.rows, values };
}

function pageValues({ prefix, after, bounds }: PageNeed): unknown[] {
  return [prefix, after ?? "", prefix + ABOVE_EVERY_CHARACTER, bounds.rows, bounds.payloadBytes];
}

export function snapshotFrom(needs: RowNeeds, fetched: readonly FetchedRow[]): RowSnapshot {
  let head: Head | undefined;
  const rows: AuthorityRow[] = [];
  for (const row of fetched) {
    if (!("head" in row)) return objectSnapshotFrom(needs, row);
    if (row.head === null) rows.push(objectFrom(row));
    else head = row.head;
  }
  const { nowMs, leases: leaseColumns, lastLeaseGeneration, nodes: nodeColumns, more } = head!;
  const seen = (leaseColumns ?? []).map((columns) => [columns, leaseFrom(columns)] as const);
  const nodes = new Map(needs.nodes.map(({ meshName, nodeRid }) => [nodeNameText(meshName, nodeRid), 0n]));
  for (const { mesh_name, node_rid, node_generation } of nodeColumns ?? []) {
    nodes.set(nodeNameText(mesh_name, ridFromBytes(Buffer.from(node_rid, "hex"))), BigInt(node_generation));
  }
  for (const [{ node_generation }, { row }] of seen) {
    if (node_generation === null) continue;
    nodes.set(nodeNameText(row.owner.meshName, row.owner.nodeRid), BigInt(node_generation));
  }
  return {
    nowMs,
    objects: objectsFrom(needs, rows),
    leases: leasesFrom(needs, rows, seen),
    terms: NO_TERMS,
    nodes,
    lastLeaseGeneration: lastLeaseGeneration === undefined ? undefined : numberOrNone(lastLeaseGeneration),
    mesh: needs.mesh === undefined ? undefined : seen.map(([, lease]) => lease),
    page: needs.page === undefined ? undefined : { rows, more: more === true },
  };
}

function numberOrNone(digits: string | null): bigint | undefined {
  return digits === null ? undefined : BigInt(digits);
}

function objectsFrom(needs: RowNeeds, rows: readonly AuthorityRow[]): RowSnapshot["objects"] {
  const objects = new Map<string, AuthorityRow | undefined>(needs.objects.map((key) => [key, undefined]));
  for (const row of rows) objects.set(row.key, row);
  return objects;
}

/** Whoever was looked for and not found is not there. */
function leasesFrom(
  needs: RowNeeds,
  rows: readonly AuthorityRow[],
  seen: readonly (readonly [LeaseColumns, SeenLease])[],
): RowSnapshot["leases"] {
  const leases = new Map<string, SeenLease | undefined>(needs.leases.map((ownerId) => [ownerId, undefined]));
  for (const row of rows) {
    if (needs.page === undefined) leases.set(row.owner.ownerId, undefined);
    if (row.reservation !== undefined) leases.set(row.reservation.owner.ownerId, undefined);
  }
  for (const [, lease] of seen) leases.set(lease.row.owner.ownerId, lease);
  return leases;
}
