import { escapeIdentifier } from "pg";
import { applyFunction } from "./apply-function.ts";

/** The names of what the schema holds, quoted, for statements. */
export function namesIn(schema: string) {
  const inSchema = (name: string) => `${escapeIdentifier(schema)}.${name}`;
  return {
    schema: escapeIdentifier(schema),
    migration: inSchema("migration"),
    counter: inSchema("counter"),
    node: inSchema("node"),
    lease: inSchema("lease"),
    object: inSchema("object"),
    clockMs: inSchema("clock_ms"),
    statementMs: inSchema("statement_ms"),
    textId: inSchema("text_id"),
    nodeId: inSchema("node_id"),
    apply: inSchema("apply"),
  };
}

export type Names = ReturnType<typeof namesIn>;

const OWNER_COLUMNS = `
  owner_id text COLLATE "C" NOT NULL,
  owner_lease_generation bigint NOT NULL,
  owner_mesh_name text COLLATE "C" NOT NULL,
  owner_node_rid bytea NOT NULL,
  owner_node_generation bigint NOT NULL`;

/**
 * Schema version n is what the first n steps make. A step is never changed once it was released, and leaves alone what the
 * version before it uses: nodes of both run side by side while a mesh is brought up to date.
 *
 * - Text compares by its bytes (`COLLATE "C"`), so that the order of keys is the same on every server.
 * - Ids are SHA-256 of text that may be longer than an index can hold.
 * - Times are milliseconds since 1970 of the server's clock: `clock_ms` is now, `statement_ms` the moment before the
 *   statement saw its rows.
 * - `revision` is another one after every write of a lease, `owned` apart, which many transactions change at once.
 * - Payloads are kept uncompressed and out of line where they are large; PostgreSQL does not copy those when only other
 *   columns change. Rows leave room for their next version on the same page.
 */
export function schemaSteps(names: Names): readonly string[] {
  return [
    `
CREATE FUNCTION ${names.clockMs}() RETURNS double precision LANGUAGE sql VOLATILE
  AS $$ SELECT extract(epoch FROM clock_timestamp())::double precision * 1000 $$;
CREATE FUNCTION ${names.statementMs}() RETURNS double precision LANGUAGE sql STABLE
  AS $$ SELECT extract(epoch FROM statement_timestamp())::double precision * 1000 $$;
CREATE FUNCTION ${names.textId}(of text) RETURNS bytea LANGUAGE sql STABLE
  AS $$ SELECT sha256(convert_to(of, 'UTF8')) $$;
CREATE FUNCTION ${names.nodeId}(mesh_name text, node_rid bytea) RETURNS bytea LANGUAGE sql STABLE
  AS $$ SELECT sha256(sha256(convert_to(mesh_name, 'UTF8')) || node_rid) $$;

CREATE TABLE ${names.counter} (
  id integer PRIMARY KEY CHECK (id = 1),
  last_lease_generation bigint NOT NULL
) WITH (fillfactor = 50);
INSERT INTO ${names.counter} VALUES (1, 0);

CREATE TABLE ${names.node} (
  id bytea PRIMARY KEY,
  mesh_name text COLLATE "C" NOT NULL,
  node_rid bytea NOT NULL,
  node_generation bigint NOT NULL
) WITH (fillfactor = 80);

CREATE TABLE ${names.lease} (
  id bytea PRIMARY KEY,${OWNER_COLUMNS},
  revision bigint NOT NULL,
  renewed_at_ms double precision NOT NULL,
  ends_at_ms double precision NOT NULL,
  owned bigint NOT NULL,
  endpoint text,
  state text,
  application_version numeric(20),
  stable_types json,
  placement_weight integer,
  capacity bigint
) WITH (fillfactor = 50);

CREATE TABLE ${names.object} (
  key text COLLATE "C" PRIMARY KEY,
  version bigint NOT NULL,
  state text NOT NULL,
  kind text NOT NULL,
  stable_type text NOT NULL,
  object_generation bigint NOT NULL,
  authority_owner_generation bigint NOT NULL,
  highest_object_generation bigint NOT NULL,
  highest_authority_owner_generation bigint NOT NULL,${OWNER_COLUMNS},
  place_spot_id text,
  place_object_generation bigint,
  relocation bytea,
  membership_digest bytea NOT NULL,
  created_by text NOT NULL,
  reservation_id text,
  reservation_kind text,
  reservation_stable_type text,
  reservation_owner_id text,
  reservation_owner_lease_generation bigint,
  reservation_owner_mesh_name text,
  reservation_owner_node_rid bytea,
  reservation_owner_node_generation bigint,
  reservation_ends_at_ms double precision,
  payload bytea NOT NULL
) WITH (fillfactor = 80);
ALTER TABLE ${names.object} ALTER COLUMN payload SET STORAGE EXTERNAL;
CREATE INDEX object_active ON ${names.object} (key) WHERE state = 'active';
CREATE INDEX object_reserved ON ${names.object} (reservation_owner_lease_generation, reservation_ends_at_ms)
  WHERE reservation_id IS NOT NULL;
${applyFunction(names)}
`,
  ];
}
