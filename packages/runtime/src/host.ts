import type { AuthorityStore, OwnerIdentity } from "@rehome/core";
import type { ActorDefinition, SpotDefinition } from "./api.ts";
import type { ActorHost } from "./actors/actor-host.ts";
import type { Outbox } from "./actors/outbox.ts";
import type { Placement } from "./actors/placement.ts";
import type { Refusals } from "./actors/refusals.ts";
import type { NodeConfig } from "./config.ts";
import type { Directory } from "./links/directory.ts";
import type { Links } from "./links/links.ts";
import type { Requests } from "./links/requests.ts";
import type { Mover } from "./moves/mover.ts";
import type { RelayDesk } from "./moves/relay-desk.ts";
import type { SessionHost } from "./sessions/session-host.ts";
import type { SpotHost } from "./spots/spot-host.ts";

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
