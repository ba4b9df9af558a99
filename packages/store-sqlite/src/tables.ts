import type {
  AuthorityRow,
  AuthorityTables,
  KeyReservation,
  LeaseRow,
  OwnerLease,
  PageBounds,
  RowPage,
} from "@rehome/core";
import { ridToBytes } from "@rehome/wire";
import type { Rid } from "@rehome/wire";
import type { SqliteDatabase, SqliteRow, SqliteStatement, SqliteValue } from "./driver.ts";
import { leaseFrom, leaseValues, objectFrom, objectValues, reservationFrom, reservationValues } from "./rows.ts";

const OBJECT_WITH_PAYLOAD = "SELECT object.*, payload.data FROM object LEFT JOIN payload ON payload.key = object.key";

const SQL = {
  object: `${OBJECT_WITH_PAYLOAD} WHERE object.key = ?`,
  putObject: `REPLACE INTO object VALUES (${"?, ".repeat(19)}?)`,
  putPayload: "REPLACE INTO payload VALUES (?, ?)",
  removePayload: "DELETE FROM payload WHERE key = ?",
  reservation: "SELECT * FROM reservation WHERE key = ?",
  putReservation: `REPLACE INTO reservation VALUES (${"?, ".repeat(9)}?)`,
  removeReservation: "DELETE FROM reservation WHERE key = ?",
  reservationsOf: `SELECT count(*) AS count FROM reservation
    WHERE owner_id = ? AND owner_lease_generation = ? AND ends_at_ms > ?`,
  sizesOfActive: `SELECT object.key, length(payload.data) AS bytes
    FROM object LEFT JOIN payload ON payload.key = object.key
    WHERE object.key >= ? AND object.key > ? AND object.key < ? AND object.state = 'active'
    ORDER BY object.key LIMIT ?`,
  activeBetween: `${OBJECT_WITH_PAYLOAD}
    WHERE object.key >= ? AND object.key <= ? AND object.state = 'active' ORDER BY object.key`,
  lease: "SELECT * FROM lease WHERE owner_id = ?",
  leases: "SELECT * FROM lease WHERE owner_mesh_name = ? ORDER BY owner_node_rid",
  putLease: `REPLACE INTO lease VALUES (${"?, ".repeat(13)}?)`,
  removeLease: "DELETE FROM lease WHERE owner_id = ?",
  removeEndedLeases: "DELETE FROM lease WHERE ends_at_ms <= ?",
  changeOwned: "UPDATE lease SET owned = owned + ? WHERE owner_id = ? AND owner_lease_generation = ?",
  nodeGeneration: "SELECT node_generation FROM node WHERE mesh_name = ? AND node_rid = ?",
  putNodeGeneration: "REPLACE INTO node VALUES (?, ?, ?)",
  lastLeaseGeneration: "SELECT last_lease_generation FROM store",
  putLastLeaseGeneration: "UPDATE store SET last_lease_generation = ?",
} as const;

/** Above every key that begins with what stands before it: keys are printable ASCII. */
const ABOVE_EVERY_CHARACTER = "\x7f";

/** The rows of one file, through one connection. Statements are prepared once. */
export class SqliteTables implements AuthorityTables {
  readonly #statements: Readonly<Record<keyof typeof SQL, SqliteStatement>>;

  constructor(database: SqliteDatabase) {
    const prepare = (sql: string) => {
      const statement = database.prepare(sql);
      statement.setReadBigInts(true);
      return statement;
    };
    const entries = Object.entries(SQL).map(([name, sql]) => [name, prepare(sql)] as const);
    this.#statements = Object.fromEntries(entries) as Record<keyof typeof SQL, SqliteStatement>;
  }

  object(key: string): AuthorityRow | undefined {
    const row = this.#statements.object.get(key);
    return row === undefined ? undefined : this.#objectFrom(row);
  }

  putObject(row: AuthorityRow, previous: AuthorityRow | undefined): void {
    this.#statements.putObject.run(...objectValues(row));
    if (row.payload !== previous?.payload) this.#putPayload(row.key, row.payload, previous?.payload.length ?? 0);
    if (row.reservation !== previous?.reservation) this.#putReservation(row.key, row.reservation);
  }

  activeObjects(prefix: string, after: string | undefined, bounds: PageBounds): RowPage {
    const above = prefix + ABOVE_EVERY_CHARACTER;
    // One more than fits, to learn whether there is more. Sizes first: a page of large payloads must not be read whole.
    const sizes = this.#all("sizesOfActive", prefix, after ?? "", above, BigInt(bounds.rows) + 1n);
    let payloadBytes = 0;
    let count = 0;
    for (const size of sizes) {
      payloadBytes += Number(size["bytes"] ?? 0);
      if (count === bounds.rows || (count > 0 && payloadBytes > bounds.payloadBytes)) break;
      count += 1;
    }
    if (count === 0) return { rows: [], more: false };
    const [first, last] = [sizes[0]!["key"]!, sizes[count - 1]!["key"]!];
    const rows = this.#all("activeBetween", first, last).map((row) => this.#objectFrom(row));
    return { rows, more: count < sizes.length };
  }

  lease(ownerId: string): LeaseRow | undefined {
    const row = this.#statements.lease.get(ownerId);
    return row === undefined ? undefined : leaseFrom(row);
  }

  leases(meshName: string): readonly LeaseRow[] {
    return this.#all("leases", meshName).map(leaseFrom);
  }

  putLease(row: LeaseRow): void {
    this.#statements.putLease.run(...leaseValues(row));
  }

  removeLease(ownerId: string): void {
    this.#statements.removeLease.run(ownerId);
  }

  removeEndedLeases(nowMs: number): void {
    this.#statements.removeEndedLeases.run(nowMs);
  }

  changeOwned(lease: OwnerLease, by: number): void {
    this.#statements.changeOwned.run(BigInt(by), lease.ownerId, lease.ownerLeaseGeneration);
  }

  reservationsOf(lease: OwnerLease, nowMs: number): number {
    const row = this.#statements.reservationsOf.get(lease.ownerId, lease.ownerLeaseGeneration, nowMs);
    return Number(row!["count"]);
  }

  ownsAtMost(lease: LeaseRow, limit: number, nowMs: number): boolean {
    return lease.owned + this.reservationsOf(lease.owner, nowMs) <= limit;
  }

  nodeGeneration(meshName: string, nodeRid: Rid): bigint {
    const row = this.#statements.nodeGeneration.get(meshName, ridToBytes(nodeRid));
    return row === undefined ? 0n : (row["node_generation"] as bigint);
  }

  putNodeGeneration(meshName: string, nodeRid: Rid, generation: bigint): void {
    this.#statements.putNodeGeneration.run(meshName, ridToBytes(nodeRid), generation);
  }

  lastLeaseGeneration(): bigint {
    return this.#statements.lastLeaseGeneration.get()!["last_lease_generation"] as bigint;
  }

  putLastLeaseGeneration(generation: bigint): void {
    this.#statements.putLastLeaseGeneration.run(generation);
  }

  /** A transaction's first read may find the file busy, which only `get` reports as such everywhere. */
  #all(name: keyof typeof SQL, ...values: SqliteValue[]): SqliteRow[] {
    this.lastLeaseGeneration();
    return this.#statements[name].all(...values);
  }

  #objectFrom(row: SqliteRow): AuthorityRow {
    const isReserved = row["is_reserved"] !== 0n;
    const reservation = isReserved ? this.#statements.reservation.get(row["key"] as string) : undefined;
    return objectFrom(row, reservation === undefined ? undefined : reservationFrom(reservation));
  }

  #putPayload(key: string, payload: Uint8Array, previousBytes: number): void {
    if (payload.length > 0) this.#statements.putPayload.run(key, payload);
    else if (previousBytes > 0) this.#statements.removePayload.run(key);
  }

  #putReservation(key: string, reservation: KeyReservation | undefined): void {
    if (reservation === undefined) this.#statements.removeReservation.run(key);
    else this.#statements.putReservation.run(...reservationValues(key, reservation));
  }
}
