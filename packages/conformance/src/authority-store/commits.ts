import { describe, expect, it } from "vitest";
import { actorAuthorityKey } from "@rehome/wire";
import { expectOutcome, moveOf, newRelocation, participantOf, reserveRequest, withStore } from "./scene.ts";
import type { MakeStore } from "./scene.ts";

const DIGEST = Uint8Array.from({ length: 32 }, (_, index) => 255 - index);
const SAVED = new Uint8Array([1, 0, 2]);
const SIZES = [1, 2, 1000];
/** Making a thousand actors in a server takes some thousand syncs of its disk. */
const LONG_TEST_MS = 60_000;

export function commitTests(make: MakeStore): void {
  describe("commit", () => {
    it("T8: writes owner, place, digest and relocation, raises the authority generation, keeps the rest", () =>
      withStore(make, async (scene) => {
        const source = await scene.node("n");
        const target = await scene.node("m");
        const before = await scene.actor(source, "a", SAVED);
        const relocation = newRelocation();
        const place = { spotId: "spot", objectGeneration: 2n ** 60n + 1n };
        const participants = [participantOf(before, { place, membershipDigest: DIGEST })];
        const answer = expectOutcome(
          await scene.store.commit({ relocation, owner: target, participants }),
          "committed",
        );
        const expected = {
          ...before,
          storeVersion: expect.any(String) as string,
          authorityOwnerGeneration: before.authorityOwnerGeneration + 1n,
          owner: target,
          relocation,
          place,
          membershipDigest: DIGEST,
        };
        expect(answer.records).toEqual([expected]);
        expect(answer.records[0]!.storeVersion).not.toBe(before.storeVersion);
        expect(await scene.reading(before.key)).toEqual({ record: answer.records[0], ownerLeaseLive: true });
      }));

    it.each(SIZES)(
      "T8: moves %i participants in one step, in the order of the request",
      (count) =>
        withStore(make, async (scene) => {
          const source = await scene.node("n", { capacity: count });
          const target = await scene.node("m", { capacity: count });
          const before = await scene.actors(source, count);
          const reversed = [...before].reverse();
          const { records } = expectOutcome(await scene.store.commit(moveOf(reversed, target)), "committed");
          expect(records.map((record) => record.key)).toEqual(reversed.map((record) => record.key));
          expect(records.every((record) => record.owner.ownerId === target.ownerId)).toBe(true);
          expect(await scene.ownedBy(source)).toBe(0);
          expect(await scene.ownedBy(target)).toBe(count);
          for (const record of records) expect((await scene.record(record.key)).storeVersion).toBe(record.storeVersion);
        }),
      LONG_TEST_MS,
    );

    it.each([2, 1000])(
      "T8: of %i participants none moves if one is stale, whichever it is",
      (count) =>
        withStore(make, async (scene) => {
          const source = await scene.node("n", { capacity: count });
          const target = await scene.node("m", { capacity: count });
          const before = await scene.actors(source, count);
          for (const index of [0, count - 1]) {
            const request = moveOf(before, target);
            const participants = request.participants.map((participant, at) =>
              at === index ? { ...participant, baseVersion: `${participant.baseVersion}0` } : participant,
            );
            expectOutcome(await scene.store.commit({ ...request, participants }), "stale");
          }
          await scene.expectUnchanged(before);
          expect(await scene.ownedBy(source)).toBe(count);
          expect(await scene.ownedBy(target)).toBe(0);
        }),
      LONG_TEST_MS,
    );
  });

  participantTests(make);
  capacityTests(make);
  repeatTests(make);
  fenceTests(make);
}

function participantTests(make: MakeStore): void {
  describe("the participants of a commit", () => {
    it("every participant needs its exact version, both exact generations, and to be active", () =>
      withStore(make, async (scene) => {
        const source = await scene.node("n");
        const owner = await scene.node("m");
        const [active, ended] = await scene.actors(source, 2);
        expectOutcome(await scene.store.destroy(ended!.key, ended!.storeVersion, source), "destroyed");
        const reserved = (await scene.reserve(source, "b")).reservation.record;
        const wrong = [
          { ...participantOf(active!), baseVersion: "" },
          { ...participantOf(active!), baseVersion: ` ${active!.storeVersion}` },
          { ...participantOf(active!), expectedObjectGeneration: active!.objectGeneration + 1n },
          { ...participantOf(active!), expectedAuthorityOwnerGeneration: active!.authorityOwnerGeneration - 1n },
          { ...participantOf(active!), expectedAuthorityOwnerGeneration: active!.authorityOwnerGeneration + 1n },
          { ...participantOf(active!), key: actorAuthorityKey("never made") },
          participantOf(await scene.record(ended!.key)),
          participantOf(reserved),
        ];
        for (const participant of wrong) {
          const request = { relocation: newRelocation(), owner, participants: [participant] };
          expectOutcome(await scene.store.commit(request), "stale");
        }
        await scene.expectUnchanged([active!, reserved]);
      }));

    it("a key that takes part twice, and a commit of nothing, are programmer errors", () =>
      withStore(make, async (scene) => {
        const owner = await scene.node("n");
        const record = await scene.actor(owner, "a");
        const twice = moveOf([record, record], owner);
        for (const wrong of [twice, { ...twice, participants: [] }]) {
          const call = Promise.resolve().then(() => scene.store.commit(wrong));
          await expect(call).rejects.toThrow();
        }
        await scene.expectUnchanged([record]);
      }));
  });
}

function capacityTests(make: MakeStore): void {
  describe("capacity", () => {
    it.each(SIZES)(
      "T8: a commit of %i that leaves no room for one of them moves none",
      (count) =>
        withStore(make, async (scene) => {
          const source = await scene.node("n");
          const target = await scene.node("m", { capacity: count });
          const before = await scene.actors(source, count);
          const own = await scene.actor(target, "own");
          expectOutcome(await scene.store.commit(moveOf(before, target)), "capacityExceeded");
          await scene.expectUnchanged(before);
          expect(await scene.ownedBy(target)).toBe(1);
          expectOutcome(await scene.store.destroy(own.key, own.storeVersion, target), "destroyed");
          expectOutcome(await scene.store.commit(moveOf(before, target)), "committed");
          expect(await scene.ownedBy(target)).toBe(count);
        }),
      LONG_TEST_MS,
    );

    it("counts what is owned and what is reserved, and is free again when either ends", () =>
      withStore(make, async (scene) => {
        const owner = await scene.node("n", { capacity: 2 });
        const other = await scene.node("m");
        const full = async () =>
          expectOutcome(await scene.store.reserve(reserveRequest(owner, "x")), "capacityExceeded");
        const kept = await scene.actor(owner, "a");
        await scene.reserve(owner, "b", { ttlMs: 1000 });
        await full();
        expectOutcome(await scene.store.commit(moveOf([await scene.actor(other, "c")], owner)), "capacityExceeded");
        expectOutcome(await scene.store.abortCreate(actorAuthorityKey("b"), "reservation of b"), "aborted");
        await scene.reserve(owner, "d", { ttlMs: 1000 });
        await full();
        await scene.advance(1001);
        const moving = await scene.actor(owner, "e");
        await full();
        expectOutcome(await scene.store.commit(moveOf([moving], other)), "committed");
        expect(await scene.ownedBy(owner)).toBe(1);
        expectOutcome(await scene.store.destroy(kept.key, kept.storeVersion, owner), "destroyed");
        await scene.actors(owner, 2);
        await full();
      }));

    it("D8: of many creations at once, from two clients, only as many as there is room for succeed", () =>
      withStore(make, async (scene) => {
        const owner = await scene.node("n", { capacity: 5 });
        const stores = [scene.store, await scene.another()];
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, index) => stores[index % 2]!.reserve(reserveRequest(owner, `a${index}`))),
        );
        expect(answers.filter((answer) => answer.outcome === "reserved")).toHaveLength(5);
        expect(answers.filter((answer) => answer.outcome === "capacityExceeded")).toHaveLength(15);
      }));
  });
}

function repeatTests(make: MakeStore): void {
  describe("the same commit again", () => {
    it.each(SIZES)(
      "T6, I9: of %i participants is `alreadyCommitted`, with what is there now, and changes nothing",
      (count) =>
        withStore(make, async (scene) => {
          const source = await scene.node("n");
          const target = await scene.node("m", { capacity: count });
          const request = moveOf(await scene.actors(source, count), target);
          const { records } = expectOutcome(await scene.store.commit(request), "committed");
          const again = await scene.store.commit(request);
          expect(expectOutcome(again, "alreadyCommitted").records.length).toBe(count);
          expect(expectOutcome(again, "alreadyCommitted").records[0]).toEqual(records[0]);
          const { key, storeVersion: baseVersion } = records[0]!;
          const published = await scene.store.publish({ key, baseVersion, lease: target, payload: SAVED });
          const later = expectOutcome(await (await scene.another()).commit(request), "alreadyCommitted");
          expect(later.records[0]).toEqual(expectOutcome(published, "published").record);
          expect(await scene.ownedBy(target)).toBe(count);
        }),
      LONG_TEST_MS,
    );

    it("T7: is `stale` for another relocation, another run, an object made anew, or one that moved on", () =>
      withStore(make, async (scene) => {
        const source = await scene.node("n");
        const target = await scene.node("m");
        const request = moveOf(await scene.actors(source, 2), target);
        const { records } = expectOutcome(await scene.store.commit(request), "committed");
        const { high, low } = request.relocation;
        const [first, second] = request.participants;
        const others = [
          { ...request, relocation: { high: high - 1n, low } },
          { ...request, relocation: { high, low: low + 1n } },
          { ...request, owner: await scene.node("o") },
          { ...request, participants: [{ ...first!, expectedObjectGeneration: 2n }, second!] },
        ];
        for (const other of others) expectOutcome(await scene.store.commit(other), "stale");
        expectOutcome(await scene.store.commit(moveOf([records[0]!], source)), "committed");
        expectOutcome(await scene.store.commit(request), "stale");
        expectOutcome(await scene.store.destroy(records[1]!.key, records[1]!.storeVersion, target), "destroyed");
        expectOutcome(await scene.store.commit({ ...request, participants: [second!] }), "stale");
        await scene.actor(target, "actor 1");
        expectOutcome(await scene.store.commit({ ...request, participants: [second!] }), "stale");
      }));

    it("D8: many at once, from two clients, make one owner and one step of the generation", () =>
      withStore(make, async (scene) => {
        const source = await scene.node("n");
        const before = await scene.actor(source, "a");
        const request = moveOf([before], await scene.node("m"));
        const stores = [scene.store, await scene.another()];
        const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => stores[index % 2]!.commit(request)));
        expect(answers.filter((answer) => answer.outcome === "committed")).toHaveLength(1);
        expect(answers.filter((answer) => answer.outcome === "alreadyCommitted")).toHaveLength(19);
        expect((await scene.record(before.key)).authorityOwnerGeneration).toBe(before.authorityOwnerGeneration + 1n);
      }));
  });
}

function fenceTests(make: MakeStore): void {
  describe("fence", () => {
    it("O4: changes the version and nothing else; no commit on the base version succeeds after it", () =>
      withStore(make, async (scene) => {
        const source = await scene.node("n");
        const target = await scene.node("m");
        const before = await scene.actor(source, "a", SAVED);
        const fenced = expectOutcome(await scene.store.fence(before.key, before.storeVersion, source), "fenced");
        expect(fenced.record).toEqual({ ...before, storeVersion: fenced.record.storeVersion });
        expect(fenced.record.storeVersion).not.toBe(before.storeVersion);
        expectOutcome(await scene.store.commit(moveOf([before], target)), "stale");
        expectOutcome(await scene.store.fence(before.key, before.storeVersion, source), "stale");
        await scene.expectUnchanged([fenced.record]);
        expectOutcome(await scene.store.commit(moveOf([fenced.record], target)), "committed");
      }));

    it("T6: the target may fence too, under its own lease", () =>
      withStore(make, async (scene) => {
        const source = await scene.node("n");
        const target = await scene.node("m");
        const before = await scene.actor(source, "a");
        const fenced = expectOutcome(await scene.store.fence(before.key, before.storeVersion, target), "fenced");
        expect(fenced.record.owner).toEqual(source);
      }));

    it("O4: is stale after the commit, on what was destroyed, is reserved, or never was", () =>
      withStore(make, async (scene) => {
        const source = await scene.node("n");
        const target = await scene.node("m");
        const [moved, ended] = await scene.actors(source, 2);
        const { records } = expectOutcome(await scene.store.commit(moveOf([moved!], target)), "committed");
        expectOutcome(await scene.store.fence(moved!.key, moved!.storeVersion, source), "stale");
        await scene.expectUnchanged(records);
        expectOutcome(await scene.store.destroy(ended!.key, ended!.storeVersion, source), "destroyed");
        const gone = await scene.record(ended!.key);
        expectOutcome(await scene.store.fence(gone.key, gone.storeVersion, source), "stale");
        const { record: reserved } = (await scene.reserve(source, "b")).reservation;
        expectOutcome(await scene.store.fence(reserved.key, reserved.storeVersion, source), "stale");
        expectOutcome(await scene.store.fence(actorAuthorityKey("none"), "1", source), "stale");
      }));

    it("O4, T6: of a commit and two fences at once, from three clients, exactly one succeeds", () =>
      withStore(make, async (scene) => {
        const source = await scene.node("n");
        const target = await scene.node("m");
        const [second, third] = [await scene.another(), await scene.another()];
        for (let round = 0; round < 20; round++) {
          const before = await scene.actor(source, `a${round}`);
          const calls = [
            () => second.commit(moveOf([before], target)),
            () => scene.store.fence(before.key, before.storeVersion, source),
            () => third.fence(before.key, before.storeVersion, target),
          ];
          const first = round % 3;
          const answers = await Promise.all([...calls.slice(first), ...calls.slice(0, first)].map((call) => call()));
          const outcomes = answers.map((answer) => answer.outcome);
          expect(outcomes.filter((outcome) => outcome === "stale")).toHaveLength(2);
          const { owner } = await scene.record(before.key);
          expect(owner).toEqual(outcomes.includes("committed") ? target : source);
        }
      }));
  });
}
