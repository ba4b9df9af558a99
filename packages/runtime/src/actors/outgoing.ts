import type { ActorRef } from "@rehome/wire";
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

  /** A later life of the receiver is known: what names this one comes from an old look-up, and nothing is numbered for it. */
  isPast(to: ActorAddress, objectGeneration: bigint): boolean {
    const known = this.#positions.get(to.id);
    return known !== undefined && objectGeneration < known.objectGeneration;
  }

  entries(): [string, OutgoingPosition][] {
    return [...this.#positions];
  }
}

/**
 * Who sends: one copy of an actor, or the node itself. Another copy of the same actor is another sender: what the first has
 * on its way is no business of the second, only the numbering goes on.
 */
export class Sender {
  static #count = 0;
  /** Tells the senders of one process apart. */
  readonly serial = ++Sender.#count;
  /** The actor, or `undefined` for the node. */
  readonly actor: ActorRef | undefined;
  readonly positions: OutgoingPositions;
  #unnumbered = 0;
  readonly #waiters: (() => void)[] = [];

  constructor(actor: ActorRef | undefined, positions = new OutgoingPositions()) {
    this.actor = actor;
    this.positions = positions;
  }

  /** A message was posted; it gets its number once its receiver is known. */
  posted(): void {
    this.#unnumbered++;
  }

  /** A posted message has its number, or will never need one. */
  settled(): void {
    this.#unnumbered--;
    if (this.#unnumbered === 0) for (const waiter of this.#waiters.splice(0)) waiter();
  }

  /** Calls once every posted message has its number: only then do the positions say all, and can move. */
  whenNumbered(done: () => void): void {
    if (this.#unnumbered === 0) done();
    else this.#waiters.push(done);
  }
}
