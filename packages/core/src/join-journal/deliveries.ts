import { operationKey, type Id128 } from "@rehome/wire";
import { LruMap } from "../memory/lru.ts";

/** J4: finished operations that are remembered; as many as the other memories of ended things (T1, S14). */
export const REMEMBERED_DELIVERIES = 4_096;

/** `start`: deliver it now. `share`: it is being delivered; wait for that. `finished`: the actor was told before. */
export type DeliveryAdmission = "start" | "share" | "finished";

/** J4: concurrent deliveries of one operation share one attempt, and a finished one is not begun again while nodes live. */
export class JoinDeliveries {
  readonly #running = new Set<string>();
  readonly #finished: LruMap<string, true>;

  constructor(remembered: number = REMEMBERED_DELIVERIES) {
    this.#finished = new LruMap(remembered);
  }

  get running(): number {
    return this.#running.size;
  }

  /** Whether the actor knows, is being told, or neither. */
  knows(operation: Id128): "told" | "beingTold" | "unknown" {
    const key = operationKey(operation);
    if (this.#running.has(key)) return "beingTold";
    return this.#finished.has(key) ? "told" : "unknown";
  }

  begin(operation: Id128): DeliveryAdmission {
    const key = operationKey(operation);
    if (this.#running.has(key)) return "share";
    if (this.#finished.get(key) !== undefined) return "finished";
    this.#running.add(key);
    return "start";
  }

  /** `told`: the actor knows. Otherwise a later attempt may tell it. */
  end(operation: Id128, outcome: "told" | "notTold"): void {
    const key = operationKey(operation);
    if (!this.#running.delete(key)) return;
    if (outcome === "told") this.#finished.set(key, true);
  }
}
