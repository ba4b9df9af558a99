import { statSync } from "node:fs";
import type { SqliteDatabase, SqliteRow } from "./driver.ts";
import { corruptError, SqliteStoreError } from "./errors.ts";

/** "Reho": tells this store's files from those of other programs. */
const APPLICATION_ID = 0x5265686f;

const OWNER_COLUMNS = `
  owner_id TEXT NOT NULL,
  owner_lease_generation INTEGER NOT NULL,
  owner_mesh_name TEXT NOT NULL,
  owner_node_rid BLOB NOT NULL,
  owner_node_generation INTEGER NOT NULL`;

/**
 * Schema version n is what the first n steps make. A step is never changed once it was released.
 *
 * No bytes are NULL: Node 22 binds an empty array that it has itself read as NULL. Payloads are apart so that a write that changes only the owner does not copy them. Times are milliseconds of the
 * machine's monotonic clock.
 */
const STEPS: readonly string[] = [
  `
CREATE TABLE store (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  last_lease_generation INTEGER NOT NULL,
  boot_id TEXT
) STRICT;
INSERT INTO store VALUES (1, 0, NULL);
CREATE TABLE node (
  mesh_name TEXT NOT NULL,
  node_rid BLOB NOT NULL,
  node_generation INTEGER NOT NULL,
  PRIMARY KEY (mesh_name, node_rid)
) STRICT, WITHOUT ROWID;
CREATE TABLE lease (${OWNER_COLUMNS},
  renewed_at_ms REAL NOT NULL,
  ends_at_ms REAL NOT NULL,
  owned INTEGER NOT NULL,
  endpoint TEXT,
  state TEXT,
  application_version TEXT,
  stable_types TEXT,
  placement_weight INTEGER,
  capacity INTEGER,
  PRIMARY KEY (owner_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE object (
  key TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  state TEXT NOT NULL,
  kind TEXT NOT NULL,
  stable_type TEXT NOT NULL,
  object_generation INTEGER NOT NULL,
  authority_owner_generation INTEGER NOT NULL,
  highest_object_generation INTEGER NOT NULL,
  highest_authority_owner_generation INTEGER NOT NULL,${OWNER_COLUMNS},
  place_spot_id TEXT,
  place_object_generation INTEGER,
  relocation BLOB,
  membership_digest BLOB,
  created_by TEXT NOT NULL,
  is_reserved INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE payload (
  key TEXT PRIMARY KEY,
  data BLOB NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE reservation (
  key TEXT PRIMARY KEY,
  reservation_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  stable_type TEXT NOT NULL,${OWNER_COLUMNS},
  ends_at_ms REAL NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX reservation_of_lease ON reservation (owner_id, owner_lease_generation);
`,
];

/** A check of the whole file takes some 10 ms up to this size, and opening must not block for long. */
const MAX_CHECKED_BYTES = 32 * 1024 * 1024;
/** Readings of one machine's clock in two processes may differ by less than this. */
const CLOCK_TOLERANCE_MS = 1000;

export interface PrepareOptions {
  readonly path: string;
  readonly synchronous: "normal" | "full";
  readonly bootId: string | undefined;
  readonly nowMs: number;
}

/**
 * Makes an empty file this store's, checks one that is, and refuses any other without touching it. Many processes may do it
 * at once: it throws SQLite's `busy` then, and the caller tries again.
 */
export function prepareDatabase(database: SqliteDatabase, options: PrepareOptions): void {
  database.exec("PRAGMA busy_timeout = 0; PRAGMA trusted_schema = OFF;");
  // In one transaction: between two readings another process may have made the file its store.
  database.exec("BEGIN");
  schemaVersionOf(database, options.path);
  database.exec("COMMIT");
  checkIntegrity(database, options.path);
  const [journalMode] = firstValues(database, "PRAGMA journal_mode = WAL");
  if (journalMode !== "wal") {
    throw new SqliteStoreError(
      "walUnavailable",
      `The file system of ${options.path} cannot share a store between processes: put the file on a local disk.`,
    );
  }
  database.exec(`PRAGMA synchronous = ${options.synchronous === "full" ? "FULL" : "NORMAL"}`);
  database.exec("BEGIN IMMEDIATE");
  const version = schemaVersionOf(database, options.path);
  if (version < STEPS.length) {
    for (const step of STEPS.slice(version)) database.exec(step);
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${STEPS.length};`);
  }
  // On a file that may only be read even BEGIN IMMEDIATE only reads; the first write is refused, also one of no rows.
  database.exec("DELETE FROM lease WHERE 0");
  endLeasesOfEarlierBoots(database, options);
  database.exec("COMMIT");
}

/** 0 for a file with nothing in it. */
function schemaVersionOf(database: SqliteDatabase, path: string): number {
  const [applicationId] = firstValues(database, "PRAGMA application_id");
  const [version] = firstValues(database, "PRAGMA user_version");
  const [entries] = firstValues(database, "SELECT count(*) FROM sqlite_schema");
  if (applicationId === 0 && version === 0 && entries === 0) return 0;
  if (applicationId !== APPLICATION_ID) {
    const advice = "give the path of a new file, or of one that this store made";
    throw new SqliteStoreError("foreignDatabase", `${path} is the database of some other program: ${advice}.`);
  }
  if (Number(version) > STEPS.length) {
    const message = `${path} has schema version ${Number(version)}, this package knows ${STEPS.length}`;
    throw new SqliteStoreError("newerSchema", `${message}: use the version of @rehome/store-sqlite that wrote it.`);
  }
  return Number(version);
}

function checkIntegrity(database: SqliteDatabase, path: string): void {
  if (statSync(path).size > MAX_CHECKED_BYTES) return;
  const [verdict] = firstValues(database, "PRAGMA quick_check(1)");
  if (verdict !== "ok") throw corruptError(path, new Error(String(verdict)));
}

/**
 * The clock starts anew with each boot, so a lease of an earlier one says nothing about now; with it go its reservations. Where the system has
 * no name for its boots, one is noticed by a clock that is behind; that a long-ended lease then lasts a while longer does no
 * harm.
 */
function endLeasesOfEarlierBoots(database: SqliteDatabase, options: PrepareOptions): void {
  const [bootId] = firstValues(database, "SELECT boot_id FROM store");
  if (options.bootId === undefined) {
    const latestMs = options.nowMs + CLOCK_TOLERANCE_MS;
    database.prepare("DELETE FROM lease WHERE renewed_at_ms > ?").run(latestMs);
  } else if (bootId !== options.bootId) {
    database.exec("DELETE FROM lease");
    database.prepare("UPDATE store SET boot_id = ?").run(options.bootId);
  }
}

function firstValues(database: SqliteDatabase, sql: string): SqliteRow[string][] {
  return Object.values(database.prepare(sql).get() ?? {});
}
