export { createNodeTransport } from "./create.ts";
export type { NodeTransportOptions } from "./options.ts";
export { systemClock, systemRandom } from "./system.ts";
