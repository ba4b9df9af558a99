import { chmodSync, existsSync, readFileSync, renameSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { actorAuthorityKey, ridFromText } from "@rehome/wire";
import type { AuthorityStore } from "@rehome/core";
import { loadSqlite } from "../src/driver.ts";
import { openSqliteStore, SqliteStoreError } from "../src/index.ts";
import type { SqliteStoreErrorCode, SqliteStoreOptions } from "../src/index.ts";
import { openStoreWith } from "../src/open.ts";
import { prepareDatabase } from "../src/schema.ts";
import type { SqliteSurroundings } from "../src/open.ts";
import { interfering, sqliteError } from "./support/fake-database.ts";
import type { Interference } from "./support/fake-database.ts";
import { temporaryDirectory, testClock, withDatabase } from "./support/store-under-test.ts";

const DAMAGED_FROM_BYTE = 4096;
const TINY_DEADLINE_MS = 30;

let directory: ReturnType<typeof temporaryDirectory>;
let path: string;
const opened: AuthorityStore[] = [];

beforeEach(() => {
  directory = temporaryDirectory();
  path = join(directory.path, "store.db");
});

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  directory.remove();
});

async function open(options: Partial<SqliteStoreOptions> = {}): Promise<AuthorityStore> {
  const store = await openSqliteStore({ path, ...options });
  opened.push(store);
  return store;
}

async function openWith(
  surroundings: Partial<SqliteSurroundings> & { interference?: Interference },
  options: Partial<SqliteStoreOptions> = {},
): Promise<AuthorityStore> {
  const openDatabase = interfering(await loadSqlite(), surroundings.interference ?? {});
  const store = await openStoreWith({ path, ...options }, { openDatabase, bootId: "boot", ...surroundings });
  opened.push(store);
  return store;
}

/** The attempt must fail with this code and one sentence that names the path and says what to do. */
async function expectRefusal(attempt: Promise<unknown>, code: SqliteStoreErrorCode, named = path): Promise<void> {
  const error: unknown = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SqliteStoreError);
  expect(error).toMatchObject({ code, name: "SqliteStoreError" });
  const { message } = error as SqliteStoreError;
  expect(message).toContain(named);
  expect(message).toMatch(/^[^\n]+[:;] [^\n]+\.$/);
}

describe("several processes that open a new file at once", () => {
  it("never take each other's store, half made, for another program's database", async () => {
    const openDatabase = await loadSqlite();
    let others = 0;
    const after = (sql: string) => {
      if (sql !== "PRAGMA application_id" || others++ > 0) return;
      const other = openDatabase(path);
      try {
        prepareDatabase(other, { path, synchronous: "normal", bootId: "boot", nowMs: 0 });
      } catch (error) {
        expect(error).toMatchObject({ errcode: 5 }); // busy: it tries again later
      } finally {
        other.close();
      }
    };
    const store = await openWith({ interference: { after } });
    expect(await store.read("zla1:a:1:a")).toEqual({ outcome: "absent" });
    expect(others).toBeGreaterThan(0);
  });
});

describe("what cannot be a store is refused, by code, and left as it was", () => {
  it("a directory, a path in no directory, a path below a file", async () => {
    await expectRefusal(open({ path: directory.path }), "pathIsDirectory", directory.path);
    await expectRefusal(open({ path: join(directory.path, "none", "store.db") }), "directoryMissing", "none");
    writeFileSync(join(directory.path, "file"), "");
    await expectRefusal(open({ path: join(directory.path, "file", "store.db") }), "directoryMissing", "file");
  });

  it.skipIf(process.platform !== "linux")("a place where no file can be made", async () => {
    await expectRefusal(open({ path: "/proc/store.db" }), "notWritable", "/proc/store.db");
  });

  it.skipIf(process.getuid?.() === 0)("a file that may only be read", async () => {
    await (await open()).close();
    chmodSync(path, 0o444);
    await expectRefusal(open(), "notWritable");
  });

  it("a store of before that SQLite opens for reading only", async () => {
    await (await openWith({})).close();
    const openDatabase = await loadSqlite();
    const readOnly = (file: string) => openDatabase(`${pathToFileURL(file).href}?mode=ro`);
    await expectRefusal(openStoreWith({ path }, { openDatabase: readOnly, bootId: "boot" }), "notWritable");
  });

  it("a file that SQLite says may only be read", async () => {
    const interference = { before: (sql: string) => throwAt(sql, "BEGIN IMMEDIATE", 8) };
    await expectRefusal(openWith({ interference }), "notWritable");
  });

  it.each([
    ["text", Buffer.from("This is not a database, but it is longer than the header of one would be. ".repeat(20))],
    ["noise", Buffer.from(Array.from({ length: 10_000 }, (_, index) => (index * 7919) % 251))],
  ])("%s", async (_, bytes) => {
    writeFileSync(path, bytes);
    await expectRefusal(open(), "notADatabase");
    expect(Buffer.compare(readFileSync(path), bytes)).toBe(0);
  });

  it.each([
    ["tables of its own", "CREATE TABLE object (key TEXT)"],
    ["another application id", "PRAGMA application_id = 7; CREATE TABLE t (a)"],
    ["no table, but a user version", "PRAGMA user_version = 1"],
  ])("another program's database, with %s", async (_, sql) => {
    await withDatabase(path, (database) => database.exec(sql));
    const before = readFileSync(path);
    await expectRefusal(open(), "foreignDatabase");
    expect(Buffer.compare(readFileSync(path), before)).toBe(0);
  });

  it("a file of a newer schema version", async () => {
    await (await open()).close();
    await withDatabase(path, (database) => database.exec("PRAGMA user_version = 1000"));
    const before = readFileSync(path);
    await expectRefusal(open(), "newerSchema");
    expect(Buffer.compare(readFileSync(path), before)).toBe(0);
  });

  it("a damaged file", async () => {
    await (await open()).close();
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0xa5, DAMAGED_FROM_BYTE));
    await expectRefusal(open(), "corrupt");
  });

  it("a file of which the end is missing", async () => {
    await (await open()).close();
    truncateSync(path, Math.floor(statSync(path).size / 2));
    await expectRefusal(open(), "corrupt");
  });

  it("a full disk, a failing disk, a file system without shared memory", async () => {
    const failing = (errcode: number) => ({ before: (sql: string) => throwAt(sql, "CREATE TABLE", errcode) });
    await expectRefusal(openWith({ interference: failing(13) }), "diskFull");
    await expectRefusal(openWith({ interference: failing(10 + 256 * 3) }), "ioError");
    const openDatabase = interfering(await loadSqlite(), {});
    const withoutWal = (of: string) => {
      const database = openDatabase(of);
      const prepare = (sql: string) => database.prepare(sql.replace("journal_mode = WAL", "journal_mode = DELETE"));
      return { ...database, prepare };
    };
    await expectRefusal(openWith({ openDatabase: withoutWal }), "walUnavailable");
  });

  it("options that are none", async () => {
    for (const odd of ["", ":memory:", "file:store.db"])
      await expectRefusal(open({ path: odd }), "invalidOption", "path");
    await expectRefusal(open({ callDeadlineMs: Number.NaN }), "invalidOption", "callDeadlineMs");
    await expectRefusal(open({ openDeadlineMs: -1 }), "invalidOption", "openDeadlineMs");
    await expectRefusal(open({ synchronous: "off" as "full" }), "invalidOption", "synchronous");
    expect(existsSync(path)).toBe(false);
  });

  it("a file that another process keeps locked, after the deadline and not before", async () => {
    await (await open()).close();
    await withDatabase(path, async (holder) => {
      holder.exec("BEGIN IMMEDIATE");
      await expectRefusal(open({ openDeadlineMs: TINY_DEADLINE_MS }), "busy");
      const waiting = open();
      await new Promise((resolve) => setTimeout(resolve, TINY_DEADLINE_MS));
      holder.exec("ROLLBACK");
      expect(await (await waiting).read(actorAuthorityKey("a"))).toEqual({ outcome: "absent" });
    });
  });
});

describe("a file", () => {
  it("is made by whoever comes first of many at once, and keeps what was written when all have closed", async () => {
    const stores = await Promise.all(Array.from({ length: 8 }, () => open()));
    for (const [index, store] of stores.entries()) {
      const run = { meshName: "mesh", nodeRid: ridFromText("n"), ownerId: `o${index}`, durationMs: 60_000 };
      expect(await store.acquire(run)).toMatchObject({
        outcome: "acquired",
        owner: { nodeGeneration: BigInt(index + 1) },
      });
    }
    for (const store of stores) await store.close();
    expect(statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
    const run = { meshName: "mesh", nodeRid: ridFromText("n"), ownerId: "last", durationMs: 60_000 };
    expect(await (await open()).acquire(run)).toMatchObject({ owner: { nodeGeneration: 9n } });
  });

  it("that is empty becomes a store", async () => {
    writeFileSync(path, "");
    expect(await (await open()).read(actorAuthorityKey("a"))).toEqual({ outcome: "absent" });
  });

  it.each([
    ["normal", 1n],
    ["full", 2n],
  ] as const)("is written with synchronous %s", async (synchronous, level) => {
    const openReal = await loadSqlite();
    let found: unknown;
    const openDatabase = (of: string) => {
      const database = openReal(of);
      const close = () => {
        const statement = database.prepare("PRAGMA synchronous");
        statement.setReadBigInts(true);
        found = statement.get()!["synchronous"];
        database.close();
      };
      return { exec: database.exec.bind(database), prepare: database.prepare.bind(database), close };
    };
    await (await openWith({ openDatabase }, { synchronous })).close();
    expect(found).toBe(level);
  });

  it("that was removed or replaced is not written any more: others would open another one", async () => {
    const clock = await testClock();
    const store = await open({ clock });
    const run = { meshName: "mesh", nodeRid: ridFromText("n"), ownerId: "x", durationMs: 60_000 };
    expect(await store.acquire(run)).toMatchObject({ outcome: "acquired" });
    renameSync(path, `${path}.old`);
    await open({ clock });
    clock.advance(1001);
    const reason = expect.stringContaining("removed or replaced") as string;
    expect(await store.acquire({ ...run, ownerId: "y" })).toEqual({ outcome: "unknown", reason });
    expect(await store.read(actorAuthorityKey("a"))).toEqual({ outcome: "unknown", reason });
  });
});

describe("a reboot", () => {
  const run = { meshName: "mesh", nodeRid: ridFromText("n"), ownerId: "x", durationMs: 60_000 };

  it("ends every lease, by the name of the boot, and keeps every record", async () => {
    const before = await openWith({ bootId: "one" });
    const answer = await before.acquire(run);
    if (answer.outcome !== "acquired") throw new Error(answer.outcome);
    const key = actorAuthorityKey("a");
    const request = { key, kind: "actor", stableType: "t", owner: answer.owner, ttlMs: 60_000 } as const;
    await before.reserve({ ...request, reservationId: "r", ifOwnerLeaseEnded: "refuse" });
    expect(await before.commitCreate(key, "r", answer.owner)).toMatchObject({ outcome: "committed" });
    const same = await openWith({ bootId: "one" });
    expect(await same.read(key)).toMatchObject({ reading: { ownerLeaseLive: true } });
    const after = await openWith({ bootId: "two" });
    expect(await after.read(key)).toMatchObject({ reading: { ownerLeaseLive: false, record: { state: "active" } } });
    expect(await after.renew(answer.owner, 60_000)).toEqual({ outcome: "staleLease" });
    expect(await after.acquire(run)).toMatchObject({ outcome: "acquired", owner: { nodeGeneration: 2n } });
  });

  it("is noticed by a clock that is behind, where boots have no name", async () => {
    let nowMs = 1_000_000;
    const real = await testClock();
    const clock = { ...real, nowMs: () => nowMs };
    expect(await (await openWith({ bootId: undefined }, { clock })).acquire(run)).toMatchObject({
      outcome: "acquired",
    });
    nowMs += 10;
    const same = await openWith({ bootId: undefined }, { clock });
    expect(await same.acquire(run)).toEqual({ outcome: "held", remainingMs: 59_990 });
    nowMs = 5000;
    const after = await openWith({ bootId: undefined }, { clock });
    expect(await after.acquire(run)).toMatchObject({ outcome: "acquired" });
  });
});

function throwAt(sql: string, part: string, errcode: number): void {
  if (sql.includes(part)) throw sqliteError(errcode, `made to fail with ${errcode}`);
}
