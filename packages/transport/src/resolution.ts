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
  /** The link to that node, if there is one, and the newest attempt of the peer that was over when it began. */
  readonly link: { readonly nodeGeneration: bigint; readonly peerAttempt: number } | undefined;
  /** Whether this node has sent that one a hello of its own that is not answered yet. */
  readonly greeting: boolean;
}

export type HelloVerdict =
  | { readonly admit: true; readonly replaces: LinkLossReason | undefined }
  | { readonly admit: false; readonly reason: RejectReason };

/**
 * Whether a hello makes a link. Both ends judge by the same rules, so that two nodes that dial each other at once end with
 * exactly one connection:
 *
 * - The hello of the node with the smaller rid (byte for byte) wins against one that is on its way the other way.
 * - Connections are not ordered among each other, so a hello may arrive after the link that made it needless. Its attempt
 *   number tells: attempts up to the number that stood in the link's own handshake are over, and a later one says that
 *   the peer has lost the link and wants it anew.
 */
export function judgeHello(situation: HelloSituation): HelloVerdict {
  const { peer, link } = situation;
  if (peer.nodeGeneration < situation.knownGeneration) return { admit: false, reason: "lifecycleGenerationStale" };
  if (link !== undefined && link.nodeGeneration === peer.nodeGeneration) {
    if (situation.attempt <= link.peerAttempt) return { admit: false, reason: "duplicateConnection" };
    return { admit: true, replaces: "connectionClosed" };
  }
  if (situation.greeting && situation.localRid < peer.nodeRid) return { admit: false, reason: "duplicateConnection" };
  return { admit: true, replaces: link === undefined ? undefined : "replacedByNewerGeneration" };
}
