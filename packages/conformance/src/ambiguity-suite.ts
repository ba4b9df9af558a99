import { describe } from "vitest";
import { cutTests } from "./authority-store/ambiguity/cuts.ts";
import { outageTests } from "./authority-store/ambiguity/outages.ts";
import type { MakeStoreBehindProxy } from "./authority-store/ambiguity/scene.ts";

export type { MakeStoreBehindProxy, StoreBehindProxy } from "./authority-store/ambiguity/scene.ts";

/**
 * Registers the tests that every `AuthorityStore` with a server must pass beside `authorityStoreSuite`: what it answers when
 * its connection is cut or goes silent, at each place of each write. `make` is called once per test and gives an empty store, one client
 * of which reaches the server through a `CutProxy` (`@rehome/conformance/cut-proxy`).
 */
export function ambiguitySuite(make: MakeStoreBehindProxy): void {
  describe("AuthorityStore behind a connection that breaks", () => {
    cutTests(make);
    outageTests(make);
  });
}
