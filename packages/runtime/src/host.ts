import type { AuthorityStore, OwnerIdentity, Transport } from "@rehome/core";
import type { ActorDefinition, SpotDefinition } from "./api.ts";
import { ActorHost } from "./actors/actor-host.ts";
import { Outbox } from "./actors/outbox.ts";
import { Placement } from "./actors/placement.ts";
import { Refusals } from "./actors/refusals.ts";
import type { NodeConfig } from "./config.ts";
import { Directory } from "./links/directory.ts";
import { Links } from "./links/links.ts";
import { watchPeers } from "./links/peer-watch.ts";
import { Requests } from "./links/requests.ts";
import { Mover } from "./moves/mover.ts";
import { RelayDesk } from "./moves/relay-desk.ts";
import { SessionHost } from "./sessions/session-host.ts";
import { SpotHost } from "./spots/spot-host.ts";

/**
 * - `all`: whatever comes. `old`: messages and requests, but no new actors, spots, joins or inbound moves (`protocol.md` D1).
 * - `ending`: what was accepted is finished, and nothing else begins (D5).
 */
export type NodeWork = "all" | "old" | "ending";

/** The parts of one running node. Each part takes from here what it needs of the others. */
export interface Host {
  readonly config: NodeConfig;
  readonly self: OwnerIdentity;
  readonly store: AuthorityStore;
  readonly actorTypes: ReadonlyMap<string, ActorDefinition<unknown>>;
  readonly spotTypes: ReadonlyMap<string, SpotDefinition<unknown>>;
  readonly links: Links;
  readonly requests: Requests;
  readonly directory: Directory;
  readonly actors: ActorHost;
  readonly placement: Placement;
  readonly outbox: Outbox;
  readonly spots: SpotHost;
  readonly mover: Mover;
  readonly relays: RelayDesk;
  readonly refusals: Refusals;
  readonly sessions: SessionHost;
  /** What this node takes on at this moment. */
  work(): NodeWork;
  /** True once the lease was lost or `close` began: no turn, push, reply or store write any more (`protocol.md` I1, L1). */
  stopped(): boolean;
}

/** What a host is made of, and what its node says of itself. */
export type HostSeed = Pick<Host, "config" | "self" | "store" | "actorTypes" | "spotTypes" | "work" | "stopped"> & {
  readonly transport: Transport;
};

/** Makes the parts. Each looks at the others only once something happens. */
export function assembleHost({ transport, ...seed }: HostSeed): Host {
  const { config, self, store } = seed;
  const { meshName, nodeRid, nodeGeneration, ownerId, ownerLeaseGeneration } = self;
  const requests = new Requests(config, nodeGeneration);
  const directory = new Directory(config, store);
  const links = new Links({
    config,
    self: { meshName, nodeRid, nodeGeneration, lease: { ownerId, ownerLeaseGeneration } },
    transport,
    resolve: (rid) => directory.address(rid),
    operationOf: (correlation) => requests.operationOf(correlation),
  });
  links.handle("reply", (peer, command) => requests.onReply(peer.nodeRid, command));
  const host = { ...seed, links, requests, directory } as Host;
  // Before the others hear of links: requests have failed by then.
  watchPeers(host);
  return Object.assign(host, {
    placement: new Placement(host),
    actors: new ActorHost(host),
    outbox: new Outbox(host),
    spots: new SpotHost(host),
    refusals: new Refusals(host),
    relays: new RelayDesk(host),
    mover: new Mover(host),
    sessions: new SessionHost(host),
  });
}
