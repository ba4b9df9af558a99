import type { ActorAddress } from "../api.ts";

/** How far this sender has got with one receiver (`protocol.md` N4). */
export interface OutgoingPosition {
  /** The receiver's; another one is another actor under the same id, and its numbers begin at 1. */
  readonly objectGeneration: bigint;
  readonly lastSequence: bigint;
}

/** A sender's own numbering, by receiver. An actor's moves with it, so that its order survives its own move. */
export class OutgoingPositions {
  readonly #positions = new Map<string, OutgoingPosition>();

  constructor(initial: Iterable<readonly [actorId: string, OutgoingPosition]> = []) {
    for (const [actorId, position] of initial) this.#positions.set(actorId, position);
  }

  next(to: ActorAddress, objectGeneration: bigint): bigint {
    const known = this.#positions.get(to.id);
    const lastSequence = known?.objectGeneration === objectGeneration ? known.lastSequence + 1n : 1n;
    this.#positions.set(to.id, { objectGeneration, lastSequence });
    return lastSequence;
  }

  entries(): [string, OutgoingPosition][] {
    return [...this.#positions];
  }
}
