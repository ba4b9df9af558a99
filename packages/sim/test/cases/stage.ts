import type { AuthorityStore, PeerIdentity, Transport } from "@rehome/core";
import { startNode, type ActorType, type Node, type NodeEvent, type NodeOptions } from "@rehome/runtime";
import { useNativeCrc32c } from "@rehome/system";
import { actorAuthorityKey, ridFromText, type CommandName, type Rid } from "@rehome/wire";
import { Dice } from "../../src/random.ts";
import { watching } from "../../src/watch/watch.ts";
import { commandName } from "../../src/world/link.ts";
import { Network, type NetworkTerms } from "../../src/world/network.ts";
import { Process } from "../../src/world/process.ts";
import { SimStore } from "../../src/world/store.ts";
import { Trace } from "../../src/world/trace.ts";
import { VirtualTime } from "../../src/world/virtual-time.ts";
import { Book } from "./book.ts";

/** A record that is about to be handed to a node. */
export interface Arrival {
  readonly command: CommandName;
  readonly from: PeerIdentity;
  readonly at: Seat;
  readonly frames: readonly Uint8Array[];
  /** Hands these frames to the node, now, as if they came from that peer. */
  readonly hand: (from: PeerIdentity, frames: readonly Uint8Array[]) => void;
}

/** Sees every record before its node does; `"lost"` when the node is not to have it. */
export type Tap = (arrival: Arrival) => "lost" | void;

/** A node of the stage, and the process that it runs in. */
export interface Seat {
  readonly name: string;
  readonly rid: Rid;
  readonly process: Process;
  readonly node: Node;
  identity: () => PeerIdentity;
}

interface Logged {
  readonly level: string;
  readonly event: string;
  readonly at: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const DEADLINES = {
  moveMs: 800,
  storeResolutionMs: 400,
  sealMs: 1_500,
  followMs: 2_000,
  requestMs: 4_000,
  createMs: 1_500,
  connectMs: 300,
  leaseMs: 1_200,
  closeMs: 400,
} as const;

/** Nothing goes wrong by itself; a case does that. A link lives through any stall that a case makes. */
const CALM: NetworkTerms = {
  latencyMs: { least: 0.2, most: 1 },
  slow: 0,
  slowMs: { least: 0, most: 0 },
  backedUpAt: 256,
  fullAt: 100_000,
  livenessMs: 15_000,
  repeatedControl: 0,
};

/** Real nodes on virtual time, a simulated network and a store in memory. The same case runs the same way every time. */
export class Stage {
  readonly time = new VirtualTime();
  readonly network: Network;
  readonly store: SimStore;
  readonly book: Book;
  readonly seats: Seat[] = [];
  readonly events: { readonly seat: string; readonly atMs: number; readonly event: NodeEvent }[] = [];
  readonly logs: Logged[] = [];
  readonly taps: Tap[] = [];
  /** What the machines of core say of their own invariants, and callbacks that threw. */
  readonly broken: string[] = [];
  readonly #seed: number;
  readonly #deadlines: NodeOptions["deadlines"];
  readonly #leave: () => void;
  /** Called with each node's handle of the store, to get in between. */
  wrapStore: (store: AuthorityStore, process: Process) => AuthorityStore = (store) => store;

  private constructor(seed: number, deadlines: NodeOptions["deadlines"], watch: boolean) {
    this.#seed = seed;
    this.#deadlines = { ...DEADLINES, ...deadlines };
    const { time } = this;
    const trace = new Trace(time);
    this.network = new Network({ time, trace, dice: new Dice(seed, "network"), terms: CALM });
    const terms = { latencyMs: { least: 0.2, most: 1 }, slow: 0, slowMs: { least: 0, most: 0 } };
    const faultless = { lostCall: 0, lostAnswer: 0, lateWrite: 0 };
    this.store = new SimStore({
      time,
      trace,
      dice: new Dice(seed, "store"),
      terms: { ...terms, ...faultless },
      rate: 1,
    });
    this.book = new Book({ nowMs: () => time.nowMs, ownerOf: (actorId) => this.ownerInStore(actorId) });
    this.#leave = watch ? watching((_rule, text) => this.broken.push(text)) : () => undefined;
    time.onError = (error) => this.broken.push(String(error));
  }

  /** `watch`: hears what core's machines say of their own invariants, which costs time where they remember much. */
  static async open(
    options: { seed?: number; deadlines?: NodeOptions["deadlines"]; watch?: boolean } = {},
  ): Promise<Stage> {
    await useNativeCrc32c();
    return new Stage(options.seed ?? 1, options.deadlines, options.watch ?? true);
  }

  close(): void {
    for (const { process } of this.seats) process.kill();
    this.#leave();
  }

  /** Starts a node. `actors` is given the process that they run in. */
  async add(
    name: string,
    actors: (process: Process) => readonly ActorType[],
    options: Partial<NodeOptions> = {},
  ): Promise<Seat> {
    const { time, network, book } = this;
    const process = new Process(name, time, { unixOffsetMs: 1.7e12, rate: 1 });
    process.onDeath = () => {
      network.died(process);
      book.died(name);
    };
    const seat = { name, rid: ridFromText(name), process, identity: () => network.identityOf(process)! };
    const starting = startNode({
      meshName: "cases",
      name,
      transport: this.#tapped(network.transport(process), () => seat as Seat),
      store: this.wrapStore(this.store.of(process), process),
      clock: process.clock,
      random: new Dice(this.#seed, `node/${name}`),
      actors: actors(process),
      log: { write: (level, event, fields) => this.logs.push({ level, event, at: name, fields }) },
      observe: (event) => {
        if (process.alive) this.events.push({ seat: name, atMs: time.nowMs, event });
      },
      ...options,
      deadlines: { ...this.#deadlines, ...options.deadlines },
    });
    const whole: Seat = Object.assign(seat, { node: await this.settle(starting) });
    this.seats.push(whole);
    return whole;
  }

  /** Lets virtual time go on until this has settled. */
  async settle<T>(promise: Promise<T>, withinMs = 6_000): Promise<T> {
    let done = false;
    const mark = (): void => void (done = true);
    promise.then(mark, mark);
    await this.until(() => done, withinMs);
    return promise;
  }

  async until(isSo: () => boolean, withinMs = 6_000): Promise<void> {
    const endMs = this.time.nowMs + withinMs;
    while (!isSo()) {
      if (this.time.nowMs >= endMs) throw new Error(`it has not come about within ${withinMs} ms of virtual time`);
      await this.time.runUntil(this.time.nowMs + 0.5);
    }
  }

  async pass(ms: number): Promise<void> {
    await this.time.runUntil(this.time.nowMs + ms);
  }

  /** The name of the node that the store names as the owner. */
  ownerInStore(actorId: string): string | undefined {
    const row = this.store.tables.object(actorAuthorityKey(actorId));
    return row && row.state === "active" ? this.seats.find(({ rid }) => rid === row.owner.nodeRid)?.name : undefined;
  }

  eventsOf<T extends NodeEvent["type"]>(type: T): (Extract<NodeEvent, { type: T }> & { seat: string; atMs: number })[] {
    return this.events.flatMap(({ seat, atMs, event }) =>
      event.type === type ? [{ ...(event as Extract<NodeEvent, { type: T }>), seat, atMs }] : [],
    );
  }

  /** Living nodes that have a copy of the actor. */
  holders(actorId: string): string[] {
    const living = this.seats.filter(({ process }) => process.alive);
    return living.filter(({ node }) => node.actors().some((each) => each.actorId === actorId)).map(({ name }) => name);
  }

  #tapped(transport: Transport, seat: () => Seat): Transport {
    return {
      ...transport,
      listen: (identity, handler) =>
        transport.listen(identity, {
          onLink: (event) => handler.onLink(event),
          onRecord: (peer, frames) => {
            const hand: Arrival["hand"] = (from, copy) =>
              handler.onRecord(
                from,
                copy.map((frame) => frame.slice()),
              );
            const arrival = { command: commandName(frames) as CommandName, from: peer, at: seat(), frames, hand };
            for (const tap of this.taps) if (tap(arrival) === "lost") return;
            handler.onRecord(peer, frames);
          },
        }),
    };
  }
}

export const numbers = (count: number, first = 1): number[] => Array.from({ length: count }, (_, at) => first + at);
