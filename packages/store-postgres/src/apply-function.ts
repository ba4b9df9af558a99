import { assignments, columnNames, LEASE_COLUMNS, OBJECT_COLUMNS, recordTypes, recordValues } from "./columns.ts";
import type { Names } from "./schema.ts";

/*
 * The one function through which everything is written: a bundle of guards and writes (`RowBundle`) in one statement, which
 * is a transaction of its own. It answers whether the guards held; if one did not, it has written nothing.
 *
 * Guards are looked at under locks, so that they still hold when the writes take effect. All take locks in one order
 * (counter, nodes, leases, objects, each in the order of its ids), so that no two wait for each other. A lease is locked
 *
 * - `update` to be written or forgotten, against everybody;
 * - `count` to change or bound what it owns, against all but those that only need it to stand;
 * - `see` by those: any number at once, but nobody may write it meanwhile.
 *
 * Every lock that `count` waits for is of a transaction that adds to the same lease or bounds it, so that none of them is
 * overlooked: what another has not committed yet, a count would not see.
 */

export function applyFunction(names: Names): string {
  return `
CREATE FUNCTION ${names.apply}(bundle jsonb, objects json, payloads bytea) RETURNS boolean LANGUAGE plpgsql AS $apply$
DECLARE
  item record;
  found_generation bigint;
  found_revision bigint;
  now_ms double precision;
  matched integer;
  unexpected integer;
BEGIN
${guardStatements(names)}
${writeStatements(names)}
  RETURN true;
END
$apply$;
`;
}

function guardStatements(names: Names): string {
  return `
  IF bundle ? 'counter' THEN
    SELECT last_lease_generation INTO found_generation FROM ${names.counter} WHERE id = 1 FOR NO KEY UPDATE;
    IF found_generation <> (bundle->'counter'->>'seen')::bigint THEN RETURN false; END IF;
  END IF;

  FOR item IN
    SELECT ${names.nodeId}(mesh_name, decode(node_rid, 'hex')) AS id, seen, put
    FROM jsonb_to_recordset(bundle->'nodes') AS node(mesh_name text, node_rid text, seen bigint, put bigint) ORDER BY 1
  LOOP
    IF item.put IS NULL THEN
      SELECT node_generation INTO found_generation FROM ${names.node} WHERE id = item.id FOR KEY SHARE;
    ELSE
      SELECT node_generation INTO found_generation FROM ${names.node} WHERE id = item.id FOR UPDATE;
    END IF;
    IF coalesce(found_generation, 0) <> item.seen THEN RETURN false; END IF;
  END LOOP;

  FOR item IN
    SELECT ${names.textId}(owner_id) AS id, lock, guarded, generation, revision
    FROM jsonb_to_recordset(bundle->'leases')
      AS lease(owner_id text, lock text, guarded boolean, generation bigint, revision bigint) ORDER BY 1
  LOOP
    IF item.lock = 'update' THEN
      SELECT owner_lease_generation, revision INTO found_generation, found_revision
      FROM ${names.lease} lease WHERE id = item.id FOR UPDATE;
    ELSIF item.lock = 'count' THEN
      SELECT owner_lease_generation, revision INTO found_generation, found_revision
      FROM ${names.lease} lease WHERE id = item.id FOR NO KEY UPDATE;
    ELSE
      SELECT owner_lease_generation, revision INTO found_generation, found_revision
      FROM ${names.lease} lease WHERE id = item.id FOR KEY SHARE;
    END IF;
    IF item.guarded AND (found_generation IS DISTINCT FROM item.generation
      OR found_revision IS DISTINCT FROM item.revision) THEN RETURN false; END IF;
  END LOOP;

  SELECT count(*) FILTER (WHERE version = seen), count(*) FILTER (WHERE seen IS NULL) INTO matched, unexpected
  FROM (
    SELECT object.version, guard.seen
    FROM json_to_recordset(objects) AS guard(key text, seen bigint)
    JOIN ${names.object} object ON object.key = guard.key
    ORDER BY object.key FOR NO KEY UPDATE OF object
  ) locked;
  IF matched <> (bundle->>'there')::integer OR unexpected > 0 THEN RETURN false; END IF;

  now_ms := ${names.clockMs}();
  IF now_ms < (bundle->>'from')::double precision OR now_ms >= (bundle->>'until')::double precision THEN
    RETURN false;
  END IF;

  FOR item IN
    SELECT ${names.textId}(owner_id) AS id, owner_id, generation, most
    FROM jsonb_to_recordset(bundle->'loads') AS load(owner_id text, generation bigint, most bigint)
  LOOP
    PERFORM FROM ${names.lease} lease
    WHERE lease.id = item.id AND lease.owner_lease_generation = item.generation AND lease.owned + (
      SELECT count(*) FROM ${names.object} object
      WHERE object.reservation_id IS NOT NULL AND object.reservation_owner_lease_generation = item.generation
        AND object.reservation_owner_id = item.owner_id AND object.reservation_ends_at_ms > now_ms
    ) <= item.most;
    IF NOT FOUND THEN RETURN false; END IF;
  END LOOP;`;
}

function writeStatements(names: Names): string {
  const objectNames = columnNames(OBJECT_COLUMNS);
  const leaseNames = columnNames(LEASE_COLUMNS);
  const payload = "substring(payloads FROM given.payload_at FOR given.payload_bytes)";
  return `
  IF bundle ? 'added' THEN
    INSERT INTO ${names.object} (${objectNames}, payload)
    SELECT ${recordValues(OBJECT_COLUMNS, "given")}, ${payload}
    FROM json_to_recordset(objects)
      AS given(${recordTypes(OBJECT_COLUMNS)}, seen bigint, payload_at integer, payload_bytes integer)
    WHERE given.seen IS NULL AND given.version IS NOT NULL ORDER BY given.key
    ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS matched = ROW_COUNT;
    IF matched = 0 THEN RETURN false; END IF;
    IF matched <> (bundle->>'added')::integer THEN ${conflict("objects")} END IF;
  END IF;

  IF bundle ? 'changed' THEN
    UPDATE ${names.object} object SET ${assignments(OBJECT_COLUMNS, "given")},
      payload = CASE WHEN given.payload_at IS NULL THEN object.payload ELSE ${payload} END
    FROM json_to_recordset(objects)
      AS given(${recordTypes(OBJECT_COLUMNS)}, seen bigint, payload_at integer, payload_bytes integer)
    WHERE object.key = given.key AND given.seen IS NOT NULL AND given.version IS NOT NULL;
  END IF;

  IF bundle ? 'leaseRows' THEN
    UPDATE ${names.lease} lease SET ${assignments(LEASE_COLUMNS, "given")}, revision = lease.revision + 1,
      owned = CASE WHEN lease.owner_lease_generation = given.owner_lease_generation THEN lease.owned ELSE given.owned END
    FROM jsonb_to_recordset(bundle->'leaseRows') AS given(${recordTypes(LEASE_COLUMNS)}, owned bigint, is_new boolean)
    WHERE lease.id = ${names.textId}(given.owner_id) AND NOT given.is_new;
    INSERT INTO ${names.lease} (id, ${leaseNames}, revision, owned)
    SELECT ${names.textId}(given.owner_id), ${recordValues(LEASE_COLUMNS, "given")}, 1, given.owned
    FROM jsonb_to_recordset(bundle->'leaseRows') AS given(${recordTypes(LEASE_COLUMNS)}, owned bigint, is_new boolean)
    WHERE given.is_new ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS matched = ROW_COUNT;
    IF matched <> (bundle->>'newLeases')::integer THEN ${conflict("leases")} END IF;
  END IF;
  IF bundle ? 'forgotten' THEN
    DELETE FROM ${names.lease} lease USING jsonb_array_elements_text(bundle->'forgotten') AS gone(owner_id)
    WHERE lease.id = ${names.textId}(gone.owner_id);
  END IF;
  IF bundle ? 'owned' THEN
    UPDATE ${names.lease} lease SET owned = lease.owned + change.by
    FROM jsonb_to_recordset(bundle->'owned') AS change(owner_id text, generation bigint, by bigint)
    WHERE lease.id = ${names.textId}(change.owner_id) AND lease.owner_lease_generation = change.generation;
  END IF;

  IF bundle ? 'nodes' THEN
    INSERT INTO ${names.node} AS node (id, mesh_name, node_rid, node_generation)
    SELECT ${names.nodeId}(given.mesh_name, decode(given.node_rid, 'hex')), given.mesh_name, decode(given.node_rid, 'hex'), given.put
    FROM jsonb_to_recordset(bundle->'nodes') AS given(mesh_name text, node_rid text, seen bigint, put bigint)
    WHERE given.put IS NOT NULL
    ON CONFLICT (id) DO UPDATE SET node_generation = excluded.node_generation
      WHERE node.node_generation < excluded.node_generation;
  END IF;
  IF bundle->'counter' ? 'put' THEN
    UPDATE ${names.counter} SET last_lease_generation = (bundle->'counter'->>'put')::bigint WHERE id = 1;
  END IF;
  IF bundle ? 'endedAtMs' THEN
    -- Last, and past all that are locked: whoever waited here, with locks in no order, could wait for ever.
    DELETE FROM ${names.lease} WHERE id IN (
      SELECT id FROM ${names.lease} lease WHERE ends_at_ms <= (bundle->>'endedAtMs')::double precision
        AND owner_id NOT IN (SELECT given.owner_id FROM jsonb_to_recordset(bundle->'leaseRows') AS given(owner_id text))
      FOR UPDATE SKIP LOCKED);
  END IF;`;
}

/** For what cannot be found to be wrong before something was written: the server takes all of it back. */
function conflict(what: string): string {
  return `RAISE EXCEPTION 'others have added these ${what} at the same time' USING ERRCODE = 'serialization_failure';`;
}
