import type { LinkLossReason, PeerIdentity } from "@rehome/core";
import type { RejectReason, Rid } from "@rehome/wire";

/** What stands between a proper hello and its admission. */
export interface HelloSituation {
  readonly localRid: Rid;
  readonly peer: PeerIdentity;
  /** The number of the attempt, as its sender counts them. */
  readonly attempt: number;
  /** The newest run of that node that this one knows of, 0 if none. */
  readonly knownGeneration: bigint;
  readonly link: StandingLink | undefined;
  /** Whether this node has sent that one a hello of its own that is not answered yet. */
  readonly greeting: boolean;
}

/** The link to the node that says hello, if there is one. */
export interface StandingLink {
  readonly nodeGeneration: bigint;
  /** The newest attempt of the peer that was over when the link's connection was made. */
  readonly peerAttempt: number;
  /** As far as this end knows, its connection is there. */
  readonly isUp: boolean;
  /** Whether it is the one that the hello wants to go on. */
  readonly isNamed: boolean;
}

export type HelloVerdict =
  | { readonly type: "refused"; readonly reason: RejectReason }
  /** The link that stands goes on over this connection. */
  | { readonly type: "resumes" }
  /** A link that stands, if there is one, is lost for this reason. */
  | { readonly type: "begins"; readonly replaces: LinkLossReason };

/**
 * What a hello leads to. Both ends judge by the same rules, so that two nodes that dial each other at once end with exactly
 * one connection, whether they begin a link or go on with one:
 *
 * - Connections are not ordered among each other, so a hello may arrive after the connection that made it needless. Its
 *   attempt number tells: attempts up to the number that stood in that connection's handshake are over. A later one says
 *   that the peer has lost the connection, and if it does not name the link, the link too.
 * - The hello of the node with the smaller rid (byte for byte) wins against one that is on its way the other way.
 */
export function judgeHello(situation: HelloSituation): HelloVerdict {
  const { peer, link, greeting, localRid } = situation;
  if (peer.nodeGeneration < situation.knownGeneration) return refused("lifecycleGenerationStale");
  const same = link?.nodeGeneration === peer.nodeGeneration ? link : undefined;
  if (same !== undefined && situation.attempt <= same.peerAttempt) return refused("duplicateConnection");
  if (greeting && same?.isUp !== true && localRid < peer.nodeRid) return refused("duplicateConnection");
  if (same !== undefined) return same.isNamed ? { type: "resumes" } : { type: "begins", replaces: "lostByPeer" };
  return { type: "begins", replaces: "replacedByNewerGeneration" };
}

function refused(reason: RejectReason): HelloVerdict {
  return { type: "refused", reason };
}
