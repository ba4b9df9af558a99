import { describe } from "vitest";
import { byteAndKeyTests } from "./authority-store/bytes-and-keys.ts";
import { closingTests } from "./authority-store/closing.ts";
import { commitTests } from "./authority-store/commits.ts";
import { contentionTests } from "./authority-store/contention.ts";
import { creationTests } from "./authority-store/creation.ts";
import { generationTests } from "./authority-store/generations.ts";
import { leaseTests } from "./authority-store/leases.ts";
import { scanTests } from "./authority-store/scans.ts";
import type { MakeStore } from "./authority-store/scene.ts";
import { staleLeaseTests } from "./authority-store/stale-leases.ts";
import { writeTests } from "./authority-store/writes.ts";

export type { MakeStore, PlantGenerations, StoreUnderTest } from "./authority-store/scene.ts";

/**
 * Registers the tests that every `AuthorityStore` must pass, in a Vitest test file (or Bun's runner). `make` is called once
 * per test and gives an empty store.
 *
 * Cut connections are `ambiguitySuite`'s. What only one database can do (restored snapshots, say) is its own tests' matter.
 */
export function authorityStoreSuite(make: MakeStore): void {
  describe("AuthorityStore", () => {
    creationTests(make);
    writeTests(make);
    staleLeaseTests(make);
    commitTests(make);
    contentionTests(make);
    leaseTests(make);
    generationTests(make);
    byteAndKeyTests(make);
    scanTests(make);
    closingTests(make);
  });
}
