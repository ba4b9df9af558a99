import type { AuthorityRow, KeyReservation, LeaseRow, NodeDescriptor, OwnerIdentity, OwnerLease } from "@rehome/core";
import { ridToBytes } from "@rehome/wire";
import type { Id128, Rid } from "@rehome/wire";

/*
 * Rows as Redis keeps them and what they mean, there and back. A row is a head, which the scripts read without a parser, and a
 * JSON object, which only the client reads. 64-bit numbers are decimal text and bytes are hex, so that nothing can change them
 * on the way. Payloads are apart, as they are.
 *
 * - Object: `version|length of the owner id|of its reservation's owner id|` and both, then JSON.
 * - Lease: `revision|length of the lease's name|of its node's|` and both, then JSON.
 *
 * Lengths are of UTF-8. A rid is text of U+0000 to U+00FF, which JSON holds.
 */

/** Lease generation, mesh name, rid, node generation. The owner id stands in the head. */
type OwnerJson = readonly [string, string, Rid, string];

interface ReservationJson {
  readonly id: string;
  readonly k: AuthorityRow["kind"];
  readonly t: string;
  readonly o: OwnerJson;
  /** End, in milliseconds; JSON and `tonumber` both read a double exactly from its shortest text. */
  readonly e: string;
}

interface ObjectJson {
  readonly s: AuthorityRow["state"];
  readonly k: AuthorityRow["kind"];
  readonly t: string;
  /** Generations of object and authority owner, then the highest of each. */
  readonly g: readonly [string, string, string, string];
  readonly o: OwnerJson;
  /** Spot id and object generation. */
  readonly p?: readonly [string, string];
  readonly r?: string;
  readonly d?: string;
  readonly c: string;
  readonly x?: ReservationJson;
}

interface LeaseJson {
  readonly id: string;
  readonly o: OwnerJson;
  readonly r: string;
  readonly e: string;
  readonly d?: readonly [string, NodeDescriptor["state"], string, readonly string[], number, number];
}

export function objectText(row: AuthorityRow): string {
  const { place, relocation, membershipDigest, reservation } = row;
  const json: ObjectJson = {
    s: row.state,
    k: row.kind,
    t: row.stableType,
    g: [
      String(row.objectGeneration),
      String(row.authorityOwnerGeneration),
      String(row.highestObjectGeneration),
      String(row.highestAuthorityOwnerGeneration),
    ],
    o: ownerJson(row.owner),
    ...(place === undefined ? {} : { p: [place.spotId, String(place.objectGeneration)] }),
    ...(relocation === undefined ? {} : { r: idText(relocation) }),
    ...(membershipDigest.length === 0 ? {} : { d: hexText(membershipDigest) }),
    c: row.createdBy,
    ...(reservation === undefined ? {} : { x: reservationJson(reservation) }),
  };
  const [ownerId, makerId] = [row.owner.ownerId, reservation?.owner.ownerId ?? ""];
  const lengths = `${Buffer.byteLength(ownerId)}|${Buffer.byteLength(makerId)}`;
  return `${row.version}|${lengths}|${ownerId}${makerId}${JSON.stringify(json)}`;
}

export function objectFrom(key: string, bytes: Buffer, payload: Uint8Array): AuthorityRow {
  const [head, start] = headOf(bytes);
  const makerStart = start + Number(head[1]);
  const end = makerStart + Number(head[2]);
  const json = JSON.parse(bytes.toString("utf8", end)) as ObjectJson;
  return {
    key,
    version: BigInt(head[0]!),
    state: json.s,
    kind: json.k,
    stableType: json.t,
    objectGeneration: BigInt(json.g[0]),
    authorityOwnerGeneration: BigInt(json.g[1]),
    highestObjectGeneration: BigInt(json.g[2]),
    highestAuthorityOwnerGeneration: BigInt(json.g[3]),
    owner: ownerFrom(bytes.toString("utf8", start, makerStart), json.o),
    place: json.p === undefined ? undefined : { spotId: json.p[0], objectGeneration: BigInt(json.p[1]) },
    relocation: json.r === undefined ? undefined : idFrom(json.r),
    membershipDigest: json.d === undefined ? new Uint8Array(0) : bytesFromHex(json.d),
    payload,
    createdBy: json.c,
    reservation: json.x === undefined ? undefined : reservationFrom(bytes.toString("utf8", makerStart, end), json.x),
  };
}

export function leaseText(row: LeaseRow, revision: string): string {
  const { owner, descriptor } = row;
  const json: LeaseJson = {
    id: owner.ownerId,
    o: ownerJson(owner),
    r: String(row.renewedAtMs),
    e: String(row.endsAtMs),
    ...(descriptor === undefined ? {} : { d: descriptorJson(descriptor) }),
  };
  const node = nodeField(owner.meshName, owner.nodeRid);
  const lease = leaseId(owner);
  const lengths = `${Buffer.byteLength(lease)}|${Buffer.byteLength(node)}`;
  return `${revision}|${lengths}|${lease}${node}${JSON.stringify(json)}`;
}

/** A lease as its row says: `owned` is counted elsewhere. */
export interface LeaseInRow {
  readonly revision: string;
  readonly row: LeaseRow;
}

export function leaseFrom(bytes: Buffer): LeaseInRow {
  const [head, start] = headOf(bytes);
  const revision = head[0]!;
  const json = JSON.parse(bytes.toString("utf8", start + Number(head[1]) + Number(head[2]))) as LeaseJson;
  const owner = ownerFrom(json.id, json.o);
  const descriptor = json.d === undefined ? undefined : descriptorFrom(owner, json.d);
  return { revision, row: { owner, renewedAtMs: Number(json.r), endsAtMs: Number(json.e), owned: 0, descriptor } };
}

/** Names a lease. None is the beginning of another: the length says where the owner id ends. */
export function leaseId({ ownerId, ownerLeaseGeneration }: OwnerLease): string {
  return `${ownerLeaseGeneration}.${Buffer.byteLength(ownerId)}.${ownerId}`;
}

/**
 * A revision is a nonce of the run that took the lease and a number. After older data were restored the same generation can be
 * handed out again; the nonce then tells the two runs apart.
 */
export function nonceOf(revision: string): string {
  return revision.slice(0, revision.indexOf("."));
}

export function nextRevision(revision: string): string {
  const nonce = nonceOf(revision);
  return `${nonce}.${BigInt(revision.slice(nonce.length + 1)) + 1n}`;
}

/** A row that is nothing but its version. */
export function generationText(generation: bigint): string {
  return `${generation}|`;
}

/** 0 where there is none. */
export function generationFrom(bytes: Buffer | null): bigint {
  return bytes === null ? 0n : BigInt(bytes.toString("latin1", 0, bytes.length - 1));
}

export function nodeField(meshName: string, nodeRid: Rid): string {
  return `${hexText(ridToBytes(nodeRid))}@${meshName}`;
}

/** In the order of their ends, by whole microseconds; the same number of digits until the year 2286. */
export function reservationMember(key: string, { owner, endsAtMs }: KeyReservation): string {
  const endsAtUs = Math.ceil(endsAtMs * 1000);
  return `${leaseId(owner)}:${String(endsAtUs).padStart(16, "0")}:${key}`;
}

/** The three parts of a row's head, which are ASCII, and where the bytes after them begin. */
function headOf(bytes: Buffer): readonly [readonly string[], number] {
  const end = bytes.indexOf(BAR, bytes.indexOf(BAR, bytes.indexOf(BAR) + 1) + 1);
  return [bytes.toString("latin1", 0, end).split("|"), end + 1];
}

const BAR = "|".charCodeAt(0);

function ownerJson({ ownerLeaseGeneration, meshName, nodeRid, nodeGeneration }: OwnerIdentity): OwnerJson {
  return [String(ownerLeaseGeneration), meshName, nodeRid, String(nodeGeneration)];
}

function ownerFrom(ownerId: string, [leaseGeneration, meshName, nodeRid, nodeGeneration]: OwnerJson): OwnerIdentity {
  return {
    ownerId,
    ownerLeaseGeneration: BigInt(leaseGeneration),
    meshName,
    nodeRid,
    nodeGeneration: BigInt(nodeGeneration),
  };
}

function reservationJson(reservation: KeyReservation): ReservationJson {
  return {
    id: reservation.reservationId,
    k: reservation.kind,
    t: reservation.stableType,
    o: ownerJson(reservation.owner),
    e: String(reservation.endsAtMs),
  };
}

function reservationFrom(ownerId: string, json: ReservationJson): KeyReservation {
  const { id: reservationId, k: kind, t: stableType } = json;
  return { reservationId, kind, stableType, owner: ownerFrom(ownerId, json.o), endsAtMs: Number(json.e) };
}

function descriptorJson(descriptor: NodeDescriptor): NonNullable<LeaseJson["d"]> {
  const { endpoint, state, applicationVersion, stableTypes, placementWeight, capacity } = descriptor;
  return [endpoint, state, String(applicationVersion), stableTypes, placementWeight, capacity];
}

function descriptorFrom(owner: OwnerIdentity, json: NonNullable<LeaseJson["d"]>): NodeDescriptor {
  const [endpoint, state, applicationVersion, stableTypes, placementWeight, capacity] = json;
  const numbers = { applicationVersion: BigInt(applicationVersion), placementWeight, capacity };
  return { owner, endpoint, state, stableTypes, ...numbers };
}

function idText(id: Id128): string {
  return `0x${id.high.toString(16)}-0x${id.low.toString(16)}`;
}

function idFrom(text: string): Id128 {
  const [high, low] = text.split("-") as [string, string];
  return { high: BigInt(high), low: BigInt(low) };
}

function hexText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex");
}

/** A plain array of its own, not a view of Node's pool. */
function bytesFromHex(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "hex"));
}
