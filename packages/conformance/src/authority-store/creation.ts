import { describe, expect, it } from "vitest";
import { actorAuthorityKey } from "@rehome/wire";
import { expectOutcome, moveOf, reservationIdOf, reserveRequest, withStore } from "./scene.ts";
import type { MakeStore } from "./scene.ts";

const KEY = actorAuthorityKey("a");
const SAVED = new Uint8Array([0, 255, 7]);

export function creationTests(make: MakeStore): void {
  describe("creation", () => {
    it("a key that was never used is absent", () =>
      withStore(make, async ({ store }) => {
        expect(await store.read(KEY)).toEqual({ outcome: "absent" });
      }));

    it("goes from reserved to active, the whole record readable at each step", () =>
      withStore(make, async (scene) => {
        const owner = await scene.node("n");
        const reserved = await scene.reserve(owner, "a");
        expect(reserved.replacesLostOwner).toBe(false);
        expect(reserved.reservation.reservationId).toBe(reservationIdOf("a"));
        const record = {
          key: KEY,
          storeVersion: expect.any(String) as string,
          kind: "actor",
          stableType: "test.Actor",
          objectGeneration: 1n,
          authorityOwnerGeneration: 1n,
          owner,
          place: undefined,
          relocation: undefined,
          membershipDigest: new Uint8Array(0),
          payload: new Uint8Array(0),
        };
        expect(reserved.reservation.record).toEqual({ ...record, state: "reserved" });
        expect(await scene.reading(KEY)).toEqual({ record: reserved.reservation.record, ownerLeaseLive: true });
        const created = expectOutcome(await scene.store.commitCreate(KEY, reservationIdOf("a"), owner), "committed");
        expect(created.record).toEqual({ ...record, state: "active" });
        expect(created.record.storeVersion).not.toBe(reserved.reservation.record.storeVersion);
        expect(await scene.reading(KEY)).toEqual({ record: created.record, ownerLeaseLive: true });
      }));

    it("of many that reserve at once, from two clients, one gets it and the others hear how long it stands", () =>
      withStore(make, async (scene) => {
        const owner = await scene.node("n");
        const stores = [scene.store, await scene.another()];
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            stores[index % 2]!.reserve(reserveRequest(owner, "a", { reservationId: `r${index}`, ttlMs: 5000 })),
          ),
        );
        expect(answers.filter((answer) => answer.outcome === "reserved")).toHaveLength(1);
        const busy = answers.filter((answer) => answer.outcome === "busy");
        expect(busy).toHaveLength(19);
        for (const { remainingMs } of busy) {
          expect(remainingMs).toBeGreaterThan(0);
          expect(remainingMs).toBeLessThanOrEqual(5000);
        }
      }));

    it("I9: the same reservation again gets the same answer, and the same commit again too", () =>
      withStore(make, async (scene) => {
        const owner = await scene.node("n");
        const first = await scene.reserve(owner, "a");
        expect(await scene.reserve(owner, "a")).toEqual(first);
        expectOutcome(await scene.store.reserve(reserveRequest(await scene.node("m"), "a")), "busy");
        const created = await scene.store.commitCreate(KEY, reservationIdOf("a"), owner);
        expect(await scene.store.commitCreate(KEY, reservationIdOf("a"), owner)).toEqual(created);
        expect(await scene.record(KEY)).toEqual(expectOutcome(created, "committed").record);
      }));

    it("a reservation ends with its time: others may reserve, it cannot be committed, its generations are used up", () =>
      withStore(make, async (scene) => {
        const owner = await scene.node("n");
        const other = await scene.node("m");
        const first = await scene.reserve(owner, "a", { ttlMs: 1000 });
        await scene.advance(1001);
        expect((await scene.record(KEY)).state).toBe("destroyed");
        expectOutcome(await scene.store.commitCreate(KEY, reservationIdOf("a"), owner), "stale");
        const second = await scene.reserve(other, "a", { reservationId: "second" });
        expectOutcome(await scene.store.commitCreate(KEY, reservationIdOf("a"), owner), "stale");
        const [before, after] = [first.reservation.record, second.reservation.record];
        expect(after.objectGeneration).toBeGreaterThan(before.objectGeneration);
        expect(after.authorityOwnerGeneration).toBeGreaterThan(before.authorityOwnerGeneration);
        expectOutcome(await scene.store.commitCreate(KEY, "second", other), "committed");
      }));

    it("a reservation does not outlive its owner's lease", () =>
      withStore(make, async (scene) => {
        const owner = await scene.node("n", { durationMs: 1000 });
        const other = await scene.node("m");
        await scene.reserve(owner, "a", { ttlMs: 30_000 });
        expectOutcome(await scene.store.reserve(reserveRequest(other, "a", { reservationId: "r" })), "busy");
        await scene.advance(1001);
        await scene.reserve(other, "a", { reservationId: "r" });
      }));
  });

  createdTests(make);
  lostOwnerTests(make);
}

function createdTests(make: MakeStore): void {
  describe("the end of a creation", () => {
    it("only the owner that it was reserved for can commit it", () =>
      withStore(make, async (scene) => {
        const owner = await scene.node("n");
        const other = await scene.node("m");
        await scene.reserve(owner, "a");
        expectOutcome(await scene.store.commitCreate(KEY, reservationIdOf("a"), other), "stale");
        expectOutcome(await scene.store.commitCreate(KEY, "another", owner), "stale");
        expectOutcome(await scene.store.commitCreate(actorAuthorityKey("b"), reservationIdOf("a"), owner), "stale");
        expectOutcome(await scene.store.commitCreate(KEY, reservationIdOf("a"), owner), "committed");
      }));

    it("giving up frees the key, once, and never ends what was created", () =>
      withStore(make, async (scene) => {
        const owner = await scene.node("n");
        await scene.reserve(owner, "a");
        expectOutcome(await scene.store.abortCreate(KEY, "another"), "stale");
        expectOutcome(await scene.store.abortCreate(KEY, reservationIdOf("a")), "aborted");
        expectOutcome(await scene.store.abortCreate(KEY, reservationIdOf("a")), "stale");
        expectOutcome(await scene.store.commitCreate(KEY, reservationIdOf("a"), owner), "stale");
        const record = await scene.actor(owner, "a");
        expectOutcome(await scene.store.abortCreate(KEY, reservationIdOf("a")), "stale");
        await scene.expectUnchanged([record]);
      }));

    it("what exists is not reserved again, whoever asks and whatever they would do with a lost owner", () =>
      withStore(make, async (scene) => {
        const owner = await scene.node("n");
        const record = await scene.actor(owner, "a");
        for (const ifOwnerLeaseEnded of ["refuse", "replace"] as const) {
          const request = reserveRequest(await scene.node(`m ${ifOwnerLeaseEnded}`), "a", {
            reservationId: "r",
            ifOwnerLeaseEnded,
          });
          const { reading } = expectOutcome(await scene.store.reserve(request), "exists");
          expect(reading).toEqual({ record, ownerLeaseLive: true });
        }
      }));

    it("made anew after its end it has the next generations, and nothing of the old one", () =>
      withStore(make, async (scene) => {
        const owner = await scene.node("n");
        const old = await scene.actor(owner, "a", SAVED);
        expectOutcome(await scene.store.destroy(KEY, old.storeVersion, owner), "destroyed");
        const gone = await scene.record(KEY);
        expect(gone).toMatchObject({ state: "destroyed", objectGeneration: 1n, payload: new Uint8Array(0) });
        const anew = await scene.actor(owner, "a");
        expect(anew).toMatchObject({ state: "active", objectGeneration: 2n, authorityOwnerGeneration: 2n });
        expect(anew.payload).toHaveLength(0);
      }));
  });
}

function lostOwnerTests(make: MakeStore): void {
  describe("an object whose owner's lease has ended", () => {
    it("L3: is left alone with `refuse`, and made anew with `replace`, with the last published payload", () =>
      withStore(make, async (scene) => {
        const lost = await scene.node("n", { durationMs: 1000 });
        const heir = await scene.node("m");
        const record = await scene.actor(lost, "a", SAVED);
        await scene.advance(1001);
        const refused = await scene.store.reserve(reserveRequest(heir, "a", { reservationId: "r" }));
        expect(expectOutcome(refused, "exists").reading).toEqual({ record, ownerLeaseLive: false });
        const granted = await scene.reserve(heir, "a", { reservationId: "r", ifOwnerLeaseEnded: "replace" });
        expect(granted.replacesLostOwner).toBe(true);
        const expected = { objectGeneration: 2n, authorityOwnerGeneration: 2n, owner: heir, payload: SAVED };
        expect(granted.reservation.record).toMatchObject({ ...expected, state: "reserved" });
        expect(await scene.reading(KEY)).toEqual({ record: granted.reservation.record, ownerLeaseLive: true });
        const { record: anew } = expectOutcome(await scene.store.commitCreate(KEY, "r", heir), "committed");
        expect(anew).toMatchObject({ ...expected, state: "active", relocation: undefined });
        await scene.expectUnchanged([anew]);
      }));

    it("L3: made anew it says, until it is made, by which move the lost owner had got it", () =>
      withStore(make, async (scene) => {
        const first = await scene.node("n");
        const lost = await scene.node("l", { durationMs: 1000 });
        const heir = await scene.node("m");
        const record = await scene.actor(first, "a", SAVED);
        const relocation = { high: 7n, low: 9n };
        const participant = {
          key: KEY,
          baseVersion: record.storeVersion,
          expectedObjectGeneration: record.objectGeneration,
          expectedAuthorityOwnerGeneration: record.authorityOwnerGeneration,
          place: undefined,
          membershipDigest: new Uint8Array(0),
        };
        const moved = await scene.store.commit({ relocation, owner: lost, participants: [participant] });
        expectOutcome(moved, "committed");
        await scene.advance(1001);
        const granted = await scene.reserve(heir, "a", { reservationId: "r", ifOwnerLeaseEnded: "replace" });
        expect(granted.reservation.record).toMatchObject({ relocation, payload: SAVED });
        const { record: anew } = expectOutcome(await scene.store.commitCreate(KEY, "r", heir), "committed");
        expect(anew.relocation).toBeUndefined();
      }));

    it("L3: is still there, saved state and all, when its replacement is given up or runs out of time", () =>
      withStore(make, async (scene) => {
        const lost = await scene.node("n", { durationMs: 1000 });
        const heir = await scene.node("m");
        const record = await scene.actor(lost, "a", SAVED);
        await scene.advance(1001);
        const replace = { ifOwnerLeaseEnded: "replace" } as const;
        const first = await scene.reserve(heir, "a", { ...replace, reservationId: "r1" });
        expectOutcome(await scene.store.abortCreate(KEY, "r1"), "aborted");
        expect(await scene.record(KEY)).toEqual({ ...record, storeVersion: expect.any(String) as string });
        const second = await scene.reserve(heir, "a", { ...replace, reservationId: "r2", ttlMs: 1000 });
        await scene.advance(1001);
        expect(await scene.record(KEY)).toEqual({ ...record, storeVersion: expect.any(String) as string });
        const third = await scene.reserve(heir, "a", { ...replace, reservationId: "r3" });
        for (const [index, { reservation }] of [first, second, third].entries()) {
          const generation = BigInt(index + 2);
          const generations = { objectGeneration: generation, authorityOwnerGeneration: generation };
          expect(reservation.record).toMatchObject(generations);
        }
      }));

    it("L3: made anew as another type it does not get the old one's payload", () =>
      withStore(make, async (scene) => {
        const lost = await scene.node("n", { durationMs: 1000 });
        const heir = await scene.node("m");
        await scene.actor(lost, "a", SAVED);
        await scene.advance(1001);
        const other = { stableType: "test.Other", ifOwnerLeaseEnded: "replace", reservationId: "r" } as const;
        expect((await scene.reserve(heir, "a", other)).reservation.record.payload).toHaveLength(0);
        const { record } = expectOutcome(await scene.store.commitCreate(KEY, "r", heir), "committed");
        expect(record).toMatchObject({ stableType: "test.Other", payload: new Uint8Array(0) });
        await scene.expectUnchanged([record]);
      }));

    it("T5, L3: a move under way commits as long as the base version stands", () =>
      withStore(make, async (scene) => {
        const lost = await scene.node("n", { durationMs: 1000 });
        const target = await scene.node("m");
        const record = await scene.actor(lost, "a");
        await scene.advance(1001);
        expectOutcome(await scene.store.commit(moveOf([record], target)), "committed");
      }));

    it("T5, L3: a reservation ends every move under way, and no write but its own goes on while it stands", () =>
      withStore(make, async (scene) => {
        const lost = await scene.node("n", { durationMs: 1000 });
        const target = await scene.node("m");
        const base = await scene.actor(lost, "a");
        await scene.advance(1001);
        const replace = { ifOwnerLeaseEnded: "replace", reservationId: "r", ttlMs: 1000 } as const;
        const { record } = (await scene.reserve(await scene.node("o"), "a", replace)).reservation;
        const current = { ...base, storeVersion: record.storeVersion };
        for (const seen of [base, record, current]) {
          expectOutcome(await scene.store.commit(moveOf([seen], target)), "stale");
          expectOutcome(await scene.store.fence(seen.key, seen.storeVersion, target), "stale");
        }
        expect(expectOutcome(await scene.store.scan("", undefined, 10), "page").records).toEqual([]);
        await scene.advance(1001);
        expectOutcome(await scene.store.commit(moveOf([base], target)), "stale");
        const { records } = expectOutcome(await scene.store.commit(moveOf([current], target)), "committed");
        expect(records[0]!.authorityOwnerGeneration).toBe(record.authorityOwnerGeneration + 1n);
      }));
  });
}
