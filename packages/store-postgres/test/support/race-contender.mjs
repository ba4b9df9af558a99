// One process of the race, on the built packages: `node race-contender.mjs URL SCHEMA OPTIONS`.
import { runContender } from "@rehome/conformance/race";
import { openPostgresStore } from "@rehome/store-postgres";

const [, , url, schema] = process.argv;
await runContender(await openPostgresStore({ url, schema, maxConnections: 3 }));
