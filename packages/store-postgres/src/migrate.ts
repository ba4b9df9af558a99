import type { ClientBase } from "pg";
import { PostgresStoreError } from "./errors.ts";
import { schemaSteps } from "./schema.ts";
import type { Names } from "./schema.ts";

/** "Reho": the first half of the advisory lock's key, so that it is nobody else's. The second is the schema's hash. */
const LOCK_SPACE = 0x5265686f;
/** PostgreSQL 14, the oldest that its makers still maintain. */
const OLDEST_SERVER = 140_000;

export interface MigrationTarget {
  readonly names: Names;
  readonly schema: string;
  /** Server and database, for people. */
  readonly where: string;
}

/**
 * Makes the schema, or brings it up to what this package knows. Any number of clients may do it at once: each step is done
 * by one of them, whole or not at all. A schema that is up to date is not locked, and one of another program or a newer
 * package is not touched.
 */
export async function migrate(client: Pick<ClientBase, "query">, target: MigrationTarget): Promise<void> {
  await checkServer(client, target);
  const steps = schemaSteps(target.names);
  if ((await schemaVersion(client, target, steps.length)) === steps.length) return;
  await client.query("BEGIN");
  await client.query("SELECT pg_advisory_xact_lock($1, hashtext($2))", [LOCK_SPACE, target.schema]);
  const version = await schemaVersion(client, target, steps.length);
  if (version === 0) await begin(client, target);
  for (const [index, step] of steps.entries()) {
    if (index < version) continue;
    await client.query(step);
    await client.query(`INSERT INTO ${target.names.migration} (version) VALUES ($1)`, [index + 1]);
  }
  await client.query("COMMIT");
}

async function checkServer(client: Pick<ClientBase, "query">, { where }: MigrationTarget): Promise<void> {
  const { rows } = await client.query<{ version: number; encoding: string; read_only: string }>(
    `SELECT current_setting('server_version_num')::integer AS version, current_setting('server_encoding') AS encoding,
       current_setting('transaction_read_only') AS read_only`,
  );
  const { version, encoding, read_only } = rows[0]!;
  if (version < OLDEST_SERVER) {
    const message = `The server of ${where} has version ${version}: this store needs PostgreSQL 14 or newer.`;
    throw new PostgresStoreError("unsupportedServer", message);
  }
  if (encoding !== "UTF8") {
    const message = `The database ${where} has the encoding ${encoding}: create one with ENCODING 'UTF8'.`;
    throw new PostgresStoreError("wrongEncoding", message);
  }
  // A schema that is up to date is only read, so that no statement would fail.
  if (read_only === "on") {
    const message = `The sessions at ${where} are read-only: set default_transaction_read_only to off for this user.`;
    throw new PostgresStoreError("readOnly", message);
  }
}

/** 0 where there is no schema, or one with nothing in it. */
async function schemaVersion(
  client: Pick<ClientBase, "query">,
  { names, schema, where }: MigrationTarget,
  known: number,
): Promise<number> {
  const { rows } = await client.query<{ tables: number; is_ours: boolean }>(
    `SELECT count(class.oid)::integer AS tables, to_regclass($2) IS NOT NULL AS is_ours
     FROM pg_namespace namespace LEFT JOIN pg_class class ON class.relnamespace = namespace.oid
     WHERE namespace.nspname = $1`,
    [schema, names.migration],
  );
  const { tables, is_ours } = rows[0]!;
  if (tables === 0) return 0;
  const version = is_ours ? await newestMigration(client, names) : undefined;
  if (version === undefined) {
    const advice = "give the name of another, or of one that is not there yet";
    throw new PostgresStoreError(
      "foreignSchema",
      `The schema ${schema} of ${where} is some other program's: ${advice}.`,
    );
  }
  if (version > known) {
    const message = `The schema ${schema} of ${where} has version ${version}, this package knows ${known}`;
    throw new PostgresStoreError("newerSchema", `${message}: use the version of @rehome/store-postgres that made it.`);
  }
  return version;
}

/** Nothing if the table is some other program's of the same name. */
async function newestMigration(client: Pick<ClientBase, "query">, names: Names): Promise<number | undefined> {
  const { rows: comments } = await client.query<{ text: string | null }>(
    "SELECT obj_description($1::regclass, 'pg_class') AS text",
    [names.migration],
  );
  if (comments[0]!.text !== SIGNATURE) return undefined;
  const { rows } = await client.query<{ version: number }>(
    `SELECT coalesce(max(version), 0) AS version FROM ${names.migration}`,
  );
  return rows[0]!.version;
}

/** The comment of the table `migration`, by which a schema of this store is known. */
const SIGNATURE = "The schema of a Rehome authority store. Only @rehome/store-postgres may change it.";

async function begin(client: Pick<ClientBase, "query">, { names, schema }: MigrationTarget): Promise<void> {
  // Asked first, because `IF NOT EXISTS` needs the right to create one even where it is there.
  const { rowCount } = await client.query("SELECT FROM pg_namespace WHERE nspname = $1", [schema]);
  if (rowCount === 0) await client.query(`CREATE SCHEMA ${names.schema}`);
  await client.query(`
    CREATE TABLE ${names.migration} (version integer PRIMARY KEY, done_at timestamptz NOT NULL DEFAULT now());
    COMMENT ON TABLE ${names.migration} IS '${SIGNATURE}';
  `);
}
