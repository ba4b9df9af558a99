import type { AuthorityStore } from "@rehome/core";
import type { PlantGenerations, StoreBehindProxy, StoreUnderTest } from "@rehome/conformance";
import { CutProxy } from "@rehome/conformance/cut-proxy";
import { findService } from "@rehome/conformance/services";
import { ridFromText } from "@rehome/wire";
import { createClient } from "redis";
import { openStoreWith } from "../../src/open.ts";
import type { RedisStoreOptions } from "../../src/options.ts";
import { generationText, nodeField } from "../../src/rows.ts";
import { keysOf } from "../../src/transactions.ts";

/** Nothing if there is no Redis here, and that may be. */
export const redis = await findService("redis");

let stores = 0;

/** A prefix that no other test has, in this process or another. */
export function newPrefix(): string {
  stores += 1;
  return `rehome-test:${process.pid}:${performance.timeOrigin}:${stores}`;
}

/** Uses the server beside the store, for tests that look at the data or change them. */
export async function withClient<T>(use: (client: ReturnType<typeof createClient>) => Promise<T>): Promise<T> {
  const client = createClient({ url: redis!.url, commandOptions: { timeout: 0 } });
  await client.connect();
  try {
    return await use(client as ReturnType<typeof createClient>);
  } finally {
    client.destroy();
  }
}

export function removeStore(prefix: string): Promise<number> {
  return withClient((client) => client.unlink([...keysOf(prefix)]));
}

interface OpenedStore extends StoreUnderTest {
  readonly prefix: string;
  readonly another: () => Promise<AuthorityStore>;
  /** Another client, through another address. */
  readonly openAt: (url: string, options?: Partial<RedisStoreOptions>) => Promise<AuthorityStore>;
}

/** An empty store under a prefix of its own. */
export async function redisStoreUnderTest(): Promise<OpenedStore> {
  const prefix = newPrefix();
  let aheadUs = 0;
  const opened: AuthorityStore[] = [];
  const openAt = async (url: string, options: Partial<RedisStoreOptions> = {}) => {
    const store = await openStoreWith({ url, prefix, ...options }, () => aheadUs);
    opened.push(store);
    return store;
  };
  const another = () => openAt(redis!.url);
  return {
    prefix,
    openAt,
    store: await another(),
    another,
    advance: (durationMs) => Promise.resolve(void (aheadUs += Math.round(durationMs * 1000))),
    plant: planting(prefix),
    async close() {
      for (const store of opened) await store.close();
      await removeStore(prefix);
    },
  };
}

/** Short, so that tests of silent servers do not take long; long enough for a busy machine. */
const PROXIED_DEADLINE_MS = 500;

/** The same with a client whose connections can be cut. */
export async function redisStoreBehindProxy(): Promise<StoreBehindProxy & OpenedStore> {
  const underTest = await redisStoreUnderTest();
  const proxy = await CutProxy.to(redis!.url);
  const timeouts = { callDeadlineMs: PROXIED_DEADLINE_MS, connectTimeoutMs: PROXIED_DEADLINE_MS };
  return {
    ...underTest,
    proxied: await underTest.openAt(proxy.through(redis!.url), timeouts),
    proxy,
    settlesWithinMs: PROXIED_DEADLINE_MS + 1000,
    async close() {
      await underTest.close();
      await proxy.close();
    },
  };
}

function planting(prefix: string): PlantGenerations {
  const [rows] = keysOf(prefix) as [string];
  return {
    object: (key, { objectGeneration, authorityOwnerGeneration }) =>
      withClient(async (client) => {
        const row = (await client.hGet(rows, `o:${key}`))!;
        const start = row.indexOf("{");
        const generations = [objectGeneration, authorityOwnerGeneration].map(String);
        const json = { ...(JSON.parse(row.slice(start)) as object), g: [...generations, ...generations] };
        await client.hSet(rows, `o:${key}`, row.slice(0, start) + JSON.stringify(json));
      }),
    node: (meshName, nodeName, generation) =>
      withClient(async (client) => {
        await client.hSet(rows, `n:${nodeField(meshName, ridFromText(nodeName))}`, generationText(generation));
      }),
    lease: (_, generation) =>
      withClient(async (client) => {
        await client.hSet(rows, "last-lease", generationText(generation));
      }),
  };
}
