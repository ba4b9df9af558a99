import { actorAuthorityKey } from "@rehome/wire";
import type { FaultName, Strengths } from "../profile.ts";
import type { Dice } from "../random.ts";
import type { Cluster, Host } from "./cluster.ts";
import type { Network } from "./network.ts";
import type { WakeOrder } from "./process.ts";
import type { SimStore } from "./store.ts";
import type { Trace } from "./trace.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** How often each fault strikes at full strength, per second. */
const PER_SECOND: Partial<Record<FaultName, number>> = {
  linkLoss: 3,
  connectionLoss: 6,
  partition: 1,
  oneWayPartition: 1,
  storeOutage: 0.7,
  storeConflict: 8,
  crash: 0.5,
  crashAtStep: 0.5,
  pause: 0.4,
  shortPause: 1.5,
  clockJump: 2,
  drain: 0.6,
};
/** A crash at a step: outputs that the node still gets done. */
const STEPS = 40;

export interface TroubleParts {
  readonly time: VirtualTime;
  readonly dice: Dice;
  readonly trace: Trace;
  readonly cluster: Cluster;
  readonly network: Network;
  readonly store: SimStore;
  readonly strengths: Strengths;
  readonly leaseMs: number;
  readonly livenessMs: number;
  readonly actorIds: readonly string[];
  onFault(name: FaultName): void;
}

/** Makes the faults of a run happen, and ends them all. */
export class Trouble {
  readonly #parts: TroubleParts;
  /** Ends a fault that lasts. */
  readonly #lasting = new Set<() => void>();

  constructor(parts: TroubleParts) {
    this.#parts = parts;
  }

  /** The faults that strike at random; the others are shares of what happens anyway. */
  begin(untilMs: number): void {
    const { strengths } = this.#parts;
    for (const [name, perSecond] of Object.entries(PER_SECOND) as [FaultName, number][]) {
      if (strengths[name] > 0) this.#repeat(name, perSecond * strengths[name], untilMs);
    }
  }

  /** All faults that last are over: networks are whole, processes run. */
  end(): void {
    for (const over of [...this.#lasting]) over();
  }

  #repeat(name: FaultName, perSecond: number, untilMs: number): void {
    const { time, dice } = this.#parts;
    const atMs = time.nowMs + dice.wait(perSecond);
    if (atMs >= untilMs) return;
    time.at(atMs, () => {
      if (this.#strike(name)) this.#parts.onFault(name);
      this.#repeat(name, perSecond, untilMs);
    });
  }

  #strike(name: FaultName): boolean {
    const { livenessMs, leaseMs, dice } = this.#parts;
    switch (name) {
      case "linkLoss":
        return this.#loseLink();
      case "connectionLoss":
        return this.#interrupt(dice.between(1, livenessMs * 0.85));
      case "partition":
        return this.#partition(["there", "back"], dice.between(10, livenessMs * 2));
      case "oneWayPartition":
        return this.#partition([dice.pick(["there", "back"])], dice.between(10, livenessMs * 2));
      case "storeOutage":
        return this.#storeOutage(dice.between(50, leaseMs * 1.2));
      case "storeConflict":
        return this.#storeConflict();
      case "crash":
        return this.#crash(0);
      case "crashAtStep":
        return this.#crash(dice.below(STEPS));
      case "pause":
        return this.#pause(dice.between(leaseMs, leaseMs * 2));
      case "shortPause":
        return this.#pause(dice.between(5, leaseMs * 0.8));
      case "clockJump":
        return this.#clockJump();
      case "drain":
        return this.#drain();
      default:
        return false;
    }
  }

  /** Until `forMs` has passed or all faults end, whichever is first. */
  #last(forMs: number, over: () => void): void {
    const end = (): void => {
      if (this.#lasting.delete(end)) over();
    };
    this.#lasting.add(end);
    this.#parts.time.after(forMs, end);
  }

  #loseLink(): boolean {
    const { network, dice, trace } = this.#parts;
    const links = network.links();
    if (links.length === 0) return false;
    const [one, other] = dice.pick(links);
    trace.note("network", `cuts ${one} and ${other}`);
    return network.cut(one, other);
  }

  /** The link goes on over another connection, in time for nobody to give it up. */
  #interrupt(forMs: number): boolean {
    const { network, dice, trace } = this.#parts;
    const links = network.links();
    if (links.length === 0) return false;
    const [one, other] = dice.pick(links);
    const resume = network.interrupt(one, other);
    if (!resume) return false;
    trace.note("network", `${one} and ${other} lose their connection for ${forMs.toFixed(0)} ms`);
    this.#last(forMs, resume);
    return true;
  }

  #partition(ways: readonly string[], forMs: number): boolean {
    const { network, dice, trace, cluster } = this.#parts;
    const runs = cluster.serving();
    if (runs.length < 2) return false;
    const one = dice.pick(runs);
    const other = dice.pick(runs.filter((run) => run !== one));
    trace.note("network", `${one.name} and ${other.name} part (${ways.join(" and ")}) for ${forMs.toFixed(0)} ms`);
    const healed = ways.map((way) =>
      way === "there" ? network.block(one.node.rid, other.node.rid) : network.block(other.node.rid, one.node.rid),
    );
    this.#last(forMs, () => {
      trace.note("network", `${one.name} and ${other.name} meet again`);
      for (const heal of healed) heal();
    });
    return true;
  }

  #storeOutage(forMs: number): boolean {
    const { store, dice, trace, cluster } = this.#parts;
    const runs = cluster.serving();
    if (runs.length === 0) return false;
    const name = dice.chance(0.3) ? "*" : dice.pick(runs).name;
    if (store.cutOff.has(name)) return false;
    trace.note("store", `answers ${name} no more for ${forMs.toFixed(0)} ms`);
    store.cutOff.add(name);
    this.#last(forMs, () => {
      trace.note("store", `answers ${name} again`);
      store.cutOff.delete(name);
    });
    return true;
  }

  /** Somebody else writes the record, so that its version changes. */
  #storeConflict(): boolean {
    const { store, dice, cluster, actorIds, trace } = this.#parts;
    const key = actorAuthorityKey(dice.pick(actorIds));
    const row = store.tables.object(key);
    const runs = cluster.serving();
    if (row?.state !== "active" || runs.length === 0) return false;
    const lease = store.tables.lease(row.owner.ownerId)?.owner;
    if (!lease) return false;
    void store.direct.read(key).then((answer) => {
      if (answer.outcome !== "found") return;
      trace.note("store", `a stranger writes ${key}`);
      void store.direct.fence(key, answer.reading.record.storeVersion, lease);
    });
    return true;
  }

  #crash(afterOutputs: number): boolean {
    const { cluster, dice, trace, time } = this.#parts;
    const run = this.#victim();
    if (!run) return false;
    trace.note(run.name, `is killed after ${afterOutputs} more outputs`);
    if (afterOutputs === 0) run.process.kill();
    else run.process.dieAfterOutputs(afterOutputs);
    const host: Host = run.host;
    time.after(dice.between(5, this.#parts.leaseMs * 2), () => {
      run.process.kill();
      if (host.run === run) cluster.start(host);
    });
    return true;
  }

  #pause(forMs: number): boolean {
    const { network, dice, trace, strengths } = this.#parts;
    const run = this.#victim();
    if (!run) return false;
    trace.note(run.name, `is paused for ${forMs.toFixed(0)} ms`);
    run.process.pause(strengths.standStill > 0 && dice.chance(0.5));
    network.paused(run.process);
    const order = dice.pick<WakeOrder>(["asItCame", "timersFirst", "othersFirst"]);
    this.#last(forMs, () => {
      trace.note(run.name, `goes on (${order})`);
      run.process.resume(order);
    });
    return true;
  }

  /** An operator empties a node, stops it, and starts it again. */
  #drain(): boolean {
    const { cluster, dice, trace, time, leaseMs } = this.#parts;
    const runs = cluster.serving("nodes").filter((run) => !run.paused);
    if (runs.length < 2) return false;
    const run = dice.pick(runs);
    const { node, host } = run;
    trace.note(run.name, "is drained");
    const stop = async (): Promise<void> => {
      const { outcome } = await node.drain();
      trace.note(run.name, `drain: ${outcome}`);
      // What could not move goes on where it is (D4); the operator tries again another day.
      if (outcome !== "relocated") return;
      await node.shutdown();
      time.after(dice.between(1, leaseMs), () => {
        run.isEmpty = true;
        run.process.kill();
        if (host.run === run) cluster.start(host);
      });
    };
    stop().catch((error: unknown) => trace.note(run.name, `is not drained: ${String(error)}`));
    return true;
  }

  #victim(): ReturnType<Cluster["serving"]>[number] | undefined {
    const { cluster, dice } = this.#parts;
    // Gateways are spared more often: with them go the clients that would tell of a fault.
    const runs = cluster.serving(dice.chance(0.8) ? "nodes" : "gateways").filter((run) => !run.paused);
    return runs.length > 0 ? dice.pick(runs) : undefined;
  }

  #clockJump(): boolean {
    const { dice, cluster, trace } = this.#parts;
    const { name, machine } = dice.pick(cluster.hosts);
    machine.unixOffsetMs += dice.between(-60_000, 60_000);
    trace.note(name, `its wall clock jumps to ${machine.unixOffsetMs.toFixed(0)} ms off`);
    return true;
  }
}
