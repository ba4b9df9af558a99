import type { Clock, LinkLossReason, PeerIdentity, Random, SendResult, TrafficClass } from "@rehome/core";
import type { Connection, ConnectionOwner } from "./connection.ts";
import { ProtocolViolation } from "./errors.ts";
import { Inbox } from "./inbox.ts";
import type { TransportLimits } from "./limits.ts";
import { Outbox, RECORD_OVERHEAD_BYTES } from "./outbox.ts";
import { Pulse } from "./pulse.ts";
import { copyBytes } from "./record-pool.ts";
import {
  encodeNumberUnit,
  FIRST_SKIPPABLE_KIND,
  FRAME_HEADER_BYTES,
  NUMBER_BYTES,
  readFrames,
  readNumber,
  readNumberBody,
  unitKind,
} from "./units.ts";
import type { UnitBody } from "./units.ts";

export interface LinkHost {
  readonly clock: Clock;
  readonly random: Random;
  readonly limits: TransportLimits;
  onRecord(link: Link, frames: readonly Uint8Array[]): void;
  onDrained(link: Link): void;
  /** A record that no link to this peer can carry, however empty. */
  onUnsendable(link: Link, frames: number, bytes: number): void;
  /** The connection is gone, the link is not. `worked`: bytes had travelled on it in both directions. */
  onInterrupted(link: Link, reason: string, worked: boolean): void;
  /** It goes on, over a new connection. */
  onResumed(link: Link): void;
  /** Once, and the last call. `detail` is for the log. */
  onLost(link: Link, loss: LinkLoss): void;
}

export interface LinkLoss {
  readonly reason: LinkLossReason;
  readonly detail: string;
  readonly unacknowledged: readonly (readonly Uint8Array[])[];
}

/** What a handshake has settled about a link that begins. */
export interface LinkBeginning {
  readonly peer: PeerIdentity;
  readonly linkId: Uint8Array;
  /** The peer's connection attempts up to this one are over. */
  readonly peerAttempt: number;
  readonly peerMaxRecordBytes: number;
}

/** What carries the link. `ending`: this end closes it on purpose, and waits for what the peer has had. */
type Carrier =
  | { readonly at: "up"; readonly connection: Connection }
  | { readonly at: "interrupted" }
  | { readonly at: "ending"; readonly connection: Connection }
  | { readonly at: "lost" };

const INTERRUPTED: Carrier = { at: "interrupted" };
const LOST: Carrier = { at: "lost" };

/**
 * The numbered, acknowledged sequence of records between two runs of nodes, in both directions, over one connection after
 * the other (`protocol.md` N1–N3, L2).
 */
export class Link implements ConnectionOwner {
  readonly id: Uint8Array;
  readonly peer: PeerIdentity;
  readonly sinceMs: number;
  private readonly host: LinkHost;
  private readonly maxRecordBytes: number;
  private readonly inbox: Inbox;
  private readonly pulse: Pulse;
  private carrier: Carrier;
  /** The outbox of the connection of now, or of the last one. It keeps every record that is not acknowledged. */
  private outbox: Outbox;
  private attempt: number;
  private lastRemote: string;
  /** Where in the outgoing bytes the newest acknowledgement ends. */
  private acknowledgementEnd = 0;
  private owesDrained = false;

  constructor(host: LinkHost, connection: Connection, beginning: LinkBeginning) {
    const { clock, random, limits } = host;
    this.host = host;
    this.id = beginning.linkId;
    this.peer = beginning.peer;
    this.attempt = beginning.peerAttempt;
    this.sinceMs = clock.nowMs();
    this.maxRecordBytes = Math.min(limits.maxRecordBytes, beginning.peerMaxRecordBytes);
    this.carrier = { at: "up", connection };
    this.outbox = connection.outbox;
    this.lastRemote = connection.remote;
    this.inbox = new Inbox({ clock, limits, onDue: () => this.scheduleFlush() });
    this.pulse = new Pulse({
      clock,
      random,
      limits,
      peer: beginning.peer,
      outbox: () => {
        this.scheduleFlush();
        return this.outbox;
      },
      onDead: () => this.lose("livenessTimeout", "no answer to a liveness probe"),
    });
    connection.adopt(this);
  }

  get remote(): string {
    return this.lastRemote;
  }

  /** The peer's connection attempts up to this one are over. */
  get peerAttempt(): number {
    return this.attempt;
  }

  get isUp(): boolean {
    return this.carrier.at === "up";
  }

  get isInterrupted(): boolean {
    return this.carrier.at === "interrupted";
  }

  /** Nothing of the peer has arrived on it: to the peer, it may not have begun. */
  get isUnheard(): boolean {
    return this.inbox.receivedThrough === 0 && this.outbox.acknowledgedThrough === 0;
  }

  get receivedThrough(): number {
    return this.inbox.receivedThrough;
  }

  /** Whether the peer has acknowledged everything. */
  get isSettled(): boolean {
    return this.outbox.acknowledgedThrough === this.outbox.lastNumber;
  }

  /** See `Transport.send`. */
  send(frames: readonly Uint8Array[], traffic: TrafficClass): SendResult {
    if (this.carrier.at !== "up" && this.carrier.at !== "interrupted") return "noLink";
    const { limits } = this.host;
    const size = Outbox.recordBytes(frames);
    if (!this.fits(frames, size)) return "tooLarge";
    const after = this.outbox.outstandingBytes + size;
    if (after > limits.maxDataBytes + (traffic === "control" ? limits.controlReserveBytes : 0)) {
      if (traffic === "data") {
        this.owesDrained = true;
        return "refused";
      }
      // The handler is told later, never from within a call of its own.
      this.lose("resendBufferFull", "the peer does not acknowledge, and control finds no room any more");
      return "noLink";
    }
    this.outbox.appendRecord(frames, size);
    this.scheduleFlush();
    if (after <= limits.queueMarkBytes) return "accepted";
    this.owesDrained = true;
    return "backedUp";
  }

  /** Whether the peer can have received just so much of what was sent. */
  canContinueFrom(receivedThrough: number): boolean {
    return receivedThrough >= this.outbox.acknowledgedThrough && receivedThrough <= this.outbox.lastNumber;
  }

  /**
   * Goes on over this connection, from what the peer says it has received; it has been told what this end has. Whatever
   * carried the link before has nothing to say any more.
   */
  resume(connection: Connection, receivedThrough: number, peerAttempt: number): void {
    const before = this.carrier;
    this.carrier = { at: "up", connection };
    this.attempt = peerAttempt;
    this.lastRemote = connection.remote;
    const earlier = this.outbox;
    this.outbox = connection.outbox;
    this.acknowledgementEnd = 0;
    this.inbox.tell();
    // Ahead of what is sent again, so that its answer is not late for that.
    this.pulse.resumed();
    this.outbox.continueFrom(earlier, receivedThrough);
    connection.adopt(this);
    this.scheduleFlush();
    if (before.at === "up") before.connection.destroy();
    this.host.onResumed(this);
    this.sayDrained();
  }

  /** Sends nothing more than what is queued, says so to the peer, and delivers nothing any more. */
  beginEnd(): void {
    if (this.carrier.at === "interrupted") return this.lose("closedLocally", "closed while it was interrupted");
    if (this.carrier.at !== "up") return;
    this.carrier = { at: "ending", connection: this.carrier.connection };
    this.sayEnd();
  }

  /** Ends the link from this side. */
  lose(reason: LinkLossReason, detail: string): void {
    const { carrier } = this;
    if (carrier.at === "lost") return;
    if (carrier.at === "up" && reason === "closedLocally") this.sayEnd();
    this.finish(reason, detail);
    if (carrier.at === "interrupted") return;
    if (reason === "closedLocally") carrier.connection.closeGently();
    else carrier.connection.destroy();
  }

  // What the connection reports.

  limitOf(kind: number): number {
    const { maxRecordBytes, maxFramesPerRecord, maxHandshakeBytes } = this.host.limits;
    switch (kind) {
      case unitKind.record:
        return NUMBER_BYTES + maxRecordBytes + maxFramesPerRecord * FRAME_HEADER_BYTES;
      case unitKind.acknowledge:
      case unitKind.end:
        return NUMBER_BYTES;
      case unitKind.connection:
        return maxHandshakeBytes;
      default:
        return kind >= FIRST_SKIPPABLE_KIND ? maxHandshakeBytes : -1;
    }
  }

  onUnit(kind: number, body: UnitBody): void {
    switch (kind) {
      case unitKind.record:
        return this.onRecordUnit(body);
      case unitKind.acknowledge:
        return this.onAcknowledgement(readNumberBody(body));
      case unitKind.connection:
        return this.pulse.onUnit(body);
      default:
        return this.onPeerEnds(readNumberBody(body));
    }
  }

  onUnknownVersion(version: number): void {
    this.onViolation(`another version (${version}) within a connection`);
  }

  beforeFlush(): void {
    // One that is still waiting to be written will do: while the peer does not read, nothing must pile up for it.
    if (this.outbox.writtenBytes >= this.acknowledgementEnd) this.acknowledge();
  }

  onClosed(reason: string): void {
    if (this.carrier.at === "ending") return this.finish("closedLocally", reason);
    this.carrier = INTERRUPTED;
    const worked = this.pulse.hasAnswered;
    this.inbox.stop();
    this.pulse.interrupted();
    this.host.onInterrupted(this, reason, worked);
  }

  onViolation(reason: string): void {
    this.lose("protocolViolation", reason);
  }

  private onRecordUnit(body: UnitBody): void {
    if (body.end - body.start < NUMBER_BYTES) throw new ProtocolViolation("a record without a number");
    const number = readNumber(body.bytes, body.start);
    // A sender that ends the link delivers nothing any more, and acknowledges nothing that it did not deliver.
    if (this.carrier.at !== "up" || !this.inbox.isDue(number)) return;
    const frames = this.framesOf(body);
    this.inbox.took(body.end - body.start);
    this.host.onRecord(this, frames);
  }

  private framesOf(body: UnitBody): Uint8Array[] {
    const { maxFramesPerRecord } = this.host.limits;
    const start = body.start + NUMBER_BYTES;
    if (body.owned) return readFrames(body.bytes, start, body.end, maxFramesPerRecord);
    const copy = copyBytes(body.bytes, start, body.end);
    return readFrames(copy, 0, copy.length, maxFramesPerRecord);
  }

  private onAcknowledgement(number: number): void {
    this.outbox.acknowledge(number);
    this.sayDrained();
    if (this.carrier.at === "ending" && this.isSettled) this.lose("closedLocally", "closed");
  }

  private onPeerEnds(last: number): void {
    if (this.carrier.at === "ending") {
      // Both ends stop at once: neither takes records any more, so no acknowledgement is to come.
      this.lose("closedLocally", "closed by both ends");
      return;
    }
    if (last !== this.inbox.receivedThrough) throw new ProtocolViolation("an end before its last record");
    this.acknowledge();
    const { carrier } = this;
    this.finish("closedByPeer", "the peer closed the link");
    if (carrier.at === "up") carrier.connection.closeGently();
  }

  private sayEnd(): void {
    this.acknowledge();
    this.outbox.appendUnit(encodeNumberUnit(unitKind.end, this.outbox.lastNumber));
    this.scheduleFlush();
  }

  private acknowledge(): void {
    if (!this.inbox.owesAcknowledgement) return;
    this.inbox.tell();
    this.outbox.appendUnit(encodeNumberUnit(unitKind.acknowledge, this.inbox.receivedThrough));
    this.acknowledgementEnd = this.outbox.appendedBytes;
  }

  private sayDrained(): void {
    if (!this.owesDrained || this.outbox.outstandingBytes * 2 > this.host.limits.queueMarkBytes) return;
    this.owesDrained = false;
    if (this.carrier.at === "up") this.host.onDrained(this);
  }

  private scheduleFlush(): void {
    if (this.carrier.at === "up" || this.carrier.at === "ending") this.carrier.connection.scheduleFlush();
  }

  private finish(reason: LinkLossReason, detail: string): void {
    if (this.carrier.at === "lost") return;
    const why = this.carrier.at === "ending" ? "closedLocally" : reason;
    this.carrier = LOST;
    this.pulse.stop();
    this.inbox.stop();
    this.host.onLost(this, { reason: why, detail, unacknowledged: this.outbox.unacknowledged() });
  }

  private fits(frames: readonly Uint8Array[], size: number): boolean {
    const bytes = size - RECORD_OVERHEAD_BYTES - frames.length * FRAME_HEADER_BYTES;
    if (bytes <= this.maxRecordBytes && frames.length > 0 && frames.length <= this.host.limits.maxFramesPerRecord)
      return true;
    this.host.onUnsendable(this, frames.length, bytes);
    return false;
  }
}
