import { describe, expect, it } from "vitest";
import type { AuthorityRecord, AuthorityStore, OwnerIdentity } from "@rehome/core";
import { expectOutcome, LEASE_MS, moveOf, withStore } from "./scene.ts";
import type { MakeStore, Scene } from "./scene.ts";

const ROUNDS = 8;
const MEMBERS = 40;
const SAVED = new Uint8Array([5]);

export function contentionTests(make: MakeStore): void {
  describe("commits that meet", () => {
    it("D8, T8: two over the same objects, in opposite orders, from two clients: one takes all, the other none", () =>
      withStore(make, async (scene) => {
        const [source, one, two] = [await scene.node("n"), await scene.node("m"), await scene.node("o")];
        const other = await scene.another();
        for (let round = 0; round < ROUNDS; round++) {
          const before = await scene.actors(source, MEMBERS, `r${round}`);
          const answers = await Promise.all([
            scene.store.commit(moveOf(before, one)),
            other.commit(moveOf([...before].reverse(), two)),
          ]);
          expect(answers.map((answer) => answer.outcome).sort()).toEqual(["committed", "stale"]);
          const winner = answers[0].outcome === "committed" ? one : two;
          expect(await ownersOf(scene, before)).toEqual(new Set([winner.ownerId]));
        }
      }));

    it("T8: one of many objects, and a write to one of them at the same time: all move, or none", () =>
      withStore(make, async (scene) => {
        const [source, target] = [await scene.node("n"), await scene.node("m")];
        const other = await scene.another();
        for (let round = 0; round < ROUNDS; round++) {
          const before = await scene.actors(source, MEMBERS, `r${round}`);
          const { key, storeVersion: baseVersion } = before[(round * 17) % MEMBERS]!;
          const calls = [
            () => scene.store.commit(moveOf(before, target)),
            () => other.publish({ key, baseVersion, lease: source, payload: SAVED }),
          ];
          if (round % 2 === 1) calls.reverse();
          const outcomes = (await Promise.all(calls.map((call) => call()))).map((answer) => answer.outcome);
          expect(outcomes).toContain("stale");
          const hasMoved = outcomes.includes("committed");
          expect(hasMoved !== outcomes.includes("published")).toBe(true);
          expect(await ownersOf(scene, before)).toEqual(new Set([hasMoved ? target.ownerId : source.ownerId]));
        }
      }));

    it("T8: two into a node that has room for one of them: one moves, the other hears that there is no room", () =>
      withStore(make, async (scene) => {
        const source = await scene.node("n");
        const other = await scene.another();
        for (let round = 0; round < ROUNDS; round++) {
          const target = await scene.node(`m${round}`, { capacity: 3 });
          const [some, more] = [await scene.actors(source, 2, `a${round}`), await scene.actors(source, 2, `b${round}`)];
          const answers = await Promise.all([
            scene.store.commit(moveOf(some, target)),
            other.commit(moveOf(more, target)),
          ]);
          expect(answers.map((answer) => answer.outcome).sort()).toEqual(["capacityExceeded", "committed"]);
          expect(await scene.ownedBy(target)).toBe(2);
        }
      }));

    it("both ways between two nodes, while both renew and describe themselves: all succeed, and all are counted", () =>
      withStore(make, async (scene) => {
        const owners = [await scene.node("n", { capacity: 100 }), await scene.node("m", { capacity: 100 })] as const;
        const clients = [scene.store, await scene.another()] as const;
        const [here, there] = [await scene.actors(owners[0], ROUNDS, "a"), await scene.actors(owners[1], ROUNDS, "b")];
        const answers = await Promise.all([
          ...here.map((record) => clients[0].commit(moveOf([record], owners[1]))),
          ...there.map((record) => clients[1].commit(moveOf([record], owners[0]))),
          ...owners.flatMap((owner, index) => renewals(clients[index]!, owner)),
          ...owners.map((owner) => scene.describe(owner, { capacity: 100 }).then(() => ({ outcome: "described" }))),
        ]);
        const wrong = answers.filter(({ outcome }) => !["committed", "renewed", "described"].includes(outcome));
        expect(wrong).toEqual([]);
        expect([await scene.ownedBy(owners[0]), await scene.ownedBy(owners[1])]).toEqual([ROUNDS, ROUNDS]);
      }));
  });
}

function renewals(store: AuthorityStore, owner: OwnerIdentity): Promise<{ readonly outcome: string }>[] {
  return Array.from({ length: ROUNDS }, () => store.renew(owner, LEASE_MS));
}

async function ownersOf(scene: Scene, records: readonly AuthorityRecord[]): Promise<Set<string>> {
  const owners = new Set<string>();
  for (const { key } of records)
    owners.add(expectOutcome(await scene.store.read(key), "found").reading.record.owner.ownerId);
  return owners;
}
