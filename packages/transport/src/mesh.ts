import type {
  Clock,
  LinkLossReason,
  LocalIdentity,
  Log,
  PeerAddress,
  PeerIdentity,
  Random,
  SendResult,
  TrafficClass,
  TransportHandler,
} from "@rehome/core";
import { encodeRecord, ridToDisplay } from "@rehome/wire";
import type { Admission, Admit, Hello, RejectReason, Rid } from "@rehome/wire";
import { Acceptor } from "./acceptor.ts";
import type { AcceptorHost } from "./acceptor.ts";
import { admissionOf, doubtOf, judgeAdmission } from "./admission.ts";
import type { AdmissionVerdict } from "./admission.ts";
import type { ByteStream, ProvenIdentity, StreamAdapter } from "./byte-stream.ts";
import { Connection } from "./connection.ts";
import type { ConnectionContext, ConnectionOwner } from "./connection.ts";
import { Dialer } from "./dialer.ts";
import type { DialerHost } from "./dialer.ts";
import { HandlerGate } from "./handler-gate.ts";
import type { TransportLimits } from "./limits.ts";
import { Link } from "./link.ts";
import type { LinkHost, LinkLoss } from "./link.ts";
import { LogThrottle } from "./log-throttle.ts";
import { encodeAdmitUnit, encodeHelloUnit, LINK_ID_BYTES } from "./open-unit.ts";
import type { HelloTerms, LinkTerms } from "./open-unit.ts";
import { PeerTable } from "./peer-table.ts";
import type { PeerEntry } from "./peer-table.ts";
import { RecordPool } from "./record-pool.ts";
import { judgeHello } from "./resolution.ts";

export interface MeshOptions {
  readonly adapter: StreamAdapter;
  readonly limits: TransportLimits;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly identity: LocalIdentity;
  readonly handler: TransportHandler;
  readonly endpoint: string;
}

/** A listening node's peers: who is linked, who is wanted, who is let in. */
export class Mesh implements AcceptorHost, DialerHost, LinkHost, ConnectionContext {
  readonly adapter: StreamAdapter;
  readonly limits: TransportLimits;
  readonly clock: Clock;
  readonly random: Random;
  readonly strangers: LogThrottle;
  readonly pool = new RecordPool();
  readonly open = new Set<Connection>();
  private readonly log: Log;
  private readonly identity: LocalIdentity;
  private readonly admission: Admission;
  private readonly gate: HandlerGate;
  private readonly acceptor: Acceptor = new Acceptor(this);
  private readonly peers = new PeerTable();
  /** Counts this run's connection attempts, so that a peer can tell an old one from a new one. */
  private attempts = 0;
  private closing: { settle(): void } | undefined;

  constructor(options: MeshOptions) {
    this.adapter = options.adapter;
    this.limits = options.limits;
    this.clock = options.clock;
    this.random = options.random;
    this.log = options.log;
    this.identity = options.identity;
    this.strangers = new LogThrottle(options.log, options.clock);
    this.admission = admissionOf(options.identity, options.endpoint, options.adapter.securityIdentity);
    this.gate = new HandlerGate({ handler: options.handler, log: options.log, defer: (fn) => this.defer(fn) });
  }

  get lingerMs(): number {
    return this.limits.lingerMs;
  }

  get unlinkedConnections(): number {
    return this.open.size - this.peers.linkCount;
  }

  // What `Transport` asks for.

  accept(stream: ByteStream): void {
    if (this.closing !== undefined) return stream.destroy();
    const doubt = this.doubt(stream.proven);
    if (doubt === undefined) return this.acceptor.accept(stream);
    this.strangers.write("warn", "connection.dropped", { remote: stream.remote, cause: "identity", detail: doubt });
    stream.destroy();
  }

  connect(address: PeerAddress): void {
    if (address.nodeRid === this.identity.nodeRid) return this.onDialFailed(address, "this node itself");
    const entry = this.peers.findOrAdd(address.nodeRid);
    if (address.nodeGeneration < entry.knownGeneration)
      return this.onDialFailed(address, `an older run: generation ${entry.knownGeneration} is known`);
    entry.knownGeneration = address.nodeGeneration;
    entry.dialer ??= new Dialer(this, address);
    if (entry.link === undefined || entry.link.peer.nodeGeneration < address.nodeGeneration)
      entry.dialer.reach(address);
  }

  forget(nodeRid: Rid): void {
    const entry = this.peers.find(nodeRid);
    entry?.dialer?.abandon();
    if (entry !== undefined) entry.dialer = undefined;
    entry?.link?.lose("closedLocally", "forgotten");
  }

  send(nodeRid: Rid, frames: readonly Uint8Array[], traffic: TrafficClass): SendResult {
    return this.peers.find(nodeRid)?.link?.send(frames, traffic) ?? "noLink";
  }

  peer(nodeRid: Rid): PeerIdentity | undefined {
    return this.peers.find(nodeRid)?.link?.peer;
  }

  /** Lets every link send what is queued and hear that it arrived, for `closeTimeoutMs` at most. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      const deadline = this.clock.after(this.limits.closeTimeoutMs, () => this.dropEverything());
      this.closing = {
        settle: () => {
          deadline.cancel();
          this.gate.drain();
          resolve();
        },
      };
      this.acceptor.close();
      for (const entry of this.peers.all()) {
        entry.dialer?.abandon();
        entry.dialer = undefined;
        if (entry.link?.isSettled === true) entry.link.lose("closedLocally", "closed");
        else entry.link?.beginEnd();
      }
      // Not before this returns: the handler is not called back from within `close`.
      this.defer(() => this.onGone());
    });
  }

  // What connections need.

  defer(fn: () => void): void {
    this.adapter.defer(fn);
  }

  openConnection(stream: ByteStream, owner: ConnectionOwner): Connection {
    return new Connection(stream, this, owner);
  }

  onGone(): void {
    if (this.closing !== undefined && this.open.size === 0) this.closing.settle();
  }

  // What dialers need.

  helloFor(address: PeerAddress): Uint8Array {
    this.attempts += 1;
    const terms: HelloTerms = {
      ...this.linkTerms(this.freshLinkId()),
      targetRid: address.nodeRid,
      targetGeneration: address.nodeGeneration,
    };
    return encodeHelloUnit(terms, encodeRecord({ command: "hello", admission: this.admission }));
  }

  doubt(proven: ProvenIdentity | undefined): string | undefined {
    return doubtOf(proven, this.identity);
  }

  judge(record: Admit | Hello, { proven }: Connection): AdmissionVerdict {
    const { securityIdentity } = this.adapter;
    return judgeAdmission(record.admission, { local: this.identity, securityIdentity, proven });
  }

  onAdmitted(connection: Connection, peer: PeerIdentity, terms: LinkTerms): void {
    const entry = this.peers.findOrAdd(peer.nodeRid);
    const replaces =
      entry.link !== undefined && entry.link.peer.nodeGeneration < peer.nodeGeneration
        ? "replacedByNewerGeneration"
        : "connectionClosed";
    this.establish(entry, connection, peer, { terms, replaces });
  }

  onDialFailed(address: PeerAddress, reason: string): void {
    this.log.write("info", "dial.failed", { peer: ridToDisplay(address.nodeRid), endpoint: address.endpoint, reason });
    this.gate.emit({ type: "ConnectFailed", address, reason });
  }

  // What the acceptor needs.

  onHello(connection: Connection, hello: Hello, terms: HelloTerms): RejectReason | undefined {
    const verdict = this.judge(hello, connection);
    if (!verdict.acceptable) return verdict.reason;
    if (terms.targetRid !== this.identity.nodeRid) return "identityMismatch";
    if (terms.targetGeneration > this.identity.nodeGeneration) return "lifecycleGenerationStale";
    const { peer } = verdict;
    const known = this.peers.find(peer.nodeRid);
    const link = known?.link;
    const resolved = judgeHello({
      localRid: this.identity.nodeRid,
      peer,
      attempt: terms.attempt,
      knownGeneration: known?.knownGeneration ?? 0n,
      link: link && { nodeGeneration: link.peer.nodeGeneration, peerAttempt: link.peerAttempt },
      greeting: known?.dialer?.isGreeting ?? false,
    });
    if (!resolved.admit) return resolved.reason;
    if (link === undefined && this.peers.linkCount >= this.limits.maxLinks) return "resourceLimit";
    // This version resumes nothing: another id than the one asked for says that the link starts anew.
    const linkId = terms.receivedThrough === 0 ? terms.linkId : this.freshLinkId();
    const admit = encodeRecord({ command: "admit", admission: this.admission });
    connection.outbox.appendUnit(encodeAdmitUnit(this.linkTerms(linkId), admit));
    connection.scheduleFlush();
    this.establish(this.peers.findOrAdd(peer.nodeRid), connection, peer, { terms, replaces: resolved.replaces });
    return undefined;
  }

  // What links need.

  onRecord(link: Link, frames: readonly Uint8Array[]): void {
    if (!this.gate.record(link.peer, frames)) link.lose("protocolViolation", "the handler failed on a record");
  }

  onDrained(link: Link): void {
    this.gate.emit({ type: "LinkDrained", peer: link.peer });
  }

  onUnsendable(link: Link, frames: number, bytes: number): void {
    const peer = ridToDisplay(link.peer.nodeRid);
    this.strangers.write("warn", "record.tooLarge", {
      peer,
      frames,
      bytes,
      maxRecordBytes: this.limits.maxRecordBytes,
    });
  }

  onLost(link: Link, loss: LinkLoss): void {
    const { peer } = link;
    const { reason, detail, unacknowledged } = loss;
    const entry = this.peers.findOrAdd(peer.nodeRid);
    this.peers.setLink(entry, undefined);
    this.log.write(reason === "closedLocally" ? "info" : "warn", "link.lost", {
      ...this.describe(link),
      reason,
      detail,
      unacknowledged: unacknowledged.length,
    });
    this.gate.emit({ type: "LinkLost", peer, reason, unacknowledged });
    entry.dialer?.linkLost(this.clock.nowMs() - link.sinceMs);
  }

  private establish(
    entry: PeerEntry,
    connection: Connection,
    peer: PeerIdentity,
    how: { readonly terms: LinkTerms; readonly replaces: LinkLossReason | undefined },
  ): void {
    entry.link?.lose(how.replaces ?? "connectionClosed", "another connection took its place");
    entry.dialer?.abandon();
    if (peer.nodeGeneration > entry.knownGeneration) entry.knownGeneration = peer.nodeGeneration;
    const link = new Link(this, connection, peer, how.terms);
    this.peers.setLink(entry, link);
    this.log.write("info", "link.up", this.describe(link));
    this.gate.emit({ type: "LinkUp", peer });
  }

  private linkTerms(linkId: Uint8Array): LinkTerms {
    return { linkId, receivedThrough: 0, attempt: this.attempts, maxRecordBytes: this.limits.maxRecordBytes };
  }

  private freshLinkId(): Uint8Array {
    return this.random.bytes(LINK_ID_BYTES);
  }

  private dropEverything(): void {
    for (const entry of this.peers.all()) entry.link?.lose("closedLocally", "closed before everything had arrived");
    for (const connection of [...this.open]) connection.destroy();
  }

  private describe(link: Link): Record<string, unknown> {
    return {
      peer: ridToDisplay(link.peer.nodeRid),
      nodeGeneration: link.peer.nodeGeneration.toString(),
      remote: link.remote,
    };
  }
}
