import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AuthorityStore, Clock } from "@rehome/core";
import type { PlantGenerations, StoreUnderTest } from "@rehome/conformance";
import { ridFromText, ridToBytes } from "@rehome/wire";
import { loadSqlite } from "../../src/driver.ts";
import type { SqliteDatabase } from "../../src/driver.ts";
import { machineClock } from "../../src/machine-clock.ts";
import { openSqliteStore } from "../../src/index.ts";

/** A directory that is gone after the test. */
export function temporaryDirectory(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "rehome-sqlite-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** The machine's clock, which the test can put forward. Its wall clock is nonsense: no store may use it. */
export async function testClock(): Promise<Clock & { advance(durationMs: number): void }> {
  const real = await machineClock();
  let aheadMs = 0;
  return {
    nowMs: () => real.nowMs() + aheadMs,
    unixMs: () => Number.NaN,
    after: (delayMs, fn) => real.after(delayMs, fn),
    advance: (durationMs) => void (aheadMs += durationMs),
  };
}

/** Opens the file beside the store, for tests that look at it or change it. */
export async function withDatabase<T>(path: string, use: (database: SqliteDatabase) => T | Promise<T>): Promise<T> {
  const database = (await loadSqlite())(path);
  try {
    database.exec("PRAGMA busy_timeout = 2000");
    return await use(database);
  } finally {
    database.close();
  }
}

/** An empty store in a file of its own. */
export async function sqliteStoreUnderTest(): Promise<StoreUnderTest> {
  const directory = temporaryDirectory();
  const path = join(directory.path, "store.db");
  const clock = await testClock();
  const opened: AuthorityStore[] = [];
  const another = async () => {
    const store = await openSqliteStore({ path, clock });
    opened.push(store);
    return store;
  };
  return {
    store: await another(),
    another,
    advance: (durationMs) => Promise.resolve(clock.advance(durationMs)),
    plant: planting(path),
    async close() {
      for (const store of opened) await store.close();
      directory.remove();
    },
  };
}

function planting(path: string): PlantGenerations {
  const run = (sql: string, ...values: (string | bigint | Uint8Array)[]) =>
    withDatabase(path, (database) => void database.prepare(sql).run(...values));
  return {
    object: (key, { objectGeneration, authorityOwnerGeneration }) =>
      run(
        `UPDATE object SET object_generation = ?1, highest_object_generation = ?1,
         authority_owner_generation = ?2, highest_authority_owner_generation = ?2 WHERE key = ?3`,
        objectGeneration,
        authorityOwnerGeneration,
        key,
      ),
    node: (meshName, nodeName, generation) =>
      run("REPLACE INTO node VALUES (?, ?, ?)", meshName, ridToBytes(ridFromText(nodeName)), generation),
    lease: (_, generation) => run("UPDATE store SET last_lease_generation = ?", generation),
  };
}
