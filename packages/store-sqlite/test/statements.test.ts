import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AuthorityStore, OwnerIdentity } from "@rehome/core";
import { actorAuthorityKey, ridFromText } from "@rehome/wire";
import { loadSqlite } from "../src/driver.ts";
import { openStoreWith } from "../src/open.ts";
import { KnownOwners } from "../src/owners.ts";
import { interfering } from "./support/fake-database.ts";
import { temporaryDirectory } from "./support/store-under-test.ts";

const KEY = actorAuthorityKey("a");

let directory: ReturnType<typeof temporaryDirectory>;
let store: AuthorityStore;
/** The first word of each statement that ran, and of a SELECT what it reads from. */
let statements: string[];

beforeEach(async () => {
  directory = temporaryDirectory();
  statements = [];
  const openDatabase = interfering(await loadSqlite(), { before: (sql) => statements.push(shortOf(sql)) });
  store = await openStoreWith({ path: join(directory.path, "store.db") }, { openDatabase, bootId: "boot" });
});

afterEach(async () => {
  await store.close();
  directory.remove();
});

function shortOf(sql: string): string {
  const [verb] = /\S+/.exec(sql)!;
  const outer = sql.replace(/\([^()]*\)/g, "");
  const table = /\b(?:FROM|INTO|UPDATE) (object|lease|reservation|payload)\b/.exec(outer)?.[1];
  return table === undefined ? verb : `${verb} ${table}`;
}

async function node(name: string): Promise<OwnerIdentity> {
  const request = { meshName: "mesh", nodeRid: ridFromText(name), ownerId: name, durationMs: 60_000 };
  const answer = await store.acquire(request);
  if (answer.outcome !== "acquired") throw new Error(answer.outcome);
  const rest = { applicationVersion: 1n, stableTypes: ["t"], placementWeight: 1, capacity: 10 };
  await store.describe({ owner: answer.owner, endpoint: "e", state: "serving", ...rest });
  return answer.owner;
}

async function reserve(owner: OwnerIdentity, key = KEY): Promise<void> {
  const reservation = { reservationId: "r", ttlMs: 60_000, ifOwnerLeaseEnded: "refuse" } as const;
  const answer = await store.reserve({ key, kind: "actor", stableType: "t", owner, ...reservation });
  if (answer.outcome !== "reserved") throw new Error(answer.outcome);
}

/** The statements that a call takes. */
async function during(call: () => Promise<unknown>): Promise<readonly string[]> {
  statements = [];
  await call();
  return statements;
}

describe("what a call costs", () => {
  it("reading an object that has an owner is one statement, and no transaction", async () => {
    const owner = await node("n");
    await reserve(owner);
    await store.commitCreate(KEY, "r", owner);
    await store.read(KEY);
    expect(await during(() => store.read(KEY))).toEqual(["SELECT object"]);
    expect(await store.read(KEY)).toMatchObject({ reading: { ownerLeaseLive: true, record: { owner } } });
    expect(await during(() => store.read(actorAuthorityKey("none")))).toEqual(["SELECT object"]);
  });

  it("what one statement cannot see of one moment is read in a transaction", async () => {
    const owner = await node("n");
    await reserve(owner);
    const taken = await during(() => store.read(KEY));
    expect(taken.slice(0, 3)).toEqual(["SELECT object", "BEGIN", "SELECT object"]);
    expect(taken.at(-1)).toBe("COMMIT");
    await store.commitCreate(KEY, "r", owner);
    await store.release(owner);
    expect(await during(() => store.read(KEY))).toContain("BEGIN");
    expect(await store.read(KEY)).toMatchObject({ reading: { ownerLeaseLive: false, record: { owner } } });
    expect(await during(() => store.nodes("mesh"))).toContain("BEGIN");
  });

  it("a move of one object reads it and its new owner's lease, writes it, and counts on both sides", async () => {
    const [source, target] = [await node("n"), await node("m")];
    await reserve(source);
    const created = await store.commitCreate(KEY, "r", source);
    if (created.outcome !== "committed") throw new Error(created.outcome);
    const participant = {
      key: KEY,
      baseVersion: created.record.storeVersion,
      expectedObjectGeneration: 1n,
      expectedAuthorityOwnerGeneration: 1n,
      place: undefined,
      membershipDigest: new Uint8Array(0),
    };
    const request = { relocation: { high: 0n, low: 1n }, owner: target, participants: [participant] };
    await store.read(KEY);
    expect(await during(() => store.commit(request))).toEqual([
      "BEGIN",
      "SELECT lease",
      "SELECT object",
      "UPDATE object",
      "UPDATE lease",
      "UPDATE lease",
      "COMMIT",
    ]);
  });

  it("T8: reservations are counted where there are any", async () => {
    const [source, target] = [await node("n"), await node("m")];
    for (let index = 0; index < 10; index++) await reserve(target, actorAuthorityKey(`t${index}`));
    const request = { key: KEY, kind: "actor", stableType: "t", reservationId: "r", ttlMs: 1000 } as const;
    expect(await store.reserve({ ...request, owner: target, ifOwnerLeaseEnded: "refuse" })).toEqual({
      outcome: "capacityExceeded",
    });
    expect(await during(() => reserve(source))).not.toContain("SELECT reservation");
  });
});

describe("known owners", () => {
  it("are found by owner id and lease generation, exactly, and room for them is bounded (I8)", () => {
    const owners = new KnownOwners();
    const rest = { meshName: "mesh", nodeRid: ridFromText("n"), nodeGeneration: 1n };
    const last = 2n ** 53n + 1n;
    const owner = owners.add({ ownerId: "o", ownerLeaseGeneration: last, ...rest });
    expect(owners.get("o", last)).toBe(owner);
    expect(owners.get("p", last)).toBe(undefined);
    expect(owners.get("o", last - 1n)).toBe(undefined);
    for (let generation = 1n; generation < 5000n; generation++) {
      owners.add({ ownerId: "o", ownerLeaseGeneration: generation, ...rest });
    }
    expect(owners.get("o", last)).toBe(undefined);
    expect(owners.get("o", 4999n)).toBeDefined();
  });
});
