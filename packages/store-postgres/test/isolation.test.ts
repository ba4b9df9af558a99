import { describe, expect, it } from "vitest";
import type { AuthorityRecord, AuthorityStore, CommitRequest, OwnerIdentity } from "@rehome/core";
import { findService } from "@rehome/conformance/services";
import { actorAuthorityKey, ridFromText } from "@rehome/wire";
import { namesIn } from "../src/schema.ts";
import { postgresStoreUnderTest, withClient } from "./support/store-under-test.ts";
import type { PostgresUnderTest } from "./support/store-under-test.ts";

const LEASE_MS = 60_000;
const CLIENTS = 4;
const NO_BYTES = new Uint8Array(0);

const service = await findService("postgres");

let relocations = 0n;

/** Four clients of one store, each with connections of its own, and the steps that the tests begin with. */
class Scene {
  readonly underTest: PostgresUnderTest;
  readonly clients: readonly AuthorityStore[];

  constructor(underTest: PostgresUnderTest, clients: readonly AuthorityStore[]) {
    this.underTest = underTest;
    this.clients = clients;
  }

  client(turn: number): AuthorityStore {
    return this.clients[turn % this.clients.length]!;
  }

  async node(name: string, capacity?: number): Promise<OwnerIdentity> {
    const request = { meshName: "mesh", nodeRid: ridFromText(name), ownerId: `owner of ${name}`, durationMs: LEASE_MS };
    const answer = await this.client(0).acquire(request);
    if (answer.outcome !== "acquired") throw new Error(answer.outcome);
    if (capacity !== undefined) expect(await this.describe(answer.owner, capacity)).toEqual({ outcome: "described" });
    return answer.owner;
  }

  describe(owner: OwnerIdentity, capacity: number, turn = 0) {
    const rest = { applicationVersion: 1n, stableTypes: [], placementWeight: 1 };
    return this.client(turn).describe({ owner, endpoint: "e", state: "serving", capacity, ...rest });
  }

  reserve(owner: OwnerIdentity, id: string, turn = 0) {
    const reservation = { reservationId: "r", ttlMs: LEASE_MS, ifOwnerLeaseEnded: "refuse" } as const;
    return this.client(turn).reserve({
      key: actorAuthorityKey(id),
      kind: "actor",
      stableType: "t",
      owner,
      ...reservation,
    });
  }

  async actor(owner: OwnerIdentity, id: string): Promise<AuthorityRecord> {
    await this.reserve(owner, id);
    const answer = await this.client(0).commitCreate(actorAuthorityKey(id), "r", owner);
    if (answer.outcome !== "committed") throw new Error(answer.outcome);
    return answer.record;
  }

  /** What the store says that each owns and has reserved. */
  async owned(): Promise<ReadonlyMap<string, number>> {
    const answer = await this.client(0).nodes("mesh");
    if (answer.outcome !== "listed") throw new Error(answer.outcome);
    return new Map(answer.nodes.map(({ descriptor, owned }) => [descriptor.owner.ownerId, owned]));
  }

  /** What it really owns and has reserved, counted. */
  async counted(owner: OwnerIdentity): Promise<number> {
    const sql = `SELECT count(*)::integer AS count FROM ${namesIn(this.underTest.schema).object}
      WHERE state = 'active' AND owner_id = $1 OR reservation_owner_id = $1`;
    const { rows } = await withClient(this.underTest.url, (client) =>
      client.query<{ count: number }>(sql, [owner.ownerId]),
    );
    return rows[0]!.count;
  }
}

function moveOf(records: readonly AuthorityRecord[], owner: OwnerIdentity): CommitRequest {
  relocations += 1n;
  const participants = records.map((record) => ({
    key: record.key,
    baseVersion: record.storeVersion,
    expectedObjectGeneration: record.objectGeneration,
    expectedAuthorityOwnerGeneration: record.authorityOwnerGeneration,
    place: undefined,
    membershipDigest: NO_BYTES,
  }));
  return { relocation: { high: 7n, low: relocations }, owner, participants };
}

async function withScene(test: (scene: Scene) => Promise<void>): Promise<void> {
  const underTest = await postgresStoreUnderTest(service!.url);
  try {
    const others = await Promise.all(Array.from({ length: CLIENTS - 1 }, () => underTest.another()));
    await test(new Scene(underTest, [underTest.store, ...others]));
  } finally {
    await underTest.close();
  }
}

function outcomesOf(answers: readonly { readonly outcome: string }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { outcome } of answers) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

async function recordsOf(store: AuthorityStore, keys: readonly string[]): Promise<AuthorityRecord[]> {
  const readings = await Promise.all(keys.map((key) => store.read(key)));
  return readings.map((answer) => {
    if (answer.outcome !== "found") throw new Error(answer.outcome);
    return answer.reading.record;
  });
}

describe.skipIf(service === undefined)("D8: transactions of several clients", () => {
  it("reservations of different keys at once never pass a node's capacity: those that another has not committed count", () =>
    withScene(async (scene) => {
      for (let round = 0; round < 5; round++) {
        const owner = await scene.node(`n${round}`, 7);
        const calls = Array.from({ length: 24 }, (_, turn) => scene.reserve(owner, `${round} ${turn}`, turn));
        expect(outcomesOf(await Promise.all(calls))).toEqual({ reserved: 7, capacityExceeded: 17 });
        expect(await scene.counted(owner)).toBe(7);
      }
    }));

  it("moves and reservations into one node at once never pass its capacity, and a description is not passed by", () =>
    withScene(async (scene) => {
      const source = await scene.node("source", 1000);
      for (let round = 0; round < 5; round++) {
        const owner = await scene.node(`n${round}`);
        const records = await Promise.all(
          Array.from({ length: 8 }, (_, turn) => scene.actor(source, `m${round} ${turn}`)),
        );
        const early = [0, 1].map((turn) => scene.reserve(owner, `early ${round} ${turn}`, turn));
        const described = scene.describe(owner, 6, round);
        const moves = records.map((record, turn) => scene.client(turn).commit(moveOf([record], owner)));
        await described;
        const late = Array.from({ length: 8 }, (_, turn) => scene.reserve(owner, `late ${round} ${turn}`, turn));
        await Promise.all([...early, ...moves]);
        const answers = outcomesOf(await Promise.all(late));
        const counted = await scene.counted(owner);
        expect((await scene.owned()).get(owner.ownerId)).toBe(counted);
        // What was there before it said how much it takes stays; nothing comes on top of it.
        expect(counted > 6 ? (answers["reserved"] ?? 0) : 0).toBe(0);
      }
    }));

  it(
    "moves of overlapping sets of actors, each named in an order of its own: all or nothing, and no deadlock",
    () =>
      withScene(async (scene) => {
        const nodes = await Promise.all(["a", "b", "c"].map((name) => scene.node(name, 1000)));
        const ids = Array.from({ length: 12 }, (_, index) => `actor ${index}`);
        for (const [index, id] of ids.entries()) await scene.actor(nodes[index % 3]!, id);
        const keys = ids.map(actorAuthorityKey);
        const deadlocksBefore = await deadlocks(scene);
        const outcomes: Record<string, number>[] = [];
        for (let round = 0; round < 15; round++) {
          const records = await recordsOf(scene.client(round), keys);
          const calls = nodes.flatMap((node, index) => {
            const shuffled = [...records].sort((one, other) => order(one, round + index) - order(other, round + index));
            return [
              scene.client(index).commit(moveOf(shuffled.slice(0, 7), node)),
              scene.client(index + 1).renew(node, LEASE_MS),
              scene.describe(node, 1000, index + 2),
              scene.client(index).acquire({ ...run(node), ownerId: `other ${round} ${index}` }),
            ];
          });
          outcomes.push(outcomesOf(await Promise.all<{ outcome: string }>(calls)));
          expect(outcomes.at(-1)!["unknown"]).toBe(undefined);
          expect(outcomes.at(-1)!["committed"]).toBeGreaterThanOrEqual(1);
          const after = await recordsOf(scene.client(round), keys);
          const moved = after.filter((record, at) => record.storeVersion !== records[at]!.storeVersion).length;
          expect(moved).toBe(7 * outcomes.at(-1)!["committed"]!);
        }
        for (const node of nodes) expect((await scene.owned()).get(node.ownerId)).toBe(await scene.counted(node));
        expect(await deadlocks(scene)).toBe(deadlocksBefore);
      }),
    60_000,
  );

  it.each([
    ["leases", "id", "lease", 0],
    ["leases", "id", "lease", 1],
    ["leases", "id", "lease", 3],
    ["objects", "key", "object", 0],
    ["objects", "key", "object", 2],
    ["objects", "key", "object", 3],
  ] as const)("the locks of %s are taken in the order of their %s, whatever order they were named in", (...given) =>
    withScene(async (scene) => {
      const [, column, table, position] = given;
      const nodes = await Promise.all(["a", "b", "c", "d"].map((name) => scene.node(name, 10)));
      const records: AuthorityRecord[] = [];
      for (const [index, node] of nodes.entries()) records.unshift(await scene.actor(node, `actor ${index}`));
      const rows = namesIn(scene.underTest.schema)[table];
      await withClient(scene.underTest.url, async (holder) => {
        const idsOf = async (rest: string) => {
          const sql = `SELECT ${column}::text AS id FROM ${rows} ${rest}`;
          return (await holder.query<{ id: string }>(sql)).rows.map(({ id }) => id);
        };
        const ids = await idsOf(`ORDER BY ${column}`);
        const held = ids[position]!;
        await holder.query("BEGIN");
        await holder.query(`SELECT FROM ${rows} WHERE ${column}::text = $1 FOR UPDATE`, [held]);
        const commit = scene.client(0).commit(moveOf(records, nodes[2]!));
        await waitForLock(scene);
        const free = await idsOf(`WHERE ${column}::text <> '${held}' ORDER BY ${column} FOR UPDATE SKIP LOCKED`);
        await holder.query("ROLLBACK");
        expect(free).toEqual(ids.slice(position + 1));
        expect((await commit).outcome).toBe("committed");
      });
    }),
  );

  it("L1, L3: a lease that is renewed or released at the same time as a write under it: one comes before the other", () =>
    withScene(async (scene) => {
      for (let round = 0; round < 20; round++) {
        const owner = await scene.node(`n${round}`, 10);
        const heir = await scene.node(`m${round}`, 10);
        const record = await scene.actor(owner, `a${round}`);
        const { key, storeVersion: baseVersion } = record;
        const replace = { reservationId: "heir", ttlMs: LEASE_MS, ifOwnerLeaseEnded: "replace" } as const;
        const [released, published, taken] = await Promise.all([
          scene.client(round).release(owner),
          scene.client(round + 1).publish({ key, baseVersion, lease: owner, payload: new Uint8Array([1]) }),
          scene.client(round + 2).reserve({ key, kind: "actor", stableType: "t", owner: heir, ...replace }),
        ]);
        expect(released).toEqual({ outcome: "released" });
        expect(["published", "staleLease", "stale"]).toContain(published.outcome);
        expect(["reserved", "exists"]).toContain(taken.outcome);
        // Whoever takes over what was lost gets all that was acknowledged before (L3).
        const wasTaken = taken.outcome === "reserved";
        if (wasTaken && published.outcome === "published")
          expect(taken.reservation.record.payload).toEqual(new Uint8Array([1]));
      }
    }));
});

function run(owner: OwnerIdentity) {
  return { meshName: "other", nodeRid: owner.nodeRid, durationMs: LEASE_MS };
}

/** A number that orders records differently for each seed. */
function order(record: AuthorityRecord, seed: number): number {
  let state = seed + 1;
  for (const character of record.key) state = (Math.imul(state, 1664525) + character.charCodeAt(0)) >>> 0;
  return state;
}

/** Until a client of the store waits for a lock that somebody holds. */
async function waitForLock(scene: Scene): Promise<void> {
  const sql = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%' || $1 || '%'`;
  await withClient(scene.underTest.url, async (client) => {
    while ((await client.query(sql, [scene.underTest.schema])).rowCount === 0) {
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  });
}

async function deadlocks(scene: Scene): Promise<number> {
  const sql = "SELECT deadlocks::integer FROM pg_stat_database WHERE datname = current_database()";
  const { rows } = await withClient(scene.underTest.url, (client) => client.query<{ deadlocks: number }>(sql));
  return rows[0]!.deadlocks;
}
