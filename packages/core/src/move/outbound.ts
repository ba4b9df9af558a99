import type { Rid } from "@rehome/wire";
import { assert } from "../errors.ts";

/** What somebody asks of a source. Two requests that agree in every field are the same one (`protocol.md` O2). */
export interface MoveRequest {
  readonly actorId: string;
  readonly objectGeneration: bigint;
  readonly kind: "relocate" | "join";
  readonly targetNodeRid: Rid;
  /** The spot that the actor joins there; `undefined` for the node's entry spot. */
  readonly spotId: string | undefined;
}

/**
 * - `start`: nothing stands against it, and it is now the actor's move.
 * - `join`: the very same move is running; wait for its outcome.
 * - `operationInProgress`: another move of this actor is running.
 * - `limitReached`: as many actors are moving away from this node as may at once (T4).
 */
export type MoveAdmission = "start" | "join" | "operationInProgress" | "limitReached";

/** T4: 64 outbound moves at once. */
export const DEFAULT_OUTBOUND_MOVES = 64;

/** The moves that are running at this node as their source: one per actor (O2), and no more than the limit (T4). */
export class OutboundMoves {
  readonly #limit: number;
  readonly #running = new Map<string, MoveRequest>();

  constructor(limit: number = DEFAULT_OUTBOUND_MOVES) {
    assert(Number.isSafeInteger(limit) && limit >= 1, "At least one actor may move.");
    this.#limit = limit;
  }

  get size(): number {
    return this.#running.size;
  }

  begin(request: MoveRequest): MoveAdmission {
    const running = this.#running.get(request.actorId);
    if (running !== undefined) return isSame(running, request) ? "join" : "operationInProgress";
    if (this.#running.size >= this.#limit) return "limitReached";
    this.#running.set(request.actorId, request);
    return "start";
  }

  /** The actor's move has settled. */
  end(actorId: string): void {
    assert(this.#running.delete(actorId), "A move that ends has begun.");
  }
}

function isSame(one: MoveRequest, other: MoveRequest): boolean {
  return (
    one.objectGeneration === other.objectGeneration &&
    one.kind === other.kind &&
    one.targetNodeRid === other.targetNodeRid &&
    one.spotId === other.spotId
  );
}
