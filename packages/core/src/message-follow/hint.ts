import type { ActorFence, MessageFollow, Rid } from "@rehome/wire";
import { actorFenceDifference } from "../move/fences.ts";

/**
 * F4, at the sender: whether a 50 makes the cached route go. Only the node that the route leads to may say so, and only
 * about exactly that route; the next lookup asks the store, so the hint's own target is not trusted.
 */
export function dropsCachedRoute(cached: ActorFence, peer: Rid, hint: MessageFollow): boolean {
  return (
    hint.source.kind === "actor" &&
    peer === cached.nodeRid &&
    actorFenceDifference("source", cached, hint.source.actor) === undefined
  );
}
