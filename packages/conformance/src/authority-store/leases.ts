import { describe, expect, it } from "vitest";
import type { OwnerIdentity } from "@rehome/core";
import { actorAuthorityKey, ridFromBytes, ridFromText } from "@rehome/wire";
import { expectOutcome, LEASE_MS, MESH, moveOf, reserveRequest, withStore } from "./scene.ts";
import type { MakeStore } from "./scene.ts";

export function leaseTests(make: MakeStore): void {
  describe("runs and leases", () => {
    it("each run of a node has the next generation, in each mesh by itself, under whatever owner id", () =>
      withStore(make, async (scene) => {
        const nodeRid = ridFromText("n");
        const runs: OwnerIdentity[] = [];
        for (const [meshName, ownerId] of [
          [MESH, "x"],
          [MESH, "y"],
          ["other", "z"],
          [MESH, "w"],
        ] as const) {
          const answer = await scene.store.acquire({ meshName, nodeRid, ownerId, durationMs: LEASE_MS });
          const { owner, durationMs } = expectOutcome(answer, "acquired");
          expect(owner).toMatchObject({ meshName, nodeRid, ownerId });
          expect(durationMs).toBe(LEASE_MS);
          runs.push(owner);
        }
        expect(runs.map((run) => run.nodeGeneration)).toEqual([1n, 2n, 1n, 3n]);
        expect((await scene.node("m")).nodeGeneration).toBe(1n);
      }));

    it("an owner id is held until its lease ends, and then has a higher lease generation, released or not", () =>
      withStore(make, async (scene) => {
        const first = await scene.node("n", { durationMs: 5000, ownerId: "x" });
        const ask = async () =>
          scene.store.acquire({ meshName: MESH, nodeRid: ridFromText("m"), ownerId: "x", durationMs: 5000 });
        const held = expectOutcome(await ask(), "held");
        expect(held.remainingMs).toBeGreaterThan(0);
        expect(held.remainingMs).toBeLessThanOrEqual(5000);
        await scene.advance(5001);
        const second = expectOutcome(await ask(), "acquired").owner;
        expect(second.ownerLeaseGeneration).toBeGreaterThan(first.ownerLeaseGeneration);
        expectOutcome(await scene.store.release(first), "staleLease");
        expectOutcome(await scene.store.release(second), "released");
        expectOutcome(await scene.store.release(second), "staleLease");
        const third = expectOutcome(await ask(), "acquired").owner;
        expect(third.ownerLeaseGeneration).toBeGreaterThan(second.ownerLeaseGeneration);
      }));

    it("of many that acquire one owner id at once, from two clients, one gets it; node generations never repeat", () =>
      withStore(make, async (scene) => {
        const stores = [scene.store, await scene.another()];
        const acquire = (index: number, ownerId: string) =>
          stores[index % 2]!.acquire({ meshName: MESH, nodeRid: ridFromText("n"), ownerId, durationMs: LEASE_MS });
        const same = await Promise.all(Array.from({ length: 20 }, (_, index) => acquire(index, "x")));
        expect(same.filter((answer) => answer.outcome === "acquired")).toHaveLength(1);
        expect(same.filter((answer) => answer.outcome === "held")).toHaveLength(19);
        const many = await Promise.all(Array.from({ length: 20 }, (_, index) => acquire(index, `owner ${index}`)));
        const owners = many.map((answer) => expectOutcome(answer, "acquired").owner);
        expect(new Set(owners.map((owner) => owner.nodeGeneration)).size).toBe(20);
      }));
  });

  leaseEndTests(make);
  descriptorTests(make);
}

function leaseEndTests(make: MakeStore): void {
  describe("the end of a lease", () => {
    it("L1: lasts from each renewal on, and cannot be renewed once it has ended", () =>
      withStore(make, async (scene) => {
        const owner = await scene.node("n", { durationMs: 5000 });
        for (let renewal = 0; renewal < 3; renewal++) {
          await scene.advance(4000);
          expect(await scene.store.renew(owner, 5000)).toEqual({ outcome: "renewed", durationMs: 5000 });
        }
        await scene.actor(owner, "a");
        await scene.advance(5001);
        expectOutcome(await scene.store.renew(owner, 5000), "staleLease");
        expectOutcome(await scene.store.reserve(reserveRequest(owner, "b")), "staleLease");
      }));

    it("L3: nobody takes over before the store says that the lease has ended", () =>
      withStore(make, async (scene) => {
        const owner = await scene.node("n", { durationMs: 10_000 });
        const heir = await scene.node("m");
        const record = await scene.actor(owner, "a");
        const take = () =>
          scene.store.reserve(reserveRequest(heir, "a", { reservationId: "r", ifOwnerLeaseEnded: "replace" }));
        for (const passedMs of [0, 5000, 4500]) {
          await scene.advance(passedMs);
          expect(expectOutcome(await take(), "exists").reading).toEqual({ record, ownerLeaseLive: true });
        }
        await scene.advance(501);
        expectOutcome(await take(), "reserved");
      }));

    it("L3: what a released lease owned is lost at once", () =>
      withStore(make, async (scene) => {
        const owner = await scene.node("n");
        const heir = await scene.node("m");
        const record = await scene.actor(owner, "a");
        expectOutcome(await scene.store.release(owner), "released");
        expect(await scene.reading(record.key)).toEqual({ record, ownerLeaseLive: false });
        await scene.reserve(heir, "a", { reservationId: "r", ifOwnerLeaseEnded: "replace" });
      }));

    it("L3: a new run under the same owner id does not own what the old one did", () =>
      withStore(make, async (scene) => {
        const old = await scene.node("n", { durationMs: 1000, ownerId: "x" });
        const record = await scene.actor(old, "a");
        await scene.advance(1001);
        const fresh = await scene.node("n", { ownerId: "x", capacity: 10 });
        expect((await scene.reading(record.key)).ownerLeaseLive).toBe(false);
        expect(await scene.ownedBy(fresh)).toBe(0);
        const publish = { key: record.key, baseVersion: record.storeVersion, lease: fresh };
        expectOutcome(await scene.store.publish(publish), "stale");
        expectOutcome(await scene.store.commit(moveOf([record], await scene.node("m"))), "committed");
        expect(await scene.ownedBy(fresh)).toBe(0);
      }));

    it("D3: a holder that was suspended is refused at its first write, however its own clock stood", () =>
      withStore(make, async (scene) => {
        const holder = await scene.node("n", { durationMs: 10_000 });
        const contender = await scene.node("m", { durationMs: 120_000 });
        const record = await scene.actor(holder, "a");
        const holding = await scene.another();
        const take = () =>
          scene.store.reserve(reserveRequest(contender, "a", { reservationId: "r", ifOwnerLeaseEnded: "replace" }));
        await scene.advance(7000); // the contender's own clock, 3 s ahead, says that the lease is over
        expectOutcome(await take(), "exists");
        await scene.advance(53_000);
        expectOutcome(await take(), "reserved");
        const write = { key: record.key, baseVersion: record.storeVersion, lease: holder };
        expectOutcome(await holding.publish(write), "staleLease");
        expectOutcome(await holding.renew(holder, 10_000), "staleLease");
      }));
  });
}

function descriptorTests(make: MakeStore): void {
  describe("nodes", () => {
    it("lists what each says of itself, in the order of their rids, mesh by mesh", () =>
      withStore(make, async (scene) => {
        const text = 'tcp://[::1]:7801 "é" 🎲';
        for (const [index, last] of [255, 0, 128].entries()) {
          const nodeRid = ridFromBytes(new Uint8Array([97, last]));
          const request = { meshName: MESH, nodeRid, ownerId: `o${index}`, durationMs: LEASE_MS };
          const { owner } = expectOutcome(await scene.store.acquire(request), "acquired");
          await scene.describe(owner, { endpoint: `${text}${last}`, capacity: last });
        }
        const answer = await scene.store.acquire({
          meshName: "other",
          nodeRid: ridFromText("n"),
          ownerId: "o",
          durationMs: LEASE_MS,
        });
        await scene.describe(expectOutcome(answer, "acquired").owner);
        const { nodes } = expectOutcome(await scene.store.nodes(MESH), "listed");
        expect(nodes.map((node) => node.descriptor.endpoint)).toEqual([`${text}0`, `${text}128`, `${text}255`]);
        expect(nodes[1]).toEqual({
          descriptor: {
            owner: { ...nodes[1]!.descriptor.owner, nodeRid: ridFromBytes(new Uint8Array([97, 128])) },
            endpoint: `${text}128`,
            state: "serving",
            applicationVersion: 1n,
            stableTypes: ["test.Actor"],
            placementWeight: 50,
            capacity: 128,
          },
          owned: 0,
        });
        expect(expectOutcome(await scene.store.nodes("empty"), "listed").nodes).toEqual([]);
      }));

    it("the last description counts, every field exactly", () =>
      withStore(make, async (scene) => {
        const owner = await scene.node("n", { capacity: 1 });
        const descriptor = {
          owner,
          endpoint: "e",
          state: "draining",
          applicationVersion: 2n ** 64n - 1n,
          stableTypes: ["a", 'b"\n', "é🎲"],
          placementWeight: 0,
          capacity: Number.MAX_SAFE_INTEGER,
        } as const;
        expectOutcome(await scene.store.describe(descriptor), "described");
        expect(await scene.store.nodes(MESH)).toEqual({ outcome: "listed", nodes: [{ descriptor, owned: 0 }] });
        expectOutcome(await scene.store.renew(owner, LEASE_MS), "renewed");
        expect(await scene.store.nodes(MESH)).toEqual({ outcome: "listed", nodes: [{ descriptor, owned: 0 }] });
      }));

    it("counts what each owns and has reserved", () =>
      withStore(make, async (scene) => {
        const [one, two] = [await scene.node("n", { capacity: 10 }), await scene.node("m", { capacity: 10 })];
        const records = await scene.actors(one, 3);
        await scene.reserve(two, "reserved", { ttlMs: 1000 });
        expect([await scene.ownedBy(one), await scene.ownedBy(two)]).toEqual([3, 1]);
        expectOutcome(await scene.store.commit(moveOf(records.slice(1), two)), "committed");
        expect([await scene.ownedBy(one), await scene.ownedBy(two)]).toEqual([1, 3]);
        await scene.advance(1001);
        expect([await scene.ownedBy(one), await scene.ownedBy(two)]).toEqual([1, 2]);
      }));

    it("lists nobody whose lease has ended or was released", () =>
      withStore(make, async (scene) => {
        const ends = await scene.node("n", { durationMs: 1000, capacity: 1 });
        const leaves = await scene.node("m", { capacity: 1 });
        expect([await scene.ownedBy(ends), await scene.ownedBy(leaves)]).toEqual([0, 0]);
        await scene.advance(1001);
        expectOutcome(await scene.store.release(leaves), "released");
        expect([await scene.ownedBy(ends), await scene.ownedBy(leaves)]).toEqual([undefined, undefined]);
      }));

    it("N2: a newer run replaces the older one, whose lease still counts but cannot be renewed", () =>
      withStore(make, async (scene) => {
        const older = await scene.node("n", { ownerId: "x", durationMs: 5000, capacity: 1 });
        const record = await scene.actor(older, "a");
        const newer = await scene.node("n", { ownerId: "y" });
        expect(await scene.ownedBy(older)).toBe(undefined);
        const descriptor = { owner: older, endpoint: "e", state: "serving", applicationVersion: 1n } as const;
        const rest = { stableTypes: [], placementWeight: 1, capacity: 1 };
        expectOutcome(await scene.store.describe({ ...descriptor, ...rest }), "staleLease");
        expectOutcome(await scene.store.renew(older, 5000), "superseded");
        const publish = { key: record.key, baseVersion: record.storeVersion, lease: older };
        expectOutcome(await scene.store.publish(publish), "published");
        const take = reserveRequest(newer, "a", { reservationId: "r", ifOwnerLeaseEnded: "replace" });
        expectOutcome(await scene.store.reserve(take), "exists");
        await scene.describe(newer, { endpoint: "newer" });
        expect(await scene.ownedBy(newer)).toBe(0);
        await scene.advance(5001);
        expectOutcome(await scene.store.reserve(take), "reserved");
        expect((await scene.record(actorAuthorityKey("a"))).owner).toEqual(newer);
      }));
  });
}
