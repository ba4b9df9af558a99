import type { PeerIdentity } from "@rehome/core";
import { actorAuthorityKey, type ActorFence } from "@rehome/wire";
import { RuntimeError } from "../errors.ts";
import type { Host } from "../host.ts";
import { fenceOf } from "../links/directory.ts";
import type { Binding } from "./binding.ts";

/** How often a lost link's bindings are looked at until the link is back or the store says that the owner is gone. */
const WATCH_PAUSE_MS = 250;

/** What the watch needs of those who hold the bindings. */
export interface WatchedBindings {
  routedTo(peer: PeerIdentity): readonly Binding[];
  isSealed(binding: Binding): boolean;
  /** The store names a newer owner. */
  moved(binding: Binding, route: ActorFence): void;
  lose(binding: Binding, error: RuntimeError): void;
}

/**
 * What becomes of bindings whose actor's node cannot be reached (`protocol.md` N2): they live on if the same run of the node
 * comes back; otherwise the store says who owns the actor now, or that nobody does.
 */
export class RouteWatch {
  readonly #host: Host;
  readonly #bindings: WatchedBindings;
  /** Runs of nodes that are being watched. */
  readonly #watched = new Set<string>();

  constructor(host: Host, bindings: WatchedBindings) {
    this.#host = host;
    this.#bindings = bindings;
  }

  /** The link to this run of a node was lost. Settles when none of the bindings needs to be watched any more. */
  async lost(peer: PeerIdentity): Promise<void> {
    const run = `${peer.nodeGeneration}:${peer.nodeRid}`;
    if (this.#watched.has(run)) return;
    this.#watched.add(run);
    try {
      while (!this.#host.stopped() && this.#bindings.routedTo(peer).length > 0) {
        if (await this.#isBack(peer)) return;
        await this.#host.directory.pause(WATCH_PAUSE_MS);
      }
    } finally {
      this.#watched.delete(run);
    }
  }

  /**
   * Asks the store where the actor is, and repoints or ends the binding by its answer. A sealed one is left to its barrier
   * (S5). Gives whether the actor is known to be gone.
   */
  async verify(binding: Binding): Promise<boolean> {
    if (binding.ended || this.#bindings.isSealed(binding)) return false;
    const answer = await this.#host.store.read(actorAuthorityKey(binding.actorId));
    // S15: what was true before the store was asked need not be true any more.
    if (binding.ended || answer.outcome === "unknown" || this.#bindings.isSealed(binding)) return false;
    const reading = answer.outcome === "found" ? answer.reading : undefined;
    const isSame =
      reading?.record.state === "active" &&
      reading.record.objectGeneration === binding.route.actor.objectGeneration &&
      reading.ownerLeaseLive;
    if (!isSame) {
      const message = `actor "${binding.actorId}" is gone: its node was lost, or it was destroyed or made anew`;
      // One that is being unbound ends there, behind what the actor's node still says of its messages (I2).
      if (!binding.unbinding) this.#bindings.lose(binding, new RuntimeError("notFound", message));
      return true;
    }
    if (reading.record.authorityOwnerGeneration > binding.route.authorityOwnerGeneration) {
      this.#bindings.moved(binding, fenceOf(binding.actorId, reading.record));
    }
    return false;
  }

  /** True when the link is back; bindings of a run that is gone are settled by what the store says. */
  async #isBack(peer: PeerIdentity): Promise<boolean> {
    const { directory, links } = this.#host;
    const nodes = await directory.nodes(true).catch(() => undefined);
    if (!nodes) return false;
    const isAlive = nodes.some(
      ({ descriptor: { owner } }) => owner.nodeRid === peer.nodeRid && owner.nodeGeneration === peer.nodeGeneration,
    );
    if (!isAlive) {
      await Promise.all(this.#bindings.routedTo(peer).map((binding) => this.verify(binding)));
      return false;
    }
    return links.ready(peer.nodeRid).then(
      (linked) => linked.nodeGeneration === peer.nodeGeneration,
      () => false,
    );
  }
}
