export { createNodeTransport, type NodeTransportOptions } from "./create.ts";
