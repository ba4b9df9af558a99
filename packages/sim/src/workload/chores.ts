import type { Strengths } from "../profile.ts";
import type { Dice } from "../random.ts";
import type { Cluster } from "../world/cluster.ts";
import type { VirtualTime } from "../world/virtual-time.ts";
import { repeat } from "./repeat.ts";
import type { Traffic } from "./traffic.ts";

const SAVES_PER_SECOND = 15;

export interface ChoresParts {
  readonly time: VirtualTime;
  readonly dice: Dice;
  readonly cluster: Cluster;
  readonly strengths: Strengths;
  readonly traffic: Traffic;
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
