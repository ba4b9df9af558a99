import type { LinkLossReason, PeerAddress, PeerIdentity, TrafficClass, Transport } from "@rehome/core";
import type { Rid } from "@rehome/wire";
import type { Dice } from "../random.ts";
import { End, type SentRecord } from "./link.ts";
import { noteRecord } from "./note-record.ts";
import { Partitions } from "./partitions.ts";
import type { Process } from "./process.ts";
import { Station } from "./station.ts";
import type { Trace } from "./trace.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** How the network of one run behaves. */
export interface NetworkTerms {
  /** Of an undisturbed record. */
  readonly latencyMs: { readonly least: number; readonly most: number };
  /** Share of records that take `slowMs` instead. */
  readonly slow: number;
  readonly slowMs: { readonly least: number; readonly most: number };
  /** Unacknowledged data records at which a link says that it is backed up, and at which it takes no more. */
  readonly backedUpAt: number;
  readonly fullAt: number;
  /** How long an end hears nothing before it gives its link up (L2). */
  readonly livenessMs: number;
  /** Share of control records of moves that their sender sends twice (I9). */
  readonly repeatedControl: number;
}

/** First and longest pause between two attempts to reach a node. */
const RETRY_MS = 20;
const LONGEST_RETRY_MS = 200;

/**
 * The network between the nodes of a run. It keeps what `core`'s `Transport` promises: whole records in order and exactly
 * once per link; a loss is an event, and of what is unacknowledged then some had arrived and some had not.
 */
export class Network {
  readonly time: VirtualTime;
  readonly dice: Dice;
  readonly trace: Trace;
  terms: NetworkTerms;
  onFault: (name: "repeatedControl" | "slowRecord" | "backpressure") => void = () => undefined;
  readonly #stations = new Map<Rid, Station>();
  readonly #partitions = new Partitions();

  constructor(parts: { time: VirtualTime; dice: Dice; trace: Trace; terms: NetworkTerms }) {
    this.time = parts.time;
    this.dice = parts.dice;
    this.trace = parts.trace;
    this.terms = parts.terms;
  }

  transport(process: Process): Transport {
    let station: Station | undefined;
    return {
      listen: (identity, handler) => {
        const { meshName, nodeRid, nodeGeneration, lease } = identity;
        station = new Station(process, { meshName, nodeRid, nodeGeneration, lease }, handler);
        this.#stations.set(nodeRid, station);
        return Promise.resolve({ endpoint: `sim://${process.name}` });
      },
      connect: (address) => {
        if (station && process.output()) this.#want(station, address);
      },
      forget: (nodeRid) => {
        if (!station) return;
        station.wanted.delete(nodeRid);
        const end = station.ends.get(nodeRid);
        if (end) this.#lose(end, "closedLocally");
      },
      send: (nodeRid, frames, traffic) => this.#send(station, nodeRid, frames, traffic),
      peer: (nodeRid) => station?.current(nodeRid)?.peer.station.identity,
      close: () => {
        if (station) this.#close(station);
        return Promise.resolve();
      },
    };
  }

  latency(): number {
    const { latencyMs, slow, slowMs } = this.terms;
    const range = this.dice.chance(slow) ? slowMs : latencyMs;
    return this.dice.between(range.least, range.most);
  }

  /** The process is gone: its peers find that out in their own time. */
  died(process: Process): void {
    for (const station of this.#stations.values()) {
      if (station.process !== process) continue;
      for (const end of station.ends.values()) {
        end.lost = true;
        this.#learnLater(end.peer, "livenessTimeout");
      }
      if (this.#stations.get(station.identity.nodeRid) === station) this.#stations.delete(station.identity.nodeRid);
    }
  }

  /** The process does not answer any more, until it wakes up: links end when that takes too long. */
  paused(process: Process): void {
    for (const station of this.#stations.values()) {
      if (station.process !== process) continue;
      for (const { peer } of station.ends.values()) this.#watchLiveness(peer, () => process.paused);
    }
  }

  /** Nothing gets from one node to another until the function that this gives is called. */
  block(from: Rid, to: Rid): () => void {
    const heal = this.#partitions.add(from, to);
    for (const [own, other] of [
      [from, to],
      [to, from],
    ] as const) {
      const end = this.#stations.get(own)?.ends.get(other);
      // Both ends hear no answer to their probes, whichever way is blocked (L2).
      if (end) this.#watchLiveness(end, () => this.isBlocked(from, to));
    }
    return () => {
      if (!heal()) return;
      const end = this.#stations.get(from)?.ends.get(to);
      if (end) this.#unblock(end);
      const back = this.#stations.get(to)?.ends.get(from);
      if (back) this.#acknowledge(back);
    };
  }

  /** Who a process says that it is, once it listens. */
  identityOf(process: Process): PeerIdentity | undefined {
    for (const station of this.#stations.values()) if (station.process === process) return station.identity;
    return undefined;
  }

  isBlocked(from: Rid, to: Rid): boolean {
    return this.#partitions.has(from, to);
  }

  /** Breaks the link between two nodes. False when there is none. */
  cut(one: Rid, other: Rid): boolean {
    const end = this.#stations.get(one)?.ends.get(other);
    if (!end) return false;
    this.#lose(end, "livenessTimeout");
    return true;
  }

  /**
   * The connection between two nodes is lost, and their link is not (N1): what is under way arrives once there is another, for
   * which the function that this gives is called. The link is lost when that takes too long (L2). `undefined` when there is none.
   */
  interrupt(one: Rid, other: Rid): (() => void) | undefined {
    const end = this.#stations.get(one)?.ends.get(other);
    if (!end?.up || !end.peer.up || end.isInterrupted || end.peer.isInterrupted) return undefined;
    let isOver = false;
    for (const each of [end, end.peer]) {
      each.isInterrupted = true;
      this.#watchLiveness(each, () => !isOver);
    }
    return () => this.#resume(end, () => (isOver = true));
  }

  #resume(end: End, whenResumed: () => void): void {
    if (end.lost || end.peer.lost) return;
    if (this.#isStuck(end) || this.#isStuck(end.peer)) {
      this.time.after(RETRY_MS, () => this.#resume(end, whenResumed));
      return;
    }
    whenResumed();
    for (const each of [end, end.peer]) {
      // Nothing comes over the new connection before the node knows of it.
      this.time.after(this.latency(), () => {
        each.peer.isInterrupted = false;
        this.#tellResumed(each);
        this.#unblock(each.peer);
        this.#acknowledge(each.peer);
      });
    }
  }

  #tellResumed(end: End): void {
    const { station, peer } = end;
    station.process.enter(() => {
      if (end.lost || end.gone) return;
      this.trace.note(station.process.name, `link resumed to ${peer.station.process.name}`);
      station.handler.onLink({ type: "LinkResumed", peer: peer.station.identity });
    });
  }

  /** Nothing of this end gets through to its peer. */
  #isStuck({ station, peer }: End): boolean {
    return this.isBlocked(station.identity.nodeRid, peer.station.identity.nodeRid);
  }

  /** Pairs of nodes that are linked. */
  links(): [Rid, Rid][] {
    const pairs: [Rid, Rid][] = [];
    for (const [rid, station] of this.#stations)
      for (const other of station.ends.keys()) if (rid < other) pairs.push([rid, other]);
    return pairs;
  }

  #want(station: Station, address: PeerAddress): void {
    const { nodeRid, nodeGeneration } = address;
    const known = station.newest.get(nodeRid) ?? 0n;
    if (nodeGeneration < known) {
      station.tell(this.time, { type: "ConnectFailed", address, reason: "an older run" });
      return;
    }
    station.newest.set(nodeRid, nodeGeneration);
    const running = station.wanted.has(nodeRid);
    station.wanted.set(nodeRid, address);
    if (!running && !station.current(nodeRid)) this.#tryLater(station, nodeRid, 0);
  }

  #tryLater(station: Station, nodeRid: Rid, tries: number): void {
    const pauseMs = tries === 0 ? 0 : Math.min(LONGEST_RETRY_MS, RETRY_MS * 2 ** tries);
    this.time.after(pauseMs + this.latency(), () => this.#try(station, nodeRid, tries));
  }

  #try(station: Station, nodeRid: Rid, tries: number): void {
    const address = station.wanted.get(nodeRid);
    if (!address || !station.process.alive || station.closed || station.ends.has(nodeRid)) return;
    const own = station.identity;
    const other = this.#stations.get(nodeRid);
    const isThere =
      other !== undefined &&
      !other.closed &&
      !other.process.paused &&
      !station.process.paused &&
      !this.isBlocked(own.nodeRid, nodeRid) &&
      !this.isBlocked(nodeRid, own.nodeRid) &&
      other.identity.nodeGeneration >= address.nodeGeneration &&
      own.nodeGeneration >= (other.newest.get(own.nodeRid) ?? 0n);
    if (!isThere) {
      station.tell(this.time, { type: "ConnectFailed", address, reason: "nobody answers" });
      this.#tryLater(station, nodeRid, tries + 1);
      return;
    }
    const stale = other.ends.get(own.nodeRid);
    if (stale) {
      const isNewer = own.nodeGeneration > stale.peer.station.identity.nodeGeneration;
      this.#lose(stale, isNewer ? "replacedByNewerGeneration" : "livenessTimeout");
      // What it did about that may have been its last.
      if (!other.process.alive) {
        this.#tryLater(station, nodeRid, tries + 1);
        return;
      }
    }
    this.#establish(station, other);
  }

  #establish(one: Station, other: Station): void {
    const end = new End(one);
    const peer = new End(other);
    end.peer = peer;
    peer.peer = end;
    for (const { station, peer: to } of [peer, end]) {
      const { nodeRid, nodeGeneration } = to.station.identity;
      station.newest.set(nodeRid, nodeGeneration);
      station.ends.set(nodeRid, to.peer);
    }
    this.#tellUp(peer);
    // Nothing of the one that is up already may arrive before the other is.
    peer.arrivesMs = this.time.nowMs + this.latency();
    this.time.at(peer.arrivesMs, () => this.#tellUp(end));
  }

  #tellUp(end: End): void {
    const { station, peer } = end;
    station.process.enter(() => {
      if (end.lost || end.gone) return;
      end.up = true;
      this.trace.note(station.process.name, `link up to ${peer.station.process.name}`);
      station.handler.onLink({ type: "LinkUp", peer: peer.station.identity });
    });
  }

  #send(
    station: Station | undefined,
    nodeRid: Rid,
    frames: readonly Uint8Array[],
    traffic: TrafficClass,
  ): "accepted" | "backedUp" | "refused" | "noLink" {
    const end = station?.current(nodeRid);
    if (!station || !end) return "noLink";
    if (!station.process.output()) return "accepted";
    if (traffic === "data" && end.dataInFlight >= this.terms.fullAt) {
      end.isBackedUp = true;
      this.onFault("backpressure");
      return "refused";
    }
    const record = { frames: frames.map((frame) => frame.slice()), traffic, isDelivered: false };
    this.#put(end, record);
    if (traffic === "control" && this.dice.chance(this.terms.repeatedControl)) this.#repeatLater(end, record.frames);
    if (traffic === "control" || end.dataInFlight < this.terms.backedUpAt) return "accepted";
    end.isBackedUp = true;
    return "backedUp";
  }

  /** I9: as a sender does that is not sure. */
  #repeatLater(end: End, frames: readonly Uint8Array[]): void {
    if (!End.isRepeatable(frames)) return;
    this.time.after(this.dice.between(0, 4) ** 4, () => {
      if (end.lost || !end.up) return;
      this.onFault("repeatedControl");
      this.#put(end, { frames, traffic: "control", isDelivered: false });
    });
  }

  #put(end: End, record: SentRecord): void {
    end.unacknowledged.push(record);
    if (record.traffic === "data") end.dataInFlight += 1;
    if (!end.lost) this.#transit(end, record);
  }

  #transit(end: End, record: SentRecord): void {
    end.inTransit.push(record);
    this.#arriveLater(end);
  }

  #arriveLater(end: End): void {
    end.arrivesMs = Math.max(end.arrivesMs, this.time.nowMs + this.latency());
    this.time.at(end.arrivesMs, () => this.#arrive(end));
  }

  /** The next record on its way is there. */
  #arrive(end: End): void {
    const { peer } = end;
    if (peer.lost || !peer.station.process.alive) return;
    if (end.isInterrupted || this.#isStuck(end)) {
      end.stalled += 1;
      return;
    }
    const record = end.inTransit.shift()!;
    peer.station.process.enter(() => {
      if (peer.gone) return;
      record.isDelivered = true;
      noteRecord(this.trace, end, record);
      peer.station.handler.onRecord(end.station.identity, record.frames);
      this.#acknowledge(end);
    });
  }

  /** What its peer has taken is forgotten at the sender, a little later. */
  #acknowledge(end: End): void {
    if (end.ackScheduled) return;
    end.ackScheduled = true;
    this.time.after(this.latency(), () => {
      end.ackScheduled = false;
      const { station, peer } = end;
      if (end.lost || end.isInterrupted || this.#isStuck(peer)) return;
      station.process.enter(() => {
        if (end.gone) return;
        end.dropDelivered();
        if (!end.isBackedUp || end.dataInFlight >= this.terms.backedUpAt) return;
        end.isBackedUp = false;
        station.handler.onLink({ type: "LinkDrained", peer: peer.station.identity });
      });
    });
  }

  #unblock(end: End): void {
    if (end.isInterrupted) return;
    for (; end.stalled > 0; end.stalled -= 1) this.#arriveLater(end);
  }

  #watchLiveness(end: End, isSilent: () => boolean): void {
    const { livenessMs } = this.terms;
    this.time.after(livenessMs * this.dice.between(0.9, 1.3), () => {
      if (!end.lost && isSilent()) this.#lose(end, "livenessTimeout");
    });
  }

  /** One end gives its link up; the other finds out later. */
  #lose(end: End, reason: LinkLossReason): void {
    if (end.lost) return;
    end.lost = true;
    const { station, peer } = end;
    const rid = peer.station.identity.nodeRid;
    if (station.ends.get(rid) === end) station.ends.delete(rid);
    station.fade(rid, end);
    station.process.enter(() => this.#tellLost(end, reason));
    this.#learnLater(peer, "livenessTimeout");
  }

  #tellLost(end: End, reason: LinkLossReason): void {
    const { station, peer } = end;
    const rid = peer.station.identity.nodeRid;
    end.gone = true;
    if (station.closed) return;
    if (end.up) {
      this.trace.note(
        station.process.name,
        `link lost to ${peer.station.process.name} (${reason}), ${end.unacknowledged.length} unacknowledged`,
      );
      const unacknowledged = end.unacknowledged.map(({ frames }) => frames);
      station.handler.onLink({ type: "LinkLost", peer: peer.station.identity, reason, unacknowledged });
    }
    if (station.wanted.has(rid)) this.#tryLater(station, rid, 1);
  }

  #learnLater(end: End, reason: LinkLossReason): void {
    if (end.lost) return;
    const { station, peer } = end;
    const isCutOff = this.isBlocked(peer.station.identity.nodeRid, station.identity.nodeRid);
    const { livenessMs } = this.terms;
    const delayMs = isCutOff ? livenessMs * this.dice.between(0.9, 1.3) : this.latency() + this.dice.between(0, 3) ** 3;
    this.time.after(delayMs, () => this.#lose(end, reason));
  }

  /** What is queued is still delivered; the closing node hears nothing any more. */
  #close(station: Station): void {
    if (station.closed) return;
    station.closed = true;
    const { nodeRid } = station.identity;
    if (this.#stations.get(nodeRid) === station) this.#stations.delete(nodeRid);
    for (const end of [...station.ends.values()]) {
      end.gone = true;
      const delayMs = Math.max(0, end.arrivesMs - this.time.nowMs) + this.latency();
      this.time.after(delayMs, () => this.#lose(end.peer, "livenessTimeout"));
    }
    station.ends.clear();
  }
}
