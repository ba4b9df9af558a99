import { createMemoryStore, MemoryTables } from "@rehome/core";
import { authorityStoreSuite } from "../src/authority-store-suite.ts";
import { plantingInto } from "./support/memory-planting.ts";

authorityStoreSuite(() => {
  let nowMs = 0;
  const tables = new MemoryTables();
  const store = createMemoryStore({ clock: { nowMs: () => nowMs }, tables });
  return Promise.resolve({
    store,
    another: () => Promise.resolve(store.share()),
    advance: (durationMs) => Promise.resolve(void (nowMs += durationMs)),
    plant: plantingInto(tables),
    close: () => store.close(),
  });
});
