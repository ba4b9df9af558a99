import { ridFromText } from "@rehome/wire";
import { describe, expect, it } from "vitest";
import type { AuthorityRow } from "../../src/authority-rules/tables.ts";
import { createMemoryStore } from "../../src/memory-store/store.ts";
import { MemoryTables } from "../../src/memory-store/tables.ts";

const OWNER = {
  ownerId: "o",
  ownerLeaseGeneration: 1n,
  meshName: "mesh",
  nodeRid: ridFromText("n"),
  nodeGeneration: 1n,
};

function rowOf(key: string, payloadBytes: number): AuthorityRow {
  return {
    key,
    version: 1n,
    state: "active",
    kind: "actor",
    stableType: "t",
    objectGeneration: 1n,
    authorityOwnerGeneration: 1n,
    highestObjectGeneration: 1n,
    highestAuthorityOwnerGeneration: 1n,
    owner: OWNER,
    place: undefined,
    relocation: undefined,
    membershipDigest: new Uint8Array(0),
    payload: new Uint8Array(payloadBytes),
    createdBy: "r",
    reservation: undefined,
  };
}

describe("a page of rows", () => {
  it("I8: ends at its payload bytes, but never without a row", () => {
    const tables = new MemoryTables();
    for (const [key, payloadBytes] of [
      ["a", 20],
      ["b", 5],
      ["c", 5],
      ["d", 1],
    ] as const) {
      tables.putObject(rowOf(key, payloadBytes));
    }
    const page = (after: string | undefined) => {
      const { rows, more } = tables.activeObjects("", after, { rows: 10, payloadBytes: 10 });
      return { keys: rows.map((row) => row.key).join(""), more };
    };
    expect(page(undefined)).toEqual({ keys: "a", more: true });
    expect(page("a")).toEqual({ keys: "bc", more: true });
    expect(page("c")).toEqual({ keys: "d", more: false });
    expect(page("d")).toEqual({ keys: "", more: false });
  });
});

describe("a store in memory", () => {
  it("takes effect before the call returns, and the same calls give the same answers", async () => {
    const runs = [0, 1].map(() => {
      const tables = new MemoryTables();
      const store = createMemoryStore({ clock: { nowMs: () => 5 }, tables });
      const request = { meshName: "mesh", nodeRid: ridFromText("n"), ownerId: "o", durationMs: 10 };
      const answer = store.acquire(request);
      expect(tables.lease("o")).toMatchObject({ renewedAtMs: 5, endsAtMs: 15 });
      return answer;
    });
    expect(await runs[0]).toEqual(await runs[1]);
  });
});

describe("the count of a lease", () => {
  it("stays true when another takes over what it owned, though it has ended", async () => {
    let nowMs = 0;
    const tables = new MemoryTables();
    const store = createMemoryStore({ clock: { nowMs: () => nowMs }, tables });
    const owners = [];
    for (const [name, durationMs] of [
      ["n", 10],
      ["m", 100],
    ] as const) {
      const request = { meshName: "mesh", nodeRid: ridFromText(name), ownerId: name, durationMs };
      const answer = await store.acquire(request);
      if (answer.outcome === "acquired") owners.push(answer.owner);
    }
    for (const owner of owners) {
      const reservation = { reservationId: owner.ownerId, ttlMs: 5, ifOwnerLeaseEnded: "replace" } as const;
      await store.reserve({ key: "k", kind: "actor", stableType: "t", owner, ...reservation });
      expect(await store.commitCreate("k", owner.ownerId, owner)).toMatchObject({ outcome: "committed" });
      nowMs += 20;
    }
    expect([tables.lease("n")!.owned, tables.lease("m")!.owned]).toEqual([0, 1]);
  });
});
