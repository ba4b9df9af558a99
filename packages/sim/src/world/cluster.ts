import type { AuthorityStore } from "@rehome/core";
import { startNode, type Deadlines, type Limits, type Node, type NodeEvent } from "@rehome/runtime";
import { actorAuthorityKey, spotAuthorityKey } from "@rehome/wire";
import { Ledger, type Runner } from "../check/ledger.ts";
import type { Report, Rule } from "../check/violation.ts";
import { Dice } from "../random.ts";
import { tallyType, type Surroundings } from "../workload/actor.ts";
import { roomType } from "../workload/room.ts";
import type { Network } from "./network.ts";
import { Process, type Machine } from "./process.ts";
import type { SimStore } from "./store.ts";
import type { Trace } from "./trace.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** One run of a node. */
export class Run implements Runner {
  readonly host: Host;
  readonly process: Process;
  node: Node | undefined;
  /** It was drained and shut down: nothing is lost with it. */
  isEmpty = false;

  constructor(host: Host, process: Process) {
    this.host = host;
    this.process = process;
  }

  get name(): string {
    return this.process.name;
  }

  get alive(): boolean {
    return this.process.alive;
  }

  get paused(): boolean {
    return this.process.paused;
  }
}

/** A machine with the node that runs on it, or will again. */
export interface Host {
  readonly name: string;
  readonly isGateway: boolean;
  readonly machine: Machine;
  run: Run | undefined;
  runs: number;
}

export interface ClusterParts {
  readonly seed: number;
  readonly time: VirtualTime;
  readonly trace: Trace;
  readonly network: Network;
  readonly store: SimStore;
  readonly report: Report;
  readonly limits: Partial<Limits>;
  readonly deadlines: Deadlines;
  /** No node can be lost, so that no sender can be. */
  readonly sendersLive: boolean;
  /** What becomes of actors whose node is lost (L3). */
  readonly afterLoss: "restore" | "new";
  /** Spots can be captured, so that they move with their members. */
  readonly spotsMove: boolean;
  /** Nothing keeps the records of a move waiting, so that no seal has to end by itself. */
  readonly isGentle: boolean;
  readonly surroundings: Pick<Surroundings, "faults" | "onFault">;
  /** Share of joins that a spot turns away. */
  refusals(): number;
  onEvent(run: Run, event: NodeEvent): void;
  /** A run of a node has begun to serve. */
  onServing(run: Run): void;
  /** It is dead. */
  onDeath(run: Run): void;
}

/** What a node must never write into its log when all other nodes are honest. */
const NEVER_LOGGED: readonly [RegExp, Rule][] = [
  [/^(record|background|session|move|arrival)\.(failed|handlerFailed|stepFailed)$/, "internal"],
  [/^(hold\.notGivenBack|session\.refusalUnmatched|relay\.dropped|route\.forgotten)$/, "internal"],
  [/^(record\.undecodable|record\.unexpected|peer\.cutOff)$/, "I9"],
];
/** S20: as long as nothing is lost or late, each seal is ended by its 44. */
const SEAL_OVERDUE = "seal.deadlinePassed";
/** N5: as long as nobody dies, every gap is filled. */
const GAP_GIVEN_UP = "stream.gapGivenUp";

const RESTART_PAUSE_MS = 40;

/** The nodes of a run, and the machines that they run on. */
export class Cluster {
  readonly ledger: Ledger;
  readonly hosts: Host[] = [];
  readonly #parts: ClusterParts;

  constructor(parts: ClusterParts) {
    this.#parts = parts;
    this.ledger = new Ledger({
      now: () => parts.time.nowMs,
      report: parts.report,
      faultOfOwner: (runner, actorId) => this.#faultOfOwner(runner as Process, actorAuthorityKey(actorId)),
      spots: {
        // A node that has closed asks its spots for what nobody hears of any more.
        faultOfOwner: (runner, spotId) =>
          parts.network.identityOf(runner as Process) &&
          this.#faultOfOwner(runner as Process, spotAuthorityKey(spotId)),
        generationOf: (spotId) => parts.store.tables.object(spotAuthorityKey(spotId))?.objectGeneration,
      },
      generationOf: (actorId) => parts.store.tables.object(actorAuthorityKey(actorId))?.objectGeneration,
      afterLoss: parts.afterLoss,
      nodesLive: parts.sendersLive,
    });
  }

  addHost(name: string, isGateway: boolean, machine: Machine): Host {
    const host: Host = { name, isGateway, machine, run: undefined, runs: 0 };
    this.hosts.push(host);
    return host;
  }

  /** Runs that serve. */
  serving(which: "nodes" | "gateways" | "all" = "all"): (Run & { node: Node })[] {
    return this.hosts.flatMap(({ run, isGateway }) => {
      const isWanted = which === "all" || isGateway === (which === "gateways");
      return isWanted && run?.alive === true && run.node !== undefined ? [run as Run & { node: Node }] : [];
    });
  }

  /** Starts a node, and again if that fails; unless another run of it has begun meanwhile. */
  start(host: Host): void {
    const { time, trace, seed, network, store } = this.#parts;
    const process = new Process(`${host.name}.${++host.runs}`, time, host.machine);
    const run = new Run(host, process);
    host.run = run;
    process.onDeath = () => {
      trace.note(process.name, "is dead");
      this.ledger.died(process);
      network.died(process);
      this.#parts.onDeath(run);
    };
    trace.note(process.name, "starts");
    process.enter(() => {
      const handle: AuthorityStore = store.of(process);
      this.#startNode(run, handle, new Dice(seed, `node/${process.name}`)).then(
        (node) => {
          run.node = node;
          trace.note(process.name, "serves");
          this.#parts.onServing(run);
        },
        (error: unknown) => {
          trace.note(process.name, `does not start: ${String(error)}`);
          process.kill();
          time.after(RESTART_PAUSE_MS, () => {
            if (host.run === run) this.start(host);
          });
        },
      );
    });
  }

  #startNode(run: Run, store: AuthorityStore, random: Dice): Promise<Node> {
    const { host, process } = run;
    const { network, trace, limits, deadlines, seed, surroundings, afterLoss, spotsMove } = this.#parts;
    const around: Surroundings = {
      ...surroundings,
      afterLoss,
      ledger: this.ledger,
      process,
      trace,
      dice: new Dice(seed, `user/${process.name}`),
    };
    return startNode({
      meshName: "sim",
      name: host.name,
      transport: network.transport(process),
      store,
      clock: process.clock,
      random,
      limits,
      deadlines,
      ...(host.isGateway
        ? { placementWeight: 0 }
        : { actors: [tallyType(around)], spots: [roomType(around, spotsMove, () => this.#parts.refusals())] }),
      log: { write: (level, event, fields) => this.#logged(run, level, event, fields) },
      observe: (event) => {
        if (process.alive) this.#parts.onEvent(run, event);
      },
    });
  }

  #logged(run: Run, level: string, event: string, fields: Readonly<Record<string, unknown>>): void {
    if (!run.alive) return;
    const { trace, report } = this.#parts;
    if (level !== "debug") trace.note(run.name, `${level} ${event} ${fieldsText(fields)}`);
    const rule = NEVER_LOGGED.find(([pattern]) => pattern.test(event))?.[1];
    if (event === GAP_GIVEN_UP && this.#parts.sendersLive) {
      report("I4", `${run.name} gives up a gap that its living sender should have filled (N5): ${fieldsText(fields)}`);
    }
    if (event === SEAL_OVERDUE && this.#parts.isGentle) {
      report("settled", `${run.name} has a seal that no 44 ends (S20): ${fieldsText(fields)}`);
    }
    if (rule) report(rule, `${run.name} logs ${event}: ${fieldsText(fields)}`, [run.name]);
  }

  /** I1: the store decides. A node whose actor or spot has another owner there runs nothing of it. */
  #faultOfOwner(process: Process, key: string): string | undefined {
    const row = this.#parts.store.tables.object(key);
    if (!row) return "the store does not know it";
    const self = this.#parts.network.identityOf(process);
    const { owner, state } = row;
    if (!self) return "it is off the network";
    const isOwner = owner.nodeRid === self.nodeRid && owner.nodeGeneration === self.nodeGeneration;
    if (state === "active" && isOwner) return undefined;
    return `the store names ${String(owner.nodeRid)} (generation ${owner.nodeGeneration}, ${state})`;
  }

  /** H7: whoever is in a spot lives where the spot lives, whatever moves. */
  checkPlaces(actorIds: readonly string[]): void {
    const { store, report } = this.#parts;
    for (const actorId of actorIds) {
      const actor = store.tables.object(actorAuthorityKey(actorId));
      const spot = actor?.place && store.tables.object(spotAuthorityKey(actor.place.spotId));
      if (actor?.state !== "active" || spot?.objectGeneration !== actor.place?.objectGeneration) continue;
      const { owner } = actor;
      if (!spot || (spot.owner.ownerId === owner.ownerId && spot.owner.nodeGeneration === owner.nodeGeneration))
        continue;
      const { spotId } = actor.place;
      const text = `${actorId} is at ${String(owner.nodeRid)} and in ${spotId}, which is at ${String(spot.owner.nodeRid)}`;
      report("H7", text, [actorId, spotId]);
    }
  }

  /** Who is in a spot, by the store. */
  membersOf(spotId: string, actorIds: readonly string[]): string[] {
    const { tables } = this.#parts.store;
    const spot = tables.object(spotAuthorityKey(spotId));
    return actorIds.filter((actorId) => {
      const actor = tables.object(actorAuthorityKey(actorId));
      const isIn = actor?.place?.spotId === spotId && actor.place.objectGeneration === spot?.objectGeneration;
      return actor?.state === "active" && isIn;
    });
  }
}

export function fieldsText(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${valueText(value)}`)
    .join(" ");
}

function valueText(value: unknown): string {
  if (value instanceof Error) {
    const { cause } = value;
    return `${value.message}${cause instanceof Error ? ` (${cause.message})` : ""}`;
  }
  if (typeof value === "object" && value !== null) {
    return JSON.stringify(value, (_key, part: unknown) => (typeof part === "bigint" ? part.toString() : part)).slice(
      0,
      300,
    );
  }
  return String(value);
}
