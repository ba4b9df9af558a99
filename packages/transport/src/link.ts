import type { Clock, LinkLossReason, PeerIdentity, Random, SendResult, TimerHandle, TrafficClass } from "@rehome/core";
import { decodeRecord, encodeRecord, WireError } from "@rehome/wire";
import type { Command } from "@rehome/wire";
import type { Connection, ConnectionOwner } from "./connection.ts";
import { ProtocolViolation } from "./errors.ts";
import type { TransportLimits } from "./limits.ts";
import { Liveness } from "./liveness.ts";
import { Outbox } from "./outbox.ts";
import type { LinkTerms } from "./open-unit.ts";
import type { RecordPool } from "./record-pool.ts";
import {
  encodeFramesUnit,
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

/** A peer asks every few seconds: one that has this many questions unanswered does not read what it asked for. */
const MAX_UNSENT_ANSWERS = 8;

export interface LinkHost {
  readonly clock: Clock;
  readonly random: Random;
  readonly limits: TransportLimits;
  readonly pool: RecordPool;
  onRecord(link: Link, frames: readonly Uint8Array[]): void;
  onDrained(link: Link): void;
  /** A record that no link to this peer can carry, however empty. */
  onUnsendable(link: Link, frames: number, bytes: number): void;
  /** Once, and the last call. `detail` is for the log. */
  onLost(link: Link, loss: LinkLoss): void;
}

export interface LinkLoss {
  readonly reason: LinkLossReason;
  readonly detail: string;
  readonly unacknowledged: readonly (readonly Uint8Array[])[];
}

/**
 * The numbered, acknowledged sequence of records between two runs of nodes, in both directions, on one connection
 * (`protocol.md` N1–N3, L2).
 */
export class Link implements ConnectionOwner {
  readonly peer: PeerIdentity;
  /** The peer's connection attempts up to this one are over. */
  readonly peerAttempt: number;
  readonly sinceMs: number;
  private readonly host: LinkHost;
  private readonly connection: Connection;
  private readonly liveness: Liveness;
  private readonly maxRecordBytes: number;
  private state: "up" | "ending" | "lost" = "up";
  private received = 0;
  private acknowledgementSent = 0;
  private unacknowledgedBytes = 0;
  private acknowledgementTimer: TimerHandle | undefined;
  /** Where in the outgoing bytes the newest acknowledgement, and the newest answer to a probe, ends. */
  private acknowledgementEnd = 0;
  private answersEnd = 0;
  private unsentAnswers = 0;
  private owesDrained = false;

  constructor(host: LinkHost, connection: Connection, peer: PeerIdentity, theirs: LinkTerms) {
    this.host = host;
    this.connection = connection;
    this.peer = peer;
    this.peerAttempt = theirs.attempt;
    this.sinceMs = host.clock.nowMs();
    this.maxRecordBytes = Math.min(host.limits.maxRecordBytes, theirs.maxRecordBytes);
    this.liveness = new Liveness({
      clock: host.clock,
      random: host.random,
      probeMs: host.limits.livenessProbeMs,
      timeoutMs: host.limits.livenessTimeoutMs,
      onProbe: (probeId) => this.sendAboutConnection({ command: "livenessProbe", probeId }),
      onDead: () => this.lose("livenessTimeout", "no answer to a liveness probe"),
    });
    connection.adopt(this);
  }

  get remote(): string {
    return this.connection.remote;
  }

  /** Whether the peer has acknowledged everything. */
  get isSettled(): boolean {
    return this.connection.outbox.acknowledgedThrough === this.connection.outbox.lastNumber;
  }

  /** See `Transport.send`. */
  send(frames: readonly Uint8Array[], traffic: TrafficClass): SendResult {
    if (this.state !== "up") return "noLink";
    const { limits } = this.host;
    const outbox = this.connection.outbox;
    const size = Outbox.recordBytes(frames);
    if (!this.fits(frames, size)) return "refused";
    const after = outbox.outstandingBytes + size;
    if (after > limits.maxDataBytes + (traffic === "control" ? limits.controlReserveBytes : 0)) {
      if (traffic === "data") {
        this.owesDrained = true;
        return "refused";
      }
      // The handler is told later, never from within a call of its own.
      this.lose("connectionClosed", "the peer does not acknowledge: the resend buffer is full");
      return "noLink";
    }
    outbox.appendRecord(frames, size);
    this.connection.scheduleFlush();
    if (after <= limits.queueMarkBytes) return "accepted";
    this.owesDrained = true;
    return "backedUp";
  }

  /** Sends nothing more than what is queued, says so to the peer, and delivers nothing any more. */
  beginEnd(): void {
    if (this.state !== "up") return;
    this.state = "ending";
    this.sayEnd();
  }

  /** Ends the link from this side. */
  lose(reason: LinkLossReason, detail: string): void {
    if (this.state === "lost") return;
    if (this.state === "up" && reason === "closedLocally") this.sayEnd();
    this.finish(reason, detail);
    if (reason === "closedLocally") this.connection.closeGently();
    else this.connection.destroy();
  }

  // What the connection reports.

  limitOf(kind: number): number {
    switch (kind) {
      case unitKind.record:
        return (
          NUMBER_BYTES + this.host.limits.maxRecordBytes + this.host.limits.maxFramesPerRecord * FRAME_HEADER_BYTES
        );
      case unitKind.acknowledge:
      case unitKind.end:
        return NUMBER_BYTES;
      case unitKind.connection:
        return this.host.limits.maxHandshakeBytes;
      default:
        return kind >= FIRST_SKIPPABLE_KIND ? this.host.limits.maxHandshakeBytes : -1;
    }
  }

  onUnit(kind: number, body: UnitBody): void {
    switch (kind) {
      case unitKind.record:
        return this.onRecordUnit(body);
      case unitKind.acknowledge:
        return this.onAcknowledgement(readNumberBody(body));
      case unitKind.connection:
        return this.onAboutConnection(body);
      default:
        return this.onPeerEnds(readNumberBody(body));
    }
  }

  onUnknownVersion(version: number): void {
    this.onViolation(`another version (${version}) within a connection`);
  }

  beforeFlush(): void {
    const outbox = this.connection.outbox;
    // One that is still waiting to be written will do: while the peer does not read, nothing must pile up for it.
    if (outbox.writtenBytes >= this.acknowledgementEnd) this.acknowledge();
  }

  onClosed(reason: string): void {
    this.finish("connectionClosed", reason);
  }

  onViolation(reason: string): void {
    this.lose("protocolViolation", reason);
  }

  private onRecordUnit(body: UnitBody): void {
    if (body.end - body.start < NUMBER_BYTES) throw new ProtocolViolation("a record without a number");
    const number = readNumber(body.bytes, body.start);
    // A sender that ends the link delivers nothing any more, and acknowledges nothing that it did not deliver.
    if (this.state !== "up") return;
    // A repeat: it was received before.
    if (number <= this.received) return;
    if (number !== this.received + 1) throw new ProtocolViolation("a record out of its turn");
    const frames = this.framesOf(body);
    this.received = number;
    this.oweAcknowledgement(body.end - body.start);
    this.host.onRecord(this, frames);
  }

  private framesOf(body: UnitBody): Uint8Array[] {
    const { maxFramesPerRecord } = this.host.limits;
    const start = body.start + NUMBER_BYTES;
    if (body.owned) return readFrames(body.bytes, start, body.end, maxFramesPerRecord);
    const copy = this.host.pool.copy(body.bytes, start, body.end);
    return readFrames(copy, 0, copy.length, maxFramesPerRecord);
  }

  private oweAcknowledgement(bytes: number): void {
    const { limits, clock } = this.host;
    this.unacknowledgedBytes += bytes;
    const records = this.received - this.acknowledgementSent;
    if (this.unacknowledgedBytes >= limits.ackAfterBytes || records >= limits.ackAfterRecords) {
      this.connection.scheduleFlush();
      return;
    }
    this.acknowledgementTimer ??= clock.after(limits.ackDelayMs, () => {
      this.acknowledgementTimer = undefined;
      if (this.received !== this.acknowledgementSent) this.connection.scheduleFlush();
    });
  }

  private onAcknowledgement(number: number): void {
    const outbox = this.connection.outbox;
    outbox.acknowledge(number);
    if (this.owesDrained && outbox.outstandingBytes * 2 <= this.host.limits.queueMarkBytes) {
      this.owesDrained = false;
      if (this.state === "up") this.host.onDrained(this);
    }
    if (this.state === "ending" && this.isSettled) this.lose("closedLocally", "closed");
  }

  private onAboutConnection(body: UnitBody): void {
    const command = decodeOrRefuse(readFrames(body.bytes, body.start, body.end, this.host.limits.maxFramesPerRecord));
    switch (command.command) {
      case "livenessProbe":
        return this.answerProbe(command.probeId);
      case "livenessAck":
        return this.liveness.answer(command.probeId);
      case "update":
        // Nothing that this end keeps of a peer can change during a run: only that the update is the peer's own counts.
        if (
          command.admission.nodeRid !== this.peer.nodeRid ||
          command.admission.lifecycleGeneration !== this.peer.nodeGeneration
        )
          throw new ProtocolViolation("an update about somebody else");
        return;
      default:
        throw new ProtocolViolation(`${command.command} outside the numbered records`);
    }
  }

  private answerProbe(probeId: bigint): void {
    const outbox = this.connection.outbox;
    if (outbox.writtenBytes >= this.answersEnd) this.unsentAnswers = 0;
    this.unsentAnswers += 1;
    if (this.unsentAnswers > MAX_UNSENT_ANSWERS) throw new ProtocolViolation("probes without reading the answers");
    this.sendAboutConnection({ command: "livenessAck", probeId });
    this.answersEnd = outbox.appendedBytes;
  }

  private sendAboutConnection(command: Command): void {
    this.connection.outbox.appendUnit(encodeFramesUnit(unitKind.connection, encodeRecord(command)));
    this.connection.scheduleFlush();
  }

  private onPeerEnds(last: number): void {
    if (this.state === "ending") {
      // Both ends stop at once: neither takes records any more, so no acknowledgement is to come.
      this.lose("closedLocally", "closed by both ends");
      return;
    }
    if (last !== this.received) throw new ProtocolViolation("an end before its last record");
    this.acknowledge();
    this.finish("connectionClosed", "the peer closed the link");
    this.connection.closeGently();
  }

  private sayEnd(): void {
    const outbox = this.connection.outbox;
    this.acknowledge();
    outbox.appendUnit(encodeNumberUnit(unitKind.end, outbox.lastNumber));
    this.connection.scheduleFlush();
  }

  private acknowledge(): void {
    if (this.received === this.acknowledgementSent) return;
    const outbox = this.connection.outbox;
    outbox.appendUnit(encodeNumberUnit(unitKind.acknowledge, this.received));
    this.acknowledgementSent = this.received;
    this.acknowledgementEnd = outbox.appendedBytes;
    this.unacknowledgedBytes = 0;
  }

  private finish(reason: LinkLossReason, detail: string): void {
    if (this.state === "lost") return;
    const why = this.state === "ending" ? "closedLocally" : reason;
    this.state = "lost";
    this.liveness.stop();
    this.acknowledgementTimer?.cancel();
    this.host.onLost(this, { reason: why, detail, unacknowledged: this.connection.outbox.unacknowledged() });
  }

  private fits(frames: readonly Uint8Array[], size: number): boolean {
    const bytes = size - Outbox.recordBytes([]) - frames.length * FRAME_HEADER_BYTES;
    if (bytes <= this.maxRecordBytes && frames.length > 0 && frames.length <= this.host.limits.maxFramesPerRecord)
      return true;
    this.host.onUnsendable(this, frames.length, bytes);
    return false;
  }
}

function decodeOrRefuse(frames: readonly Uint8Array[]): Command {
  try {
    return decodeRecord(frames);
  } catch (error) {
    if (error instanceof WireError) throw new ProtocolViolation(error.message);
    throw error;
  }
}
