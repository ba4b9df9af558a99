import type { LinkLossReason, LocalIdentity, PeerAddress, Random } from "@rehome/core";
import { encodeRecord } from "@rehome/wire";
import type { Admission, Admit, Hello, RejectReason } from "@rehome/wire";
import type { SaidHello } from "./acceptor.ts";
import { admissionOf, doubtOf, judgeAdmission, peerOf } from "./admission.ts";
import type { AdmissionVerdict } from "./admission.ts";
import { NONCE_BYTES } from "./authentication.ts";
import type { AcceptorExchange, Authentication, DiallerExchange } from "./authentication.ts";
import type { ProvenIdentity } from "./byte-stream.ts";
import type { Connection } from "./connection.ts";
import type { TransportLimits } from "./limits.ts";
import type { Link, LinkBeginning } from "./link.ts";
import { encodeAdmitUnit, encodeHelloUnit, LINK_ID_BYTES } from "./open-unit.ts";
import type { HelloTerms, LinkTerms } from "./open-unit.ts";
import type { PeerTable } from "./peer-table.ts";
import { judgeHello } from "./resolution.ts";
import { encodeUnit, UNIT_HEADER_BYTES, unitKind } from "./units.ts";

export interface IntroductionOptions {
  readonly identity: LocalIdentity;
  readonly endpoint: string;
  readonly securityIdentity: string;
  readonly limits: TransportLimits;
  readonly random: Random;
  /** Set where both ends have to prove a shared secret. */
  readonly authentication: Authentication | undefined;
  readonly peers: PeerTable;
  /** Makes a link of the connection. A link that stands is lost for this reason. */
  begin(connection: Connection, beginning: LinkBeginning, replaces: LinkLossReason): void;
  /** Goes on with the link over the connection. */
  resume(link: Link, connection: Connection, terms: LinkTerms & { readonly receivedThrough: number }): void;
}

/** What a hello said about the link, to hold the answer against. */
export interface HelloOffer {
  /** A whole `open` unit. */
  readonly unit: Uint8Array;
  /** The link that it wants to go on, if there is one. */
  readonly link: Link | undefined;
  /** Set where the peer has to prove a shared secret. */
  readonly exchange: DiallerExchange | undefined;
}

/** How two nodes agree on who they are and on which link a connection carries (`docs/transport.md` 3 and 4). */
export class Introduction {
  private readonly options: IntroductionOptions;
  private readonly admission: Admission;
  /** Counts this run's connection attempts, so that a peer can tell an old one from a new one. */
  private attempts = 0;

  constructor(options: IntroductionOptions) {
    this.options = options;
    this.admission = admissionOf(options.identity, options.endpoint, options.securityIdentity);
  }

  /** Why whoever a connection proves can be no peer at all, if so. */
  doubt(proven: ProvenIdentity | undefined): string | undefined {
    return doubtOf(proven, this.options.identity);
  }

  judge(record: Admit | Hello, { proven }: Connection): AdmissionVerdict {
    const { identity, securityIdentity } = this.options;
    return judgeAdmission(record.admission, { local: identity, securityIdentity, proven });
  }

  /** A new attempt to reach that node. */
  helloFor(address: PeerAddress): HelloOffer {
    this.attempts += 1;
    const entry = this.options.peers.findOrAdd(address.nodeRid);
    const link = entry.link?.isInterrupted === true ? entry.link : undefined;
    if (link === undefined) entry.proposedLinkId ??= this.freshLinkId();
    const terms: HelloTerms = {
      ...this.terms(link?.id ?? entry.proposedLinkId!, link?.receivedThrough),
      targetRid: address.nodeRid,
      targetGeneration: address.nodeGeneration,
      nonce: this.options.authentication && this.freshNonce(),
    };
    const unit = encodeHelloUnit(terms, encodeRecord({ command: "hello", admission: this.admission }));
    return { unit, link, exchange: this.options.authentication?.asDialler(unit.subarray(UNIT_HEADER_BYTES)) };
  }

  freshNonce(): Uint8Array {
    return this.options.random.bytes(NONCE_BYTES);
  }

  /** Why a node that says this can never be a peer of this one, whatever links there are. */
  refusalOf(connection: Connection, hello: Hello, terms: HelloTerms): RejectReason | undefined {
    const { identity } = this.options;
    const verdict = this.judge(hello, connection);
    if (!verdict.acceptable) return verdict.reason;
    if (terms.targetRid !== identity.nodeRid) return "identityMismatch";
    if (terms.targetGeneration > identity.nodeGeneration) return "lifecycleGenerationStale";
    return undefined;
  }

  /** The answer to a hello of another node: makes or resumes a link over its connection, or says why not. */
  onHello(connection: Connection, said: SaidHello): RejectReason | undefined {
    const { hello, terms, exchange } = said;
    const { identity, peers, limits } = this.options;
    const refusal = this.refusalOf(connection, hello, terms);
    if (refusal !== undefined) return refusal;
    const peer = peerOf(hello.admission);
    const known = peers.find(peer.nodeRid);
    const link = known?.link;
    const resolved = judgeHello({
      localRid: identity.nodeRid,
      peer,
      attempt: terms.attempt,
      knownGeneration: known?.knownGeneration ?? 0n,
      link: link && {
        nodeGeneration: link.peer.nodeGeneration,
        peerAttempt: link.peerAttempt,
        isUp: link.isUp,
        isNamed: isNamed(link, terms),
      },
      greeting: known?.dialer?.isGreeting ?? false,
    });
    if (resolved.type === "refused") return resolved.reason;
    if (resolved.type === "resumes") return this.admitAgain(link!, connection, said);
    if (link === undefined && peers.linkCount >= limits.maxLinks) return "resourceLimit";
    // Another id than the one asked for says that what the peer wanted to go on is lost.
    const mayTakeTheirs = terms.receivedThrough === undefined && !(link !== undefined && sameId(link.id, terms.linkId));
    const linkId = mayTakeTheirs ? terms.linkId : this.freshLinkId();
    this.admit(connection, this.terms(linkId, undefined), exchange);
    const beginning = { peer, linkId, peerAttempt: terms.attempt, peerMaxRecordBytes: terms.maxRecordBytes };
    this.options.begin(connection, beginning, resolved.replaces);
    return undefined;
  }

  /** The answer to a hello of this node has been found proper: makes or resumes the link, or says why it cannot be. */
  onAdmitted(
    connection: Connection,
    peer: LinkBeginning["peer"],
    terms: LinkTerms,
    offered: Link | undefined,
  ): RejectReason | undefined {
    const named = offered !== undefined && sameId(offered.id, terms.linkId);
    const { receivedThrough } = terms;
    if (receivedThrough === undefined) {
      if (named) return "invalidDescriptor";
      const beginning = {
        peer,
        linkId: terms.linkId,
        peerAttempt: terms.attempt,
        peerMaxRecordBytes: terms.maxRecordBytes,
      };
      const standing = this.options.peers.find(peer.nodeRid)?.link;
      const isOlder = standing !== undefined && standing.peer.nodeGeneration < peer.nodeGeneration;
      this.options.begin(connection, beginning, isOlder ? "replacedByNewerGeneration" : "lostByPeer");
      return undefined;
    }
    if (!named || offered.peer.nodeGeneration !== peer.nodeGeneration) return "invalidDescriptor";
    if (!continues(offered, receivedThrough)) return "invalidDescriptor";
    this.options.resume(offered, connection, { ...terms, receivedThrough });
    return undefined;
  }

  private admitAgain(link: Link, connection: Connection, { terms, exchange }: SaidHello): RejectReason | undefined {
    const receivedThrough = terms.receivedThrough ?? 0;
    if (!continues(link, receivedThrough)) return "invalidDescriptor";
    // To a peer that never heard of the link's beginning it begins now.
    const beginsThere = terms.receivedThrough === undefined;
    this.admit(connection, this.terms(link.id, beginsThere ? undefined : link.receivedThrough), exchange);
    this.options.resume(link, connection, { ...terms, receivedThrough });
    return undefined;
  }

  private admit(connection: Connection, terms: LinkTerms, exchange: AcceptorExchange | undefined): void {
    const unit = encodeAdmitUnit(terms, encodeRecord({ command: "admit", admission: this.admission }));
    if (exchange !== undefined) {
      const proof = exchange.proofFor(unit.subarray(UNIT_HEADER_BYTES));
      connection.outbox.appendUnit(encodeUnit(unitKind.proof, proof));
    }
    connection.outbox.appendUnit(unit);
    connection.scheduleFlush();
  }

  private terms(linkId: Uint8Array, receivedThrough: number | undefined): LinkTerms {
    return { linkId, receivedThrough, attempt: this.attempts, maxRecordBytes: this.options.limits.maxRecordBytes };
  }

  private freshLinkId(): Uint8Array {
    return this.options.random.bytes(LINK_ID_BYTES);
  }
}

/**
 * Whether the hello means this link. One that says it begins means it too, as long as nothing of the peer has come on it:
 * then the peer's first hello was answered, and the answer was lost.
 */
function isNamed(link: Link, terms: HelloTerms): boolean {
  return sameId(link.id, terms.linkId) && (terms.receivedThrough !== undefined || link.isUnheard);
}

/** False, and the end of the link, if the peer claims to have received what it cannot have, or to have lost what it had. */
function continues(link: Link, receivedThrough: number): boolean {
  if (link.canContinueFrom(receivedThrough)) return true;
  link.lose("protocolViolation", `the peer claims to have received the records through ${receivedThrough}`);
  return false;
}

function sameId(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
