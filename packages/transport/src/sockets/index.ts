export {
  formatEndpoint,
  isLoopback,
  isWildcard,
  parseEndpoint,
  resolveAddress,
  type HostAndPort,
  type Scheme,
} from "./addresses.ts";
export { Dial, dialPlain, type DialOptions, type DialOutcome } from "./dial.ts";
export { codeOf, connectFailure, listenFailure } from "./failures.ts";
export type { TlsFiles } from "./credentials.ts";
export { identityUri, parseIdentityUri } from "./identity-uri.ts";
export { NodeStream } from "./node-stream.ts";
export {
  parseSocketOptions,
  type PortDefaults,
  type SocketTransportConfig,
  type SocketTransportOptions,
} from "./options.ts";
export { TlsAdapter } from "./tls-adapter.ts";
