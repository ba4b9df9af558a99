// One process of the race, on the built packages: `node race-contender.mjs PATH OPTIONS`.
import { runContender } from "@rehome/conformance/race";
import { openSqliteStore } from "@rehome/store-sqlite";

await runContender(await openSqliteStore({ path: process.argv[2] }));
