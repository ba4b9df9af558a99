import { nodeNameText } from "@rehome/core";
import type { RowNeeds, RowSnapshot, SeenLease, SeenTerm } from "@rehome/core";
import { columnNames, OBJECT_COLUMNS } from "./columns.ts";
import type { Statement } from "./connections.ts";
import { leaseJsonText } from "./lease-json.ts";
import { leaseFrom, objectFrom } from "./rows.ts";
import type { LeaseColumns, ObjectColumns } from "./rows.ts";
import type { Names } from "./schema.ts";

/*
 * What nearly all calls need is one object and the lease under which they write. For that there are statements without the lists
 * and the JSON of the general one (`fetch.ts`), which take the server half as long.
 */

export interface ObjectStatements {
  /** $1: a key. */
  readonly object: Statement;
  /** The same, and $2: an owner id. */
  readonly objectUnder: Statement;
}

export function objectStatements(names: Names): ObjectStatements {
  const lease = `(SELECT ${leaseJsonText(names, "true")} FROM ${names.lease} lease WHERE lease.id = ${names.textId}($2::text))`;
  return {
    object: { name: "rehome_object", text: objectText(names, "") },
    objectUnder: { name: "rehome_object_under", text: objectText(names, `, ${lease} AS lease`) },
  };
}

function objectText(names: Names, more: string): string {
  return `SELECT ${names.statementMs}() AS now_ms, ${columnNames(OBJECT_COLUMNS, "object")}, object.payload,
    term.owner_lease_generation AS term_generation, term.revision AS term_revision, term.ends_at_ms AS term_ends_at_ms${more}
  FROM (VALUES (1)) one LEFT JOIN ${names.object} object ON object.key = $1::text
    LEFT JOIN ${names.lease} term ON term.id = ${names.textId}(object.owner_id)`;
}

/** The one row of these statements. Without an object all of its columns are null. */
export type FetchedObject = Omit<ObjectColumns, "key"> & {
  readonly now_ms: number;
  readonly key: string | null;
  /** Of the lease that its owner id has now. */
  readonly term_generation: string | null;
  readonly term_revision: string;
  readonly term_ends_at_ms: number;
  readonly lease?: LeaseColumns | null;
};

export function isOneObject({ objects, leases, nodes, lastLeaseGeneration, mesh, page }: RowNeeds): boolean {
  const isMore = nodes.length > 0 || lastLeaseGeneration || mesh !== undefined || page !== undefined;
  return objects.length === 1 && leases.length <= 1 && !isMore;
}

export function objectSnapshotFrom(needs: RowNeeds, fetched: FetchedObject): RowSnapshot {
  const [key, ownerId] = [needs.objects[0]!, needs.leases[0]];
  const leases = new Map<string, SeenLease | undefined>();
  const terms = new Map<string, SeenTerm>();
  const nodes = new Map<string, bigint>();
  const object = fetched.key === null ? undefined : objectFrom(fetched as ObjectColumns);
  if (object !== undefined) {
    const { owner } = object;
    if (fetched.term_generation === null) leases.set(owner.ownerId, undefined);
    // Another run under the same owner id is left out: who it is would have to be asked.
    else if (BigInt(fetched.term_generation) === owner.ownerLeaseGeneration) {
      const revision = `${fetched.term_generation}/${fetched.term_revision}`;
      terms.set(owner.ownerId, { owner, endsAtMs: fetched.term_ends_at_ms, revision });
    }
  }
  if (ownerId !== undefined) {
    const lease = fetched.lease ?? undefined;
    const seen = lease && leaseFrom(lease);
    leases.set(ownerId, seen);
    if (seen !== undefined) {
      const { meshName, nodeRid } = seen.row.owner;
      nodes.set(nodeNameText(meshName, nodeRid), BigInt(lease!.node_generation!));
    }
  }
  const nothing = { lastLeaseGeneration: undefined, mesh: undefined, page: undefined };
  return { nowMs: fetched.now_ms, objects: new Map([[key, object]]), leases, terms, nodes, ...nothing };
}
