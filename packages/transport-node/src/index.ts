export { createNodeTransport } from "./create.ts";
export type { NodeTransportOptions } from "./options.ts";
