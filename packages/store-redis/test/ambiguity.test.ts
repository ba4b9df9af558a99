import { ambiguitySuite } from "@rehome/conformance";
import { describe } from "vitest";
import { redis, redisStoreBehindProxy } from "./support/store-under-test.ts";

describe.skipIf(redis === undefined)("on Redis", () => ambiguitySuite(redisStoreBehindProxy));
