import type { Node } from "@rehome/runtime";
import type { Strengths } from "../profile.ts";
import type { Dice } from "../random.ts";
import type { Cluster, Run } from "../world/cluster.ts";
import type { Trace } from "../world/trace.ts";
import type { VirtualTime } from "../world/virtual-time.ts";
import type { OpenCalls } from "./clients.ts";
import { repeat } from "./repeat.ts";
import type { Traffic } from "./traffic.ts";

const SAVES_PER_SECOND = 15;
const SPOT_MOVES_PER_SECOND = 6;
/** How often somebody makes spots again that were lost with their node. */
const OPENINGS_PER_SECOND = 2;

export interface ChoresParts {
  readonly time: VirtualTime;
  readonly dice: Dice;
  readonly cluster: Cluster;
  readonly strengths: Strengths;
  readonly traffic: Traffic;
  /** Of what happens to spots. */
  readonly spots: Dice;
  readonly trace: Trace;
  readonly calls: OpenCalls;
}

/** What an application sees to now and then, beside the traffic. */
export class Chores {
  readonly #parts: ChoresParts;

  constructor(parts: ChoresParts) {
    this.#parts = parts;
  }

  begin(untilMs: number): void {
    const { time, dice, strengths } = this.#parts;
    repeat({ time, dice, perSecond: SAVES_PER_SECOND * strengths.save, untilMs }, () => this.#save());
    if (strengths.spotMove === 0) return;
    const { spots } = this.#parts;
    repeat({ time, dice: spots, perSecond: SPOT_MOVES_PER_SECOND * strengths.spotMove, untilMs }, () =>
      this.#moveSpot(),
    );
    repeat({ time, dice: spots, perSecond: OPENINGS_PER_SECOND, untilMs }, () => this.#parts.traffic.spots(spots));
  }

  /** An operator moves a spot with its members, and perhaps back at once. */
  #moveSpot(): void {
    const { spots, cluster } = this.#parts;
    const runs = cluster.serving("nodes").filter((run) => !run.paused && run.node.spots().length > 0);
    if (runs.length === 0) return;
    const run = spots.pick(runs);
    const { spotId } = spots.pick(run.node.spots());
    this.#relocateSpot(run, spotId, spots.chance(0.4) ? 1 + spots.below(3) : 0);
  }

  #relocateSpot(run: Run & { node: Node }, spotId: string, back: number): void {
    const { spots, cluster, calls, trace, time } = this.#parts;
    const to = spots.pick(cluster.hosts.filter((host) => !host.isGateway && host !== run.host)).name;
    trace.note(run.name, `is told to move ${spotId} to ${to}`);
    calls.track(run, time.nowMs, `relocate ${spotId} to ${to}`, run.node.relocateSpot(spotId, { to })).then(
      () => {
        const there = cluster.serving("nodes").find(({ host }) => host.name === to);
        const isThere = there?.node.spots().some((spot) => spot.spotId === spotId) === true;
        if (there && isThere && back > 0 && !there.paused) this.#relocateSpot(there, spotId, back - 1);
      },
      (error: unknown) => trace.note(run.name, `did not move ${spotId}: ${String(error)}`),
    );
  }

  /** An actor is told to save itself. */
  #save(): void {
    const { dice, cluster, traffic } = this.#parts;
    const runs = cluster.serving("nodes").filter((run) => !run.paused && run.node.actors().length > 0);
    if (runs.length === 0) return;
    const run = dice.pick(runs);
    const { actorId } = dice.pick(run.node.actors());
    traffic.fromNode(run, actorId, "save", { times: dice.chance(0.2) ? 2 : 1, aside: dice.chance(0.5) });
  }
}
