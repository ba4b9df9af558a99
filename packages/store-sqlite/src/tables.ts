import type {
  AuthorityRow,
  AuthorityTables,
  KeyReservation,
  LeaseRow,
  LeaseTerm,
  OwnerIdentity,
  OwnerLease,
  PageBounds,
  RowPage,
} from "@rehome/core";
import { ridToBytes } from "@rehome/wire";
import type { Rid } from "@rehome/wire";
import { prepareReader, prepareWriter } from "./driver.ts";
import type { SqliteDatabase, SqliteReader, SqliteValue, SqliteValues, SqliteWriter } from "./driver.ts";
import { KnownOwners } from "./owners.ts";
import {
  changedValues,
  CHANGING_COLUMNS,
  goesOn,
  isReserved,
  LEASE_COLUMNS,
  leaseFrom,
  leaseValues,
  OBJECT_COLUMNS,
  objectFrom,
  objectValues,
  OWNER_COLUMNS,
  ownerFrom,
  ownerIdOf,
  ownerLeaseGenerationOf,
  RESERVATION_COLUMNS,
  reservationFrom,
  reservationValues,
} from "./rows.ts";

const READS = {
  object: `SELECT ${OBJECT_COLUMNS} FROM object LEFT JOIN payload ON payload.key = object.key WHERE object.key = ?`,
  /** With the end of its owner's lease, if that is the current one: so reading one object takes one statement. */
  objectWithTerm: `SELECT ${OBJECT_COLUMNS}, lease.ends_at_ms
    FROM object LEFT JOIN payload ON payload.key = object.key
    LEFT JOIN lease ON lease.owner_id = object.owner_id
      AND lease.owner_lease_generation = object.owner_lease_generation
    WHERE object.key = ?`,
  ownerOfObject: `SELECT ${OWNER_COLUMNS} FROM object WHERE key = ?`,
  ownerOfLease: `SELECT ${OWNER_COLUMNS} FROM lease WHERE owner_id = ?`,
  reservation: `SELECT ${RESERVATION_COLUMNS} FROM reservation WHERE key = ?`,
  reservationsOf: `SELECT count(*) FROM reservation
    WHERE owner_id = ? AND owner_lease_generation = ? AND ends_at_ms > ?`,
  sizesOfActive: `SELECT object.key, length(payload.data) AS bytes
    FROM object LEFT JOIN payload ON payload.key = object.key
    WHERE object.key >= ? AND object.key > ? AND object.key < ? AND object.state = 'active'
    ORDER BY object.key LIMIT ?`,
  activeBetween: `SELECT ${OBJECT_COLUMNS}, object.key FROM object LEFT JOIN payload ON payload.key = object.key
    WHERE object.key >= ? AND object.key <= ? AND object.state = 'active' ORDER BY object.key`,
  lease: `SELECT ${LEASE_COLUMNS}, EXISTS (SELECT 1 FROM reservation WHERE reservation.owner_id = lease.owner_id
      AND reservation.owner_lease_generation = lease.owner_lease_generation) AS has_reservations
    FROM lease WHERE owner_id = ?`,
  leaseTerm: "SELECT owner_lease_generation, ends_at_ms FROM lease WHERE owner_id = ?",
  leases: `SELECT ${LEASE_COLUMNS}, owner_id FROM lease WHERE owner_mesh_name = ? ORDER BY owner_node_rid`,
  nodeGeneration: "SELECT node_generation FROM node WHERE mesh_name = ? AND node_rid = ?",
  lastLeaseGeneration: "SELECT last_lease_generation FROM store",
} as const;

const WRITES = {
  putObject: `REPLACE INTO object VALUES (${"?, ".repeat(19)}?)`,
  changeObject: `UPDATE object SET (${CHANGING_COLUMNS}) = (${"?, ".repeat(13)}?) WHERE key = ?`,
  putPayload: "REPLACE INTO payload VALUES (?, ?)",
  removePayload: "DELETE FROM payload WHERE key = ?",
  putReservation: `REPLACE INTO reservation VALUES (${"?, ".repeat(9)}?)`,
  removeReservation: "DELETE FROM reservation WHERE key = ?",
  putLease: `REPLACE INTO lease VALUES (${"?, ".repeat(13)}?)`,
  removeLease: "DELETE FROM lease WHERE owner_id = ?",
  removeEndedLeases: "DELETE FROM lease WHERE ends_at_ms <= ?",
  changeOwned: "UPDATE lease SET owned = owned + ? WHERE owner_id = ? AND owner_lease_generation = ?",
  putNodeGeneration: "REPLACE INTO node VALUES (?, ?, ?)",
  putLastLeaseGeneration: "UPDATE store SET last_lease_generation = ?",
} as const;

/** Above every key that begins with what stands before it: keys are printable ASCII. */
const ABOVE_EVERY_CHARACTER = "\x7f";

/** Thrown inside {@link SqliteTables.alone}. Made once: a stack for each would cost more than the read. */
export const NEEDS_TRANSACTION = new Error("This call needs a transaction.");

/** The rows of one file, through one connection. Statements are prepared once. */
export class SqliteTables implements AuthorityTables {
  readonly #reads: Readonly<Record<keyof typeof READS, SqliteReader>>;
  readonly #writes: Readonly<Record<keyof typeof WRITES, SqliteWriter>>;
  readonly #owners = new KnownOwners();
  /** Of the owner of the object that was read alone. */
  #term: LeaseTerm | undefined;
  /** The lease that was read last in this transaction, if it has no reservation at all. */
  #unreserved: OwnerLease | undefined;
  #mode: "transaction" | "alone" | "aloneAndRead" = "transaction";

  constructor(database: SqliteDatabase) {
    this.#reads = mapValues(READS, (sql) => prepareReader(database, sql));
    this.#writes = mapValues(WRITES, (sql) => prepareWriter(database, sql));
  }

  /**
   * Runs a body that reads outside of a transaction, which costs as much as the reading: one statement sees one moment by
   * itself. Throws {@link NEEDS_TRANSACTION} before a second one, or before one that cannot be the only one.
   */
  alone<A>(body: () => A): A {
    this.#mode = "alone";
    try {
      return body();
    } finally {
      this.#mode = "transaction";
      this.#term = undefined;
    }
  }

  /** A transaction begins: what the one before has seen says nothing any more. */
  begin(): void {
    this.#unreserved = undefined;
  }

  object(key: string): AuthorityRow | undefined {
    if (this.#mode === "alone") return this.#objectAlone(key);
    const values = this.#get("object", key);
    if (values === undefined) return undefined;
    const owner = this.#ownerOf(key, values);
    return objectFrom(key, values, owner, isReserved(values) ? this.#reservation(key) : undefined);
  }

  putObject(row: AuthorityRow, previous: AuthorityRow | undefined): void {
    if (previous !== undefined && goesOn(row, previous)) this.#writes.changeObject(...changedValues(row));
    else this.#writes.putObject(...objectValues(row));
    if (row.payload !== previous?.payload) this.#putPayload(row.key, row.payload, previous?.payload.length ?? 0);
    if (row.reservation !== previous?.reservation) this.#putReservation(row.key, row.reservation);
  }

  activeObjects(prefix: string, after: string | undefined, bounds: PageBounds): RowPage {
    const above = prefix + ABOVE_EVERY_CHARACTER;
    // One more than fits, to learn whether there is more. Sizes first: a page of large payloads must not be read whole.
    const sizes = this.#all("sizesOfActive", prefix, after ?? "", above, BigInt(bounds.rows) + 1n);
    let payloadBytes = 0;
    let count = 0;
    for (const [, bytes] of sizes) {
      payloadBytes += Number(bytes ?? 0);
      if (count === bounds.rows || (count > 0 && payloadBytes > bounds.payloadBytes)) break;
      count += 1;
    }
    if (count === 0) return { rows: [], more: false };
    const [first, last] = [sizes[0]![0]!, sizes[count - 1]![0]!];
    const rows = this.#all("activeBetween", first, last).map((values) => {
      const key = values.at(-1) as string;
      const reservation = isReserved(values) ? this.#reservation(key) : undefined;
      return objectFrom(key, values, this.#ownerOf(key, values), reservation);
    });
    return { rows, more: count < sizes.length };
  }

  lease(ownerId: string): LeaseRow | undefined {
    const values = this.#get("lease", ownerId);
    if (values === undefined) return undefined;
    const lease = leaseFrom(values, this.#holder(ownerId, values));
    this.#unreserved = values.at(-1) === 0n ? lease.owner : undefined;
    return lease;
  }

  leaseTerm(ownerId: string): LeaseTerm | undefined {
    if (this.#term?.owner.ownerId === ownerId) return this.#term;
    const values = this.#get("leaseTerm", ownerId);
    return values && { owner: this.#holder(ownerId, values), endsAtMs: values[1] as number };
  }

  leases(meshName: string): readonly LeaseRow[] {
    return this.#all("leases", meshName).map((values) =>
      leaseFrom(values, this.#holder(values.at(-1) as string, values)),
    );
  }

  putLease(row: LeaseRow): void {
    this.#writes.putLease(...leaseValues(row));
  }

  removeLease(ownerId: string): void {
    this.#writes.removeLease(ownerId);
  }

  removeEndedLeases(nowMs: number): void {
    this.#writes.removeEndedLeases(nowMs);
  }

  changeOwned(lease: OwnerLease, by: number): void {
    this.#writes.changeOwned(BigInt(by), lease.ownerId, lease.ownerLeaseGeneration);
  }

  reservationsOf(lease: OwnerLease, nowMs: number): number {
    return Number(this.#get("reservationsOf", lease.ownerId, lease.ownerLeaseGeneration, nowMs)![0]);
  }

  /** Most leases have no reservation most of the time, and then there is nothing to count. */
  ownsAtMost(lease: LeaseRow, limit: number, nowMs: number): boolean {
    const reservations = lease.owner === this.#unreserved ? 0 : this.reservationsOf(lease.owner, nowMs);
    return lease.owned + reservations <= limit;
  }

  nodeGeneration(meshName: string, nodeRid: Rid): bigint {
    const values = this.#get("nodeGeneration", meshName, ridToBytes(nodeRid));
    return values === undefined ? 0n : (values[0] as bigint);
  }

  putNodeGeneration(meshName: string, nodeRid: Rid, generation: bigint): void {
    this.#writes.putNodeGeneration(meshName, ridToBytes(nodeRid), generation);
  }

  lastLeaseGeneration(): bigint {
    return this.#get("lastLeaseGeneration")![0] as bigint;
  }

  putLastLeaseGeneration(generation: bigint): void {
    this.#writes.putLastLeaseGeneration(generation);
  }

  #objectAlone(key: string): AuthorityRow | undefined {
    this.#mode = "aloneAndRead";
    const values = this.#reads.objectWithTerm.get(key);
    if (values === undefined) return undefined;
    const owner = this.#ownerOf(key, values);
    const endsAtMs = values.at(-1) as number | null;
    this.#term = endsAtMs === null ? undefined : { owner, endsAtMs };
    return objectFrom(key, values, owner, isReserved(values) ? this.#reservation(key) : undefined);
  }

  #get(name: keyof typeof READS, ...values: SqliteValue[]): SqliteValues | undefined {
    if (this.#mode !== "transaction") throw NEEDS_TRANSACTION;
    return this.#reads[name].get(...values);
  }

  /** A transaction's first read may find the file busy, which only `get` reports as such everywhere. */
  #all(name: keyof typeof READS, ...values: SqliteValue[]): SqliteValues[] {
    this.lastLeaseGeneration();
    return this.#reads[name].all(...values);
  }

  #ownerOf(key: string, values: SqliteValues): OwnerIdentity {
    const known = this.#owners.get(ownerIdOf(values), ownerLeaseGenerationOf(values));
    return known ?? this.#owners.add(ownerFrom(this.#get("ownerOfObject", key)!));
  }

  /** Whose lease it is; its generation comes first. */
  #holder(ownerId: string, values: SqliteValues): OwnerIdentity {
    const known = this.#owners.get(ownerId, values[0] as bigint);
    return known ?? this.#owners.add(ownerFrom(this.#get("ownerOfLease", ownerId)!));
  }

  #reservation(key: string): KeyReservation | undefined {
    const values = this.#get("reservation", key);
    return values === undefined ? undefined : reservationFrom(values);
  }

  #putPayload(key: string, payload: Uint8Array, previousBytes: number): void {
    if (payload.length > 0) this.#writes.putPayload(key, payload);
    else if (previousBytes > 0) this.#writes.removePayload(key);
  }

  #putReservation(key: string, reservation: KeyReservation | undefined): void {
    this.#unreserved = undefined;
    if (reservation === undefined) this.#writes.removeReservation(key);
    else this.#writes.putReservation(...reservationValues(key, reservation));
  }
}

function mapValues<K extends string, T>(of: Readonly<Record<K, string>>, map: (sql: string) => T): Record<K, T> {
  const entries = (Object.entries(of) as [K, string][]).map(([name, sql]) => [name, map(sql)] as const);
  return Object.fromEntries(entries) as Record<K, T>;
}
