import { randomBytes } from "node:crypto";
import { findService } from "@rehome/conformance/services";
import { openPostgresStore } from "@rehome/store-postgres";
import { openRedisStore } from "@rehome/store-redis";
import { Client } from "pg";
import { createClient } from "redis";
import type { openStore } from "../src/store-url.ts";

export type Store = Awaited<ReturnType<typeof openStore>>;

/** A server that the arena's tests can have a store on: one of their own, until it is removed. */
export interface Server {
  readonly url: string;
  /** What `--store` takes. */
  readonly storeUrl: string;
  /** Through this address. */
  open(url: string): Promise<Store>;
  remove(): Promise<void>;
}

/** Short, so that several renewals of a short lease fit into it. */
const CALL_DEADLINE_MS = 400;

/** Each kind of server, and nothing for one that does not answer; then it is said that its tests are left out. */
export async function serversHere(): Promise<readonly (readonly [title: string, server: Server | undefined])[]> {
  const [redis, postgres] = [await findService("redis"), await findService("postgres")];
  const name = `rehome_arena_${randomBytes(6).toString("hex")}`;
  return [
    ["Redis", redis && redisServer(redis.url, name)],
    ["PostgreSQL", postgres && postgresServer(postgres.url, name)],
  ];
}

function redisServer(url: string, prefix: string): Server {
  return {
    url,
    storeUrl: `${url}?prefix=${prefix}`,
    open: (at) => openRedisStore({ url: at, prefix, callDeadlineMs: CALL_DEADLINE_MS }),
    async remove() {
      const client = await createClient({ url }).connect();
      for await (const keys of client.scanIterator({ MATCH: `{${prefix}}:*`, COUNT: 1000 })) {
        if (keys.length > 0) await client.unlink(keys);
      }
      await client.close();
    },
  };
}

function postgresServer(url: string, schema: string): Server {
  return {
    url,
    storeUrl: `${url}${url.includes("?") ? "&" : "?"}schema=${schema}`,
    open: (at) => openPostgresStore({ url: at, schema, maxConnections: 2, callDeadlineMs: CALL_DEADLINE_MS }),
    async remove() {
      const client = new Client({ connectionString: url });
      await client.connect();
      await client.query(`SET client_min_messages = warning; DROP SCHEMA IF EXISTS ${schema} CASCADE`);
      await client.end();
    },
  };
}
