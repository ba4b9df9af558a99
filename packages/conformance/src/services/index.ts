export { findService, SERVICES } from "./services.ts";
export type { Service, ServiceName } from "./services.ts";
