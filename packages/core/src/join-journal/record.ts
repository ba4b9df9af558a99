import type { Id128 } from "@rehome/wire";

/**
 * How far an accepted join has got (`protocol.md` J2). `prepared`: the spot has said yes, whether the actor comes there is
 * not decided. `committed`: it is in the spot. `delivered`: its `onJoin` has run.
 */
export type JournalCursor = "prepared" | "committed" | "delivered";

/** An accepted join's answer, kept under the actor's authority until the actor has been told. Never changed: a step makes a new one. */
export interface JournalRecord {
  /** Names the join. A join that moves the actor has the move's relocation id, so that the store's commit is evidence of it. */
  readonly operation: Id128;
  readonly actorId: string;
  readonly spotId: string;
  /** What the spot answered. */
  readonly contentType: string;
  readonly reply: Uint8Array;
  readonly cursor: JournalCursor;
}

export function sameOperation(one: Id128, other: Id128): boolean {
  return one.high === other.high && one.low === other.low;
}
