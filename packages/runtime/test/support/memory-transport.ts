import type {
  LinkLossReason,
  LocalIdentity,
  PeerAddress,
  PeerIdentity,
  SendResult,
  Transport,
  TransportHandler,
} from "@rehome/core";
import type { Rid } from "@rehome/wire";

interface Station {
  readonly identity: PeerIdentity;
  readonly handler: TransportHandler;
  readonly links: Map<Rid, Link>;
}

interface Link {
  readonly queue: (readonly Uint8Array[])[];
  scheduled: boolean;
  lost: boolean;
}

/** A stalled link is not waited for any longer. */
const FLUSH_TICKS = 100;

/** Links within one process that keep the promises of the port; a test can cut, stall and watch them. */
export class MemoryNetwork {
  readonly #stations = new Map<Rid, Station>();
  /** Sees every record on its way; `false` drops the link instead of delivering. */
  watch: (from: Rid, to: Rid, frames: readonly Uint8Array[]) => boolean = () => true;
  stalled = new Set<string>();

  transport(): Transport {
    let self: Station | undefined;
    const stations = this.#stations;
    const connect = (from: Station, to: Rid): void => this.#connect(from, to);
    const schedule = (from: Station, to: Rid, link: Link): void => this.#schedule(from, to, link);
    const cut = (one: Rid, other: Rid): void => this.cut(one, other);
    return {
      listen(identity: LocalIdentity, handler: TransportHandler) {
        const { meshName, nodeRid, nodeGeneration, lease } = identity;
        self = { identity: { meshName, nodeRid, nodeGeneration, lease }, handler, links: new Map() };
        stations.set(nodeRid, self);
        return Promise.resolve({ endpoint: `memory://${nodeRid}` });
      },
      connect(address: PeerAddress) {
        queueMicrotask(() => self && connect(self, address.nodeRid));
      },
      forget(nodeRid: Rid) {
        if (self) cut(self.identity.nodeRid, nodeRid);
      },
      send(nodeRid: Rid, frames: readonly Uint8Array[]): SendResult {
        const link = self?.links.get(nodeRid);
        if (!self || !link) return "noLink";
        link.queue.push(frames.map((frame) => frame.slice()));
        schedule(self, nodeRid, link);
        return "accepted";
      },
      peer(nodeRid: Rid) {
        return self?.links.has(nodeRid) ? stations.get(nodeRid)?.identity : undefined;
      },
      async close() {
        // What is queued is flushed, in bounded time.
        const isFlushed = (): boolean => [...(self?.links.values() ?? [])].every(({ queue }) => queue.length === 0);
        for (let ticks = 0; ticks < FLUSH_TICKS && !isFlushed(); ticks++)
          await new Promise((resolve) => setImmediate(resolve));
        if (self) for (const rid of [...self.links.keys()]) cut(self.identity.nodeRid, rid);
        if (self) stations.delete(self.identity.nodeRid);
      },
    };
  }

  /** Both sides lose the link; what was not delivered is unacknowledged. */
  cut(one: Rid, other: Rid, reason: LinkLossReason = "livenessTimeout"): void {
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      const station = this.#stations.get(from);
      const link = station?.links.get(to);
      if (!station || !link) continue;
      station.links.delete(to);
      link.lost = true;
      const peer = this.#stations.get(to)?.identity ?? { ...station.identity, nodeRid: to };
      const unacknowledged = link.queue.splice(0);
      queueMicrotask(() => station.handler.onLink({ type: "LinkLost", peer, reason, unacknowledged }));
    }
  }

  /** The node is gone from the network, as when its process was killed. */
  remove(rid: Rid): void {
    this.#stations.delete(rid);
  }

  stall(from: Rid, to: Rid): void {
    this.stalled.add(`${from}>${to}`);
  }

  resume(from: Rid, to: Rid): void {
    this.stalled.delete(`${from}>${to}`);
    const station = this.#stations.get(from);
    const link = station?.links.get(to);
    if (station && link) this.#schedule(station, to, link);
  }

  #connect(self: Station, to: Rid): void {
    const other = this.#stations.get(to);
    if (!other || self.links.has(to)) return;
    self.links.set(to, { queue: [], scheduled: false, lost: false });
    other.links.set(self.identity.nodeRid, { queue: [], scheduled: false, lost: false });
    self.handler.onLink({ type: "LinkUp", peer: other.identity });
    other.handler.onLink({ type: "LinkUp", peer: self.identity });
  }

  #schedule(from: Station, to: Rid, link: Link): void {
    if (link.scheduled || this.stalled.has(`${from.identity.nodeRid}>${to}`)) return;
    link.scheduled = true;
    setImmediate(() => {
      link.scheduled = false;
      const target = this.#stations.get(to);
      if (link.lost || !target || this.stalled.has(`${from.identity.nodeRid}>${to}`)) return;
      for (let frames = link.queue[0]; frames && !link.lost; frames = link.queue[0]) {
        if (!this.watch(from.identity.nodeRid, to, frames)) {
          this.cut(from.identity.nodeRid, to);
          return;
        }
        link.queue.shift();
        target.handler.onRecord(from.identity, frames);
        if (this.stalled.has(`${from.identity.nodeRid}>${to}`)) return;
      }
    });
  }
}
