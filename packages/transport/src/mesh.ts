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
import { ridToDisplay } from "@rehome/wire";
import type { Admit, Hello, RejectReason, Rid } from "@rehome/wire";
import { Acceptor } from "./acceptor.ts";
import type { AcceptorHost, SaidHello } from "./acceptor.ts";
import type { AdmissionVerdict } from "./admission.ts";
import { Authentication } from "./authentication.ts";
import type { ByteStream, ProvenIdentity, StreamAdapter } from "./byte-stream.ts";
import { Connection } from "./connection.ts";
import type { ConnectionContext, ConnectionOwner } from "./connection.ts";
import { Dialer } from "./dialer.ts";
import type { DialerHost } from "./dialer.ts";
import { HandlerGate } from "./handler-gate.ts";
import { Introduction } from "./introduction.ts";
import type { HelloOffer } from "./introduction.ts";
import type { TransportLimits } from "./limits.ts";
import { Link } from "./link.ts";
import type { LinkBeginning, LinkHost, LinkLoss } from "./link.ts";
import { LogThrottle } from "./log-throttle.ts";
import type { HelloTerms, LinkTerms } from "./open-unit.ts";
import { PeerTable } from "./peer-table.ts";
import { RecordPool } from "./record-pool.ts";
import { SlabPool } from "./slab-pool.ts";

export interface MeshOptions {
  readonly adapter: StreamAdapter;
  readonly limits: TransportLimits;
  readonly authentication: Authentication | undefined;
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
  readonly authentication: Authentication | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly strangers: LogThrottle;
  readonly pool = new RecordPool();
  readonly slabs = new SlabPool();
  readonly open = new Set<Connection>();
  readonly unlinked = new Set<Connection>();
  private readonly log: Log;
  private readonly identity: LocalIdentity;
  private readonly gate: HandlerGate;
  private readonly acceptor: Acceptor = new Acceptor(this);
  private readonly peers = new PeerTable();
  private readonly introduction: Introduction;
  private closing: { settle(): void } | undefined;

  constructor(options: MeshOptions) {
    this.adapter = options.adapter;
    this.limits = options.limits;
    this.authentication = options.authentication;
    this.clock = options.clock;
    this.random = options.random;
    this.log = options.log;
    this.identity = options.identity;
    this.strangers = new LogThrottle(options.log, options.clock);
    this.introduction = new Introduction({
      identity: options.identity,
      endpoint: options.endpoint,
      securityIdentity:
        options.authentication === undefined
          ? options.adapter.securityIdentity
          : Authentication.identityOver(options.adapter.securityIdentity),
      authentication: options.authentication,
      limits: options.limits,
      random: options.random,
      peers: this.peers,
      begin: (connection, beginning, replaces) => this.begin(connection, beginning, replaces),
      resume: (link, connection, terms) => this.resume(link, connection, terms),
    });
    this.gate = new HandlerGate({ handler: options.handler, log: options.log, defer: (fn) => this.defer(fn) });
  }

  get lingerMs(): number {
    return this.limits.lingerMs;
  }

  get unlinkedConnections(): number {
    return this.unlinked.size;
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
    const { link } = entry;
    if (link === undefined || link.isInterrupted || link.peer.nodeGeneration < address.nodeGeneration)
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

  helloFor(address: PeerAddress): HelloOffer {
    return this.introduction.helloFor(address);
  }

  doubt(proven: ProvenIdentity | undefined): string | undefined {
    return this.introduction.doubt(proven);
  }

  judge(record: Admit | Hello, connection: Connection): AdmissionVerdict {
    return this.introduction.judge(record, connection);
  }

  onAdmitted(
    connection: Connection,
    peer: PeerIdentity,
    terms: LinkTerms,
    offered: Link | undefined,
  ): RejectReason | undefined {
    return this.introduction.onAdmitted(connection, peer, terms, offered);
  }

  onDialFailed(address: PeerAddress, reason: string): void {
    this.log.write("info", "dial.failed", { peer: ridToDisplay(address.nodeRid), endpoint: address.endpoint, reason });
    this.gate.emit({ type: "ConnectFailed", address, reason });
  }

  // What the acceptor needs.

  freshNonce(): Uint8Array {
    return this.introduction.freshNonce();
  }

  refusalOf(connection: Connection, hello: Hello, terms: HelloTerms): RejectReason | undefined {
    return this.introduction.refusalOf(connection, hello, terms);
  }

  onHello(connection: Connection, said: SaidHello): RejectReason | undefined {
    return this.introduction.onHello(connection, said);
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

  onInterrupted(link: Link, reason: string, worked: boolean): void {
    this.log.write("info", "link.interrupted", { ...this.describe(link), reason });
    this.peers.find(link.peer.nodeRid)?.dialer?.linkInterrupted(worked);
  }

  onResumed(link: Link): void {
    this.log.write("info", "link.resumed", this.describe(link));
    this.gate.emit({ type: "LinkResumed", peer: link.peer });
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
    entry.dialer?.linkLost(link);
  }

  private begin(connection: Connection, beginning: LinkBeginning, replaces: LinkLossReason): void {
    const { peer } = beginning;
    const entry = this.peers.findOrAdd(peer.nodeRid);
    entry.link?.lose(replaces, "another link took its place");
    entry.dialer?.abandon();
    if (peer.nodeGeneration > entry.knownGeneration) entry.knownGeneration = peer.nodeGeneration;
    const link = new Link(this, connection, beginning);
    this.peers.setLink(entry, link);
    this.log.write("info", "link.up", this.describe(link));
    this.gate.emit({ type: "LinkUp", peer });
  }

  private resume(
    link: Link,
    connection: Connection,
    terms: { readonly receivedThrough: number; readonly attempt: number },
  ): void {
    this.peers.find(link.peer.nodeRid)?.dialer?.abandon();
    link.resume(connection, terms.receivedThrough, terms.attempt);
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
