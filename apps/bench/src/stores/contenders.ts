import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CutProxy } from "@rehome/conformance/cut-proxy";
import type { AuthorityStore } from "@rehome/core";
import { openPostgresStore } from "@rehome/store-postgres";
import { openRedisStore } from "@rehome/store-redis";
import { openSqliteStore } from "@rehome/store-sqlite";
import { Client } from "pg";
import { createClient } from "redis";

export const storeKinds = ["sqlite", "redis", "postgres"] as const;
export type StoreKind = (typeof storeKinds)[number];

/** One store, and the least that its client can do to write a row on its exact version. */
export interface StoreContender {
  readonly store: AuthorityStore;
  /** The same store through a proxy that counts; nothing for a store without a server. */
  readonly counted: { readonly store: AuthorityStore; roundTrips(): number } | undefined;
  /** Adds a row at version 1. */
  addRow(key: string): Promise<void>;
  /** Writes the owner and the next version; false if the row has another version. */
  writeRow(key: string, version: number, owner: string): Promise<boolean>;
  close(): Promise<void>;
}

/** `url` names the server; SQLite takes a file of its own. */
export function openContender(kind: StoreKind, url: string): Promise<StoreContender> {
  if (kind === "sqlite") return openSqlite();
  return kind === "redis" ? openRedis(url) : openPostgres(url);
}

/** Of `node:sqlite` and its stand-in, what is used here. */
interface Sqlite {
  readonly DatabaseSync: new (path: string) => {
    exec(sql: string): void;
    prepare(sql: string): { run(...values: (string | number)[]): { changes: number | bigint } };
    close(): void;
  };
}

async function openSqlite(): Promise<StoreContender> {
  const directory = mkdtempSync(join(tmpdir(), "rehome-bench-"));
  const store = await openSqliteStore({ path: join(directory, "store.db") });
  const builtin = process.getBuiltinModule("node:sqlite") as Sqlite | undefined;
  const { DatabaseSync } = builtin ?? (await import("@photostructure/sqlite"));
  const database = new DatabaseSync(join(directory, "bare.db"));
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  database.exec("CREATE TABLE row (key TEXT PRIMARY KEY, version INTEGER, owner TEXT) STRICT, WITHOUT ROWID");
  const insert = database.prepare("INSERT INTO row VALUES (?, 1, '')");
  const update = database.prepare("UPDATE row SET version = version + 1, owner = ? WHERE key = ? AND version = ?");
  return {
    store,
    counted: undefined,
    addRow: (key) => Promise.resolve(void insert.run(key)),
    writeRow: (key, version, owner) => Promise.resolve(Number(update.run(owner, key, version).changes) === 1),
    async close() {
      await store.close();
      database.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

const CONDITIONAL_WRITE = `
if redis.call("HGET", KEYS[1], "version") ~= ARGV[1] then return 0 end
redis.call("HSET", KEYS[1], "version", ARGV[2], "owner", ARGV[3])
return 1`;

async function openRedis(url: string): Promise<StoreContender> {
  const prefix = `rehome-bench:${randomBytes(6).toString("hex")}`;
  // First: a server may refuse it, and nothing is then left open.
  const store = await openRedisStore({ url, prefix });
  const proxy = await CutProxy.to(url);
  const counted = await openRedisStore({ url: proxy.through(url), prefix });
  const client = await createClient({ url }).connect();
  const script = await client.scriptLoad(CONDITIONAL_WRITE);
  const keyOf = (key: string): string => `{${prefix}}:bare:${key}`;
  return {
    store,
    counted: { store: counted, roundTrips: () => proxy.roundTrips },
    addRow: async (key) => void (await client.hSet(keyOf(key), { version: "1", owner: "" })),
    async writeRow(key, version, owner) {
      const values = [String(version), String(version + 1), owner];
      return (await client.evalSha(script, { keys: [keyOf(key)], arguments: values })) === 1;
    },
    async close() {
      await Promise.all([store.close(), counted.close()]);
      await proxy.close();
      for await (const keys of client.scanIterator({ MATCH: `{${prefix}}:*`, COUNT: 1000 })) {
        if (keys.length > 0) await client.unlink(keys);
      }
      await client.close();
    },
  };
}

async function openPostgres(url: string): Promise<StoreContender> {
  const schema = `rehome_bench_${randomBytes(6).toString("hex")}`;
  // First: a server may refuse it, and nothing is then left open.
  const store = await openPostgresStore({ url, schema });
  const proxy = await CutProxy.to(url);
  const counted = await openPostgresStore({ url: proxy.through(url), schema });
  const client = new Client({ connectionString: url });
  await client.connect();
  const table = `${schema}.bare_row`;
  await client.query(`CREATE TABLE ${table} (key text PRIMARY KEY, version bigint, owner text) WITH (fillfactor = 80)`);
  const text = `UPDATE ${table} SET version = version + 1, owner = $1 WHERE key = $2 AND version = $3`;
  return {
    store,
    counted: { store: counted, roundTrips: () => proxy.roundTrips },
    addRow: async (key) => void (await client.query(`INSERT INTO ${table} VALUES ($1, 1, '')`, [key])),
    async writeRow(key, version, owner) {
      const { rowCount } = await client.query({ name: "bare", text, values: [owner, key, version] });
      return rowCount === 1;
    },
    async close() {
      await Promise.all([store.close(), counted.close()]);
      await proxy.close();
      await client.query(`SET client_min_messages = warning; DROP SCHEMA ${schema} CASCADE`);
      await client.end();
    },
  };
}
