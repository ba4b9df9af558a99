import type { Rid } from "@rehome/wire";
import { assert } from "../errors.ts";

/** What somebody asks of a source. Two requests that agree in every field are the same one (`protocol.md` O2). */
export interface MoveRequest {
  /** Authority key of the unit's object. */
  readonly key: string;
  readonly objectGeneration: bigint;
  readonly kind: "relocate" | "join";
  readonly targetNodeRid: Rid;
  /** Authority key of the spot that an actor joins; `undefined` when it joins none. */
  readonly joins: string | undefined;
  /** Authority key of the spot that an actor is in now; `undefined` for an entry spot, and for a spot. */
  readonly within: string | undefined;
}

/**
 * - `start`: nothing stands against it, and it is now the unit's move.
 * - `join`: the very same move is running; wait for its outcome.
 * - `operationInProgress`: another move of this unit, or of the spot that the actor is in, is running.
 * - `limitReached`: as many units are moving away from this node as may at once (T4).
 */
export type MoveAdmission = "start" | "join" | "operationInProgress" | "limitReached";

/** T4: 64 outbound moves at once. */
export const DEFAULT_OUTBOUND_MOVES = 64;

/**
 * The moves that are running at this node as their source: one per unit (O2), and no more than the limit (T4). A spot takes
 * its members along, so that its move and theirs shut each other out: once it has begun, none of them starts one, and no
 * actor {@link enter}s it; those that came first are {@link inTheWay}, and the spot waits for them.
 */
export class OutboundMoves {
  readonly #limit: number;
  readonly #running = new Map<string, MoveRequest>();
  /** By unit: the spot of this node that it is being put into. */
  readonly #entered = new Map<string, string>();

  constructor(limit: number = DEFAULT_OUTBOUND_MOVES) {
    assert(Number.isSafeInteger(limit) && limit >= 1, "At least one unit may move.");
    this.#limit = limit;
  }

  get size(): number {
    return this.#running.size;
  }

  begin(request: MoveRequest): MoveAdmission {
    const running = this.#running.get(request.key);
    if (running !== undefined) return isSame(running, request) ? "join" : "operationInProgress";
    if (request.within !== undefined && this.#running.has(request.within)) return "operationInProgress";
    if (this.#running.size >= this.#limit) return "limitReached";
    this.#running.set(request.key, request);
    return "start";
  }

  /**
   * J6: a running join is about to put its actor into a spot of this node. Not into one that has begun to move (H7): ask
   * again later where it is.
   */
  enter(key: string, spotKey: string): "entered" | "spotMoving" {
    if (this.#running.has(spotKey)) return "spotMoving";
    this.#entered.set(key, spotKey);
    return "entered";
  }

  /**
   * Whether a running join that still looks for its spot gives way, because the spot that its actor is in has begun to move
   * meanwhile: two spots whose members want to change places would otherwise wait for each other.
   */
  givesWay(key: string): boolean {
    const within = this.#running.get(key)?.within;
    return within !== undefined && this.#running.has(within);
  }

  /** The keys of the moves out of a spot, or into it, that must have ended before it may stop its members. */
  inTheWay(spotKey: string): readonly string[] {
    return [...this.#running.values()]
      .filter(({ key, within }) => within === spotKey || this.#entered.get(key) === spotKey)
      .map(({ key }) => key);
  }

  /** The unit's move has settled. */
  end(key: string): void {
    assert(this.#running.delete(key), "A move that ends has begun.");
    this.#entered.delete(key);
  }
}

function isSame(one: MoveRequest, other: MoveRequest): boolean {
  return (
    one.objectGeneration === other.objectGeneration &&
    one.kind === other.kind &&
    one.targetNodeRid === other.targetNodeRid &&
    one.joins === other.joins &&
    one.within === other.within
  );
}
