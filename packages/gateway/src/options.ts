import type { IncomingHttpHeaders, Server as HttpServer } from "node:http";
import type { Server as HttpsServer } from "node:https";
import type { Clock, Log, Random } from "@rehome/core";
import { silentLog, systemClock, systemRandom } from "@rehome/system";
import { GatewayError } from "./errors.ts";
import type { SessionNode } from "./session-port.ts";

/** Who a client is, as the application's hook says. A session can only be resumed by the same `id`. */
export interface Principal {
  readonly id: string;
}

/** What is known of a connection besides the token. */
export interface RequestInfo {
  readonly remoteAddress: string | undefined;
  readonly origin: string | undefined;
  /** The request's path with its query. */
  readonly url: string;
  readonly headers: Readonly<IncomingHttpHeaders>;
}

export type Authentication<P extends Principal> =
  | { readonly accept: true; readonly principal: P }
  /** `reason` is told to the client. */
  | { readonly accept: false; readonly reason?: string };

/** What one client, and all together, may take. Every number is positive; `Infinity` takes a limit off. */
export interface GatewayLimits {
  /** Connections at once; further ones get HTTP 503. Default 10,000. */
  readonly maxConnections: number;
  /** Sessions at once, those without a connection included; the oldest of these goes first. Default 20,000. */
  readonly maxSessions: number;
  /** The largest message that is read from a client, and so the largest payload that it can send. Default 1 MiB. */
  readonly maxMessageBytes: number;
  /** What may wait for one client, sent and not acknowledged included. It is cut before that is passed. Default 8 MiB. */
  readonly sendBufferBytes: number;
  /** Default 256. */
  readonly maxBindings: number;
  /** Requests of one client without an answer; further ones fail `backpressured`. Default 1,024. */
  readonly maxOutstandingRequests: number;
  /** Messages a second from one client, on average. A client that keeps to what it was told is never cut. Default 1,000. */
  readonly messagesPerSecond: number;
  /** Messages from one client at once. Default 2,048. */
  readonly burstMessages: number;
  /** Hellos a second from all clients together; further ones are told when to come again. Default 500. */
  readonly hellosPerSecond: number;
}

/** How long things may take, in ms. */
export interface GatewayDeadlines {
  /** From the connection to the hello. Default 5,000. */
  readonly helloMs: number;
  /** For the authentication hook. Default 5,000. */
  readonly authenticateMs: number;
  /** For the authorization hook. Default 5,000. */
  readonly authorizeMs: number;
  /** For the node to bind or unbind, waiting for an actor on the move included. Default 15,000. */
  readonly bindMs: number;
  /** The longest a client may let a request take. Default 60,000. */
  readonly requestMs: number;
  /** Between two pings. Default 10,000. */
  readonly pingMs: number;
  /** A client that has not answered a ping for so long is cut; must be longer than `pingMs`. Default 25,000. */
  readonly silenceMs: number;
  /** How long a session is kept without a connection. Default 30,000. */
  readonly resumeGraceMs: number;
  /** How long a client that was cut may take to read the rest and the close frame. Default 10,000. */
  readonly cutMs: number;
  /** For {@link Gateway.close}. Default 5,000. */
  readonly closeMs: number;
  /** Clients come back spread over this time after the gateway has closed. Default 2,000. */
  readonly goingAwaySpreadMs: number;
}

/** What {@link startGateway} is given. Only `node` is needed. */
export interface GatewayOptions<P extends Principal = Principal> {
  /** Owns the clients' sessions. Closing it is the application's affair, after the gateway is closed. */
  readonly node: SessionNode;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: any that is free; `url` says which. */
  readonly port?: number;
  /** Uses this server instead of one of its own; `host` and `port` are not used then. It is not closed. */
  readonly server?: HttpServer | HttpsServer;
  /** Of the WebSocket endpoint. Default "/". */
  readonly path?: string;
  /**
   * Browsers' origins that may connect, as "https://example.com". Default: none, since a gateway cannot know where its
   * pages are served from. "*" allows all. Requests without an origin, which browsers do not make, are let in.
   */
  readonly allowedOrigins?: readonly string[];
  /** Refuses requests without an origin too. Default false. */
  readonly requireOrigin?: boolean;
  /** Default: accepts everybody, all with the same principal. */
  readonly authenticate?: (request: RequestInfo, token: string) => Authentication<P> | Promise<Authentication<P>>;
  /** Default: everything is allowed. */
  readonly authorizeBind?: (principal: P, actorType: string, actorId: string) => boolean | Promise<boolean>;
  readonly limits?: Partial<GatewayLimits>;
  readonly deadlines?: Partial<GatewayDeadlines>;
  /** Default: the machine's. */
  readonly clock?: Clock;
  readonly random?: Random;
  /** Default: nothing is logged. */
  readonly log?: Log;
}

/** {@link GatewayOptions} with every default in place. */
export interface GatewayConfig {
  readonly node: SessionNode;
  readonly host: string;
  readonly port: number;
  readonly server: HttpServer | HttpsServer | undefined;
  readonly path: string;
  readonly allowedOrigins: ReadonlySet<string>;
  readonly requireOrigin: boolean;
  readonly authenticate: (request: RequestInfo, token: string) => unknown;
  readonly authorizeBind: (principal: Principal, actorType: string, actorId: string) => unknown;
  readonly limits: GatewayLimits;
  readonly deadlines: GatewayDeadlines;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

export const defaultLimits: GatewayLimits = {
  // About 300 MiB of idle sockets and sessions.
  maxConnections: 10_000,
  // As many again may be between two connections.
  maxSessions: 20_000,
  maxMessageBytes: 1024 * 1024,
  // Ten seconds of a fast game for a client behind a tunnel; times the sessions it bounds the gateway's memory.
  sendBufferBytes: 8 * 1024 * 1024,
  maxBindings: 256,
  maxOutstandingRequests: 1_024,
  // Far above what a person causes, far below what hurts.
  messagesPerSecond: 1_000,
  // Half of it is the window of what may be under way: a network that delivers it all at once is no flood.
  burstMessages: 2_048,
  // Each costs a run of the authentication hook.
  hellosPerSecond: 500,
};

export const defaultDeadlines: GatewayDeadlines = {
  helloMs: 5_000,
  authenticateMs: 5_000,
  authorizeMs: 5_000,
  // An actor on the move answers `busy` for at most a move's deadline, 10 s.
  bindMs: 15_000,
  requestMs: 60_000,
  pingMs: 10_000,
  // Two pings may be lost in a mobile network's pause.
  silenceMs: 25_000,
  resumeGraceMs: 30_000,
  cutMs: 10_000,
  closeMs: 5_000,
  goingAwaySpreadMs: 2_000,
};

const ANYBODY: Principal = Object.freeze({ id: "" });

/** Throws `invalidOption`. */
export function parseOptions<P extends Principal>(options: GatewayOptions<P>): GatewayConfig {
  assertParts(options);
  assertNames("limits", options.limits, defaultLimits);
  assertNames("deadlines", options.deadlines, defaultDeadlines);
  const limits = Object.freeze({ ...defaultLimits, ...options.limits });
  const deadlines = Object.freeze({ ...defaultDeadlines, ...options.deadlines });
  for (const [name, value] of [...Object.entries(limits), ...Object.entries(deadlines)] as [string, unknown][]) {
    if (typeof value === "number" && value > 0) continue;
    throw new GatewayError("invalidOption", `\`${name}\` must be a positive number, not ${String(value)}.`);
  }
  if (deadlines.silenceMs <= deadlines.pingMs) {
    throw new GatewayError(
      "invalidOption",
      "`silenceMs` must be longer than `pingMs`: a ping has to be answered first.",
    );
  }
  const path = options.path ?? "/";
  if (!path.startsWith("/")) throw new GatewayError("invalidOption", `\`path\` must begin with "/", not "${path}".`);
  return Object.freeze({
    node: options.node,
    host: options.host ?? "127.0.0.1",
    port: options.port ?? 0,
    server: options.server,
    path,
    allowedOrigins: new Set((options.allowedOrigins ?? []).map(normalOrigin)),
    requireOrigin: options.requireOrigin ?? false,
    authenticate: options.authenticate ?? (() => ({ accept: true, principal: ANYBODY })),
    authorizeBind: (options.authorizeBind as GatewayConfig["authorizeBind"] | undefined) ?? (() => true),
    limits,
    deadlines,
    clock: options.clock ?? systemClock,
    random: options.random ?? systemRandom,
    log: options.log ?? silentLog,
  });
}

/** What the gateway would only find out when the first client comes. */
function assertParts<P extends Principal>(options: Partial<GatewayOptions<P>> | undefined): void {
  const { node, authenticate, authorizeBind, allowedOrigins, log, clock, random } = options ?? {};
  const kinds: [string, string][] = [["node.openSession", typeof node?.openSession]];
  if (authenticate !== undefined) kinds.push(["authenticate", typeof authenticate]);
  if (authorizeBind !== undefined) kinds.push(["authorizeBind", typeof authorizeBind]);
  if (log !== undefined) kinds.push(["log.write", typeof log.write]);
  if (clock !== undefined) kinds.push(["clock.nowMs", typeof clock.nowMs], ["clock.after", typeof clock.after]);
  if (random !== undefined) kinds.push(["random.bytes", typeof random.bytes]);
  for (const [name, kind] of kinds) {
    if (kind !== "function") throw new GatewayError("invalidOption", `\`${name}\` must be a function.`);
  }
  if (allowedOrigins !== undefined && !Array.isArray(allowedOrigins)) {
    throw new GatewayError("invalidOption", '`allowedOrigins` must be a list, as ["https://example.com"].');
  }
}

/** A misspelt one would have no effect, without a word. */
function assertNames(what: string, given: object | undefined, known: object): void {
  const stray = Object.keys(given ?? {}).find((name) => !Object.hasOwn(known, name));
  if (stray === undefined) return;
  const names = Object.keys(known).join(", ");
  throw new GatewayError("invalidOption", `\`${what}\` has no \`${stray.slice(0, 64)}\`; there are ${names}.`);
}

/** Scheme and host in lower case, default port left out, as browsers write it. `null` and `*` stay as they are. */
export function normalOrigin(origin: string): string {
  try {
    const parsed = new URL(origin).origin;
    return parsed === "null" ? origin : parsed;
  } catch {
    return origin;
  }
}
