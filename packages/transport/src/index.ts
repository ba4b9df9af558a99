export type { SharedSecretOptions } from "./authentication.ts";
export type {
  ByteStream,
  ConnectHandler,
  PendingConnect,
  ProvenIdentity,
  StreamAdapter,
  StreamHandler,
  StreamListener,
} from "./byte-stream.ts";
export { TransportError, type TransportErrorCode } from "./errors.ts";
export { DEFAULT_LIMITS, resolveLimits, type TransportLimits } from "./limits.ts";
export { createTransport, type TransportOptions } from "./transport.ts";
