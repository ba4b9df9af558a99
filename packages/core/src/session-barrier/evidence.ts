import type { ActorFence } from "@rehome/wire";
import type { ReadAnswer } from "../ports/authority-store.ts";
import type { BindingRoute } from "./effects.ts";
import type { CommitRoute } from "./state.ts";

/**
 * What a reading of the store says about a sealed binding (`protocol.md` S5).
 *
 * - `unchanged`: the owner that the binding was sealed under still owns the actor.
 * - `newer`: the same object has an owner of a higher authority generation.
 * - `gone`: the object was destroyed, made anew or is not there.
 * - `unreadable`: no answer, or one that the store's obligations rule out.
 * - `outdated`: a reading from before something that this node already knows (S15): ask again.
 */
export type OwnerEvidence =
  | { readonly type: "unchanged" }
  | { readonly type: "newer"; readonly route: BindingRoute }
  | { readonly type: "gone" }
  | { readonly type: "unreadable"; readonly reason: string }
  | { readonly type: "outdated" };

/** `newest` is the newest authority generation seen for the actor, 0 if none. */
export function ownerEvidence(answer: ReadAnswer, sealed: ActorFence, newest: bigint): OwnerEvidence {
  if (answer.outcome === "unknown") return { type: "unreadable", reason: answer.reason };
  if (answer.outcome === "absent") return { type: "gone" };
  const { record } = answer.reading;
  if (record.authorityOwnerGeneration < newest) return { type: "outdated" };
  if (record.state !== "active" || record.objectGeneration !== sealed.actor.objectGeneration) return { type: "gone" };
  if (record.authorityOwnerGeneration > sealed.authorityOwnerGeneration) {
    const { owner, authorityOwnerGeneration } = record;
    const { nodeRid, nodeGeneration, ownerLeaseGeneration } = owner;
    return { type: "newer", route: { nodeRid, nodeGeneration, authorityOwnerGeneration, ownerLeaseGeneration } };
  }
  const isSealedOwner =
    record.authorityOwnerGeneration === sealed.authorityOwnerGeneration &&
    record.owner.nodeRid === sealed.nodeRid &&
    record.owner.nodeGeneration === sealed.nodeGeneration;
  return isSealedOwner
    ? { type: "unchanged" }
    : { type: "unreadable", reason: "the record contradicts the generation that the binding was sealed under" };
}

/**
 * Whether the store bears a commit out: it names this target, or an owner newer still (then its values count). A record
 * of the same generation with another node says that the 44 was wrong.
 */
export function confirms(route: BindingRoute, commit: CommitRoute): boolean {
  if (route.authorityOwnerGeneration > commit.targetAuthorityOwnerGeneration) return true;
  return (
    route.authorityOwnerGeneration === commit.targetAuthorityOwnerGeneration &&
    route.nodeRid === commit.targetNodeRid &&
    route.nodeGeneration === commit.targetNodeGeneration
  );
}
