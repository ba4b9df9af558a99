/**
 * The columns of `object` and `lease` that rows are written with, in the order of their tables, and how each travels in
 * JSON: bytes as hex, all others as JSON has them, 64-bit integers as digits in a string.
 */
type Columns = readonly (readonly [name: string, type: string])[];

const OWNER: Columns = [
  ["owner_id", "text"],
  ["owner_lease_generation", "bigint"],
  ["owner_mesh_name", "text"],
  ["owner_node_rid", "bytea"],
  ["owner_node_generation", "bigint"],
];

/** Without `payload`, which does not travel in JSON. */
export const OBJECT_COLUMNS: Columns = [
  ["key", "text"],
  ["version", "bigint"],
  ["state", "text"],
  ["kind", "text"],
  ["stable_type", "text"],
  ["object_generation", "bigint"],
  ["authority_owner_generation", "bigint"],
  ["highest_object_generation", "bigint"],
  ["highest_authority_owner_generation", "bigint"],
  ...OWNER,
  ["place_spot_id", "text"],
  ["place_object_generation", "bigint"],
  ["relocation", "bytea"],
  ["membership_digest", "bytea"],
  ["created_by", "text"],
  ["reservation_id", "text"],
  ["reservation_kind", "text"],
  ["reservation_stable_type", "text"],
  ...OWNER.map(([name, type]) => [`reservation_${name}`, type] as const),
  ["reservation_ends_at_ms", "double precision"],
];

/** Without `id`, `revision` and `owned`, which the database keeps by itself. */
export const LEASE_COLUMNS: Columns = [
  ...OWNER,
  ["renewed_at_ms", "double precision"],
  ["ends_at_ms", "double precision"],
  ["endpoint", "text"],
  ["state", "text"],
  ["application_version", "numeric"],
  ["stable_types", "json"],
  ["placement_weight", "integer"],
  ["capacity", "bigint"],
];

/** `of`: the table's name in a statement that has several. */
export function columnNames(columns: Columns, of?: string): string {
  return columns.map(([name]) => (of === undefined ? name : `${of}.${name}`)).join(", ");
}

/** For `json_to_recordset(…) AS row(…)`. */
export function recordTypes(columns: Columns): string {
  return columns.map(([name, type]) => `${name} ${type === "bytea" ? "text" : type}`).join(", ");
}

/** The values of a row of {@link recordTypes} that is called `from`. */
export function recordValues(columns: Columns, from: string): string {
  return columns.map(([name, type]) => valueOf(name, type, from)).join(", ");
}

/** For `UPDATE … SET`, from such a row. */
export function assignments(columns: Columns, from: string): string {
  return columns.map(([name, type]) => `${name} = ${valueOf(name, type, from)}`).join(", ");
}

function valueOf(name: string, type: string, from: string): string {
  return type === "bytea" ? `decode(${from}.${name}, 'hex')` : `${from}.${name}`;
}
