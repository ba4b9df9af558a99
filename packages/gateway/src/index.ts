export { GatewayError, type GatewayErrorCode } from "./errors.ts";
export { startGateway, type Gateway } from "./gateway.ts";
export {
  defaultDeadlines,
  defaultLimits,
  type Authentication,
  type GatewayDeadlines,
  type GatewayLimits,
  type GatewayOptions,
  type Principal,
  type RequestInfo,
} from "./options.ts";
export type { SessionNode } from "./session-port.ts";
export type { Counters, GatewayStats } from "./stats.ts";
