export { createBunTransport, type BunTransportOptions } from "./create.ts";
