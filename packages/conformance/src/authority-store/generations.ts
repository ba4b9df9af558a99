import { describe, expect, it } from "vitest";
import type { AuthorityRecord } from "@rehome/core";
import { ridFromText } from "@rehome/wire";
import { expectOutcome, LEASE_MS, MESH, moveOf, participantOf, reserveRequest, withStore } from "./scene.ts";
import type { MakeStore, PlantGenerations, Scene } from "./scene.ts";

const LAST = 2n ** 63n - 1n;
const DIGITS = [
  9n,
  10n,
  99n,
  2n ** 31n,
  2n ** 32n,
  2n ** 53n - 1n,
  2n ** 53n,
  2n ** 53n + 1n,
  10n ** 18n - 1n,
  LAST - 1n,
];

export function generationTests(make: MakeStore): void {
  describe("generations", () => {
    it.each(DIGITS)("D1: %s is exact, a write with one too low is refused, and the next is one more", (generation) =>
      withPlanting(make, async (scene, plant) => {
        const [source, target] = [await scene.node("n"), await scene.node("m")];
        const { key } = await scene.actor(source, "a");
        await plant.object(key, { objectGeneration: generation, authorityOwnerGeneration: generation });
        const planted = await scene.record(key);
        expect(planted).toMatchObject({ objectGeneration: generation, authorityOwnerGeneration: generation });
        for (const by of [-1n, 1n]) {
          const wrong = [
            participantOf(planted, { expectedAuthorityOwnerGeneration: generation + by }),
            participantOf(planted, { expectedObjectGeneration: generation + by }),
          ];
          for (const participant of wrong) {
            const request = { ...moveOf([planted], target), participants: [participant] };
            expectOutcome(await scene.store.commit(request), "stale");
          }
        }
        const { records } = expectOutcome(await scene.store.commit(moveOf([planted], target)), "committed");
        expect(records[0]).toMatchObject({ objectGeneration: generation, authorityOwnerGeneration: generation + 1n });
        await scene.expectUnchanged(records);
        expectOutcome(await scene.store.destroy(key, records[0]!.storeVersion, target), "destroyed");
        if (generation + 1n === LAST) return;
        const anew = await scene.actor(target, "a");
        expect(anew).toMatchObject({ objectGeneration: generation + 1n, authorityOwnerGeneration: generation + 2n });
      }),
    );

    it("D1: after 2^63−1 there is no other owner: a commit is `generationExhausted` and changes nothing", () =>
      withPlanting(make, async (scene, plant) => {
        const [source, target] = [await scene.node("n", { capacity: 9 }), await scene.node("m", { capacity: 9 })];
        const records: AuthorityRecord[] = [...(await scene.actors(source, 2))];
        const last = { objectGeneration: 1n, authorityOwnerGeneration: LAST };
        await plant.object(records[1]!.key, last);
        records[1] = await scene.record(records[1]!.key);
        expect(records[1]).toMatchObject(last);
        expectOutcome(await scene.store.commit(moveOf(records, target)), "generationExhausted");
        await scene.expectUnchanged(records);
        expect([await scene.ownedBy(source), await scene.ownedBy(target)]).toEqual([2, 0]);
      }));

    it.each([
      ["object", { objectGeneration: LAST, authorityOwnerGeneration: 1n }],
      ["authority", { objectGeneration: 1n, authorityOwnerGeneration: LAST }],
    ])("D1: after the last %s generation the object is not made anew", (_, generations) =>
      withPlanting(make, async (scene, plant) => {
        const owner = await scene.node("n");
        const { key } = await scene.actor(owner, "a");
        await plant.object(key, generations);
        const { storeVersion } = await scene.record(key);
        expectOutcome(await scene.store.destroy(key, storeVersion, owner), "destroyed");
        const gone = await scene.record(key);
        expect(gone).toMatchObject({ ...generations, state: "destroyed" });
        expectOutcome(await scene.store.reserve(reserveRequest(owner, "a")), "generationExhausted");
        await scene.expectUnchanged([gone]);
      }),
    );

    it.each(DIGITS)("D1: node and lease generations are exact at %s too", (generation) =>
      withPlanting(make, async (scene, plant) => {
        await plant.node(MESH, "n", generation);
        await plant.lease("x", generation);
        const owner = await scene.node("n", { ownerId: "x", capacity: 1 });
        expect(owner).toMatchObject({ nodeGeneration: generation + 1n, ownerLeaseGeneration: generation + 1n });
        expect((await scene.actor(owner, "a")).owner).toEqual(owner);
        for (const by of [-1n, 1n]) {
          const wrong = { ...owner, ownerLeaseGeneration: owner.ownerLeaseGeneration + by };
          expectOutcome(await scene.store.renew(wrong, LEASE_MS), "staleLease");
        }
        expectOutcome(await scene.store.renew(owner, LEASE_MS), "renewed");
        const { nodes } = expectOutcome(await scene.store.nodes(MESH), "listed");
        expect(nodes[0]!.descriptor.owner).toEqual(owner);
      }),
    );

    it("D1: after the last node or lease generation there is no other run", () =>
      withPlanting(make, async (scene, plant) => {
        const request = { meshName: MESH, nodeRid: ridFromText("n"), ownerId: "x", durationMs: LEASE_MS };
        await plant.node(MESH, "n", LAST);
        expectOutcome(await scene.store.acquire(request), "generationExhausted");
        await plant.lease("y", LAST);
        const other = { ...request, nodeRid: ridFromText("m"), ownerId: "y" };
        expectOutcome(await scene.store.acquire(other), "generationExhausted");
      }));
  });
}

function withPlanting(make: MakeStore, test: (scene: Scene, plant: PlantGenerations) => Promise<void>): Promise<void> {
  return withStore(make, (scene) => test(scene, scene.underTest.plant));
}
