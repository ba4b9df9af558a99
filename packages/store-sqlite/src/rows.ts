import type { AuthorityRow, KeyReservation, LeaseRow, NodeDescriptor, OwnerIdentity } from "@rehome/core";
import { ridFromBytes, ridToBytes } from "@rehome/wire";
import type { Id128 } from "@rehome/wire";
import type { SqliteValue, SqliteValues } from "./driver.ts";

/*
 * Rows of the database and what they mean, there and back. Integers are bigints throughout, so that generations are exact.
 * Rids are blobs: their bytes are any, and SQLite's text is not.
 */

/** The columns that {@link ownerFrom} reads. */
export const OWNER_COLUMNS = "owner_id, owner_lease_generation, owner_mesh_name, owner_node_rid, owner_node_generation";

export function ownerValues(owner: OwnerIdentity): SqliteValue[] {
  return [owner.ownerId, owner.ownerLeaseGeneration, owner.meshName, ridToBytes(owner.nodeRid), owner.nodeGeneration];
}

export function ownerFrom(values: SqliteValues): OwnerIdentity {
  const [ownerId, ownerLeaseGeneration, meshName, nodeRid, nodeGeneration] = values;
  return {
    ownerId: ownerId as string,
    ownerLeaseGeneration: ownerLeaseGeneration as bigint,
    meshName: meshName as string,
    nodeRid: ridFromBytes(nodeRid as Uint8Array),
    nodeGeneration: nodeGeneration as bigint,
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
    ...placeValues(row),
    row.relocation === undefined ? null : bytesOfId(row.relocation),
    digestValue(row),
    row.createdBy,
    reservedValue(row),
  ];
}

/** What a write to an object that goes on as it is can change, {@link CHANGING_COLUMNS}; then its key. */
export function changedValues(row: AuthorityRow): SqliteValue[] {
  return [
    row.version,
    row.authorityOwnerGeneration,
    row.highestObjectGeneration,
    row.highestAuthorityOwnerGeneration,
    ...ownerValues(row.owner),
    ...placeValues(row),
    row.relocation === undefined ? null : bytesOfId(row.relocation),
    digestValue(row),
    reservedValue(row),
    row.key,
  ];
}

export const CHANGING_COLUMNS = `version, authority_owner_generation, highest_object_generation,
  highest_authority_owner_generation, ${OWNER_COLUMNS}, place_spot_id, place_object_generation, relocation,
  membership_digest, is_reserved`;

/** Whether only {@link CHANGING_COLUMNS} are different. */
export function goesOn(row: AuthorityRow, previous: AuthorityRow): boolean {
  return (
    row.state === previous.state &&
    row.kind === previous.kind &&
    row.stableType === previous.stableType &&
    row.objectGeneration === previous.objectGeneration &&
    row.createdBy === previous.createdBy
  );
}

function placeValues({ place }: AuthorityRow): SqliteValue[] {
  return [place?.spotId ?? null, place?.objectGeneration ?? null];
}

function digestValue({ membershipDigest }: AuthorityRow): SqliteValue {
  return membershipDigest.length === 0 ? null : membershipDigest;
}

function reservedValue({ reservation }: AuthorityRow): SqliteValue {
  return reservation === undefined ? 0n : 1n;
}

const ACTIVE = 1;
const ACTOR = 2;
const RESERVED = 4;

/**
 * What {@link objectFrom} reads, of `object` and its `payload`. Every value that comes out of the database has its price, so what has
 * few values is one number, and neither the key nor what only names the owner is among them.
 */
export const OBJECT_COLUMNS = `
  (object.state = 'active') * ${ACTIVE} + (kind = 'actor') * ${ACTOR} + is_reserved * ${RESERVED} AS flags,
  object.owner_id, object.owner_lease_generation, version, stable_type, object_generation, authority_owner_generation,
  nullif(highest_object_generation, object_generation) AS higher_object_generation,
  nullif(highest_authority_owner_generation, authority_owner_generation) AS higher_authority_generation,
  created_by, place_spot_id, place_object_generation, relocation, membership_digest, payload.data`;

/** The owner and the reservation of a row of {@link OBJECT_COLUMNS} come from elsewhere. */
export function objectFrom(
  key: string,
  values: SqliteValues,
  owner: OwnerIdentity,
  reservation: KeyReservation | undefined,
): AuthorityRow {
  const flags = Number(values[0]);
  const objectGeneration = values[5] as bigint;
  const authorityOwnerGeneration = values[6] as bigint;
  const spotId = values[10] as string | null;
  const relocation = values[12] as Uint8Array | null;
  return {
    key,
    version: values[3] as bigint,
    state: (flags & ACTIVE) === 0 ? "destroyed" : "active",
    kind: (flags & ACTOR) === 0 ? "userSpot" : "actor",
    stableType: values[4] as string,
    objectGeneration,
    authorityOwnerGeneration,
    highestObjectGeneration: (values[7] as bigint | null) ?? objectGeneration,
    highestAuthorityOwnerGeneration: (values[8] as bigint | null) ?? authorityOwnerGeneration,
    owner,
    place: spotId === null ? undefined : { spotId, objectGeneration: values[11] as bigint },
    relocation: relocation === null ? undefined : idFromBytes(relocation),
    membershipDigest: (values[13] as Uint8Array | null) ?? new Uint8Array(0),
    payload: (values[14] as Uint8Array | null) ?? new Uint8Array(0),
    createdBy: values[9] as string,
    reservation,
  };
}

/** The owner of such a row, as much as there is of it. */
export function ownerIdOf(values: SqliteValues): string {
  return values[1] as string;
}

export function ownerLeaseGenerationOf(values: SqliteValues): bigint {
  return values[2] as bigint;
}

export function isReserved(values: SqliteValues): boolean {
  return (Number(values[0]) & RESERVED) !== 0;
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

export const RESERVATION_COLUMNS = `${OWNER_COLUMNS}, reservation_id, kind, stable_type, ends_at_ms`;

export function reservationFrom(values: SqliteValues): KeyReservation {
  return {
    reservationId: values[5] as string,
    kind: values[6] as KeyReservation["kind"],
    stableType: values[7] as string,
    owner: ownerFrom(values),
    endsAtMs: values[8] as number,
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

/** What {@link leaseFrom} reads. The owner id is known to whoever asks, or comes last. */
export const LEASE_COLUMNS = `lease.owner_lease_generation, renewed_at_ms, lease.ends_at_ms, owned, endpoint, lease.state,
  application_version, stable_types, placement_weight, capacity`;

export function leaseFrom(values: SqliteValues, owner: OwnerIdentity): LeaseRow {
  return {
    owner,
    renewedAtMs: values[1] as number,
    endsAtMs: values[2] as number,
    owned: Number(values[3]),
    descriptor: values[4] === null ? undefined : descriptorFrom(values, owner),
  };
}

function descriptorFrom(values: SqliteValues, owner: OwnerIdentity): NodeDescriptor {
  return {
    owner,
    endpoint: values[4] as string,
    state: values[5] as NodeDescriptor["state"],
    applicationVersion: BigInt(values[6] as string),
    stableTypes: JSON.parse(values[7] as string) as string[],
    placementWeight: Number(values[8]),
    capacity: Number(values[9]),
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
