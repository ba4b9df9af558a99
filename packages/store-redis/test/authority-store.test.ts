import { authorityStoreSuite } from "@rehome/conformance";
import { describe } from "vitest";
import { redis, redisStoreUnderTest } from "./support/store-under-test.ts";

describe.skipIf(redis === undefined)("on Redis", () => authorityStoreSuite(redisStoreUnderTest));
