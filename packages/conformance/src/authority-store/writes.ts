import { describe, expect, it } from "vitest";
import type { AuthorityStore, OwnerIdentity, OwnerLease } from "@rehome/core";
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

export function writeTests(make: MakeStore): void {
  describe("conditional writes", () => {
    it("every write gives the key a version that it never had, destroyed and made anew included", () =>
      withStore(make, async (scene) => {
        const { store } = scene;
        const [owner, other] = [await scene.node("n"), await scene.node("m")];
        const seen: string[] = [];
        const note = async () => {
          const { storeVersion } = await scene.record(KEY);
          seen.push(storeVersion);
          return storeVersion;
        };
        for (let life = 0; life < 3; life++) {
          await scene.reserve(owner, "a");
          await note();
          expectOutcome(await store.abortCreate(KEY, reservationIdOf("a")), "aborted");
          await note();
          await scene.reserve(owner, "a");
          await note();
          expectOutcome(await store.commitCreate(KEY, reservationIdOf("a"), owner), "committed");
          expectOutcome(await store.publish({ key: KEY, baseVersion: await note(), lease: owner }), "published");
          expectOutcome(await store.fence(KEY, await note(), other), "fenced");
          await note();
          expectOutcome(await store.commit(moveOf([await scene.record(KEY)], other)), "committed");
          expectOutcome(await store.destroy(KEY, await note(), other), "destroyed");
          await note();
        }
        expect(new Set(seen).size).toBe(seen.length);
        for (const version of seen) expect(version).toMatch(/^[^\0]{1,4096}$/u);
      }));

    it("`publish` writes what it is given and keeps what is left out", () =>
      withStore(make, async (scene) => {
        const lease = await scene.node("n");
        const created = await scene.actor(lease, "a");
        const place = { spotId: "spot", objectGeneration: 3n };
        const publish = async (
          baseVersion: string,
          changes: Omit<Parameters<AuthorityStore["publish"]>[0], "key" | "baseVersion" | "lease">,
        ) => {
          const answer = await scene.store.publish({ key: KEY, baseVersion, lease, ...changes });
          const { record } = expectOutcome(answer, "published");
          await scene.expectUnchanged([record]);
          return record;
        };
        const one = await publish(created.storeVersion, { payload: BYTES });
        expect(one).toEqual({ ...created, storeVersion: one.storeVersion, payload: BYTES });
        const two = await publish(one.storeVersion, { place: { spot: place } });
        expect(two).toEqual({ ...one, storeVersion: two.storeVersion, place });
        const three = await publish(two.storeVersion, {});
        expect(three).toEqual({ ...two, storeVersion: three.storeVersion });
        const four = await publish(three.storeVersion, { place: { spot: undefined }, payload: new Uint8Array(0) });
        expect(four).toEqual({ ...created, storeVersion: four.storeVersion });
      }));

    it("a write on any other version than the exact one is stale and changes nothing", () =>
      withStore(make, async (scene) => {
        const lease = await scene.node("n");
        const first = await scene.actor(lease, "a");
        const published = await scene.store.publish({
          key: KEY,
          baseVersion: first.storeVersion,
          lease,
          payload: BYTES,
        });
        const { record } = expectOutcome(published, "published");
        const wrong = [
          first.storeVersion,
          "",
          `${record.storeVersion} `,
          `0${record.storeVersion}`,
          `${record.storeVersion}.0`,
        ];
        for (const baseVersion of wrong) {
          const publish = { key: KEY, baseVersion, lease, payload: new Uint8Array([1]) };
          expectOutcome(await scene.store.publish(publish), "stale");
          expectOutcome(await scene.store.fence(KEY, baseVersion, lease), "stale");
          expectOutcome(await scene.store.destroy(KEY, baseVersion, lease), "stale");
        }
        await scene.expectUnchanged([record]);
      }));

    it("only the owner may publish and destroy, whoever else has a live lease", () =>
      withStore(make, async (scene) => {
        const record = await scene.actor(await scene.node("n"), "a");
        const lease = await scene.node("m");
        const { storeVersion: baseVersion } = record;
        expectOutcome(await scene.store.publish({ key: KEY, baseVersion, lease, payload: BYTES }), "stale");
        expectOutcome(await scene.store.destroy(KEY, baseVersion, lease), "stale");
        await scene.expectUnchanged([record]);
      }));

    it("what does not exist cannot be written", () =>
      withStore(make, async (scene) => {
        const lease = await scene.node("n");
        const reserved = (await scene.reserve(lease, "a")).reservation.record;
        for (const [key, baseVersion] of [
          [KEY, reserved.storeVersion],
          [actorAuthorityKey("none"), "1"],
        ] as const) {
          expectOutcome(await scene.store.publish({ key, baseVersion, lease }), "stale");
          expectOutcome(await scene.store.destroy(key, baseVersion, lease), "stale");
        }
        await scene.expectUnchanged([reserved]);
      }));

    it("D8: of many at once on one version, through one client or two, exactly one succeeds", () =>
      withStore(make, async (scene) => {
        const lease = await scene.node("n");
        let record = await scene.actor(lease, "a");
        for (const stores of [[scene.store], [scene.store, await scene.another()]]) {
          const answers = await Promise.all(
            Array.from({ length: 50 }, (_, index) => {
              const payload = new Uint8Array([index]);
              const store = stores[index % stores.length]!;
              return store.publish({ key: KEY, baseVersion: record.storeVersion, lease, payload });
            }),
          );
          const published = answers.filter((answer) => answer.outcome === "published");
          expect(published).toHaveLength(1);
          expect(answers.filter((answer) => answer.outcome === "stale")).toHaveLength(49);
          record = published[0]!.record;
          await scene.expectUnchanged([record]);
        }
      }));
  });

  staleLeaseTests(make);
}

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

function staleLeaseTests(make: MakeStore): void {
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
