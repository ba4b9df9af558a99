import { machineClock } from "../../src/machine-clock.ts";

/* Says what the store's clock shows in this process. */
console.log(JSON.stringify({ nowMs: (await machineClock()).nowMs() }));
