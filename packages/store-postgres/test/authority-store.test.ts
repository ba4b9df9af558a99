import { describe } from "vitest";
import { authorityStoreSuite } from "@rehome/conformance";
import { findService } from "@rehome/conformance/services";
import { postgresStoreUnderTest } from "./support/store-under-test.ts";

const service = await findService("postgres");

describe.skipIf(service === undefined)("PostgreSQL", () => {
  authorityStoreSuite(() => postgresStoreUnderTest(service!.url));
});
