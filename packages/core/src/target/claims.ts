import { actorAuthorityKey } from "@rehome/wire";
import type { Coordinator, RelocationPrepare } from "@rehome/wire";
import { coordinatorDifference } from "../move/fences.ts";
import type { MoveFailure } from "../move/failure.ts";
import { keyOfObject } from "../move/unit.ts";
import { unitObjectOf } from "./commands.ts";
import type { DeclineCode } from "./failures.ts";
import type { RestoredFacts } from "./inputs.ts";
import type { OpenTarget } from "./state.ts";

/** What an attempt wants of one object: the unit itself, known from its 40 on, or a member, known from its payload on. */
export interface Claim {
  readonly key: string;
  readonly objectGeneration: bigint;
  readonly authorityOwnerGeneration: bigint;
  readonly coordinator: Coordinator;
}

export function claimOfUnit(prepare: RelocationPrepare): Claim {
  const object = unitObjectOf(prepare);
  const { objectGeneration, authorityOwnerGeneration } = object;
  return { key: keyOfObject(object), objectGeneration, authorityOwnerGeneration, coordinator: prepare.coordinator };
}

/** An actor that moves alone is the unit. */
export function claimsOfMembers({ coordinator }: RelocationPrepare, { members }: RestoredFacts): readonly Claim[] {
  return members.map(({ actor, authorityOwnerGeneration }) => ({
    key: actorAuthorityKey(actor.actorId),
    objectGeneration: actor.objectGeneration,
    authorityOwnerGeneration,
    coordinator,
  }));
}

/** Who gets an object when a second attempt claims it while one for it is open. */
export type ClaimVerdict =
  /** The open attempt is given up, with this failure, and the newcomer opens. */
  | { readonly type: "supersedes"; readonly failure: MoveFailure }
  | { readonly type: "declined"; readonly failureCode: DeclineCode; readonly failure: MoveFailure };

/**
 * One attempt per object is open at a time. The fences decide between two, and the store has the last word on whichever
 * stays: its base version is checked by the commit anyway.
 *
 * 1. An attempt past its first commit write stays; only exact evidence ends it (T6). The newcomer is declined and may
 *    come again.
 * 2. The newer object generation, then the newer authority generation, wins: an older one is a source that is no longer
 *    the owner.
 * 3. Under the same generations there is one owner. If both come from the same run of it, the earlier move has been given
 *    up there, since a source has one move per object at a time (O2): the newcomer wins.
 * 4. If they come from two runs, one of them is wrong, and nobody but the store can tell which: the first stays.
 */
export function weighClaims(open: OpenTarget["type"], held: Claim, newcomer: Claim): ClaimVerdict {
  if (open === "committing") {
    const message = "An earlier move of this object to this node is being decided by the store; move again after it.";
    return { type: "declined", failureCode: "requestRejected", failure: { code: "targetRefused", message } };
  }
  const age = compareGenerations(held, newcomer);
  if (age < 0 || (age === 0 && sameRun(held.coordinator, newcomer.coordinator))) {
    const message = "A newer move of the same object to this node has begun.";
    return { type: "supersedes", failure: { code: "staleOwner", message } };
  }
  if (age > 0) {
    const message = "A move under a newer authority generation has begun; read who owns the object.";
    return { type: "declined", failureCode: "actorLocationStale", failure: { code: "staleOwner", message } };
  }
  const message = "Another node moves this object here under the same authority generation; read who owns it.";
  return { type: "declined", failureCode: "requestRejected", failure: { code: "staleOwner", message } };
}

/** Below zero when `second` is newer. */
function compareGenerations(a: Claim, b: Claim): number {
  const byObject = compare(a.objectGeneration, b.objectGeneration);
  return byObject !== 0 ? byObject : compare(a.authorityOwnerGeneration, b.authorityOwnerGeneration);
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The base version may differ: the source reads it anew for each move. */
function sameRun(a: Coordinator, b: Coordinator): boolean {
  const { expectedAuthorityStoreVersion } = a;
  return coordinatorDifference("", a, { ...b, expectedAuthorityStoreVersion }) === undefined;
}
