import type { Clock, PeerAddress, PeerIdentity, Random, TimerHandle } from "@rehome/core";
import { encodeRecord, ridToDisplay } from "@rehome/wire";
import type { Admit, RejectReason } from "@rehome/wire";
import { Backoff } from "./backoff.ts";
import type { ByteStream, PendingConnect, ProvenIdentity, StreamAdapter } from "./byte-stream.ts";
import type { AdmissionVerdict } from "./admission.ts";
import type { Connection, ConnectionOwner } from "./connection.ts";
import { ProtocolViolation } from "./errors.ts";
import { Handshake } from "./handshake.ts";
import type { HandshakeFailure, HandshakeHost, HandshakeRecord } from "./handshake.ts";
import type { HelloOffer } from "./introduction.ts";
import type { TransportLimits } from "./limits.ts";
import type { Link } from "./link.ts";
import { encodeRejectUnit, linkTermsOf } from "./open-unit.ts";
import type { LinkTerms, OpenBody } from "./open-unit.ts";
import { encodeUnit, unitKind } from "./units.ts";

export interface DialerHost {
  readonly clock: Clock;
  readonly random: Random;
  readonly limits: TransportLimits;
  readonly adapter: StreamAdapter;
  openConnection(stream: ByteStream, owner: ConnectionOwner): Connection;
  /** For a new attempt. */
  helloFor(address: PeerAddress): HelloOffer;
  /** Why whoever a connection proves can be no peer at all, if so. */
  doubt(proven: ProvenIdentity | undefined): string | undefined;
  judge(admit: Admit, connection: Connection): AdmissionVerdict;
  /** Makes or resumes a link over the connection, or says why it cannot be. `offered` is the link that the hello named. */
  onAdmitted(
    connection: Connection,
    peer: PeerIdentity,
    terms: LinkTerms,
    offered: Link | undefined,
  ): RejectReason | undefined;
  onDialFailed(address: PeerAddress, reason: string): void;
}

type DialState =
  | { readonly at: "idle" }
  | { readonly at: "waiting"; readonly timer: TimerHandle }
  | { readonly at: "connecting"; readonly pending: PendingConnect; readonly timer: TimerHandle }
  | { readonly at: "greeting"; readonly handshake: Handshake; readonly offer: HelloOffer };

const IDLE: DialState = { at: "idle" };

/** Reaches one node, again and again until there is a link, with growing and jittered pauses. */
export class Dialer implements HandshakeHost {
  private readonly host: DialerHost;
  private readonly backoff: Backoff;
  private target: PeerAddress;
  private state: DialState = IDLE;

  constructor(host: DialerHost, target: PeerAddress) {
    this.host = host;
    this.target = target;
    this.backoff = new Backoff(host.random, host.limits.reconnectMinMs, host.limits.reconnectMaxMs);
  }

  get clock(): Clock {
    return this.host.clock;
  }

  get limits(): TransportLimits {
    return this.host.limits;
  }

  get address(): PeerAddress {
    return this.target;
  }

  /** A hello of ours is on its way and not answered. */
  get isGreeting(): boolean {
    return this.state.at === "greeting";
  }

  /** Dials at once, unless a dial to this address is under way or waits for its turn. */
  reach(target: PeerAddress): void {
    const same = target.endpoint === this.target.endpoint && target.nodeGeneration === this.target.nodeGeneration;
    if (same && this.state.at !== "idle") return;
    this.target = target;
    this.abandon();
    if (!same) this.backoff.reset();
    this.dial();
  }

  /** The link that this dialer or the peer had made is gone: makes another one after a pause. */
  linkLost(link: Link): void {
    // An answer to a hello that named it can make no link any more.
    if (this.state.at === "greeting" && this.state.offer.link === link) this.abandon();
    if (this.state.at !== "idle") return;
    if (this.clock.nowMs() - link.sinceMs >= this.limits.stableLinkMs) this.backoff.reset();
    this.pause();
  }

  /** The link has no connection any more: makes one after a pause, a short one if the last connection had worked. */
  linkInterrupted(worked: boolean): void {
    if (this.state.at !== "idle") return;
    if (worked) this.backoff.reset();
    this.pause();
  }

  /** Gives up what is under way, because there is a link now or nobody wants one any more. */
  abandon(): void {
    const state = this.state;
    this.state = IDLE;
    switch (state.at) {
      case "idle":
        return;
      case "waiting":
        state.timer.cancel();
        return;
      case "connecting":
        state.timer.cancel();
        state.pending.cancel();
        return;
      case "greeting":
        state.handshake.finish();
        state.handshake.connection.destroy();
    }
  }

  onOpen(handshake: Handshake, record: HandshakeRecord, open: OpenBody): void {
    const { connection } = handshake;
    if (record.command === "hello") throw new ProtocolViolation("a hello as the answer to a hello");
    const terms = record.command === "admit" ? linkTermsOf(open) : undefined;
    const offer = this.state.at === "greeting" ? this.state.offer : undefined;
    handshake.finish();
    this.state = IDLE;
    if (record.command === "reject") {
      connection.closeGently();
      // The peer's own connection is about to make the link, or has made it already.
      if (record.reason === "duplicateConnection") this.pause();
      else this.failed(`the peer refused: ${record.reason}`);
      return;
    }
    if (offer?.exchange?.covers(open.bytes) === false)
      return this.refuse(connection, "securityIdentityMismatch", "it proves none of the shared secrets");
    const verdict = this.host.judge(record, connection);
    const refusal = verdict.acceptable
      ? (this.mismatch(verdict.peer) ?? this.host.onAdmitted(connection, verdict.peer, terms!, offer?.link))
      : verdict.reason;
    if (refusal !== undefined) this.refuse(connection, refusal, refusal);
  }

  onAuthentication(handshake: Handshake, kind: number, bytes: Uint8Array): void {
    const exchange = this.state.at === "greeting" ? this.state.offer.exchange : undefined;
    if (exchange === undefined) throw new ProtocolViolation("a challenge that nobody expects");
    if (kind === unitKind.challenge) {
      handshake.expect(unitKind.open, unitKind.proof);
      handshake.connection.outbox.appendUnit(encodeUnit(unitKind.proof, exchange.answer(bytes)));
      handshake.connection.scheduleFlush();
    } else {
      handshake.expect(unitKind.open);
      exchange.takeProof(bytes);
    }
  }

  onFailed(handshake: Handshake, failure: HandshakeFailure): void {
    this.state = IDLE;
    handshake.connection.destroy();
    this.failed(`the handshake failed (${failure.kind}): ${failure.detail}`);
  }

  private dial(): void {
    const timer = this.clock.after(this.limits.connectTimeoutMs, () => {
      this.abandon();
      this.failed(`no connection within ${this.limits.connectTimeoutMs} ms`);
    });
    const pending = this.host.adapter.connect(this.target.endpoint, {
      onConnected: (stream) => {
        timer.cancel();
        this.greet(stream);
      },
      onFailed: (error) => {
        timer.cancel();
        this.state = IDLE;
        this.failed(`${error.code}: ${error.message}`);
      },
    });
    this.state = { at: "connecting", pending, timer };
  }

  private greet(stream: ByteStream): void {
    const doubt = this.host.doubt(stream.proven) ?? this.otherThanWanted(stream.proven);
    if (doubt !== undefined) {
      // Not a word to whoever it is.
      stream.destroy();
      this.state = IDLE;
      return this.failed(`not the peer that was wanted: ${doubt}`);
    }
    const handshake = new Handshake(this);
    handshake.connection = this.host.openConnection(stream, handshake);
    const offer = this.host.helloFor(this.target);
    this.state = { at: "greeting", handshake, offer };
    if (offer.exchange !== undefined) handshake.expect(unitKind.open, unitKind.challenge);
    handshake.connection.outbox.appendUnit(offer.unit);
    handshake.connection.start();
    handshake.connection.scheduleFlush();
  }

  private otherThanWanted(proven: ProvenIdentity | undefined): string | undefined {
    if (proven === undefined || proven.nodeRid === this.target.nodeRid) return undefined;
    return `it is proven to be ${ridToDisplay(proven.nodeRid)}`;
  }

  private mismatch(peer: PeerIdentity): RejectReason | undefined {
    if (peer.nodeRid !== this.target.nodeRid) return "identityMismatch";
    // A newer run than the one that was asked for is fine: it has taken its place.
    if (peer.nodeGeneration < this.target.nodeGeneration) return "lifecycleGenerationStale";
    return undefined;
  }

  private refuse(connection: Connection, reason: RejectReason, detail: string): void {
    connection.outbox.appendUnit(encodeRejectUnit(encodeRecord({ command: "reject", reason })));
    connection.closeGently();
    this.failed(`not the peer that was wanted: ${detail}`);
  }

  private failed(reason: string): void {
    this.host.onDialFailed(this.target, reason);
    this.pause();
  }

  private pause(): void {
    if (this.state.at === "waiting") this.state.timer.cancel();
    const timer = this.clock.after(this.backoff.delayMs(), () => this.dial());
    this.state = { at: "waiting", timer };
  }
}
