import { ClientError, fromFailure } from "./errors.ts";
import { openLink, type Link, type LinkEnd } from "./link.ts";
import type { ClientConfig } from "./options.ts";
import { meaningOf } from "./protocol/close-codes.ts";
import { encodeClientPacket } from "./protocol/codec.ts";
import { PROTOCOL_VERSION, type GatewayPacket, type Hello, type Welcome } from "./protocol/frames.ts";

/** After so many failures in a row at one address the next one is tried. */
const TRIES_PER_URL = 2;
/** A client that was cut for what it did would be cut again: its waits begin where they would be after this many. */
const FAILURES_AFTER_CUT = 4;
/** Before a silent gateway is given up: time for the event loop to read what there is. */
const LAST_LOOK_MS = 50;
/** Doubling further would pass any cap. */
const MAX_DOUBLINGS = 20;

export interface ConnectorHandler {
  /** What to ask to resume, if there is something. */
  resume(): Hello["resume"];
  /** Connected. Returns false when the answer makes no sense, and the connection is to be given up. */
  onWelcome(link: Link, welcome: Welcome, acknowledged: number): boolean;
  /** Returns false when the gateway broke the protocol. */
  onPacket(packet: GatewayPacket, bytes: number): boolean;
  /** The connection, or the try to have one, ended; another try begins in `retryInMs`. */
  onDown(error: ClientError, sessionOver: boolean, retryInMs: number): void;
  /** There will be no further try. */
  onFatal(error: ClientError): void;
}

/**
 * Keeps a connection to a gateway: opens it, says hello, watches that it lives, and opens the next one after a wait, at
 * the same address or the next. One connection at a time; nothing of an older one is heard after a newer has begun.
 */
export class Connector {
  readonly #config: ClientConfig;
  readonly #handler: ConnectorHandler;
  #link: Link | undefined;
  /** Goes up with every connection, so that what belongs to an older one is recognized. */
  #round = 0;
  #url = 0;
  #failures = 0;
  #failuresHere = 0;
  #welcomed = false;
  #heardAtMs = 0;
  #timer: { cancel(): void } | undefined;
  #stopped = false;

  constructor(config: ClientConfig, handler: ConnectorHandler) {
    this.#config = config;
    this.#handler = handler;
  }

  /** Begins a connection now. */
  connect(): void {
    if (this.#stopped) return;
    const round = ++this.#round;
    this.#welcomed = false;
    const { connectTimeoutMs } = this.#config;
    this.#timer?.cancel();
    this.#timer = this.#config.clock.after(connectTimeoutMs, () => {
      this.#link?.abort();
      this.#down(new ClientError("connectFailed", `No welcome from ${this.#address} within ${connectTimeoutMs} ms.`));
    });
    void this.#open(round);
  }

  /** The connection does something useful: the next break of it is a new one, not a further failure. */
  proven(): void {
    this.#failures = this.#failuresHere = 0;
  }

  /** Ends the connection because the gateway is going away, and goes on with the next address. */
  moveOn(spreadMs: number, lastPacket: Uint8Array): void {
    this.#link?.send(lastPacket);
    this.#link?.close(1000, "going away");
    this.#url = (this.#url + 1) % this.#config.urls.length;
    this.#failuresHere = 0;
    const error = new ClientError("goingAway", "The gateway is closing.");
    this.#down(error, { sessionOver: true, waitMs: this.#config.random() * spreadMs });
  }

  /** Ends everything. A last packet is sent if there is a connection. */
  stop(lastPacket: Uint8Array | undefined): void {
    this.#stopped = true;
    this.#round++;
    this.#timer?.cancel();
    if (lastPacket !== undefined && this.#welcomed) {
      this.#link?.send(lastPacket);
      this.#link?.close(1000, "closed");
    } else {
      this.#link?.abort();
    }
    this.#link = undefined;
  }

  get #address(): string {
    return this.#config.urls[this.#url]!;
  }

  async #open(round: number): Promise<void> {
    let token: string;
    try {
      token = await this.#config.token();
    } catch (cause) {
      if (round === this.#round) this.#down(new ClientError("connectFailed", "The token function failed.", { cause }));
      return;
    }
    if (round !== this.#round) return;
    try {
      const { webSocket, clock } = this.#config;
      const handler = {
        onOpen: () => this.#sayHello(token),
        onPacket: (packet: GatewayPacket, bytes: number) => this.#onPacket(packet, bytes),
        onEnd: (end: LinkEnd) => this.#onEnd(end),
      };
      this.#link = openLink(webSocket, this.#address, handler, clock);
    } catch (cause) {
      this.#down(new ClientError("connectFailed", `No WebSocket to ${this.#address} can be made.`, { cause }));
    }
  }

  #sayHello(token: string): void {
    const hello = { protocolVersion: PROTOCOL_VERSION, token, resume: this.#handler.resume() };
    this.#link!.send(encodeClientPacket({ hello }));
  }

  #onPacket(packet: GatewayPacket, bytes: number): void {
    this.#heardAtMs = this.#config.clock.nowMs();
    const { welcome, refused } = packet;
    if (refused !== undefined && !this.#welcomed) {
      this.#link!.close(1000, "refused");
      const error = fromFailure(refused.failure);
      if (refused.retryAfterMs === undefined) this.#fatal(error);
      else this.#down(error, { waitMs: refused.retryAfterMs });
    } else if ((welcome !== undefined) === this.#welcomed) {
      this.#broken();
    } else if (welcome === undefined) {
      if (!this.#handler.onPacket(packet, bytes)) this.#broken();
    } else {
      this.#welcomed = true;
      this.#watch(welcome.limits.silenceLimitMs);
      const goesOn = this.#handler.onWelcome(this.#link!, welcome, packet.acknowledged);
      if (!goesOn || !this.#handler.onPacket(packet, bytes)) this.#broken();
    }
  }

  #onEnd(end: LinkEnd): void {
    const { reason, endsSession, final } = meaningOf(end.code);
    const text = `The connection to ${this.#address} ended with ${end.code}${end.reason && `: ${end.reason}`}.`;
    if (final) {
      this.#fatal(new ClientError(reason === "replaced" ? "sessionReplaced" : "protocolError", text));
      return;
    }
    if (endsSession && reason !== "goingAway") this.#failures = Math.max(this.#failures, FAILURES_AFTER_CUT);
    const code = end.malformed || reason === "protocolError" ? "protocolError" : "connectFailed";
    this.#down(new ClientError(code, text), { sessionOver: endsSession || end.malformed });
  }

  /** The gateway does not keep to the protocol: nothing that it says about this session can be relied upon. */
  #broken(): void {
    this.#link?.close(4400, "the gateway broke the protocol");
    const error = new ClientError("protocolError", `${this.#address} does not keep to the protocol.`);
    this.#down(error, { sessionOver: true });
  }

  /** Looks whether the gateway is still heard; browsers show no WebSocket pings, so only packets count. */
  #watch(limitMs: number): void {
    this.#timer?.cancel();
    if (limitMs === Infinity) return;
    const { clock } = this.#config;
    const silentMs = (): number => clock.nowMs() - this.#heardAtMs;
    this.#timer = clock.after(Math.max(1, limitMs - silentMs()), () => {
      if (silentMs() < limitMs) {
        this.#watch(limitMs);
        return;
      }
      // When this process itself stood still, what came meanwhile has yet to be read.
      this.#timer = clock.after(LAST_LOOK_MS, () => {
        if (silentMs() < limitMs) {
          this.#watch(limitMs);
          return;
        }
        this.#link?.abort();
        this.#down(new ClientError("connectFailed", `Nothing was heard from ${this.#address} for ${limitMs} ms.`));
      });
    });
  }

  #down(error: ClientError, how: { readonly sessionOver?: boolean; readonly waitMs?: number } = {}): void {
    if (this.#stopped) return;
    this.#round++;
    this.#link = undefined;
    this.#timer?.cancel();
    const waitMs = how.waitMs ?? this.#backoffMs();
    this.#timer = this.#config.clock.after(waitMs, () => this.connect());
    this.#handler.onDown(error, how.sessionOver ?? false, waitMs);
  }

  /** Full jitter: any part of the doubled base, so that clients that lost the same gateway do not come together. */
  #backoffMs(): number {
    const { reconnectBaseMs, reconnectCapMs, random, urls } = this.#config;
    const waitMs = random() * Math.min(reconnectCapMs, reconnectBaseMs * 2 ** Math.min(this.#failures, MAX_DOUBLINGS));
    this.#failures++;
    if (++this.#failuresHere >= TRIES_PER_URL) {
      this.#url = (this.#url + 1) % urls.length;
      this.#failuresHere = 0;
    }
    return waitMs;
  }

  #fatal(error: ClientError): void {
    this.stop(undefined);
    this.#handler.onFatal(error);
  }
}
