import type { AuthorityRecord, AuthorityStore, OwnerIdentity } from "@rehome/core";
import { actorAuthorityKey, ridFromText } from "@rehome/wire";
import { describe, expect, it } from "vitest";
import { keysOf } from "../src/transactions.ts";
import { redis, redisStoreUnderTest, withClient } from "./support/store-under-test.ts";

const LEASE_MS = 60_000;
const KEY = actorAuthorityKey("a");

/** A copy of the data as they are now. Calling it puts them back, whatever is there by then. */
function snapshotOf(prefix: string): Promise<() => Promise<void>> {
  return withClient(async (client) => {
    const dumps = await Promise.all(keysOf(prefix).map((key) => client.withTypeMapping({ 36: Buffer }).dump(key)));
    return () =>
      withClient(async (other) => {
        for (const [index, key] of keysOf(prefix).entries()) {
          const dump = dumps[index] as Buffer | null;
          if (dump === null) await other.unlink(key);
          else await other.restore(key, 0, dump, { REPLACE: true });
        }
      });
  });
}

type UnderTest = Awaited<ReturnType<typeof redisStoreUnderTest>>;

async function withStore(test: (underTest: UnderTest) => Promise<void>): Promise<void> {
  const underTest = await redisStoreUnderTest();
  try {
    await test(underTest);
  } finally {
    await underTest.close();
  }
}

async function run(store: AuthorityStore, name: string, ownerId = `owner of ${name}`): Promise<OwnerIdentity> {
  const answer = await store.acquire({ meshName: "m", nodeRid: ridFromText(name), ownerId, durationMs: LEASE_MS });
  if (answer.outcome !== "acquired") throw new Error(`not acquired: ${answer.outcome}`);
  return answer.owner;
}

async function create(store: AuthorityStore, owner: OwnerIdentity, key = KEY): Promise<AuthorityRecord> {
  const reservation = { reservationId: key, ttlMs: LEASE_MS, ifOwnerLeaseEnded: "refuse" } as const;
  await store.reserve({ key, kind: "actor", stableType: "t", owner, ...reservation });
  return committed(await store.commitCreate(key, key, owner));
}

async function move(store: AuthorityStore, record: AuthorityRecord, owner: OwnerIdentity): Promise<AuthorityRecord> {
  const participant = {
    key: record.key,
    baseVersion: record.storeVersion,
    expectedObjectGeneration: record.objectGeneration,
    expectedAuthorityOwnerGeneration: record.authorityOwnerGeneration,
    place: undefined,
    membershipDigest: new Uint8Array(0),
  };
  const answer = await store.commit({ relocation: { high: 1n, low: 1n }, owner, participants: [participant] });
  if (answer.outcome !== "committed") throw new Error(`not committed: ${answer.outcome}`);
  return answer.records[0]!;
}

function committed(answer: Awaited<ReturnType<AuthorityStore["commitCreate"]>>): AuthorityRecord {
  if (answer.outcome !== "committed") throw new Error(`not committed: ${answer.outcome}`);
  return answer.record;
}

function recordOf(answer: Awaited<ReturnType<AuthorityStore["read"]>>): AuthorityRecord {
  if (answer.outcome !== "found") throw new Error(`not found: ${answer.outcome}`);
  return answer.reading.record;
}

describe.skipIf(redis === undefined)("data that were restored from an older copy", () => {
  it.each<[string, (store: AuthorityStore, holder: OwnerIdentity, record: AuthorityRecord) => Promise<object>]>([
    ["renewal", (store, holder) => store.renew(holder, LEASE_MS)],
    ["publication", (store, lease, { key, storeVersion }) => store.publish({ key, baseVersion: storeVersion, lease })],
    ["fence", (store, holder, { key, storeVersion }) => store.fence(key, storeVersion, holder)],
    ["release", (store, holder) => store.release(holder)],
    [
      "creation of something else",
      (store, owner) =>
        store.reserve({
          key: actorAuthorityKey("other"),
          kind: "actor",
          stableType: "t",
          owner,
          reservationId: "r",
          ttlMs: LEASE_MS,
          ifOwnerLeaseEnded: "refuse",
        }),
    ],
  ])("D4: the holder of a generation that was taken back notices it at its next %s", (_, write) =>
    withStore(async ({ prefix, another }) => {
      const [source, target] = [await another(), await another()];
      const [from, holder] = [await run(source, "n"), await run(target, "m")];
      const before = await create(source, from);
      const restore = await snapshotOf(prefix);
      const moved = await move(target, before, holder);
      expect(moved.authorityOwnerGeneration).toBe(before.authorityOwnerGeneration + 1n);
      await restore();
      expect(recordOf(await source.read(KEY))).toEqual(before);
      expect(await write(target, holder, moved)).toEqual({ outcome: "staleLease" });
      // Nothing mends it, and the lease of the other one stands.
      expect(await target.renew(holder, LEASE_MS)).toEqual({ outcome: "staleLease" });
      expect(await source.renew(from, LEASE_MS)).toMatchObject({ outcome: "renewed" });
      expect(recordOf(await source.read(KEY))).toEqual(before);
    }),
  );

  it("D4: also when others have written more since than was lost", () =>
    withStore(async ({ prefix, store, another }) => {
      const target = await another();
      const [from, holder] = [await run(store, "n"), await run(target, "m")];
      const before = await create(store, from);
      const restore = await snapshotOf(prefix);
      await move(target, before, holder);
      await restore();
      for (let index = 0; index < 20; index++) await create(store, from, actorAuthorityKey(`later ${index}`));
      await move(store, before, await run(store, "k"));
      expect(await target.renew(holder, LEASE_MS)).toEqual({ outcome: "staleLease" });
      // A client that has seen nothing of it finds the lease in order, and writes under it.
      const fresh = await another();
      for (let writes = 0; writes < 3; writes++) await fresh.renew(holder, LEASE_MS);
      expect(await target.renew(holder, LEASE_MS)).toEqual({ outcome: "staleLease" });
    }));

  it("D4: also at a write to what the copy has as the holder knows it", () =>
    withStore(async ({ prefix, store, another }) => {
      const target = await another();
      const [from, holder] = [await run(store, "n"), await run(target, "m")];
      const before = await create(store, from);
      const kept = await create(target, holder, actorAuthorityKey("kept"));
      const restore = await snapshotOf(prefix);
      await move(target, before, holder);
      await restore();
      const { key, storeVersion: baseVersion } = kept;
      expect(await target.publish({ key, baseVersion, lease: holder })).toEqual({ outcome: "staleLease" });
      expect(recordOf(await store.read(key))).toEqual(kept);
    }));

  it("D4: a lease that the copy does not know yet has ended", () =>
    withStore(async ({ prefix, store }) => {
      const restore = await snapshotOf(prefix);
      const owner = await run(store, "n");
      await restore();
      expect(await store.renew(owner, LEASE_MS)).toEqual({ outcome: "staleLease" });
      expect(await store.read(KEY)).toEqual({ outcome: "absent" });
    }));

  it("D4: a lease generation that is handed out a second time has one holder, and the first one notices", () =>
    withStore(async ({ prefix, store, another }) => {
      const restore = await snapshotOf(prefix);
      const first = await run(store, "n", "x");
      await create(store, first);
      await restore();
      const other = await another();
      const second = await run(other, "n", "x");
      expect(second).toEqual(first);
      await create(other, second);
      for (let writes = 0; writes < 5; writes++) await other.renew(second, LEASE_MS);
      expect(await store.renew(first, LEASE_MS)).toEqual({ outcome: "staleLease" });
      expect(await other.renew(second, LEASE_MS)).toMatchObject({ outcome: "renewed" });
    }));

  it("D4: the process that noticed can start anew under the same owner id", () =>
    withStore(async ({ prefix, store }) => {
      const owner = await run(store, "n", "x");
      const restore = await snapshotOf(prefix);
      await create(store, owner);
      await restore();
      expect(await store.renew(owner, LEASE_MS)).toEqual({ outcome: "staleLease" });
      const anew = await run(store, "n", "x");
      expect(anew.ownerLeaseGeneration).toBeGreaterThan(owner.ownerLeaseGeneration);
      expect((await create(store, anew)).owner).toEqual(anew);
      expect(await store.renew(owner, LEASE_MS)).toEqual({ outcome: "staleLease" });
    }));

  it("D4: data that are all gone end every lease", () =>
    withStore(async ({ prefix, store }) => {
      const owner = await run(store, "n");
      const record = await create(store, owner);
      await withClient((client) => client.unlink([...keysOf(prefix)]));
      const { key, storeVersion: baseVersion } = record;
      expect(await store.publish({ key, baseVersion, lease: owner })).toEqual({ outcome: "staleLease" });
      expect(await store.renew(owner, LEASE_MS)).toEqual({ outcome: "staleLease" });
    }));

  it("a lease that many clients use at once is in nobody's eyes rolled back", () =>
    withStore(async ({ store, another }) => {
      const owner = await run(store, "n");
      const clients = [store, await another(), await another()];
      const rounds = Array.from({ length: 60 }, async (_, index) => {
        const client = clients[index % clients.length]!;
        await create(client, owner, actorAuthorityKey(`actor ${index}`));
        return client.renew(owner, LEASE_MS);
      });
      const outcomes = new Set((await Promise.all(rounds)).map((answer) => answer.outcome));
      expect([...outcomes]).toEqual(["renewed"]);
    }));
});
