import { createMemoryStore } from "@rehome/core";
import { describe, expect, it } from "vitest";
import { openContender } from "../src/stores/contenders.ts";
import { twoOwners, Wanderer } from "../src/stores/moves.ts";

const id = "player:1";

describe("what the stores' bench measures", () => {
  it("is moves that happen, back and forth", async () => {
    const store = createMemoryStore({ clock: { nowMs: () => 0 } });
    const owners = await twoOwners(store);
    const wanderer = await Wanderer.create(store, owners, { id, stateBytes: 3 });
    for (const generation of [2n, 3n, 4n]) {
      const times = await wanderer.move(store);
      expect(times.move).toBeGreaterThanOrEqual(times.read + times.commit);
      const { records } = (await store.scan("", undefined, 10)) as never as { records: Record<string, unknown>[] };
      expect(records[0]).toMatchObject({
        authorityOwnerGeneration: generation,
        owner: owners[Number(generation + 1n) % 2],
        payload: new Uint8Array(3),
      });
    }
  });

  it("is nothing when the store does not do it", async () => {
    const store = createMemoryStore({ clock: { nowMs: () => 0 } });
    const wanderer = await Wanderer.create(store, await twoOwners(store), { id, stateBytes: 0 });
    store.commit = () => Promise.resolve({ outcome: "stale" });
    await expect(wanderer.move(store)).rejects.toThrow(/stale/);
  });

  it("sets them beside writes on the exact version", async () => {
    const contender = await openContender("sqlite", "");
    await contender.addRow("r");
    expect(await contender.writeRow("r", 1, "x")).toBe(true);
    expect(await contender.writeRow("r", 1, "x")).toBe(false);
    expect(await contender.writeRow("r", 2, "x")).toBe(true);
    await contender.close();
  });
});
