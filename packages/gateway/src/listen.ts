import { createServer, STATUS_CODES, type IncomingMessage, type Server as HttpServer } from "node:http";
import type { Server as HttpsServer } from "node:https";
import type { Duplex } from "node:stream";
import { WebSocketServer, type WebSocket } from "ws";
import { listenError } from "./errors.ts";
import { normalOrigin, type GatewayConfig, type RequestInfo } from "./options.ts";

/** Sockets that are not WebSockets (yet) which a server of our own holds besides the connections. */
const HTTP_SOCKETS = 256;
/** How often a server of our own looks for requests that are too slow. */
const SLOW_REQUEST_CHECK_MS = 1_000;
/** For the `Retry-After` of a 503. */
const RETRY_AFTER_S = 5;

export interface Door {
  /** Where clients connect, or `undefined` for a server that does not listen yet. */
  url(): string | undefined;
  /** No new connections from here on. */
  shut(): void;
  /** Drops what is left of a server of our own, and settles when it is gone. */
  close(): Promise<void>;
}

export interface DoorHandler {
  /** Whether there is room for one more. */
  hasRoom(): boolean;
  onConnection(socket: WebSocket, request: RequestInfo): void;
  onRefused(): void;
}

/** Opens the WebSocket endpoint. Rejects with a GatewayError. */
export async function openDoor(config: GatewayConfig, handler: DoorHandler): Promise<Door> {
  const server = config.server ?? ownServer(config);
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: Number.isFinite(config.limits.maxMessageBytes) ? config.limits.maxMessageBytes : 0,
  });
  let shut = false;

  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // Without a listener, an error of a socket that is being refused would end the process.
    socket.on("error", () => socket.destroy());
    // Not parsed as a URL: what a client sends need not be one.
    const [path] = (request.url ?? "/").split("?", 1);
    if (path !== config.path) {
      // Another endpoint of a server that is not ours.
      if (server.listenerCount("upgrade") === 1) refuse(socket, 404, handler);
    } else if (!isAllowed(config, request.headers.origin)) {
      config.log.write("warn", "gateway.origin.refused", { origin: request.headers.origin });
      refuse(socket, 403, handler);
    } else if (shut || !handler.hasRoom()) {
      refuse(socket, 503, handler);
    } else {
      sockets.handleUpgrade(request, socket, head, (webSocket) => handler.onConnection(webSocket, infoOf(request)));
    }
  };
  server.on("upgrade", onUpgrade);
  if (config.server === undefined) await listen(server, config);

  let gone = Promise.resolve();
  const url = urlOf(server, config);
  return {
    url: () => url ?? urlOf(server, config),
    shut() {
      shut = true;
      if (config.server === undefined) gone = new Promise((resolve) => server.close(() => resolve()));
    },
    async close() {
      server.off("upgrade", onUpgrade);
      if (config.server === undefined) server.closeAllConnections();
      await gone;
    },
  };
}

function ownServer(config: GatewayConfig): HttpServer {
  const { helloMs } = config.deadlines;
  const server = createServer(
    { headersTimeout: helloMs, requestTimeout: helloMs, connectionsCheckingInterval: SLOW_REQUEST_CHECK_MS },
    (_request, response) => {
      response.writeHead(426, { "content-type": "text/plain", connection: "close" });
      response.end("This is a WebSocket endpoint.\n");
    },
  );
  if (Number.isFinite(config.limits.maxConnections))
    server.maxConnections = config.limits.maxConnections + HTTP_SOCKETS;
  return server;
}

function listen(server: HttpServer | HttpsServer, config: GatewayConfig): Promise<void> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => reject(listenError(error, config.host, config.port));
    server.once("error", onError);
    server.listen(config.port, config.host, () => {
      server.off("error", onError);
      // Accepting may still fail now and then, when file handles run out: that is no reason to end the process.
      server.on("error", (error) => config.log.write("error", "gateway.server.error", { error: error.message }));
      resolve();
    });
  });
}

function refuse(socket: Duplex, status: number, handler: DoorHandler): void {
  handler.onRefused();
  const retry = status === 503 ? `Retry-After: ${RETRY_AFTER_S}\r\n` : "";
  socket.once("finish", () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n${retry}Content-Length: 0\r\n\r\n`);
}

function isAllowed(config: GatewayConfig, origin: string | undefined): boolean {
  if (origin === undefined) return !config.requireOrigin;
  return config.allowedOrigins.has("*") || config.allowedOrigins.has(normalOrigin(origin));
}

function infoOf(request: IncomingMessage): RequestInfo {
  return Object.freeze({
    remoteAddress: request.socket.remoteAddress,
    origin: request.headers.origin,
    url: request.url ?? "/",
    headers: request.headers,
  });
}

function urlOf(server: HttpServer | HttpsServer, config: GatewayConfig): string | undefined {
  const address = server.address();
  if (address === null || typeof address === "string") return undefined;
  const scheme = "setSecureContext" in server ? "wss" : "ws";
  const host = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return `${scheme}://${host}:${address.port}${config.path}`;
}
