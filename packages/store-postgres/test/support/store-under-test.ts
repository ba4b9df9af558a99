import { randomBytes } from "node:crypto";
import { Client } from "pg";
import type { AuthorityStore } from "@rehome/core";
import type { PlantGenerations, StoreUnderTest } from "@rehome/conformance";
import { ridFromText, ridToBytes } from "@rehome/wire";
import { openPostgresStore } from "../../src/index.ts";
import type { PostgresStoreOptions } from "../../src/index.ts";
import { namesIn } from "../../src/schema.ts";

/** A schema name that no other test uses, on this machine or another. */
export function newSchema(): string {
  return `rehome_test_${randomBytes(8).toString("hex")}`;
}

/** Runs statements beside the store. */
export async function withClient<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

export function dropSchema(url: string, schema: string): Promise<void> {
  return withClient(url, async (client) => {
    await client.query("SET client_min_messages = warning");
    await client.query(`DROP SCHEMA IF EXISTS ${namesIn(schema).schema} CASCADE`);
  });
}

/** Puts the store's clock ahead by a number in a table of its schema, which the test can change. */
export async function makeClockMovable(url: string, schema: string): Promise<void> {
  const names = namesIn(schema);
  const moved = (of: string) =>
    `SELECT extract(epoch FROM ${of}())::double precision * 1000 + (SELECT ahead_ms FROM ${names.schema}.ahead)`;
  await withClient(url, (client) =>
    client.query(`
      CREATE TABLE ${names.schema}.ahead (ahead_ms double precision NOT NULL);
      INSERT INTO ${names.schema}.ahead VALUES (0);
      CREATE OR REPLACE FUNCTION ${names.clockMs}() RETURNS double precision LANGUAGE sql VOLATILE
        AS $$ ${moved("clock_timestamp")} $$;
      CREATE OR REPLACE FUNCTION ${names.statementMs}() RETURNS double precision LANGUAGE sql STABLE
        AS $$ ${moved("statement_timestamp")} $$;
    `),
  );
}

export interface PostgresUnderTest extends StoreUnderTest {
  readonly url: string;
  readonly schema: string;
  open(options?: Partial<PostgresStoreOptions>): Promise<AuthorityStore>;
}

/** An empty store in a schema of its own. */
export async function postgresStoreUnderTest(url: string): Promise<PostgresUnderTest> {
  const schema = newSchema();
  const opened: AuthorityStore[] = [];
  const open = async (options: Partial<PostgresStoreOptions> = {}) => {
    const store = await openPostgresStore({ url, schema, maxConnections: 4, ...options });
    opened.push(store);
    return store;
  };
  const store = await open();
  await makeClockMovable(url, schema);
  const { schema: quoted } = namesIn(schema);
  return {
    url,
    schema,
    open,
    store,
    another: () => open(),
    advance: (durationMs) =>
      withClient(url, async (client) => {
        await client.query(`UPDATE ${quoted}.ahead SET ahead_ms = ahead_ms + $1`, [durationMs]);
      }),
    plant: planting(url, schema),
    async close() {
      for (const each of opened) await each.close();
      await dropSchema(url, schema);
    },
  };
}

function planting(url: string, schema: string): PlantGenerations {
  const names = namesIn(schema);
  const run = (sql: string, values: unknown[]) =>
    withClient(url, async (client) => void (await client.query(sql, values)));
  return {
    object: (key, { objectGeneration, authorityOwnerGeneration }) =>
      run(
        `UPDATE ${names.object} SET object_generation = $1, highest_object_generation = $1,
         authority_owner_generation = $2, highest_authority_owner_generation = $2 WHERE key = $3`,
        [objectGeneration, authorityOwnerGeneration, key],
      ),
    node: (meshName, nodeName, generation) =>
      run(
        `INSERT INTO ${names.node} VALUES (${names.nodeId}($1::text, $2::bytea), $1::text, $2::bytea, $3)
         ON CONFLICT (id) DO UPDATE SET node_generation = excluded.node_generation`,
        [meshName, ridToBytes(ridFromText(nodeName)), generation],
      ),
    lease: (_, generation) => run(`UPDATE ${names.counter} SET last_lease_generation = $1`, [generation]),
  };
}
