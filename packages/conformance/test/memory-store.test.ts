import { authorityStoreSuite } from "../src/authority-store-suite.ts";
import { memoryStoreUnderTest } from "./support/memory-store.ts";

authorityStoreSuite(memoryStoreUnderTest);
