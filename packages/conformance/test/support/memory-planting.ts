import type { MemoryTables } from "@rehome/core";
import { ridFromText } from "@rehome/wire";
import type { PlantGenerations } from "../../src/authority-store-suite.ts";

export function plantingInto(tables: MemoryTables): PlantGenerations {
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
