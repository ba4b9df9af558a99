import { describe } from "vitest";
import { ambiguitySuite } from "@rehome/conformance";
import { CutProxy } from "@rehome/conformance/cut-proxy";
import { findService } from "@rehome/conformance/services";
import { postgresStoreUnderTest } from "./support/store-under-test.ts";

const CALL_DEADLINE_MS = 500;

const service = await findService("postgres");

describe.skipIf(service === undefined)("D5, D6: PostgreSQL", () => {
  ambiguitySuite(async () => {
    const direct = await postgresStoreUnderTest(service!.url);
    const proxy = await CutProxy.to(service!.url);
    const options = { url: proxy.through(service!.url), callDeadlineMs: CALL_DEADLINE_MS };
    const proxied = await direct.open(options);
    return {
      ...direct,
      proxied,
      proxy,
      settlesWithinMs: CALL_DEADLINE_MS * 5,
      async close() {
        await proxy.close();
        await direct.close();
      },
    };
  });
});
