import type { ClientClock } from "./clock.ts";
import type { Link } from "./link.ts";
import { PACKET_OVERHEAD_BYTES } from "./protocol/assemble.ts";
import { PacketSize } from "./protocol/packet-size.ts";
import { encodeClientFrame, encodeClientPacket } from "./protocol/codec.ts";
import type { ClientFrame, GatewayFrame, GatewayPacket, SessionLimits } from "./protocol/frames.ts";
import { Inbox } from "./protocol/inbox.ts";
import { Outbox } from "./protocol/outbox.ts";
import { TokenBucket } from "./protocol/token-bucket.ts";

/** An acknowledgement waits so long for a frame to ride with. Short against any grace period, long against a tick. */
const ACK_DELAY_MS = 25;
/** It waits no longer once the gateway keeps so much for us. */
const ACK_FRAMES = 64;
const ACK_BYTES = 64 * 1024;
/** When the gateway's rate limit holds frames back, they go out in portions of this time, not one by one. */
const PACE_MS = 10;

/** What runs a function after the code that runs now, so that all it sends goes out in one write. */
const defer: (fn: () => void) => void = pickDefer();

function pickDefer(): (fn: () => void) => void {
  const { setImmediate, queueMicrotask } = globalThis as unknown as {
    setImmediate?: (fn: () => void) => unknown;
    queueMicrotask: (fn: () => void) => void;
  };
  // Node and Bun have it, and it gathers what several promises send; browsers make do with microtasks.
  return setImmediate === undefined ? (fn) => queueMicrotask(fn) : (fn) => void setImmediate(fn);
}

/** A message that may have to be reported when the session is lost; `undefined` for a bind or unbind. */
export type FrameTag = { readonly reportLost: (written: boolean) => void } | undefined;

/**
 * One session with a gateway: numbered frames in both directions, through any number of connections. It sends what the
 * gateway's limits let it send, once per tick, and knows what the gateway has not acknowledged.
 */
export class Stream {
  /** Names the session towards the gateway. */
  readonly token: Uint8Array;
  readonly limits: SessionLimits;
  readonly #clock: ClientClock;
  readonly #onRoom: () => void;
  readonly #outbox = new Outbox<FrameTag>();
  readonly #inbox = new Inbox();
  #link: Link | undefined;
  #bucket: TokenBucket;
  #packetSize = new PacketSize();
  #nextBinding = 1;
  #flushing = false;
  #acknowledgeNow = false;
  #ackTimer: { cancel(): void } | undefined;
  #paceTimer: { cancel(): void } | undefined;

  constructor(clock: ClientClock, token: Uint8Array, limits: SessionLimits, onRoom: () => void) {
    this.#clock = clock;
    this.token = token;
    this.limits = limits;
    this.#onRoom = onRoom;
    this.#bucket = this.#newBucket();
  }

  /** The last frame of the gateway that has arrived: what `Hello.resume` tells. */
  get received(): number {
    return this.#inbox.received;
  }

  get bufferedBytes(): number {
    return this.#outbox.bytes;
  }

  get bufferedFrames(): number {
    return this.#outbox.count;
  }

  /** Whether everything that was sent is acknowledged. */
  get idle(): boolean {
    return this.#outbox.count === 0;
  }

  /** A number for a new binding. */
  nextBinding(): number {
    return this.#nextBinding++;
  }

  /** The session's first connection. */
  begin(link: Link): void {
    this.#link = link;
  }

  /** A later one. False: the gateway acknowledges what it was never sent, or has forgotten what it acknowledged. */
  resume(link: Link, acknowledged: number): boolean {
    if (!this.#outbox.rewind(acknowledged)) return false;
    this.#link = link;
    this.#bucket = this.#newBucket();
    this.#packetSize = new PacketSize();
    this.#onRoom();
    this.#flushSoon();
    return true;
  }

  /** The connection is gone; the session may go on. */
  detach(): void {
    this.#link = undefined;
    this.#ackTimer?.cancel();
    this.#paceTimer?.cancel();
    this.#ackTimer = this.#paceTimer = undefined;
    this.#acknowledgeNow = false;
  }

  /** Whether the gateway would read a frame of this size. */
  fits(frame: Uint8Array): boolean {
    return frame.length + PACKET_OVERHEAD_BYTES <= this.limits.maxMessageBytes;
  }

  /** Numbers a frame and sends it as soon as it may go. False: it is too large, and nothing was done. */
  append(frame: ClientFrame, tag: FrameTag): boolean {
    const bytes = encodeClientFrame(frame);
    if (!this.fits(bytes)) return false;
    this.#outbox.append(bytes, tag);
    this.#flushSoon();
    return true;
  }

  /** Takes in a packet. Returns the frames that are new, or `undefined` if the gateway broke the protocol. */
  receive(packet: GatewayPacket, bytes: number): readonly GatewayFrame[] | undefined {
    const repeats = this.#inbox.accept(packet.first, packet.frames.length, bytes);
    if (repeats === undefined || !this.#outbox.acknowledge(packet.acknowledged)) return undefined;
    if (packet.ping !== undefined) {
      this.#link?.send(encodeClientPacket({ acknowledged: this.#inbox.acknowledgement(), pong: packet.ping }));
    }
    this.#oweAcknowledgement();
    this.#onRoom();
    if (this.#outbox.waiting > 0) this.#flushSoon();
    return repeats === 0 ? packet.frames : packet.frames.slice(repeats);
  }

  /** Everything that the gateway has not acknowledged, oldest first, with whether it was ever written to a socket. */
  unacknowledged(): Iterable<{ readonly tag: FrameTag; readonly written: boolean }> {
    return this.#outbox.unacknowledged();
  }

  #newBucket(): TokenBucket {
    return new TokenBucket(this.limits.framesPerSecond, this.limits.burstFrames, this.#clock.nowMs());
  }

  #oweAcknowledgement(): void {
    if (this.#inbox.owed === 0) return;
    if (this.#inbox.owed >= ACK_FRAMES || this.#inbox.owedBytes >= ACK_BYTES) {
      this.#acknowledgeNow = true;
      this.#flushSoon();
    } else {
      this.#ackTimer ??= this.#clock.after(ACK_DELAY_MS, () => {
        this.#ackTimer = undefined;
        this.#acknowledgeNow = true;
        this.#flush();
      });
    }
  }

  #flushSoon(): void {
    if (this.#flushing || this.#link === undefined) return;
    this.#flushing = true;
    defer(() => {
      this.#flushing = false;
      this.#flush();
    });
  }

  #flush(): void {
    const link = this.#link;
    if (link === undefined) return;
    const nowMs = this.#clock.nowMs();
    const mostBytes = this.limits.maxMessageBytes - PACKET_OVERHEAD_BYTES;
    for (;;) {
      const room = this.limits.windowFrames - this.#outbox.inFlight;
      const frames = Math.min(room, this.#bucket.available(nowMs));
      if (frames <= 0 || this.#outbox.waiting === 0) break;
      const batch = this.#outbox.take(frames, Math.min(this.#packetSize.next(), mostBytes));
      if (batch === undefined) break;
      this.#bucket.take(batch.frames.length, nowMs);
      link.send(encodeClientPacket({ ...batch, acknowledged: this.#inbox.acknowledgement() }));
    }
    if (this.#outbox.waiting > 0 && this.#outbox.inFlight < this.limits.windowFrames) {
      this.#paceTimer ??= this.#clock.after(Math.max(PACE_MS, this.#bucket.msUntilOne(nowMs)), () => {
        this.#paceTimer = undefined;
        this.#flush();
      });
    }
    if (this.#acknowledgeNow && this.#inbox.owed > 0) {
      link.send(encodeClientPacket({ acknowledged: this.#inbox.acknowledgement() }));
    }
    this.#acknowledgeNow = false;
  }
}
