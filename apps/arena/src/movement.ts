import { SeededRandom } from "./random.ts";

/** How an actor is told to move. */
export type MoveKind = "join" | "relocate";

export interface MoveOrder {
  /** Index of the actor. */
  readonly actor: number;
  readonly kind: MoveKind;
  /** Indexes of nodes. They differ. */
  readonly from: number;
  readonly to: number;
}

export interface MovementOptions {
  readonly seed: number;
  readonly nodes: number;
  /** Mean time from the end of an actor's move to its next order. */
  readonly restMs: number;
  /** An order without an end after this long is given up. Longer than any move can take. */
  readonly orderTimeoutMs: number;
}

type Mover = {
  readonly random: SeededRandom;
  node: number;
  state:
    { readonly name: "resting"; readonly untilMs: number } | { readonly name: "ordered"; readonly sinceMs: number };
};

/**
 * Decides which actor moves where and when: every actor by its own sequence from the seed, one order at a time, half of
 * them joins and half relocates. Time is a parameter.
 */
export class Movement {
  readonly #options: MovementOptions;
  readonly #movers: Mover[];
  #givenUp = 0;

  /** @param homes index of the node of each actor */
  constructor(options: MovementOptions, homes: readonly number[], nowMs: number) {
    this.#options = options;
    this.#movers = homes.map((node, actor) => {
      const random = new SeededRandom(options.seed, "movement", actor);
      // The first orders are spread over one whole rest, so that the actors do not set out together.
      return { random, node, state: { name: "resting", untilMs: nowMs + random.fraction() * options.restMs } };
    });
  }

  /** Orders that never came to an end. */
  get givenUp(): number {
    return this.#givenUp;
  }

  /** Orders that are being carried out. */
  get underWay(): number {
    return this.#movers.reduce((sum, mover) => sum + (mover.state.name === "ordered" ? 1 : 0), 0);
  }

  /** The orders that are due, each for an actor that has none. */
  due(nowMs: number): MoveOrder[] {
    const orders: MoveOrder[] = [];
    for (const [actor, mover] of this.#movers.entries()) {
      if (mover.state.name === "ordered") {
        if (nowMs - mover.state.sinceMs < this.#options.orderTimeoutMs) continue;
        this.#givenUp++;
        this.#rest(mover, nowMs);
      } else if (nowMs >= mover.state.untilMs) {
        orders.push(this.#order(actor, mover, nowMs));
      }
    }
    return orders;
  }

  /** The actor has been seen on a node. */
  seen(actor: number, node: number): void {
    const mover = this.#movers[actor];
    if (mover !== undefined) mover.node = node;
  }

  /** The actor's order has ended, well or not. Without an order nothing happens. */
  ended(actor: number, nowMs: number): void {
    const mover = this.#movers[actor];
    if (mover?.state.name === "ordered") this.#rest(mover, nowMs);
  }

  #order(actor: number, mover: Mover, nowMs: number): MoveOrder {
    const { nodes } = this.#options;
    mover.state = { name: "ordered", sinceMs: nowMs };
    const kind = mover.random.fraction() < 0.5 ? "join" : "relocate";
    const to = (mover.node + 1 + mover.random.below(nodes - 1)) % nodes;
    return { actor, kind, from: mover.node, to };
  }

  #rest(mover: Mover, nowMs: number): void {
    const jitter = 0.5 + mover.random.fraction();
    mover.state = { name: "resting", untilMs: nowMs + jitter * this.#options.restMs };
  }
}
