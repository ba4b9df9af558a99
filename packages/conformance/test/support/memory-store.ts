import { createMemoryStore, MemoryTables } from "@rehome/core";
import { ridFromText } from "@rehome/wire";
import type { PlantGenerations, StoreUnderTest } from "../../src/index.ts";

/** An empty store in this process. */
export function memoryStoreUnderTest(): Promise<StoreUnderTest> {
  let nowMs = 0;
  const tables = new MemoryTables();
  const store = createMemoryStore({ clock: { nowMs: () => nowMs }, tables });
  return Promise.resolve({
    store,
    another: () => Promise.resolve(store.share()),
    advance: (durationMs) => Promise.resolve(void (nowMs += durationMs)),
    plant: planting(tables),
    close: () => store.close(),
  });
}

function planting(tables: MemoryTables): PlantGenerations {
  return {
    object(key, { objectGeneration, authorityOwnerGeneration }) {
      const highest = {
        highestObjectGeneration: objectGeneration,
        highestAuthorityOwnerGeneration: authorityOwnerGeneration,
      };
      tables.putObject({ ...tables.object(key)!, objectGeneration, authorityOwnerGeneration, ...highest });
      return Promise.resolve();
    },
    node: (meshName, nodeName, generation) =>
      Promise.resolve(tables.putNodeGeneration(meshName, ridFromText(nodeName), generation)),
    lease: (_, generation) => Promise.resolve(tables.putLastLeaseGeneration(generation)),
  };
}
