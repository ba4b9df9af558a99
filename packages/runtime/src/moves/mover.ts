import { ridFromText, type ActorFence, type ActorRef, type RelocationFailed } from "@rehome/wire";
import type { HoldLimits, PeerIdentity, RelayHeader } from "@rehome/core";
import type { Activation, JoinWish } from "../actors/activation.ts";
import type { Delivery } from "../actors/delivery.ts";
import type { MoveResult } from "../api.ts";
import type { Host } from "../host.ts";
import { Arrivals } from "./arrivals.ts";
import { Departures } from "./departures.ts";
import { Follows } from "./follows.ts";
import { JoinJournal } from "./join-journal.ts";
import { Joins } from "./joins.ts";
import { OwedRouteSender } from "./owed-route-sender.ts";
import { Semaphore } from "./semaphore.ts";

/** Everything of this node that moves actors; the parts meet here. */
export class Mover {
  /** T4: user code of all moves together. */
  readonly captures: Semaphore;
  readonly restores: Semaphore;
  readonly owedRoutes: OwedRouteSender;
  readonly follows: Follows;
  readonly arrivals: Arrivals;
  readonly departures: Departures;
  readonly journal: JoinJournal;
  readonly #host: Host;
  readonly #joins: Joins;

  constructor(host: Host) {
    this.#host = host;
    this.captures = new Semaphore(host.config.limits.concurrentCaptures);
    this.restores = new Semaphore(host.config.limits.concurrentRestores);
    this.owedRoutes = new OwedRouteSender(host);
    this.follows = new Follows(host);
    this.arrivals = new Arrivals(host, this);
    this.departures = new Departures(host, this);
    this.journal = new JoinJournal(host);
    this.#joins = new Joins(host, this, this.departures);
    host.links.handle("relocationFailed", (peer, command) => this.#onFailed(peer, command));
    host.links.onLost((lost) => {
      this.departures.onLinkLost(lost.peer.nodeRid);
      this.arrivals.onLinkLost(lost.peer.nodeRid);
    });
  }

  async relocate(actorId: string, to: string, deadlineMs?: number): Promise<MoveResult> {
    return this.departures.relocate(actorId, ridFromText(to), deadlineMs);
  }

  async relocateSpot(spotId: string, to: string, deadlineMs?: number): Promise<MoveResult> {
    return this.departures.relocateSpot(spotId, ridFromText(to), deadlineMs);
  }

  join(activation: Activation, wish: JoinWish): void {
    this.#joins.join(activation, wish);
  }

  holdLimits(): HoldLimits {
    const { holdMessages, holdBytes } = this.#host.config.limits;
    return { maxRecords: holdMessages, maxBytes: holdBytes };
  }

  offerToAttempt(target: ActorRef, delivery: Delivery): boolean {
    return this.arrivals.offer(target, delivery);
  }

  offerToFollow(target: ActorRef, delivery: Delivery): boolean {
    return this.follows.offer(target, delivery);
  }

  /** Committed: what is given here, and what still arrives, goes on to `target` (`protocol.md` F1). */
  follow(activation: Activation, target: ActorFence, relay: RelayHeader, waiting: readonly Delivery[]): void {
    this.follows.start(activation.fence, target, relay, waiting);
  }

  /** A 53 goes to the move's other side: its role says which side sent it. */
  #onFailed(peer: PeerIdentity, command: RelocationFailed): void {
    if (command.senderRole === "source") this.arrivals.onFailed(peer.nodeRid, command);
    else this.departures.onFailed(peer.nodeRid, command);
  }

  stop(): void {
    this.departures.stop();
    this.arrivals.stop();
    this.follows.stop();
  }
}
