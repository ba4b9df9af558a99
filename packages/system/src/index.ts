export { silentLog, systemClock, systemRandom } from "./system.ts";
