import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AuthorityRecord, AuthorityStore, Clock, CommitRequest, OwnerIdentity } from "@rehome/core";
import { actorAuthorityKey, ridFromText } from "@rehome/wire";
import { loadSqlite } from "../src/driver.ts";
import type { SqliteDatabase } from "../src/driver.ts";
import { openStoreWith } from "../src/open.ts";
import { interfering, sqliteError } from "./support/fake-database.ts";
import type { Interference } from "./support/fake-database.ts";
import { temporaryDirectory, testClock } from "./support/store-under-test.ts";

const CALL_DEADLINE_MS = 100;
const NOTHING_WRITTEN = expect.stringMatching(/^The store file .* Nothing was written\.$/) as string;
const NOT_KNOWN = expect.stringMatching(/^The store file .* Whether the write took effect is not known\.$/) as string;
/** `SQLITE_FULL` and `SQLITE_IOERR_FSYNC`. */
const [FULL, FSYNC_FAILED] = [13, 10 + 256 * 4];

let directory: ReturnType<typeof temporaryDirectory>;
let path: string;
/** What the store under test is made to run into. Empty: nothing. */
let interference: Interference;
let store: AuthorityStore;
/** The timers that the store has running. */
const timers = new Set<object>();
/** A client of the same file that nobody spoils. */
let witness: AuthorityStore;
/** Another process's connection, for all that SQLite knows. */
let holder: SqliteDatabase;

beforeEach(async () => {
  directory = temporaryDirectory();
  path = join(directory.path, "store.db");
  interference = {};
  const openDatabase = interfering(await loadSqlite(), {
    before: (sql) => interference.before?.(sql),
    after: (sql) => interference.after?.(sql),
  });
  const options = { path, callDeadlineMs: CALL_DEADLINE_MS, clock: await countingClock() };
  store = await openStoreWith(options, { openDatabase, bootId: "boot" });
  witness = await openStoreWith({ path }, { openDatabase: await loadSqlite(), bootId: "boot" });
  holder = (await loadSqlite())(path);
});

afterEach(async () => {
  interference = {};
  holder.close();
  await store.close();
  await witness.close();
  directory.remove();
});

async function countingClock(): Promise<Clock> {
  const real = await testClock();
  return {
    ...real,
    after(delayMs, fn) {
      const timer = real.after(delayMs, () => {
        timers.delete(timer);
        fn();
      });
      timers.add(timer);
      return {
        cancel() {
          timers.delete(timer);
          timer.cancel();
        },
      };
    },
  };
}

async function node(name: string): Promise<OwnerIdentity> {
  const request = { meshName: "mesh", nodeRid: ridFromText(name), ownerId: name, durationMs: 60_000 };
  const answer = await witness.acquire(request);
  if (answer.outcome !== "acquired") throw new Error(answer.outcome);
  return answer.owner;
}

async function actor(owner: OwnerIdentity, actorId: string): Promise<AuthorityRecord> {
  const key = actorAuthorityKey(actorId);
  const reservation = { reservationId: "r", ttlMs: 60_000, ifOwnerLeaseEnded: "refuse" } as const;
  await witness.reserve({ key, kind: "actor", stableType: "t", owner, ...reservation });
  const answer = await witness.commitCreate(key, "r", owner);
  if (answer.outcome !== "committed") throw new Error(answer.outcome);
  return answer.record;
}

function moveOf(records: readonly AuthorityRecord[], owner: OwnerIdentity): CommitRequest {
  const participants = records.map((record) => ({
    key: record.key,
    baseVersion: record.storeVersion,
    expectedObjectGeneration: record.objectGeneration,
    expectedAuthorityOwnerGeneration: record.authorityOwnerGeneration,
    place: undefined,
    membershipDigest: new Uint8Array(0),
  }));
  return { relocation: { high: 0n, low: 1n }, owner, participants };
}

async function recordNow(key: string): Promise<AuthorityRecord> {
  const answer = await witness.read(key);
  if (answer.outcome !== "found") throw new Error(answer.outcome);
  return answer.reading.record;
}

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}

describe("while another process has the lock", () => {
  it("a write waits without holding up the event loop, and then takes effect", async () => {
    const before = await actor(await node("n"), "a");
    const request = moveOf([before], await node("target"));
    holder.exec("BEGIN IMMEDIATE");
    const calledAtMs = performance.now();
    const call = store.commit(request);
    expect(performance.now() - calledAtMs).toBeLessThan(CALL_DEADLINE_MS / 2);
    await pause(CALL_DEADLINE_MS / 4);
    holder.exec("ROLLBACK");
    expect(await call).toMatchObject({ outcome: "committed" });
  });

  it("a write that waits past its deadline is `unknown`, with nothing written then or later", async () => {
    const before = await actor(await node("n"), "a");
    const target = await node("target");
    holder.exec("BEGIN IMMEDIATE");
    const answers = await Promise.all([
      store.commit(moveOf([before], target)),
      store.fence(before.key, before.storeVersion, target),
    ]);
    holder.exec("ROLLBACK");
    for (const answer of answers) expect(answer).toEqual({ outcome: "unknown", reason: NOTHING_WRITTEN });
    await pause(CALL_DEADLINE_MS / 4);
    expect(await recordNow(before.key)).toEqual(before);
  });

  it("reads go on, and see what was there before", async () => {
    const before = await actor(await node("n"), "a");
    holder.exec("BEGIN IMMEDIATE");
    holder.exec("UPDATE object SET version = version + 1");
    expect(await store.read(before.key)).toEqual({
      outcome: "found",
      reading: { record: before, ownerLeaseLive: true },
    });
    holder.exec("ROLLBACK");
  });

  it("writes that wait take effect in the order in which they were called", async () => {
    const owner = await node("n");
    const before = await actor(owner, "a");
    holder.exec("BEGIN IMMEDIATE");
    const base = Number(before.storeVersion);
    const calls = Array.from({ length: 30 }, (_, index) => {
      const baseVersion = String(base + index);
      return store.publish({ key: before.key, baseVersion, lease: owner, payload: new Uint8Array([index]) });
    });
    await pause(CALL_DEADLINE_MS / 4);
    holder.exec("ROLLBACK");
    calls.push(store.publish({ key: before.key, baseVersion: String(base + calls.length), lease: owner }));
    const outcomes = (await Promise.all(calls)).map((answer) => answer.outcome);
    expect(outcomes).toEqual(calls.map(() => "published"));
  });

  it("what a caller does with its array meanwhile does not matter", async () => {
    const owner = await node("n");
    const { key, storeVersion: baseVersion } = await actor(owner, "a");
    holder.exec("BEGIN IMMEDIATE");
    const payload = new Uint8Array([1, 2, 3]);
    const call = store.publish({ key, baseVersion, lease: owner, payload });
    payload.fill(9);
    holder.exec("ROLLBACK");
    expect(await call).toMatchObject({ outcome: "published", record: { payload: new Uint8Array([1, 2, 3]) } });
  });

  it("a lease that ends while its write waits is refused: the clock is read under the lock", async () => {
    const request = { meshName: "mesh", nodeRid: ridFromText("n"), ownerId: "n", durationMs: CALL_DEADLINE_MS / 4 };
    const answer = await witness.acquire(request);
    if (answer.outcome !== "acquired") throw new Error(answer.outcome);
    holder.exec("BEGIN IMMEDIATE");
    const call = store.renew(answer.owner, 60_000);
    await pause(CALL_DEADLINE_MS / 3);
    holder.exec("ROLLBACK");
    expect(await call).toEqual({ outcome: "staleLease" });
  });

  it("`close` settles what waits, and leaves no timer behind", async () => {
    const before = await actor(await node("n"), "a");
    const target = await node("target");
    holder.exec("BEGIN IMMEDIATE");
    interference = { before: (sql) => failWhile(sql.startsWith("SELECT"), 5) };
    const calls = [
      store.commit(moveOf([before], target)),
      store.fence(before.key, before.storeVersion, target),
      store.read(before.key),
    ];
    expect(timers.size).toBe(2);
    await store.close();
    expect(timers.size).toBe(0);
    for (const answer of await Promise.all<object>(calls)) {
      expect(answer).toEqual({ outcome: "unknown", reason: "The store is closed. Nothing was written." });
    }
    holder.exec("ROLLBACK");
  });

  it("a read that finds the file busy is tried again, until its deadline", async () => {
    const before = await actor(await node("n"), "a");
    let failures = 3;
    interference = { before: (sql) => failWhile(sql.startsWith("SELECT") && failures-- > 0, 5) };
    expect(await store.read(before.key)).toMatchObject({ outcome: "found" });
    interference = { before: (sql) => failWhile(sql.startsWith("SELECT"), 5) };
    expect(await store.read(before.key)).toEqual({ outcome: "unknown", reason: NOTHING_WRITTEN });
  });
});

describe("a write whose fate is not known", () => {
  it("D5: is `unknown` when the answer to COMMIT is lost; it is sent once, and a reading shows what became of it", async () => {
    const before = await actor(await node("n"), "a");
    const target = await node("target");
    let commits = 0;
    interference = {
      after(sql) {
        if (sql !== "COMMIT") return;
        commits += 1;
        throw sqliteError(FSYNC_FAILED, "disk I/O error");
      },
    };
    const request = moveOf([before], target);
    expect(await store.commit(request)).toEqual({ outcome: "unknown", reason: NOT_KNOWN });
    interference = {};
    expect(commits).toBe(1);
    const after = await recordNow(before.key);
    expect(after).toMatchObject({ owner: target, authorityOwnerGeneration: before.authorityOwnerGeneration + 1n });
    expect(await store.commit(request)).toEqual({ outcome: "alreadyCommitted", records: [after] });
  });

  it("D6: is `unknown` when COMMIT fails before it took effect, and the next write goes through", async () => {
    const before = await actor(await node("n"), "a");
    const request = moveOf([before], await node("target"));
    interference = { before: (sql) => failWhile(sql === "COMMIT", FSYNC_FAILED) };
    expect(await store.commit(request)).toEqual({ outcome: "unknown", reason: NOT_KNOWN });
    interference = {};
    expect(await recordNow(before.key)).toEqual(before);
    expect(await store.commit(request)).toMatchObject({ outcome: "committed" });
  });

  it("T8: leaves nothing behind when it fails after some of its participants", async () => {
    const owner = await node("n");
    const before = [await actor(owner, "a"), await actor(owner, "b"), await actor(owner, "c")];
    const request = moveOf(before, await node("target"));
    let writes = 0;
    interference = {
      before(sql) {
        if (!sql.startsWith("UPDATE object")) return;
        writes += 1;
        failWhile(writes === 3, FULL);
      },
    };
    expect(await store.commit(request)).toEqual({ outcome: "unknown", reason: NOTHING_WRITTEN });
    interference = {};
    for (const record of before) expect(await recordNow(record.key)).toEqual(record);
    expect(await store.commit(request)).toMatchObject({ outcome: "committed" });
  });

  it("is not made one by an error of this code: that rejects, writes nothing and ends the transaction", async () => {
    const owner = await node("n");
    const before = await actor(owner, "a");
    interference = {
      before(sql) {
        if (sql.startsWith("UPDATE object")) throw new TypeError("a bug");
      },
    };
    await expect(store.fence(before.key, before.storeVersion, owner)).rejects.toThrow("a bug");
    interference = {};
    expect(await recordNow(before.key)).toEqual(before);
    expect(await store.fence(before.key, before.storeVersion, owner)).toMatchObject({ outcome: "fenced" });
  });

  it("a database that is damaged later makes every call `unknown`, and none reject", async () => {
    const owner = await node("n");
    interference = { before: (sql) => failWhile(sql !== "ROLLBACK", 11) };
    const reason = expect.stringContaining("is damaged") as string;
    const answers = await Promise.all([
      store.read("k"),
      store.nodes("mesh"),
      store.scan("", undefined, 1),
      store.renew(owner, 1),
    ]);
    for (const answer of answers) expect(answer).toEqual({ outcome: "unknown", reason });
  });
});

function failWhile(condition: boolean, errcode: number): void {
  if (condition) throw sqliteError(errcode, `made to fail with ${errcode}`);
}
