import { describe, expect, it } from "vitest";
import type { OwnerIdentity, OwnerLease } from "@rehome/core";
import { actorAuthorityKey } from "@rehome/wire";
import {
  expectOutcome,
  LEASE_MS,
  MESH,
  moveOf,
  participantOf,
  reservationIdOf,
  reserveRequest,
  withStore,
} from "./scene.ts";
import type { MakeStore, Scene } from "./scene.ts";

const KEY = actorAuthorityKey("a");
const BYTES = new Uint8Array([9]);

/** Every write that names a lease, each on a record on which it would succeed under the owner's own. */
async function everyWrite(scene: Scene, owner: OwnerIdentity, asked: OwnerIdentity) {
  const { store } = scene;
  const mine = await scene.actor(owner, "mine");
  const other = await scene.node("other");
  const theirs = await scene.actor(other, "theirs");
  const { record: reserved } = (await scene.reserve(owner, "reserved", { ttlMs: 10 * LEASE_MS })).reservation;
  const lease: OwnerLease = asked;
  const { key, storeVersion: baseVersion } = mine;
  const writes = {
    reserve: () => store.reserve(reserveRequest(asked, "new")),
    commitCreate: () => store.commitCreate(reserved.key, reservationIdOf("reserved"), lease),
    commit: () => store.commit({ ...moveOf([theirs], asked) }),
    publish: () => store.publish({ key, baseVersion, lease, payload: BYTES }),
    fence: () => store.fence(key, baseVersion, lease),
    destroy: () => store.destroy(key, baseVersion, lease),
    renew: () => store.renew(lease, LEASE_MS),
    describe: () => store.describe({ ...DESCRIPTOR, owner: asked }),
    release: () => store.release(lease),
  };
  return { writes, records: [mine, theirs], other };
}

const DESCRIPTOR = {
  endpoint: "tcp://127.0.0.1:2",
  state: "serving",
  applicationVersion: 1n,
  stableTypes: [],
  placementWeight: 50,
  capacity: 10,
} as const;

export function staleLeaseTests(make: MakeStore): void {
  describe("a stale lease", () => {
    it("L1: one that has ended is refused on every write, though nobody has taken over", () =>
      withStore(make, async (scene) => {
        const owner = await scene.node("n", { durationMs: 5000 });
        const { writes, records } = await everyWrite(scene, owner, owner);
        await scene.advance(5001);
        for (const write of Object.values(writes)) expectOutcome(await write(), "staleLease");
        await scene.expectUnchanged(records);
        expect(await scene.store.read(actorAuthorityKey("new"))).toEqual({ outcome: "absent" });
      }));

    it.each([
      ["an older generation", { ownerLeaseGeneration: -1n }],
      ["a newer generation", { ownerLeaseGeneration: 1n }],
    ])("one of %s than the owner id's current one is refused on every write", (_, by) =>
      withStore(make, async (scene) => {
        const owner = await scene.node("n");
        const asked = { ...owner, ownerLeaseGeneration: owner.ownerLeaseGeneration + by.ownerLeaseGeneration };
        const { writes, records } = await everyWrite(scene, owner, asked);
        for (const write of Object.values(writes)) expectOutcome(await write(), "staleLease");
        await scene.expectUnchanged(records);
      }),
    );

    it("one of an owner id that nobody holds is refused on every write", () =>
      withStore(make, async (scene) => {
        const owner = await scene.node("n");
        const { writes, records } = await everyWrite(scene, owner, { ...owner, ownerId: "nobody" });
        for (const write of Object.values(writes)) expectOutcome(await write(), "staleLease");
        await scene.expectUnchanged(records);
      }));

    it("one that belongs to another run or mesh than the new owner claims to be makes no owner", () =>
      withStore(make, async (scene) => {
        const owner = await scene.node("n");
        const other = await scene.node("m");
        const claims = [
          { ...owner, nodeGeneration: owner.nodeGeneration + 1n },
          { ...owner, nodeRid: other.nodeRid },
          { ...owner, meshName: `${MESH}2` },
        ];
        for (const [index, claim] of claims.entries()) {
          const { writes, records } = await everyWriteOfAnOwner(scene, other, claim, index);
          for (const write of writes) expectOutcome(await write(), "staleLease");
          await scene.expectUnchanged(records);
        }
      }));
  });

  sleeperTests(make);
}

function sleeperTests(make: MakeStore): void {
  describe("an owner that slept", () => {
    it("D2: an owner that slept through a takeover is refused, keeps its other actors, and does not disturb the new one", () =>
      withStore(make, async (scene) => {
        const sleeper = await scene.node("n");
        const heir = await scene.node("m");
        const [lost, kept] = await scene.actors(sleeper, 2);
        const sleeping = await scene.another();
        const { records } = expectOutcome(await scene.store.commit(moveOf([lost!], heir)), "committed");
        const { key, storeVersion } = records[0]!;
        const write = { key, baseVersion: storeVersion, lease: heir, payload: BYTES };
        const { record } = expectOutcome(await scene.store.publish(write), "published");
        for (const baseVersion of [lost!.storeVersion, storeVersion, record.storeVersion]) {
          const late = { key, baseVersion, lease: sleeper, payload: new Uint8Array([1]) };
          expectOutcome(await sleeping.publish(late), "stale");
        }
        expect(await sleeping.read(key)).toMatchObject({ reading: { record: { owner: heir } } });
        const other = { key: kept!.key, baseVersion: kept!.storeVersion, lease: sleeper, payload: BYTES };
        expectOutcome(await sleeping.publish(other), "published");
        const next = { key, baseVersion: record.storeVersion, lease: heir, payload: BYTES };
        expectOutcome(await scene.store.publish(next), "published");
      }));

    it("D2: the same when its lease ended meanwhile and the heir made the actor anew", () =>
      withStore(make, async (scene) => {
        const sleeper = await scene.node("n", { durationMs: 5000 });
        const heir = await scene.node("m");
        const lost = await scene.actor(sleeper, "a");
        const sleeping = await scene.another();
        await scene.advance(5001);
        await scene.reserve(heir, "a", { reservationId: "r", ifOwnerLeaseEnded: "replace" });
        const { record } = expectOutcome(await scene.store.commitCreate(KEY, "r", heir), "committed");
        expect(record.authorityOwnerGeneration).toBe(lost.authorityOwnerGeneration + 1n);
        const late = { key: KEY, baseVersion: lost.storeVersion, lease: sleeper, payload: BYTES };
        expectOutcome(await sleeping.publish(late), "staleLease");
        await scene.expectUnchanged([record]);
      }));
  });
}

async function everyWriteOfAnOwner(scene: Scene, holder: OwnerIdentity, claim: OwnerIdentity, index: number) {
  const record = await scene.actor(holder, `held ${index}`);
  const { store } = scene;
  const writes = [
    () => store.reserve(reserveRequest(claim, `new ${index}`)),
    () => store.commit({ ...moveOf([record], claim), participants: [participantOf(record)] }),
    () => store.describe({ ...DESCRIPTOR, owner: claim }),
  ];
  return { writes, records: [record] };
}
