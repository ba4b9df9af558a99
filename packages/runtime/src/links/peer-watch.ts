import type { PeerIdentity } from "@rehome/core";
import type { Command } from "@rehome/wire";
import { background } from "../background.ts";
import type { Host } from "../host.ts";

/** What a link that is lost, or leads to a newer run of its node, means for what lives here. */
export function watchPeers(host: Host): void {
  const { links, requests, config } = host;
  links.onUp((peer) => replaced(host, peer));
  links.onLost((lost) => {
    requests.failPeer(lost.peer.nodeRid);
    for (const command of lost.unacknowledged) reportLostPush(host, command);
    background(config.log, "node.watchPeer", watchLostPeer(host, lost.peer));
  });
}

/** A newer run of a node proves that all earlier ones are gone, and their sessions with them. */
function replaced(host: Host, peer: PeerIdentity): void {
  if (peer.nodeGeneration <= 1n) return;
  host.actors.dropSessionsOf({ ...peer, nodeGeneration: peer.nodeGeneration - 1n });
}

/** N2: nobody can tell whether this push arrived. */
function reportLostPush({ config }: Host, command: Command): void {
  if (command.command !== "boundSessionSend") return;
  const { actor, payload } = command;
  const reason = "the link to the session's node was lost with it; whether it arrived cannot be told";
  config.observe({ type: "PushDropped", actorId: actor.actor.actorId, name: payload.packetName, reason });
}

/** The sessions of a lost node are unbound once the store says that this run of it is gone, not because a link broke. */
async function watchLostPeer(host: Host, peer: PeerIdentity): Promise<void> {
  const { directory, links, actors, relays } = host;
  const { leaseMs } = host.config.deadlines;
  while (!host.stopped() && links.peer(peer.nodeRid)?.nodeGeneration !== peer.nodeGeneration) {
    await directory.pause(leaseMs / 2);
    const nodes = await directory.nodes(true).catch(() => undefined);
    const node = nodes?.find(({ descriptor }) => descriptor.owner.nodeRid === peer.nodeRid);
    if (!nodes || node?.descriptor.owner.nodeGeneration === peer.nodeGeneration) continue;
    if (peer.lease) relays.leaseEnded(peer.lease.ownerId, peer.lease.ownerLeaseGeneration);
    if (actors.dropSessionsOf(peer)) return;
  }
}
