import type { AuthorityRow, KeyReservation, LeaseRow, NodeDescriptor, OwnerIdentity, SeenLease } from "@rehome/core";
import { ridFromBytes, ridToBytes } from "@rehome/wire";
import type { Id128 } from "@rehome/wire";

/*
 * Rows of the database and what they mean, there and back. 64-bit integers are digits in a string on both ways, so that
 * generations are exact. Names are those of the columns.
 */

/** What a column is in JSON: bytes as hex, 64-bit integers as digits. */
type JsonValue = string | number | boolean | null | readonly string[];
export type JsonRow = Readonly<Record<string, JsonValue>>;

function ownerJson(owner: OwnerIdentity, prefix = ""): JsonRow {
  return {
    [`${prefix}owner_id`]: owner.ownerId,
    [`${prefix}owner_lease_generation`]: owner.ownerLeaseGeneration.toString(),
    [`${prefix}owner_mesh_name`]: owner.meshName,
    [`${prefix}owner_node_rid`]: hexOf(ridToBytes(owner.nodeRid)),
    [`${prefix}owner_node_generation`]: owner.nodeGeneration.toString(),
  };
}

/** The columns of `object` but its payload. */
export function objectJson(row: AuthorityRow): JsonRow {
  return {
    key: row.key,
    version: row.version.toString(),
    state: row.state,
    kind: row.kind,
    stable_type: row.stableType,
    object_generation: row.objectGeneration.toString(),
    authority_owner_generation: row.authorityOwnerGeneration.toString(),
    highest_object_generation: row.highestObjectGeneration.toString(),
    highest_authority_owner_generation: row.highestAuthorityOwnerGeneration.toString(),
    ...ownerJson(row.owner),
    place_spot_id: row.place?.spotId ?? null,
    place_object_generation: row.place?.objectGeneration.toString() ?? null,
    relocation: row.relocation === undefined ? null : hexOf(bytesOfId(row.relocation)),
    membership_digest: hexOf(row.membershipDigest),
    created_by: row.createdBy,
    ...(row.reservation === undefined ? undefined : reservationJson(row.reservation)),
  };
}

function reservationJson(reservation: KeyReservation): JsonRow {
  return {
    reservation_id: reservation.reservationId,
    reservation_kind: reservation.kind,
    reservation_stable_type: reservation.stableType,
    ...ownerJson(reservation.owner, "reservation_"),
    reservation_ends_at_ms: reservation.endsAtMs,
  };
}

export function leaseJson(row: LeaseRow): JsonRow {
  const { descriptor } = row;
  return {
    ...ownerJson(row.owner),
    renewed_at_ms: row.renewedAtMs,
    ends_at_ms: row.endsAtMs,
    owned: row.owned,
    ...(descriptor === undefined ? undefined : descriptorJson(descriptor)),
  };
}

function descriptorJson(descriptor: NodeDescriptor): JsonRow {
  return {
    endpoint: descriptor.endpoint,
    state: descriptor.state,
    application_version: descriptor.applicationVersion.toString(),
    stable_types: descriptor.stableTypes,
    placement_weight: descriptor.placementWeight,
    capacity: descriptor.capacity,
  };
}

interface OwnerColumns {
  readonly owner_id: string;
  readonly owner_lease_generation: string;
  readonly owner_mesh_name: string;
  readonly owner_node_generation: string;
}

/** A row of `object` as the driver gives it. */
export interface ObjectColumns extends OwnerColumns {
  readonly owner_node_rid: Buffer;
  readonly key: string;
  readonly version: string;
  readonly state: AuthorityRow["state"];
  readonly kind: AuthorityRow["kind"];
  readonly stable_type: string;
  readonly object_generation: string;
  readonly authority_owner_generation: string;
  readonly highest_object_generation: string;
  readonly highest_authority_owner_generation: string;
  readonly place_spot_id: string | null;
  readonly place_object_generation: string;
  readonly relocation: Buffer | null;
  readonly membership_digest: Buffer;
  readonly created_by: string;
  readonly reservation_id: string | null;
  readonly reservation_kind: KeyReservation["kind"];
  readonly reservation_stable_type: string;
  readonly reservation_owner_id: string;
  readonly reservation_owner_lease_generation: string;
  readonly reservation_owner_mesh_name: string;
  readonly reservation_owner_node_rid: Buffer;
  readonly reservation_owner_node_generation: string;
  readonly reservation_ends_at_ms: number;
  readonly payload: Buffer;
}

/** A row of `lease` as it comes in JSON, with what comes with it. */
export interface LeaseColumns extends OwnerColumns {
  /** Hex, as `encode` writes it. */
  readonly owner_node_rid: string;
  readonly revision: string;
  readonly renewed_at_ms: number;
  readonly ends_at_ms: number;
  readonly owned: string;
  readonly endpoint: string | null;
  readonly state: NodeDescriptor["state"];
  readonly application_version: string;
  readonly stable_types: readonly string[];
  readonly placement_weight: number;
  readonly capacity: string;
  /** Only of a lease that was asked for. */
  readonly reservations: string | null;
  /** The newest generation of its node; null where nobody asked. */
  readonly node_generation: string | null;
}

function ownerFrom(columns: OwnerColumns, nodeRid: Uint8Array): OwnerIdentity {
  return {
    ownerId: columns.owner_id,
    ownerLeaseGeneration: BigInt(columns.owner_lease_generation),
    meshName: columns.owner_mesh_name,
    nodeRid: ridFromBytes(nodeRid),
    nodeGeneration: BigInt(columns.owner_node_generation),
  };
}

export function objectFrom(columns: ObjectColumns): AuthorityRow {
  const { place_spot_id: spotId, relocation } = columns;
  return {
    key: columns.key,
    version: BigInt(columns.version),
    state: columns.state,
    kind: columns.kind,
    stableType: columns.stable_type,
    objectGeneration: BigInt(columns.object_generation),
    authorityOwnerGeneration: BigInt(columns.authority_owner_generation),
    highestObjectGeneration: BigInt(columns.highest_object_generation),
    highestAuthorityOwnerGeneration: BigInt(columns.highest_authority_owner_generation),
    owner: ownerFrom(columns, columns.owner_node_rid),
    place: spotId === null ? undefined : { spotId, objectGeneration: BigInt(columns.place_object_generation) },
    relocation: relocation === null ? undefined : idFromBytes(relocation),
    membershipDigest: ownBytes(columns.membership_digest),
    payload: ownBytes(columns.payload),
    createdBy: columns.created_by,
    reservation: columns.reservation_id === null ? undefined : reservationFrom(columns, columns.reservation_id),
  };
}

function reservationFrom(columns: ObjectColumns, reservationId: string): KeyReservation {
  const owner: OwnerColumns = {
    owner_id: columns.reservation_owner_id,
    owner_lease_generation: columns.reservation_owner_lease_generation,
    owner_mesh_name: columns.reservation_owner_mesh_name,
    owner_node_generation: columns.reservation_owner_node_generation,
  };
  return {
    reservationId,
    kind: columns.reservation_kind,
    stableType: columns.reservation_stable_type,
    owner: ownerFrom(owner, columns.reservation_owner_node_rid),
    endsAtMs: columns.reservation_ends_at_ms,
  };
}

export function leaseFrom(columns: LeaseColumns): SeenLease {
  const owner = ownerFrom(columns, Buffer.from(columns.owner_node_rid, "hex"));
  return {
    row: {
      owner,
      renewedAtMs: columns.renewed_at_ms,
      endsAtMs: columns.ends_at_ms,
      owned: Number(columns.owned),
      descriptor: columns.endpoint === null ? undefined : descriptorFrom(columns, columns.endpoint, owner),
    },
    // A lease that was forgotten and comes again counts its revisions anew, but under another generation.
    revision: `${columns.owner_lease_generation}/${columns.revision}`,
    reservations: columns.reservations === null ? undefined : Number(columns.reservations),
  };
}

/** A revision as {@link leaseFrom} made it. */
export function revisionJson(revision: string | undefined): JsonRow {
  if (revision === undefined) return { generation: null, revision: null };
  const [generation, count] = revision.split("/") as [string, string];
  return { generation, revision: count };
}

function descriptorFrom(columns: LeaseColumns, endpoint: string, owner: OwnerIdentity): NodeDescriptor {
  return {
    owner,
    endpoint,
    state: columns.state,
    applicationVersion: BigInt(columns.application_version),
    stableTypes: columns.stable_types,
    placementWeight: columns.placement_weight,
    capacity: Number(columns.capacity),
  };
}

export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}

/** Buffers of the driver share their memory with others; what is handed out must not. */
function ownBytes(buffer: Buffer): Uint8Array {
  return new Uint8Array(buffer);
}

/** Two u64 do not fit PostgreSQL's signed integers. */
function bytesOfId(id: Id128): Uint8Array {
  const view = new DataView(new ArrayBuffer(16));
  view.setBigUint64(0, id.high);
  view.setBigUint64(8, id.low);
  return new Uint8Array(view.buffer);
}

function idFromBytes(bytes: Uint8Array): Id128 {
  const view = new DataView(bytes.buffer, bytes.byteOffset, 16);
  return { high: view.getBigUint64(0), low: view.getBigUint64(8) };
}
