export type { Binding } from "./binding.ts";
export { connect, type Client } from "./client.ts";
export type { ClientClock } from "./clock.ts";
export { ClientError, type ClientErrorCode } from "./errors.ts";
export type { ClientEvents, ClientState } from "./events.ts";
export type { ConnectOptions } from "./options.ts";
export type { PayloadCodec } from "./payload.ts";
export type { WebSocketConstructor, WebSocketLike } from "./websocket.ts";
