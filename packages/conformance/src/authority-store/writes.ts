import { describe, expect, it } from "vitest";
import type { PublishRequest } from "@rehome/core";
import { actorAuthorityKey } from "@rehome/wire";
import { expectOutcome, moveOf, reservationIdOf, withStore } from "./scene.ts";
import type { MakeStore } from "./scene.ts";

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
        const publish = async (baseVersion: string, changes: Pick<PublishRequest, "payload" | "place">) => {
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
  });

  writerTests(make);
}

function writerTests(make: MakeStore): void {
  describe("who may write what", () => {
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
}
