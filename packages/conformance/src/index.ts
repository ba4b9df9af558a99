export { authorityStoreSuite } from "./authority-store-suite.ts";
export type { MakeStore, PlantGenerations, StoreUnderTest } from "./authority-store-suite.ts";
