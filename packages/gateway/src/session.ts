import {
  encodeGatewayFrame,
  Inbox,
  Outbox,
  PROTOCOL_VERSION,
  type ClientPacket,
  type CloseReason,
  type GatewayFrame,
  type SessionLimits,
} from "@rehome/client/protocol";
import { Bindings } from "./bindings.ts";
import { WRITE_WINDOW_BYTES, type Connection } from "./connection.ts";
import { textOf } from "./failures.ts";
import type { GatewayConfig, Principal } from "./options.ts";
import type { Parts } from "./parts.ts";
import type { Session } from "./session-port.ts";

export type SessionOutbox = Outbox<undefined>;

/** The client is told at once when it may have used up this part of its window. */
const ACK_WINDOW_PART = 0.25;
const MAX_ACK_FRAMES = 64;
const ACK_BYTES = 64 * 1024;

/** Why a session ended. */
export type SessionEnd = CloseReason | "goodbye" | "graceExpired" | "evicted";

export interface SessionHost extends Parts {
  onDetached(session: ClientSession): void;
  onAttached(session: ClientSession): void;
  /** `closed` settles when the node has let go of it, and never rejects. */
  onEnded(session: ClientSession, end: SessionEnd, closed: Promise<void>): void;
}

/** What a client is told it may do, so that it is never cut when it keeps to it. */
export function limitsFor(config: GatewayConfig): SessionLimits {
  const { limits, deadlines } = config;
  // What is under way and what the client may send at once make the burst together: so it holds whatever the network
  // gathers on the way.
  const half = Math.max(1, Math.floor(limits.burstMessages / 2));
  return {
    maxMessageBytes: limits.maxMessageBytes,
    windowFrames: half,
    framesPerSecond: limits.messagesPerSecond,
    burstFrames: half,
    resumeGraceMs: deadlines.resumeGraceMs,
    silenceLimitMs: deadlines.silenceMs,
    maxBindings: limits.maxBindings,
    maxOutstandingRequests: limits.maxOutstandingRequests,
    maxRequestTimeoutMs: deadlines.requestMs,
  };
}

/**
 * One client's session: numbered frames in both directions through one connection after the other, and the bindings on
 * top. It waits for its client for the grace period, then ends.
 */
export class ClientSession {
  readonly token: Uint8Array;
  readonly principal: Principal;
  readonly outbox: SessionOutbox = new Outbox();
  readonly #host: SessionHost;
  readonly #inbox = new Inbox();
  readonly #ackFrames: number;
  readonly #bindings: Bindings;
  readonly #node: Session;
  #connection: Connection | undefined;
  #graceTimer: { cancel(): void } | undefined;
  #graceEndsMs = 0;
  #ended = false;

  /** Throws what the node throws. */
  constructor(host: SessionHost, token: Uint8Array, principal: Principal) {
    this.#host = host;
    this.token = token;
    this.principal = principal;
    this.#ackFrames = Math.max(1, Math.min(MAX_ACK_FRAMES, limitsFor(host.config).windowFrames * ACK_WINDOW_PART));
    this.#bindings = new Bindings({
      config: host.config,
      principal,
      emit: (frame) => this.#emit(frame),
      isOpen: () => !this.#ended,
      isClosing: () => host.isClosing(),
      countDroppedPush: () => host.counters.pushesDropped++,
    });
    this.#node = host.config.node.openSession(this.#bindings);
    this.#bindings.start(this.#node);
  }

  get ended(): boolean {
    return this.#ended;
  }

  get isAttached(): boolean {
    return this.#connection !== undefined;
  }

  get bindingCount(): number {
    return this.#bindings.count;
  }

  /** The first connection, or a later one that has `received` so much of what was sent. False: it cannot have. */
  attach(connection: Connection, received: number, resumed: boolean): boolean {
    if (!this.outbox.rewind(received)) return false;
    const before = this.#connection;
    this.#graceTimer?.cancel();
    this.#connection = connection;
    // The older connection may still look alive: nothing that comes on it counts from here on.
    before?.cut("replaced", "Another connection has resumed the session.");
    this.#host.onAttached(this);
    const welcome = {
      protocolVersion: PROTOCOL_VERSION,
      session: this.token,
      resumed,
      limits: limitsFor(this.#host.config),
    };
    connection.welcome(this, { welcome, acknowledged: this.acknowledgement() });
    return true;
  }

  /** The connection is gone. Nothing happens if another one has taken over. */
  detach(connection: Connection): void {
    if (this.#connection !== connection || this.#ended) return;
    this.#connection = undefined;
    if (this.#host.isClosing()) {
      this.end("goingAway");
      return;
    }
    this.#startGrace(this.#host.config.deadlines.resumeGraceMs);
    this.#host.onDetached(this);
  }

  /** The client was told to come again later: it shall find its session then. */
  keepFor(waitMs: number): void {
    if (this.isAttached || this.#ended) return;
    const { clock, deadlines } = this.#host.config;
    const endsMs = clock.nowMs() + waitMs + deadlines.resumeGraceMs;
    if (endsMs > this.#graceEndsMs) this.#startGrace(endsMs - clock.nowMs());
  }

  /** Ends it for good: the node unbinds everything. */
  end(end: SessionEnd): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#graceTimer?.cancel();
    this.#connection = undefined;
    this.#bindings.end();
    this.#host.onEnded(this, end, this.#closeNodeSession());
  }

  /** Takes in a packet. Returns what is wrong with it; after that the session is not to be used any more. */
  receive(packet: ClientPacket, bytes: number): string | undefined {
    const repeats = this.#inbox.accept(packet.first, packet.frames.length, bytes);
    if (repeats === undefined) return "A frame is missing.";
    if (!this.outbox.acknowledge(packet.acknowledged)) return "A frame was acknowledged that was never sent.";
    for (let at = repeats; at < packet.frames.length; at++) {
      const problem = this.#bindings.onFrame(packet.frames[at]!);
      if (problem !== undefined) return problem;
      if (this.#ended) return undefined;
    }
    if (this.#inbox.owed > 0) {
      const now = this.#inbox.owed >= this.#ackFrames || this.#inbox.owedBytes >= ACK_BYTES;
      this.#connection?.oweAcknowledgement(now);
    }
    return undefined;
  }

  /** Whether this acknowledgement tells something new. */
  isNews(acknowledged: number): boolean {
    return acknowledged > this.outbox.acknowledged;
  }

  /** Whether a packet is due only to acknowledge; `late`: it has waited for company long enough. */
  owes(late: boolean): boolean {
    const { owed, owedBytes } = this.#inbox;
    return owed > 0 && (late || owed >= this.#ackFrames || owedBytes >= ACK_BYTES);
  }

  /** To be put into every packet. */
  acknowledgement(): number {
    return this.#inbox.acknowledgement();
  }

  #emit(frame: GatewayFrame): void {
    if (this.#ended) return;
    const bytes = this.#encode(frame);
    if (bytes === undefined) return;
    if (!this.#hasRoom(Outbox.cost(bytes.length))) {
      this.#overflow();
      return;
    }
    this.outbox.append(bytes, undefined);
    this.#connection?.wake();
  }

  /** What cannot be encoded is a fault of ours or of the node: the client starts anew rather than miss something. */
  #encode(frame: GatewayFrame): Uint8Array | undefined {
    try {
      return encodeGatewayFrame(frame);
    } catch (error) {
      this.#host.config.log.write("error", "gateway.session.failed", { frame: frame.kind, error: textOf(error) });
      if (this.#connection === undefined) this.end("internalError");
      else this.#connection.cut("internalError", "The gateway failed.");
      return undefined;
    }
  }

  #hasRoom(cost: number): boolean {
    const { sendBufferBytes } = this.#host.config.limits;
    const kept = this.outbox.bytes + cost;
    // What the socket holds is a second copy. Asking it costs something, so it is asked only when it could matter.
    if (kept + 2 * WRITE_WINDOW_BYTES <= sendBufferBytes) return true;
    return kept + (this.#connection?.bufferedBytes ?? 0) <= sendBufferBytes;
  }

  /** Before the limit is passed: what is kept goes out as far as the client reads it, then the reason. */
  #overflow(): void {
    const connection = this.#connection;
    const { log, limits } = this.#host.config;
    log.write("warn", "gateway.session.overflow", {
      sendBufferBytes: limits.sendBufferBytes,
      attached: this.isAttached,
    });
    if (connection === undefined) this.end("slowConsumer");
    else connection.cut("slowConsumer", `More than ${limits.sendBufferBytes} bytes waited to be read.`, this.outbox);
  }

  #startGrace(forMs: number): void {
    this.#graceTimer?.cancel();
    this.#graceEndsMs = this.#host.config.clock.nowMs() + forMs;
    this.#graceTimer = this.#host.config.clock.after(forMs, () => this.end("graceExpired"));
  }

  async #closeNodeSession(): Promise<void> {
    try {
      await this.#node.close();
    } catch (error) {
      this.#host.config.log.write("error", "gateway.session.close-failed", { error: textOf(error) });
    }
  }
}
