import type { Names } from "./schema.ts";

/** A row of `lease` as JSON, with what comes with it. `asked`: an SQL condition, whether its reservations and its node are wanted too. */
export function leaseJsonText(names: Names, asked: string): string {
  return `json_build_object(
    'owner_id', lease.owner_id, 'owner_lease_generation', lease.owner_lease_generation::text,
    'owner_mesh_name', lease.owner_mesh_name, 'owner_node_rid', encode(lease.owner_node_rid, 'hex'),
    'owner_node_generation', lease.owner_node_generation::text, 'revision', lease.revision::text,
    'renewed_at_ms', lease.renewed_at_ms, 'ends_at_ms', lease.ends_at_ms, 'owned', lease.owned::text,
    'endpoint', lease.endpoint, 'state', lease.state, 'application_version', lease.application_version::text,
    'stable_types', lease.stable_types, 'placement_weight', lease.placement_weight, 'capacity', lease.capacity::text,
    'reservations', CASE WHEN ${asked} THEN (
      SELECT count(*)::text FROM ${names.object} object
      WHERE object.reservation_id IS NOT NULL
        AND object.reservation_owner_lease_generation = lease.owner_lease_generation
        AND object.reservation_owner_id = lease.owner_id
        AND object.reservation_ends_at_ms > ${names.statementMs}()) END,
    'node_generation', CASE WHEN ${asked} THEN coalesce((
      SELECT node.node_generation::text FROM ${names.node} node
      WHERE node.id = ${names.nodeId}(lease.owner_mesh_name, lease.owner_node_rid)), '0') END
  )`;
}
