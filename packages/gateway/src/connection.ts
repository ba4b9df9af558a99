import {
  CLOSE_CODES,
  decodeClientPacket,
  encodeGatewayPacket,
  MalformedPacket,
  PacketSize,
  TokenBucket,
  type ClientPacket,
  type CloseReason,
  type GatewayPacket,
  type Hello,
  type Outgoing,
} from "@rehome/client/protocol";
import type { WebSocket } from "ws";
import { textOf } from "./failures.ts";
import type { Flushable } from "./flusher.ts";
import type { RequestInfo } from "./options.ts";
import type { Parts } from "./parts.ts";
import type { ClientSession, SessionOutbox } from "./session.ts";

/** No more is handed to a socket while it holds so much: what waits is then held once, in the session. */
export const WRITE_WINDOW_BYTES = 256 * 1024;
/** A token and a session id fit; who is not known yet shall not make us hold more. */
const MAX_HELLO_BYTES = 64 * 1024;
/** A client that did wrong has so long to read why; it may be sending all the while. */
const REASON_MS = 2_000;
/** The longest reason that a close frame can carry, in bytes. */
const MAX_REASON_BYTES = 123;

export interface ConnectionHost extends Parts {
  /** The first packet has come. The connection waits for `welcome` or `refuse`. */
  onHello(connection: Connection, hello: Hello): void;
  onClosed(connection: Connection): void;
}

type Phase =
  | { readonly kind: "hello"; readonly deadline: { cancel(): void } }
  | { readonly kind: "greeting" }
  | { readonly kind: "open"; readonly session: ClientSession }
  /** Whatever comes is ignored; `rest` is written before the close frame. */
  | { readonly kind: "ending"; readonly rest: SessionOutbox | undefined; readonly deadline: { cancel(): void } }
  | { readonly kind: "closed" };

/**
 * One WebSocket. It guards its limits, and knows its session only while that is attached: the session outlives it. What
 * a client does wrong ends this connection and touches no other.
 */
export class Connection implements Flushable {
  readonly request: RequestInfo;
  readonly #host: ConnectionHost;
  readonly #socket: WebSocket;
  readonly #bucket: TokenBucket;
  readonly #packetSize = new PacketSize();
  #phase: Phase;
  #ending: { readonly reason: CloseReason; readonly text: string } | undefined;
  #pingNumber = 0;
  #pingedAtMs: number;
  #answeredAtMs: number;
  readonly #onWritten = (): void => this.#continue();

  constructor(host: ConnectionHost, socket: WebSocket, request: RequestInfo) {
    this.#host = host;
    this.#socket = socket;
    this.request = request;
    const { clock, limits, deadlines } = host.config;
    const nowMs = clock.nowMs();
    this.#bucket = new TokenBucket(limits.messagesPerSecond, limits.burstMessages, nowMs);
    this.#pingedAtMs = this.#answeredAtMs = nowMs;
    const deadline = clock.after(deadlines.helloMs, () => this.cut("helloTimeout", "Nothing was said in time."));
    this.#phase = { kind: "hello", deadline };
    socket.on("message", (data, isBinary) => this.#guarded(() => this.#onMessage(data as Buffer, isBinary)));
    // Answered by the library: a flood of them is one of messages.
    socket.on("ping", () => this.#countStray());
    socket.on("pong", () => this.#countStray());
    socket.on("error", (error) => this.#onError(error));
    socket.on("close", () => this.#onClose());
  }

  /** Bytes that the socket holds. */
  get bufferedBytes(): number {
    return this.#socket.bufferedAmount;
  }

  /** Answers the hello. The session is told by its owner. */
  welcome(session: ClientSession, packet: Outgoing<GatewayPacket>): void {
    if (this.#phase.kind !== "greeting") return;
    this.#phase = { kind: "open", session };
    this.#answeredAtMs = this.#pingedAtMs = this.#host.config.clock.nowMs();
    this.#write(packet);
    this.#host.flusher.soon(this);
  }

  /** Answers the hello with no. */
  refuse(packet: Outgoing<GatewayPacket>, reason: CloseReason, text: string): void {
    if (this.#phase.kind === "closed" || this.#phase.kind === "ending") return;
    this.#write(packet);
    this.cut(reason, text);
  }

  /** Whether somebody still waits for the answer to the hello. */
  get isWaiting(): boolean {
    return this.#phase.kind === "greeting" || this.#phase.kind === "hello";
  }

  /** Says that the gateway is closing. */
  sayGoingAway(deadlineMs: number, spreadMs: number): void {
    if (this.#phase.kind === "open") this.#write({ goingAway: { deadlineMs, spreadMs } });
    else if (this.#phase.kind === "hello") this.cut("goingAway", "The gateway is closing.");
  }

  /** Something is there to write. */
  wake(): void {
    this.#host.flusher.soon(this);
  }

  /** The session has taken in frames: an acknowledgement is due now, or when there is nothing to ride with. */
  oweAcknowledgement(now: boolean): void {
    if (now) this.wake();
    else this.#host.flusher.owes(this);
  }

  /**
   * Ends the connection with a close code. What was handed to the socket still goes out, then `rest`, then the close
   * frame, and then, or at the deadline, the socket is dropped.
   */
  cut(reason: CloseReason, text: string, rest?: SessionOutbox): void {
    if (this.#phase.kind === "closed" || this.#phase.kind === "ending") return;
    const { counters, config } = this.#host;
    counters.cuts[reason] = (counters.cuts[reason] ?? 0) + 1;
    config.log.write("info", "gateway.connection.cut", { reason, text, remoteAddress: this.request.remoteAddress });
    this.#end(reason, text, rest);
  }

  /** Ends the connection at the client's wish. */
  finish(): void {
    if (this.#phase.kind !== "closed" && this.#phase.kind !== "ending") this.#end(undefined, "", undefined);
  }

  /** Drops the socket. */
  terminate(): void {
    this.#socket.terminate();
  }

  /**
   * Called now and then: sends pings, and cuts whoever does not answer them. `lostMs` is how much later than due it is:
   * while this process did not run, nobody could answer.
   */
  tick(nowMs: number, lostMs: number): void {
    if (this.#phase.kind !== "open") return;
    this.#answeredAtMs += lostMs;
    const { pingMs, silenceMs } = this.#host.config.deadlines;
    if (nowMs - this.#answeredAtMs >= silenceMs) {
      this.cut("silent", "No ping was answered in time.");
      this.#socket.terminate();
    } else if (nowMs - this.#pingedAtMs >= pingMs && this.bufferedBytes < WRITE_WINDOW_BYTES) {
      // A socket that is full has something to answer already: its acknowledgement counts as well.
      this.#pingedAtMs = nowMs;
      this.#write({ ping: ++this.#pingNumber, acknowledged: this.#phase.session.acknowledgement() });
    }
  }

  flush(acknowledge: boolean): void {
    const phase = this.#phase;
    if (phase.kind === "ending") this.#flushRest(phase.rest);
    if (phase.kind !== "open") return;
    const { session } = phase;
    while (session.outbox.waiting > 0 && this.bufferedBytes < WRITE_WINDOW_BYTES) {
      const batch = session.outbox.take(Infinity, this.#packetSize.next());
      if (batch === undefined) break;
      this.#host.counters.framesOut += batch.frames.length;
      this.#write({ ...batch, acknowledged: session.acknowledgement() });
    }
    if (session.owes(acknowledge)) this.#write({ acknowledged: session.acknowledgement() });
  }

  #flushRest(rest: SessionOutbox | undefined): void {
    if (rest === undefined) return;
    while (this.bufferedBytes < WRITE_WINDOW_BYTES) {
      const batch = rest.take(Infinity, this.#packetSize.next());
      if (batch === undefined) {
        this.#closeSocket();
        return;
      }
      this.#write(batch);
    }
  }

  /** A write has left the process. */
  #continue(): void {
    if (this.#phase.kind === "ending") this.wake();
    else if (this.#phase.kind === "open" && this.#phase.session.outbox.waiting > 0) this.wake();
  }

  #write(packet: Outgoing<GatewayPacket>): void {
    const bytes = encodeGatewayPacket(packet);
    this.#host.counters.packetsOut++;
    this.#host.counters.bytesOut += bytes.length;
    this.#socket.send(bytes, this.#onWritten);
  }

  #end(reason: CloseReason | undefined, text: string, rest: SessionOutbox | undefined): void {
    const before = this.#phase;
    const { clock, deadlines } = this.#host.config;
    const limitMs = rest === undefined ? Math.min(REASON_MS, deadlines.cutMs) : deadlines.cutMs;
    const deadline = clock.after(limitMs, () => this.terminate());
    this.#ending = reason && { reason, text };
    this.#phase = { kind: "ending", rest, deadline };
    if (before.kind === "hello") before.deadline.cancel();
    if (before.kind === "open") {
      if (reason !== undefined && CLOSE_CODES[reason].endsSession) before.session.end(reason);
      else before.session.detach(this);
    }
    if (rest === undefined) this.#closeSocket();
    else this.#flushRest(rest);
  }

  #closeSocket(): void {
    if (this.#ending === undefined) this.#socket.close(1000);
    else this.#socket.close(CLOSE_CODES[this.#ending.reason].code, shortened(this.#ending.text));
  }

  /** A fault of ours in handling a message is not to end the process, and so every other connection. */
  #guarded(handle: () => void): void {
    try {
      handle();
    } catch (error) {
      this.#host.config.log.write("error", "gateway.connection.failed", { error: textOf(error) });
      this.cut("internalError", "The gateway failed.");
    }
  }

  #onMessage(data: Buffer, isBinary: boolean): void {
    const { counters, config } = this.#host;
    counters.packetsIn++;
    counters.bytesIn += data.length;
    if (this.#phase.kind === "ending" || this.#phase.kind === "closed") return;
    if (!isBinary) return this.cut("protocolError", "Text messages are not part of the protocol.");
    if (this.#phase.kind === "greeting") return this.cut("protocolError", "Nothing may be said before the welcome.");
    if (this.#phase.kind === "hello" && data.length > MAX_HELLO_BYTES)
      return this.cut("tooLarge", "The hello is too large.");
    if (this.#bucket.available(config.clock.nowMs()) < 1) return this.#cutFlood();
    let packet: ClientPacket;
    try {
      packet = decodeClientPacket(data);
    } catch (error) {
      if (!(error instanceof MalformedPacket)) throw error;
      return this.cut("protocolError", "The bytes are not a packet of client.proto.");
    }
    if (this.#phase.kind === "hello") this.#onFirst(packet, this.#phase.deadline);
    else this.#onPacket(packet, data.length, this.#phase.session);
  }

  #onFirst(packet: ClientPacket, deadline: { cancel(): void }): void {
    if (packet.hello === undefined || packet.frames.length > 0) {
      return this.cut("protocolError", "The first packet must be a hello and nothing else.");
    }
    deadline.cancel();
    this.#phase = { kind: "greeting" };
    this.#host.onHello(this, packet.hello);
  }

  #onPacket(packet: ClientPacket, bytes: number, session: ClientSession): void {
    const nowMs = this.#host.config.clock.nowMs();
    const answers = packet.pong !== undefined && packet.pong === this.#pingNumber;
    const confirms = session.isNews(packet.acknowledged);
    if (answers || confirms) this.#answeredAtMs = nowMs;
    // Packets without frames are free as long as they tell something; there are only so many things to tell.
    const price = Math.max(packet.frames.length, confirms || answers ? 0 : 1);
    if (!this.#bucket.take(price, nowMs)) return this.#cutFlood();
    this.#host.counters.framesIn += packet.frames.length;
    const problem = packet.hello === undefined ? session.receive(packet, bytes) : "There can be one hello only.";
    if (problem !== undefined) return this.cut("protocolError", problem);
    if (packet.goodbye) {
      session.end("goodbye");
      this.finish();
    }
  }

  #countStray(): void {
    if (!this.#bucket.take(1, this.#host.config.clock.nowMs())) this.#cutFlood();
  }

  #cutFlood(): void {
    this.cut("rateLimited", "More messages came than are allowed.");
  }

  /** The library has read something that is no WebSocket frame, or too large a one, and closes by itself. */
  #onError(error: Error & { readonly code?: string }): void {
    const { code } = error;
    if (code === "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH") this.cut("tooLarge", error.message);
    else if (code?.startsWith("WS_ERR_")) this.cut("protocolError", error.message);
  }

  #onClose(): void {
    const before = this.#phase;
    this.#phase = { kind: "closed" };
    if (before.kind === "hello" || before.kind === "ending") before.deadline.cancel();
    if (before.kind === "open") before.session.detach(this);
    this.#host.flusher.forget(this);
    this.#host.onClosed(this);
  }
}

/** Cut to what fits a close frame. */
function shortened(text: string): string {
  return Buffer.byteLength(text) <= MAX_REASON_BYTES ? text : `${text.slice(0, 40)}…`;
}
