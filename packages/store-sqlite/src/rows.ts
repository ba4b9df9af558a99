import type { AuthorityRow, KeyReservation, LeaseRow, NodeDescriptor, OwnerIdentity } from "@rehome/core";
import { ridFromBytes, ridToBytes } from "@rehome/wire";
import type { Id128 } from "@rehome/wire";
import type { SqliteRow, SqliteValue } from "./driver.ts";

/*
 * Rows of the database and what they mean, there and back. Integers are bigints throughout, so that generations are exact.
 * Rids are blobs: their bytes are any, and SQLite's text is not.
 */

export function ownerValues(owner: OwnerIdentity): SqliteValue[] {
  return [owner.ownerId, owner.ownerLeaseGeneration, owner.meshName, ridToBytes(owner.nodeRid), owner.nodeGeneration];
}

function ownerFrom(row: SqliteRow): OwnerIdentity {
  return {
    ownerId: row["owner_id"] as string,
    ownerLeaseGeneration: row["owner_lease_generation"] as bigint,
    meshName: row["owner_mesh_name"] as string,
    nodeRid: ridFromBytes(row["owner_node_rid"] as Uint8Array),
    nodeGeneration: row["owner_node_generation"] as bigint,
  };
}

/** In the order of the columns of `object`. */
export function objectValues(row: AuthorityRow): SqliteValue[] {
  return [
    row.key,
    row.version,
    row.state,
    row.kind,
    row.stableType,
    row.objectGeneration,
    row.authorityOwnerGeneration,
    row.highestObjectGeneration,
    row.highestAuthorityOwnerGeneration,
    ...ownerValues(row.owner),
    row.place?.spotId ?? null,
    row.place?.objectGeneration ?? null,
    row.relocation === undefined ? null : bytesOfId(row.relocation),
    row.membershipDigest.length === 0 ? null : row.membershipDigest,
    row.createdBy,
    row.reservation === undefined ? 0n : 1n,
  ];
}

/** A row of `object`, with `data` of its `payload` or null. */
export function objectFrom(row: SqliteRow, reservation: KeyReservation | undefined): AuthorityRow {
  const spotId = row["place_spot_id"] as string | null;
  const relocation = row["relocation"] as Uint8Array | null;
  const objectGeneration = row["place_object_generation"] as bigint;
  return {
    key: row["key"] as string,
    version: row["version"] as bigint,
    state: row["state"] as AuthorityRow["state"],
    kind: row["kind"] as AuthorityRow["kind"],
    stableType: row["stable_type"] as string,
    objectGeneration: row["object_generation"] as bigint,
    authorityOwnerGeneration: row["authority_owner_generation"] as bigint,
    highestObjectGeneration: row["highest_object_generation"] as bigint,
    highestAuthorityOwnerGeneration: row["highest_authority_owner_generation"] as bigint,
    owner: ownerFrom(row),
    place: spotId === null ? undefined : { spotId, objectGeneration },
    relocation: relocation === null ? undefined : idFromBytes(relocation),
    membershipDigest: (row["membership_digest"] as Uint8Array | null) ?? new Uint8Array(0),
    payload: (row["data"] as Uint8Array | null) ?? new Uint8Array(0),
    createdBy: row["created_by"] as string,
    reservation,
  };
}

/** In the order of the columns of `reservation`. */
export function reservationValues(key: string, reservation: KeyReservation): SqliteValue[] {
  return [
    key,
    reservation.reservationId,
    reservation.kind,
    reservation.stableType,
    ...ownerValues(reservation.owner),
    reservation.endsAtMs,
  ];
}

export function reservationFrom(row: SqliteRow): KeyReservation {
  return {
    reservationId: row["reservation_id"] as string,
    kind: row["kind"] as KeyReservation["kind"],
    stableType: row["stable_type"] as string,
    owner: ownerFrom(row),
    endsAtMs: row["ends_at_ms"] as number,
  };
}

/** In the order of the columns of `lease`. */
export function leaseValues(row: LeaseRow): SqliteValue[] {
  const times = [row.renewedAtMs, row.endsAtMs];
  return [...ownerValues(row.owner), ...times, BigInt(row.owned), ...descriptorValues(row.descriptor)];
}

function descriptorValues(descriptor: NodeDescriptor | undefined): SqliteValue[] {
  if (descriptor === undefined) return [null, null, null, null, null, null];
  return [
    descriptor.endpoint,
    descriptor.state,
    descriptor.applicationVersion.toString(),
    JSON.stringify(descriptor.stableTypes),
    BigInt(descriptor.placementWeight),
    BigInt(descriptor.capacity),
  ];
}

export function leaseFrom(row: SqliteRow): LeaseRow {
  const owner = ownerFrom(row);
  return {
    owner,
    renewedAtMs: row["renewed_at_ms"] as number,
    endsAtMs: row["ends_at_ms"] as number,
    owned: Number(row["owned"]),
    descriptor: row["endpoint"] === null ? undefined : descriptorFrom(row, owner),
  };
}

function descriptorFrom(row: SqliteRow, owner: OwnerIdentity): NodeDescriptor {
  return {
    owner,
    endpoint: row["endpoint"] as string,
    state: row["state"] as NodeDescriptor["state"],
    applicationVersion: BigInt(row["application_version"] as string),
    stableTypes: JSON.parse(row["stable_types"] as string) as string[],
    placementWeight: Number(row["placement_weight"]),
    capacity: Number(row["capacity"]),
  };
}

/** Two u64 do not fit SQLite's signed integers. */
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
