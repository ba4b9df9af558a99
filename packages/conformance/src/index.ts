export { ambiguitySuite } from "./ambiguity-suite.ts";
export type { MakeStoreBehindProxy, StoreBehindProxy } from "./ambiguity-suite.ts";
export { authorityStoreSuite } from "./authority-store-suite.ts";
export type { MakeStore, PlantGenerations, StoreUnderTest } from "./authority-store-suite.ts";
export { raceSuite } from "./race-suite.ts";
export type { HistoryEntry, RacedStore } from "./race-suite.ts";
export { transportSuite } from "./transport-suite.ts";
export type { MakeTransport, TransportSettings } from "./transport-suite.ts";
