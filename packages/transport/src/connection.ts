import type { Clock, TimerHandle } from "@rehome/core";
import type { ByteStream, ProvenIdentity, StreamHandler } from "./byte-stream.ts";
import { ProtocolViolation } from "./errors.ts";
import { Outbox } from "./outbox.ts";
import type { RecordPool } from "./record-pool.ts";
import type { SlabPool } from "./slab-pool.ts";
import { UnitReader } from "./unit-reader.ts";
import type { UnitSink } from "./unit-reader.ts";
import type { UnitBody } from "./units.ts";

/** Who speaks on a connection: first the handshake, then the link. */
export interface ConnectionOwner extends UnitSink {
  /** The last chance to add to what is about to be written. */
  beforeFlush(): void;
  /** The other end, or the network, ended the connection. Not called when this end did. */
  onClosed(reason: string): void;
  /** The peer broke the rules; the owner decides what else ends, and must end this connection. */
  onViolation(reason: string): void;
}

/** What all connections of a transport share. */
export interface ConnectionContext {
  readonly clock: Clock;
  readonly lingerMs: number;
  readonly pool: RecordPool;
  readonly slabs: SlabPool;
  defer(fn: () => void): void;
  /** Every connection that has a socket still, so that `close` can wait for the last one. */
  readonly open: Set<Connection>;
  /** Those of them that carry no link: not yet, or not any more. */
  readonly unlinked: Set<Connection>;
  /** Called when a connection's socket is gone. */
  onGone(): void;
}

/** One byte stream, cut into units on the way in and gathered per tick on the way out. */
export class Connection implements StreamHandler, UnitSink {
  readonly outbox: Outbox;
  private readonly stream: ByteStream;
  private readonly context: ConnectionContext;
  private readonly reader: UnitReader;
  private readonly flushNow = (): void => this.flush();
  private owner: ConnectionOwner;
  private state: "open" | "closing" | "gone" = "open";
  private flushIsDue = false;
  /** The stream took less than it was offered, and will say when there is room. */
  private waitsForRoom = false;
  /** Whoever adds to the outbox now does so because of what is being read. */
  private isReading = false;
  /** Nothing is written any more. */
  private endWritten = false;
  private lingerTimer: TimerHandle | undefined;

  constructor(stream: ByteStream, context: ConnectionContext, owner: ConnectionOwner) {
    this.stream = stream;
    this.reader = new UnitReader(this, context.pool);
    this.outbox = new Outbox(context.slabs);
    this.context = context;
    this.owner = owner;
    this.outbox.appendPreface();
    context.open.add(this);
    context.unlinked.add(this);
  }

  get remote(): string {
    return this.stream.remote;
  }

  get proven(): ProvenIdentity | undefined {
    return this.stream.proven;
  }

  get isOpen(): boolean {
    return this.state === "open";
  }

  start(): void {
    this.stream.start(this);
  }

  /** From now on the connection is a link's. */
  adopt(link: ConnectionOwner): void {
    this.owner = link;
    this.context.unlinked.delete(this);
  }

  /**
   * Writes what has been added to the outbox once this read, or else this tick's work, is done; what fills a whole write,
   * at once, so that the peer is not idle until then.
   */
  scheduleFlush(): void {
    if (this.outbox.hasFullSlab && this.state === "open" && !this.waitsForRoom)
      this.waitsForRoom = !this.outbox.writeFullSlabsTo(this.stream);
    if (this.flushIsDue || this.state === "gone") return;
    this.flushIsDue = true;
    if (!this.isReading) this.context.defer(this.flushNow);
  }

  /** Reads nothing more, writes what is in the outbox, and ends. Drops the connection if that takes too long. */
  closeGently(): void {
    if (this.state !== "open") return;
    this.state = "closing";
    this.context.unlinked.add(this);
    this.reader.stop();
    this.lingerTimer = this.context.clock.after(this.context.lingerMs, () => this.destroy());
    this.scheduleFlush();
  }

  /** Drops the connection at once. */
  destroy(): void {
    if (this.state === "gone") return;
    this.state = "closing";
    this.endWritten = true;
    this.reader.stop();
    this.stream.destroy();
  }

  // What the stream reports.

  onData(bytes: Uint8Array): void {
    if (this.state !== "open") return;
    // Answers to a read are written when it is over, all at once; waiting for other connections would only make them late.
    this.isReading = !this.flushIsDue;
    try {
      this.reader.push(bytes);
    } catch (error) {
      if (!(error instanceof ProtocolViolation)) throw error;
      this.reader.stop();
      this.owner.onViolation(error.message);
    } finally {
      const answers = this.isReading && this.flushIsDue;
      this.isReading = false;
      if (answers) this.flush();
    }
  }

  onDrain(): void {
    // Some runtimes call it unasked, for example once a connection is there: an acceptor would then speak first.
    if (this.waitsForRoom) this.flush();
  }

  onClose(reason: string): void {
    if (this.state === "gone") return;
    const wasOpen = this.state === "open";
    this.state = "gone";
    this.reader.stop();
    this.lingerTimer?.cancel();
    this.context.open.delete(this);
    this.context.unlinked.delete(this);
    if (wasOpen) this.owner.onClosed(reason);
    this.context.onGone();
  }

  // What the reader reports, to whoever owns the connection by now.

  limitOf(kind: number): number {
    return this.owner.limitOf(kind);
  }

  onUnit(kind: number, body: UnitBody): void {
    this.owner.onUnit(kind, body);
  }

  onUnknownVersion(version: number): void {
    this.owner.onUnknownVersion(version);
  }

  private flush(): void {
    this.flushIsDue = false;
    this.waitsForRoom = false;
    if (this.state === "gone" || this.endWritten) return;
    for (;;) {
      if (this.state === "open") this.owner.beforeFlush();
      if (this.outbox.writtenBytes === this.outbox.appendedBytes) break;
      if (!this.outbox.writeTo(this.stream)) {
        this.waitsForRoom = true;
        return;
      }
    }
    if (this.state === "closing") {
      this.endWritten = true;
      this.stream.close();
    }
  }
}
