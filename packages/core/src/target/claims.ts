import type { RelocationPrepare } from "@rehome/wire";
import { coordinatorDifference } from "../move/fences.ts";
import type { MoveFailure } from "../move/failure.ts";
import type { DeclineCode } from "./failures.ts";
import { actorOf } from "./commands.ts";
import type { OpenTarget } from "./state.ts";

/** Who gets the actor when a second 40 claims it while an attempt for it is open. */
export type ClaimVerdict =
  /** The open attempt is given up, with this failure, and the newcomer opens. */
  | { readonly type: "supersedes"; readonly failure: MoveFailure }
  | { readonly type: "declined"; readonly failureCode: DeclineCode; readonly failure: MoveFailure };

/**
 * One attempt per actor is open at a time. The fences decide between two, and the store has the last word on whichever
 * stays: its base version is checked by the commit anyway.
 *
 * 1. An attempt past its first commit write stays; only exact evidence ends it (T6). The newcomer is declined and may
 *    come again.
 * 2. The newer object generation, then the newer authority generation, wins: an older one is a source that is no longer
 *    the owner.
 * 3. Under the same generations there is one owner. If both come from the same run of it, the earlier move has been given
 *    up there, since a source has one move per actor at a time (O2): the newcomer wins.
 * 4. If they come from two runs, one of them is wrong, and nobody but the store can tell which: the first stays.
 */
export function weighClaims(open: OpenTarget, newcomer: RelocationPrepare): ClaimVerdict {
  if (open.type === "committing") {
    const message = "An earlier move of this actor to this node is being decided by the store; move again after it.";
    return { type: "declined", failureCode: "requestRejected", failure: { code: "targetRefused", message } };
  }
  const age = compareGenerations(open.attempt.prepare, newcomer);
  if (age < 0 || (age === 0 && sameRun(open.attempt.prepare, newcomer))) {
    const message = "A newer move of the same actor to this node has begun.";
    return { type: "supersedes", failure: { code: "staleOwner", message } };
  }
  if (age > 0) {
    const message = "A move under a newer authority generation has begun; read who owns the actor.";
    return { type: "declined", failureCode: "actorLocationStale", failure: { code: "staleOwner", message } };
  }
  const message = "Another node moves this actor here under the same authority generation; read who owns it.";
  return { type: "declined", failureCode: "requestRejected", failure: { code: "staleOwner", message } };
}

/** Below zero when `second` is newer. */
function compareGenerations(first: RelocationPrepare, second: RelocationPrepare): number {
  const [a, b] = [actorOf(first), actorOf(second)];
  const byObject = compare(a.actor.objectGeneration, b.actor.objectGeneration);
  return byObject !== 0 ? byObject : compare(a.authorityOwnerGeneration, b.authorityOwnerGeneration);
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The base version may differ: the source reads it anew for each move. */
function sameRun(a: RelocationPrepare, b: RelocationPrepare): boolean {
  const { expectedAuthorityStoreVersion } = a.coordinator;
  return coordinatorDifference("", a.coordinator, { ...b.coordinator, expectedAuthorityStoreVersion }) === undefined;
}
