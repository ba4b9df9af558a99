import type { FromChild } from "./ipc.ts";
import { Movement } from "./movement.ts";
import { Pauses } from "./pauses.ts";
import type { Child } from "./supervisor.ts";

/** Mean time between the end of an actor's move and its next order. */
const REST_MS = 750;
/** Longer than a move and the settling of a doubt with the store may take. */
const ORDER_TIMEOUT_MS = 20_000;
const TICK_MS = 10;
/** Different reasons that are told apart. */
const MAX_REASONS = 8;

export interface MoverPlan {
  readonly seed: number;
  readonly nodes: readonly Child[];
  readonly gateway: Child;
  /** Spot of each node. */
  readonly spotIds: readonly string[];
  readonly actorIds: readonly string[];
}

/** Keeps the actors moving, and books what becomes of the moves. */
export class Mover {
  readonly pauses = new Pauses();
  /** Moves that came to nothing, and orders that failed, by reason. */
  readonly undone = new Map<string, number>();
  readonly troubles = new Map<string, number>();
  readonly #plan: MoverPlan;
  readonly #movement: Movement;
  readonly #indexes: ReadonlyMap<string, number>;
  #timer: NodeJS.Timeout | undefined;

  /** @param homes index of each actor's node */
  constructor(plan: MoverPlan, homes: readonly number[]) {
    this.#plan = plan;
    this.#indexes = new Map(plan.actorIds.map((id, index) => [id, index]));
    const options = { seed: plan.seed, nodes: plan.nodes.length, restMs: REST_MS, orderTimeoutMs: ORDER_TIMEOUT_MS };
    this.#movement = new Movement(options, homes, performance.now());
  }

  get underWay(): number {
    return this.#movement.underWay;
  }

  get givenUp(): number {
    return this.#movement.givenUp;
  }

  start(): void {
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  /** Gives no more orders. */
  stop(): void {
    clearInterval(this.#timer);
  }

  /** A node's process has told something about moves. */
  note(child: Child, message: Extract<FromChild, { type: "moves" | "orderEnded" }>): void {
    if (message.type === "orderEnded") {
      const index = this.#indexes.get(message.actorId);
      if (index !== undefined) this.#movement.ended(index, performance.now());
      if (message.trouble !== undefined) countReason(this.troubles, message.trouble);
      return;
    }
    for (const event of message.events) {
      if (event.type === "paused") this.pauses.paused(event.relocation, event.atMs);
      else if (event.type === "committed") this.pauses.timed(event.steps);
      else if (event.type === "opened") this.#opened(child, event);
      else {
        this.pauses.abandoned(event.relocation);
        countReason(this.undone, event.reason);
      }
    }
  }

  #opened(child: Child, event: { readonly relocation: string; readonly actorId: string; readonly atMs: number }): void {
    this.pauses.opened(event.relocation, event.atMs);
    const actor = this.#indexes.get(event.actorId);
    const node = this.#plan.nodes.indexOf(child);
    if (actor !== undefined && node >= 0) this.#movement.seen(actor, node);
  }

  #tick(): void {
    const { nodes, gateway, spotIds, actorIds } = this.#plan;
    for (const order of this.#movement.due(performance.now())) {
      const actorId = actorIds[order.actor]!;
      // The clients' and the operator's way are both used: a join is asked for by a message, a relocate by the owner.
      if (order.kind === "join") gateway.tell({ type: "join", actorId, spotId: spotIds[order.to]! });
      else nodes[order.from]!.tell({ type: "relocate", actorId, to: nodes[order.to]!.name });
    }
  }
}

function countReason(reasons: Map<string, number>, reason: string): void {
  const key = reasons.has(reason) || reasons.size < MAX_REASONS ? reason : "other reasons";
  reasons.set(key, (reasons.get(key) ?? 0) + 1);
}
