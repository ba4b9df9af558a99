import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SqliteRow } from "../src/driver.ts";
import { bunProgramOf, Child, programOf } from "./support/child-process.ts";
import type { Program } from "./support/child-process.ts";
import { temporaryDirectory, withDatabase } from "./support/store-under-test.ts";

const ACTORS = 12;
const LEASE_MS = 400;
const TTL_MS = 300;
const ROUNDS = 5;
const ROUND_MS = 700;
const TEST_TIMEOUT_MS = 60_000;

/** Written by SQLite itself, in the same transaction as the row: what the store's file has been through. */
const HISTORY = `
CREATE TABLE history AS SELECT 0 AS at, object.* FROM object;
CREATE TABLE taken (key TEXT, reserved_until_ms REAL, lease_ends_at_ms REAL);
CREATE TRIGGER write_history AFTER INSERT ON object BEGIN
  INSERT INTO history SELECT (SELECT count(*) FROM history), object.* FROM object WHERE key = NEW.key;
END;
CREATE TRIGGER write_change AFTER UPDATE ON object BEGIN
  INSERT INTO history SELECT (SELECT count(*) FROM history), object.* FROM object WHERE key = NEW.key;
END;
CREATE TRIGGER write_taken AFTER INSERT ON reservation BEGIN
  INSERT INTO taken SELECT NEW.key, NEW.ends_at_ms,
    (SELECT lease.ends_at_ms FROM lease JOIN object
      ON lease.owner_id = object.owner_id AND lease.owner_lease_generation = object.owner_lease_generation
      WHERE object.key = NEW.key AND object.state = 'active');
END;`;

interface Acknowledged {
  readonly call: string;
  readonly key: string;
  readonly storeVersion: string;
  readonly objectGeneration: string;
  readonly authorityOwnerGeneration: string;
  readonly ownerId: string;
  readonly ownerLeaseGeneration: string;
}

let directory: ReturnType<typeof temporaryDirectory>;
let path: string;
/** On this runtime, and on Bun too if it is here: they may share a file. */
let programs: readonly Program[] = [];
const children: Child[] = [];

beforeEach(() => {
  directory = temporaryDirectory();
  path = join(directory.path, "store.db");
});

afterEach(async () => {
  for (const child of children) child.signal("SIGKILL");
  await Promise.all(children.splice(0).map((child) => child.exited()));
  directory.remove();
  for (const program of programs) program.remove();
});

describe("several processes on one file", () => {
  it(
    "I1: contend for the same actors, and some are killed or stopped; each has one owner at a time and generations only rise",
    { timeout: TEST_TIMEOUT_MS },
    async () => {
      const own = await programOf("contender.ts");
      programs = [own, bunProgramOf("contender.ts") ?? own];
      const running = ["one", "two", "three", "four"].map((name, index) => start(name, index));
      for (const child of running) expect(await child.firstLine()).toEqual({ call: "open" });
      await withDatabase(path, (database) => database.exec(HISTORY));
      for (const child of running) child.say("go");
      for (let round = 0; round < ROUNDS; round++) {
        const [victim, sleeper] = [running.shift()!, running[0]!];
        sleeper.signal("SIGSTOP");
        await pause(ROUND_MS);
        sleeper.signal("SIGCONT");
        victim.signal("SIGKILL");
        expect(await victim.exited()).toBe("SIGKILL");
        const heir = start(["one", "two", "three", "four"][round % 4]!, 10 + round);
        heir.say("go");
        running.push(heir);
      }
      await pause(ROUND_MS);
      for (const child of running) child.end();
      for (const child of running) expect(await child.exited()).toBe("0");

      const said = children.flatMap((child) => child.lines) as Acknowledged[];
      await checkHistory(said);
    },
  );
});

function start(name: string, seed: number): Child {
  const child = new Child(
    programs[seed % 2]!,
    path,
    name,
    String(1000 + seed),
    String(ACTORS),
    String(LEASE_MS),
    String(TTL_MS),
  );
  children.push(child);
  return child;
}

async function checkHistory(said: readonly Acknowledged[]): Promise<void> {
  await withDatabase(path, (database) => {
    const all = (sql: string) => {
      const statement = database.prepare(sql);
      statement.setReadBigInts(true);
      return statement.all();
    };
    expect(all("PRAGMA integrity_check")).toMatchObject([{ integrity_check: "ok" }]);
    const history = all("SELECT * FROM history ORDER BY at");
    const keys = new Set(history.map((row) => row["key"]));
    expect(keys.size).toBe(ACTORS);
    for (const key of keys) checkLife(history.filter((row) => row["key"] === key));
    expect(history.filter((row, index) => isTakeover(row, history.slice(0, index))).length).toBeGreaterThan(2);
    checkAcknowledged(said, history);
    checkTakeovers(all("SELECT * FROM taken"));
    const counts = all(`SELECT owned, (SELECT count(*) FROM object WHERE state = 'active'
      AND object.owner_id = lease.owner_id AND object.owner_lease_generation = lease.owner_lease_generation) AS counted
      FROM lease`);
    for (const row of counts) expect(row["owned"]).toBe(row["counted"]);
  });
  const calls = (call: string) => said.filter((line) => line.call === call).length;
  expect(calls("move")).toBeGreaterThan(50);
  expect(calls("create")).toBeGreaterThan(10);
  expect(calls("publish")).toBeGreaterThan(10);
}

/** An object made anew while the one before it was still active: its owner's lease had ended. */
function isTakeover(row: SqliteRow, before: readonly SqliteRow[]): boolean {
  const last = before.findLast((earlier) => earlier["key"] === row["key"]);
  const wasMadeAnew = last !== undefined && row["created_by"] !== last["created_by"];
  return wasMadeAnew && row["state"] === "active" && last["state"] === "active";
}

/** All rows that one key has had, in the order in which they were written. */
function checkLife(rows: readonly SqliteRow[]): void {
  for (const [index, row] of rows.entries()) {
    const before = rows[index - 1];
    if (before === undefined) continue;
    const rose = (column: string) => (row[column] as bigint) - (before[column] as bigint);
    expect(rose("version")).toBe(1n);
    expect(rose("object_generation")).toBeGreaterThanOrEqual(0n);
    expect(rose("authority_owner_generation")).toBeGreaterThanOrEqual(0n);
    expect(row["highest_authority_owner_generation"]).toBeGreaterThanOrEqual(
      before["highest_authority_owner_generation"] as bigint,
    );
    const sameOwner =
      row["owner_id"] === before["owner_id"] && row["owner_lease_generation"] === before["owner_lease_generation"];
    if (!sameOwner) expect(rose("authority_owner_generation")).toBeGreaterThan(0n);
  }
}

/** Whatever a process was told had been written is in the history, as it was told. */
function checkAcknowledged(said: readonly Acknowledged[], history: readonly SqliteRow[]): void {
  const written = new Map(history.map((row) => [`${row["key"] as string} ${row["version"] as bigint}`, row]));
  for (const line of said.filter(({ key }) => key !== undefined)) {
    const row = written.get(`${line.key} ${line.storeVersion}`);
    expect(row).toMatchObject({
      state: "active",
      object_generation: BigInt(line.objectGeneration),
      authority_owner_generation: BigInt(line.authorityOwnerGeneration),
      owner_id: line.ownerId,
      owner_lease_generation: BigInt(line.ownerLeaseGeneration),
    });
  }
}

/** L3: nobody reserved an active object before its owner's lease had ended. */
function checkTakeovers(taken: readonly SqliteRow[]): void {
  const takeovers = taken.filter((row) => row["lease_ends_at_ms"] !== null);
  for (const row of takeovers) {
    const reservedAtMs = (row["reserved_until_ms"] as number) - TTL_MS;
    expect(row["lease_ends_at_ms"]).toBeLessThanOrEqual(reservedAtMs);
  }
  expect(taken.length).toBeGreaterThan(ACTORS);
}

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}
