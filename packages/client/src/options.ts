import { systemClock, type ClientClock } from "./clock.ts";
import { ClientError } from "./errors.ts";
import { defaultCodec, type PayloadCodec } from "./payload.ts";
import { globalWebSocket, type WebSocketConstructor } from "./websocket.ts";

/** What {@link connect} is given. Only `url` is needed, and on Node 20 `webSocket`. */
export interface ConnectOptions {
  /** One gateway, or several: when one cannot be reached, or says that it is going away, the next is tried. */
  readonly url: string | readonly string[];
  /** Given to the gateway's authentication hook; a function is asked anew for each connection. Default: empty. */
  readonly token?: string | (() => string | Promise<string>);
  /** A WebSocket class, for example that of the package `ws`. Default: the global one. */
  readonly webSocket?: WebSocketConstructor;
  /**
   * Whether bindings that were lost with their session are made again in the next one. Default: true. A binding whose
   * actor ended, rather than the session, is never made again by itself.
   */
  readonly rebind?: boolean;
  /** How values become bytes. Default: JSON, and bytes as they are. */
  readonly codec?: PayloadCodec;
  /** How long a request may take unless it says so itself. Default: 10,000. */
  readonly requestTimeoutMs?: number;
  /** How long a bind may take, waiting for a connection included. Default: 30,000. */
  readonly bindTimeoutMs?: number;
  /** From opening a socket to the gateway's welcome. Default: 10,000. */
  readonly connectTimeoutMs?: number;
  /** How long {@link Client.close} waits for what is under way. Default: 2,000. */
  readonly closeTimeoutMs?: number;
  /** The nth wait before connecting again is a random part of `baseMs` × 2ⁿ, at most of `capMs`. Default: 500, 15,000. */
  readonly reconnect?: { readonly baseMs?: number; readonly capMs?: number };
  /** What may wait in the client, sent and not acknowledged included. Default: 8 MiB and 16,384 messages. */
  readonly maxBufferedBytes?: number;
  readonly maxBufferedMessages?: number;
  /** Default: the real one. */
  readonly clock?: ClientClock;
  /** 0 up to 1, as `Math.random`, which is the default. */
  readonly random?: () => number;
}

/** {@link ConnectOptions} with every default in place. */
export interface ClientConfig {
  readonly urls: readonly string[];
  readonly token: () => string | Promise<string>;
  readonly webSocket: WebSocketConstructor;
  readonly rebind: boolean;
  readonly codec: PayloadCodec;
  readonly requestTimeoutMs: number;
  readonly bindTimeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly closeTimeoutMs: number;
  readonly reconnectBaseMs: number;
  readonly reconnectCapMs: number;
  readonly maxBufferedBytes: number;
  readonly maxBufferedMessages: number;
  readonly clock: ClientClock;
  readonly random: () => number;
}

/** A slow actor answers within this; a person gives up at about the same time. */
const REQUEST_TIMEOUT_MS = 10_000;
/** Covers a reconnect with several tries. */
const BIND_TIMEOUT_MS = 30_000;
/** TCP gives a lost SYN three tries in 7 s. */
const CONNECT_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 2_000;
/** A cut connection is back in a quarter of a second on average, and a thousand clients do not all come at once. */
const RECONNECT_BASE_MS = 500;
const RECONNECT_CAP_MS = 15_000;
/** A page can afford it, and ten seconds of a busy client fit in. */
const MAX_BUFFERED_BYTES = 8 * 1024 * 1024;
const MAX_BUFFERED_MESSAGES = 16_384;

/** Throws `invalidArgument`. */
export function parseOptions(options: ConnectOptions): ClientConfig {
  const { token = "" } = options;
  const webSocket = options.webSocket ?? globalWebSocket();
  if (webSocket === undefined) {
    throw new ClientError(
      "invalidArgument",
      "There is no global WebSocket here (Node 20 has none): give one as `webSocket`, for example that of the package `ws`.",
    );
  }
  return Object.freeze({
    urls: parseUrls(options.url),
    token: typeof token === "function" ? token : () => token,
    webSocket,
    rebind: options.rebind ?? true,
    codec: options.codec ?? defaultCodec,
    requestTimeoutMs: positive("requestTimeoutMs", options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS),
    bindTimeoutMs: positive("bindTimeoutMs", options.bindTimeoutMs ?? BIND_TIMEOUT_MS),
    connectTimeoutMs: positive("connectTimeoutMs", options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS),
    closeTimeoutMs: positive("closeTimeoutMs", options.closeTimeoutMs ?? CLOSE_TIMEOUT_MS),
    reconnectBaseMs: positive("reconnect.baseMs", options.reconnect?.baseMs ?? RECONNECT_BASE_MS),
    reconnectCapMs: positive("reconnect.capMs", options.reconnect?.capMs ?? RECONNECT_CAP_MS),
    maxBufferedBytes: positive("maxBufferedBytes", options.maxBufferedBytes ?? MAX_BUFFERED_BYTES),
    maxBufferedMessages: positive("maxBufferedMessages", options.maxBufferedMessages ?? MAX_BUFFERED_MESSAGES),
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
  });
}

function parseUrls(url: string | readonly string[]): readonly string[] {
  const urls = typeof url === "string" ? [url] : [...url];
  if (urls.length === 0) throw new ClientError("invalidArgument", "`url` must name at least one gateway.");
  for (const each of urls) {
    if (!/^wss?:\/\/[^/]/.test(each)) {
      throw new ClientError(
        "invalidArgument",
        `"${each}" is not the address of a gateway: it must begin with ws:// or wss://.`,
      );
    }
  }
  return urls;
}

/** The number itself if it is positive. */
export function positive(name: string, value: number): number {
  if (!(value > 0)) throw new ClientError("invalidArgument", `\`${name}\` must be a positive number, not ${value}.`);
  return value;
}
