import { describe, expect, it } from "vitest";
import type { AuthorityRecord } from "@rehome/core";
import { actorAuthorityKey, ridFromBytes, spotAuthorityKey } from "@rehome/wire";
import { expectOutcome, LEASE_MS, moveOf, withStore } from "./scene.ts";
import type { MakeStore } from "./scene.ts";

const ODD_IDS = [
  "a",
  "a{b}c",
  "{}",
  "}{",
  "x{y}{z}",
  "i".repeat(255),
  "🎲🎲".repeat(15),
  "\"'`\\$;--",
  "line\nfeed\r\ttab",
  "user:42",
  "%41",
  "é",
  "e\u0301",
  "A",
  " ",
  "*?[a-z]%_",
];
const ALL_BYTES = Uint8Array.from({ length: 256 }, (_, index) => 255 - index);

export function byteAndKeyTests(make: MakeStore): void {
  describe("bytes", () => {
    it.each([
      ["none", new Uint8Array(0)],
      ["one NUL", new Uint8Array(1)],
      ["every byte value", ALL_BYTES],
      ["bytes that are not UTF-8", new Uint8Array([0xff, 0xfe, 0xc0, 0x80, 0xed, 0xa0, 0x80])],
      ["text that a database might read", new TextEncoder().encode('NULL\'); \\x00 {"a": 1.0}\r\n')],
      ["1 MiB", noise(1024 * 1024)],
    ])("a payload of %s comes back untouched from every call", (_, payload) =>
      withStore(make, async (scene) => {
        const [owner, other] = [await scene.node("n"), await scene.node("m")];
        const published = await scene.actor(owner, "a", payload);
        const fenced = expectOutcome(await scene.store.fence(published.key, published.storeVersion, owner), "fenced");
        const { records } = expectOutcome(await scene.store.commit(moveOf([fenced.record], other)), "committed");
        const page = expectOutcome(await scene.store.scan("", undefined, 10), "page");
        const seen = [published, fenced.record, records[0]!, await scene.record(published.key), page.records[0]!];
        for (const record of seen) expect(sameBytes(record.payload, payload)).toBe(true);
      }),
    );

    it("the store keeps its own copy: neither the caller's array nor an answer's is a way into it", () =>
      withStore(make, async (scene) => {
        const lease = await scene.node("n");
        const { key, storeVersion: baseVersion } = await scene.actor(lease, "a");
        const given = new Uint8Array([1, 2, 3]);
        const call = scene.store.publish({ key, baseVersion, lease, payload: given.subarray(1) });
        given.fill(9);
        const { record } = expectOutcome(await call, "published");
        const seen = await scene.record(key);
        for (const { payload } of [record, seen]) {
          expect(payload).toEqual(new Uint8Array([2, 3]));
          payload.fill(8);
        }
        expect((await scene.record(key)).payload).toEqual(new Uint8Array([2, 3]));
      }));

    it("relocation ids, rids and texts come back as they were given", () =>
      withStore(make, async (scene) => {
        const odd = "é e\u0301 🎲 \"'\\ \n\u007f\uffff";
        const source = await scene.node("n");
        const nodeRid = ridFromBytes(ALL_BYTES.subarray(0, 255));
        const other = ridFromBytes(new Uint8Array([0]));
        for (const [index, rid] of [nodeRid, other].entries()) {
          const run = { meshName: odd, nodeRid: rid, ownerId: `${odd}${index}`, durationMs: LEASE_MS };
          const { owner } = expectOutcome(await scene.store.acquire(run), "acquired");
          const before = await scene.actor(source, `a${index}`);
          const [participant] = moveOf([before], owner).participants;
          const place = { spotId: odd, objectGeneration: 1n };
          for (const relocation of [
            { high: 0n, low: 1n },
            { high: 2n ** 64n - 1n, low: 2n ** 63n },
          ]) {
            const { key, storeVersion: baseVersion, authorityOwnerGeneration } = await scene.record(before.key);
            const current = { key, baseVersion, expectedAuthorityOwnerGeneration: authorityOwnerGeneration, place };
            const request = { relocation, owner, participants: [{ ...participant!, ...current }] };
            const { records } = expectOutcome(await scene.store.commit(request), "committed");
            expect(await scene.record(key)).toEqual(records[0]);
            expect(records[0]).toMatchObject({ owner, relocation, place });
          }
        }
      }));
  });

  describe("keys", () => {
    it("D7: odd ids, of actors and of spots, are keys of their own in every call", () =>
      withStore(make, async (scene) => {
        const [owner, other] = [await scene.node("n"), await scene.node("m")];
        const made = new Map<string, AuthorityRecord>();
        for (const [index, id] of ODD_IDS.entries()) {
          for (const [kind, key] of [
            ["actor", actorAuthorityKey(id)],
            ["userSpot", spotAuthorityKey(id)],
          ] as const) {
            const reservation = { reservationId: `r ${id}`, ttlMs: LEASE_MS, ifOwnerLeaseEnded: "refuse" } as const;
            const request = { key, kind, stableType: `type ${id}`, owner, ...reservation };
            expectOutcome(await scene.store.reserve(request), "reserved");
            const created = expectOutcome(await scene.store.commitCreate(key, `r ${id}`, owner), "committed");
            const { storeVersion: baseVersion } = created.record;
            const payload = new Uint8Array([index]);
            const answer = await scene.store.publish({ key, baseVersion, lease: owner, payload });
            made.set(key, expectOutcome(answer, "published").record);
            expect(made.get(key)).toMatchObject({ key, kind, stableType: `type ${id}`, payload });
          }
        }
        expect(made.size).toBe(2 * ODD_IDS.length);
        await scene.expectUnchanged([...made.values()]);
        const { records } = expectOutcome(await scene.store.commit(moveOf([...made.values()], other)), "committed");
        await scene.expectUnchanged(records);
        const page = expectOutcome(await scene.store.scan("", undefined, 1000), "page");
        expect(page.records.map((record) => record.key)).toEqual([...made.keys()].sort());
        for (const { key, storeVersion } of records) {
          expectOutcome(await scene.store.destroy(key, storeVersion, other), "destroyed");
        }
      }));

    it("D7: every character that a key can hold, and the longest keys: all different, in the order of their bytes", () =>
      withStore(make, async (scene) => {
        const owner = await scene.node("n", { capacity: 1000 });
        const characters = Array.from({ length: 0x7e - 0x20 }, (_, index) => String.fromCharCode(0x21 + index));
        const longest = ["a".repeat(1024), `${"a".repeat(1023)}b`, "{".repeat(1024), "'".repeat(1024)];
        const keys = [
          ...characters,
          ...characters.map((character) => `k${character}1`),
          ...longest,
          characters.join(""),
        ];
        const reservation = { reservationId: "r", ttlMs: LEASE_MS, ifOwnerLeaseEnded: "refuse" } as const;
        for (const key of [...keys].reverse()) {
          const request = { key, kind: "actor", stableType: "t", owner, ...reservation } as const;
          expectOutcome(await scene.store.reserve(request), "reserved");
          expectOutcome(await scene.store.commitCreate(key, "r", owner), "committed");
        }
        expect(await scene.ownedBy(owner)).toBe(keys.length);
        const found: string[] = [];
        let cursor: string | undefined;
        do {
          const page = expectOutcome(await scene.store.scan("", cursor, 50), "page");
          found.push(...page.records.map((record) => record.key));
          cursor = page.cursor;
        } while (cursor !== undefined);
        expect(found).toEqual([...keys].sort());
        for (const prefix of ["k", "'", "a".repeat(1024)]) {
          const page = expectOutcome(await scene.store.scan(prefix, undefined, 1000), "page");
          const expected = keys.filter((key) => key.startsWith(prefix)).sort();
          expect(page.records.map((record) => record.key)).toEqual(expected);
        }
      }));
  });
}

/** Not random, but no pattern that anything would compress or repair. */
function noise(length: number): Uint8Array {
  let state = 0x9e3779b9;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 24;
  });
}

/** `toEqual` takes a second for a megabyte. */
function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
