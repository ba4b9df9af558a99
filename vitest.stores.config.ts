import { shared } from "./vitest.shared.ts";

/**
 * What takes the stores longer than `npm test` should: races of processes, real outages. Needs the packages built, and the servers
 * (`REHOME_REQUIRE_SERVICES=1` fails without them). One file at a time: each has processes of its own.
 */
export default shared({
  include: ["packages/store-*/test/**/*.e2e.ts", "apps/*/test/**/*.stores.ts"],
  testTimeout: 120_000,
  hookTimeout: 60_000,
  fileParallelism: false,
});
