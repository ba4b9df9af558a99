import { authorityStoreSuite } from "@rehome/conformance";
import { sqliteStoreUnderTest } from "./support/store-under-test.ts";

authorityStoreSuite(sqliteStoreUnderTest);
