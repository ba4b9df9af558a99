import type { Clock } from "@rehome/core";
import { encodeRecord } from "@rehome/wire";
import type { Hello, RejectReason } from "@rehome/wire";
import type { AcceptorExchange, Authentication } from "./authentication.ts";
import type { ByteStream } from "./byte-stream.ts";
import type { Connection, ConnectionOwner } from "./connection.ts";
import { ProtocolViolation } from "./errors.ts";
import { Handshake } from "./handshake.ts";
import type { HandshakeFailure, HandshakeHost, HandshakeRecord } from "./handshake.ts";
import type { TransportLimits } from "./limits.ts";
import type { LogThrottle } from "./log-throttle.ts";
import { encodeRejectUnit, helloTermsOf } from "./open-unit.ts";
import type { HelloTerms, OpenBody } from "./open-unit.ts";
import { encodeUnit, unitKind } from "./units.ts";

export interface AcceptorHost {
  readonly clock: Clock;
  readonly limits: TransportLimits;
  readonly strangers: LogThrottle;
  /** How many connections are open that carry no link: pending ones, dials, and those that are being closed. */
  readonly unlinkedConnections: number;
  openConnection(stream: ByteStream, owner: ConnectionOwner): Connection;
  /** Set where a dialler has to prove a shared secret. */
  readonly authentication: Authentication | undefined;
  freshNonce(): Uint8Array;
  /** Why a node that says this can never be a peer of this one, if so. Changes nothing. */
  refusalOf(connection: Connection, hello: Hello, terms: HelloTerms): RejectReason | undefined;
  /** Makes a link of the connection and returns `undefined`, or says why not. */
  onHello(connection: Connection, said: SaidHello): RejectReason | undefined;
}

/** A proper hello, and how its sender has proven the secret, where it has to. */
export interface SaidHello {
  readonly hello: Hello;
  readonly terms: HelloTerms;
  readonly exchange: AcceptorExchange | undefined;
}

/** Said by who has not proven it yet. */
interface Challenged extends SaidHello {
  readonly exchange: AcceptorExchange;
}

/** Accepted connections that are not admitted yet: a bounded number, each with a deadline. */
export class Acceptor implements HandshakeHost {
  private readonly host: AcceptorHost;
  /** Oldest first. With the hello of those that have been challenged to prove theirs. */
  private readonly pending = new Map<Handshake, Challenged | undefined>();

  constructor(host: AcceptorHost) {
    this.host = host;
  }

  get clock(): Clock {
    return this.host.clock;
  }

  get limits(): TransportLimits {
    return this.host.limits;
  }

  accept(stream: ByteStream): void {
    if (this.pending.size >= this.limits.maxPendingHandshakes) this.dropOldest();
    const handshake = new Handshake(this);
    handshake.connection = this.host.openConnection(stream, handshake);
    this.pending.set(handshake, undefined);
    handshake.connection.start();
  }

  close(): void {
    for (const handshake of this.pending.keys()) this.drop(handshake);
  }

  onOpen(handshake: Handshake, record: HandshakeRecord, open: OpenBody): void {
    if (record.command !== "hello") throw new ProtocolViolation(`${record.command} instead of a hello`);
    const terms = helloTermsOf(open);
    const { authentication } = this.host;
    if (authentication === undefined) return this.settle(handshake, { hello: record, terms, exchange: undefined });
    const refusal = this.host.refusalOf(handshake.connection, record, terms);
    if (refusal !== undefined) return this.refuse(handshake, refusal, "");
    if (terms.nonce === undefined) throw new ProtocolViolation("a hello without a nonce");
    const exchange = authentication.asAcceptor(open.bytes, this.host.freshNonce());
    this.pending.set(handshake, { hello: record, terms, exchange });
    handshake.expect(unitKind.proof);
    handshake.connection.outbox.appendUnit(encodeUnit(unitKind.challenge, exchange.challenge));
    handshake.connection.scheduleFlush();
  }

  onAuthentication(handshake: Handshake, _kind: number, proof: Uint8Array): void {
    const challenged = this.pending.get(handshake)!;
    if (challenged.exchange.accepts(proof)) this.settle(handshake, challenged);
    else this.refuse(handshake, "securityIdentityMismatch", "it proves none of the shared secrets");
  }

  onFailed(handshake: Handshake, failure: HandshakeFailure): void {
    this.pending.delete(handshake);
    if (failure.kind === "unknownVersion") return this.reject(handshake, "protocolVersionUnsupported", failure.detail);
    if (failure.kind === "invalidRecord") return this.reject(handshake, "invalidDescriptor", failure.detail);
    const { remote } = handshake.connection;
    this.host.strangers.write("warn", "connection.dropped", { remote, cause: failure.kind, detail: failure.detail });
    handshake.connection.destroy();
  }

  private settle(handshake: Handshake, said: SaidHello): void {
    this.finish(handshake);
    const reason = this.host.onHello(handshake.connection, said);
    if (reason !== undefined) this.reject(handshake, reason, "");
  }

  private refuse(handshake: Handshake, reason: RejectReason, detail: string): void {
    this.finish(handshake);
    this.reject(handshake, reason, detail);
  }

  private reject(handshake: Handshake, reason: RejectReason, detail: string): void {
    const { connection } = handshake;
    // Two nodes that dial each other at once are nothing to worry about.
    const level = reason === "duplicateConnection" ? "debug" : "warn";
    this.host.strangers.write(level, "connection.rejected", { remote: connection.remote, reason, detail });
    connection.outbox.appendUnit(encodeRejectUnit(encodeRecord({ command: "reject", reason })));
    // A flood that is refused and does not hang up must not pile up either.
    if (this.host.unlinkedConnections > 2 * this.limits.maxPendingHandshakes) connection.destroy();
    else connection.closeGently();
  }

  /** A node says its hello at once, so the oldest is the least likely to be one. */
  private dropOldest(): void {
    for (const oldest of this.pending.keys()) {
      const { remote } = oldest.connection;
      this.host.strangers.write("warn", "connection.dropped", { remote, cause: "tooManyPending" });
      this.drop(oldest);
      return;
    }
  }

  private drop(handshake: Handshake): void {
    this.finish(handshake);
    handshake.connection.destroy();
  }

  private finish(handshake: Handshake): void {
    handshake.finish();
    this.pending.delete(handshake);
  }
}
