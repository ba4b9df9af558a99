import { describe, expect, it } from "vitest";
import type { AuthorityStore } from "@rehome/core";
import { actorAuthorityKey } from "@rehome/wire";
import { expectOutcome, moveOf, withStore } from "./scene.ts";
import type { MakeStore } from "./scene.ts";

export function scanTests(make: MakeStore): void {
  describe("scan", () => {
    it.each([1, 7, 1000])("pages of %i give every active record once, whole, in key order", (limit) =>
      withStore(make, async (scene) => {
        const owner = await scene.node("n");
        const records = new Map((await scene.actors(owner, 20)).map((record) => [record.key, record]));
        await scene.reserve(owner, "reserved");
        const ended = await scene.actor(owner, "ended");
        expectOutcome(await scene.store.destroy(ended.key, ended.storeVersion, owner), "destroyed");
        const found: unknown[] = [];
        for await (const page of pages(scene.store, "", limit)) {
          expect(page.length).toBeLessThanOrEqual(limit);
          found.push(...page);
        }
        expect(found).toEqual([...records.keys()].sort().map((key) => records.get(key)));
      }),
    );

    it("gives the keys that begin with the prefix, and no others", () =>
      withStore(make, async (scene) => {
        const owner = await scene.node("n");
        for (const id of ["a", "ab", "abc", "b", "a%", "a_", "aB"]) await scene.actor(owner, id);
        const keysWith = async (prefix: string) => {
          const keys: string[] = [];
          for await (const page of pages(scene.store, prefix, 2)) keys.push(...page.map((record) => record.key));
          return keys;
        };
        expect(await keysWith("zla1:a:1:")).toEqual(["a", "b"].map(actorAuthorityKey));
        expect(await keysWith("zla1:a:2:a")).toEqual(["a%", "aB", "a_", "ab"].map(actorAuthorityKey));
        expect(await keysWith("zla1:a:2:a%")).toEqual([actorAuthorityKey("a%")]);
        expect(await keysWith("zla1:a:2:a_")).toEqual([actorAuthorityKey("a_")]);
        expect(await keysWith(actorAuthorityKey("ab"))).toEqual([actorAuthorityKey("ab")]);
        expect(await keysWith("zla1:s:")).toEqual([]);
      }));

    it("neither misses nor repeats what nobody touches while others create, move and end objects", () =>
      withStore(make, async (scene) => {
        const [owner, other] = [await scene.node("n"), await scene.node("m")];
        const writer = await scene.another();
        const untouched = (await scene.actors(owner, 60, "still")).map((record) => record.key);
        const busy = [...(await scene.actors(owner, 30, "busy"))];
        const found: string[] = [];
        let turn = 0;
        for await (const page of pages(scene.store, "zla1:a:", 4)) {
          found.push(...page.map((record) => record.key));
          for (const id of ["0", "z", "still 3"]) await scene.actor(owner, `${id}${turn} new`);
          const ended = busy.pop();
          if (ended !== undefined)
            expectOutcome(await writer.destroy(ended.key, ended.storeVersion, owner), "destroyed");
          const moved = busy.shift();
          if (moved !== undefined) expectOutcome(await writer.commit(moveOf([moved], other)), "committed");
          turn += 1;
        }
        expectEachOnce(found, untouched);
      }));

    it("the same while writers never pause", () =>
      withStore(make, async (scene) => {
        const owner = await scene.node("n");
        const untouched = (await scene.actors(owner, 60, "still")).map((record) => record.key);
        let isOver = false;
        const writing = [scene.store, await scene.another()].map(async (store, index) => {
          let count = 0;
          do {
            const { key, storeVersion } = await scene.actor(owner, `${index}${count % 7} busy ${count}`);
            if (count % 2 === 0) expectOutcome(await store.destroy(key, storeVersion, owner), "destroyed");
            count += 1;
          } while (!isOver);
          return count;
        });
        for (let round = 0; round < 3; round++) {
          const found: string[] = [];
          for await (const page of pages(scene.store, "zla1:a:", 4)) found.push(...page.map((record) => record.key));
          expectEachOnce(found, untouched);
        }
        isOver = true;
        for (const count of await Promise.all(writing)) expect(count).toBeGreaterThan(0);
      }));
  });
}

function expectEachOnce(found: readonly string[], untouched: readonly string[]): void {
  const still = new Set(untouched);
  expect(found.filter((key) => still.has(key))).toEqual([...untouched].sort());
  expect(new Set(found).size).toBe(found.length);
}

/** All pages of a scan. A store that never comes to an end fails instead of running on. */
async function* pages(store: AuthorityStore, prefix: string, limit: number) {
  let cursor: string | undefined;
  for (let page = 0; page < 1000; page++) {
    const answer = expectOutcome(await store.scan(prefix, cursor, limit), "page");
    yield answer.records;
    if (answer.cursor === undefined) return;
    cursor = answer.cursor;
  }
  throw new Error("the scan goes round in circles");
}
