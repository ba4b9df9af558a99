// One process of the race, on the built packages: `node race-contender.mjs URL PREFIX OPTIONS`.
import { runContender } from "@rehome/conformance/race";
import { openRedisStore } from "@rehome/store-redis";

const [url, prefix] = process.argv.slice(2);
await runContender(await openRedisStore({ url, prefix }));
