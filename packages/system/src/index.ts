export { useNativeCrc32c } from "./native-crc32c.ts";
export { silentLog, systemClock, systemRandom } from "./system.ts";
