import type {
  FailureCode,
  RelocationFailed,
  RouteUpdate,
  SessionRelocationRoute,
  SessionRelocationSeal,
  SessionRelocationSealed,
  Target,
} from "@rehome/wire";
import {
  actorFenceDifference,
  actorRefDifference,
  coordinatorDifference,
  differs,
  firstDifference,
  id128Difference,
  nodeRunDifference,
  sessionDifference,
} from "../move/fences.ts";
import { TARGET_ATTEMPT_GENERATION } from "../source/config.ts";
import type { BarrierInput, BindingView, PeerRun } from "./inputs.ts";
import type { BarrierSubject, Seal } from "./state.ts";

/**
 * `protocol.md` S4: the first field in which a 42 is not what the binding and this node are, or `undefined`. A 42 whose
 * sender says that it is the source must also come from the node that the binding sends to.
 */
export function sealFenceDifference(input: Extract<BarrierInput, { type: "SealReceived" }>): string | undefined {
  const { command, owner, binding, peer } = input;
  if (binding === undefined) return "session.sessionRid";
  const { session } = command;
  return firstDifference(
    actorFenceDifference("actor", binding.route, command.actor),
    nodeRunDifference("session", owner, {
      nodeRid: session.ownerNodeRid,
      nodeGeneration: session.ownerNodeGeneration,
      ownerId: session.ownerId,
      ownerLeaseGeneration: session.ownerLeaseGeneration,
    }),
    differs("session.sessionRid", binding.sessionRid, session.sessionRid),
    differs("session.bindingGeneration", binding.bindingGeneration, session.bindingGeneration),
    sealSenderDifference(peer, command),
  );
}

/** The link's proven peer must be the coordinator's node, and the source when it says so (S4). */
export function sealSenderDifference(peer: PeerRun, command: SessionRelocationSeal): string | undefined {
  const { coordinator, actor } = command;
  const asSource = command.senderRole === "source";
  return firstDifference(
    differs("coordinator.nodeRid", peer.nodeRid, coordinator.nodeRid),
    differs("coordinator.nodeGeneration", peer.nodeGeneration, coordinator.nodeGeneration),
    asSource ? differs("actor.nodeRid", peer.nodeRid, actor.nodeRid) : undefined,
    asSource ? differs("actor.nodeGeneration", peer.nodeGeneration, actor.nodeGeneration) : undefined,
  );
}

/** `protocol.md` S10: the first field in which a 44 does not match what its 42 sealed, or `undefined`. */
export function routeFenceDifference(
  seal: Seal,
  input: Extract<BarrierInput, { type: "RouteReceived" }>,
): string | undefined {
  const { command, peer } = input;
  const { route } = command;
  const sealedGeneration = seal.command.actor.authorityOwnerGeneration;
  return firstDifference(
    id128Difference("relocation", seal.command.relocation, command.relocation),
    coordinatorDifference("coordinator", seal.command.coordinator, command.coordinator),
    sessionDifference("session", seal.command.session, command.session),
    actorRefDifference("actor", seal.command.actor.actor, command.actor),
    route.action === "commit"
      ? differs("route.previousAuthorityOwnerGeneration", sealedGeneration, route.previousAuthorityOwnerGeneration)
      : differs("route.currentAuthorityOwnerGeneration", sealedGeneration, route.currentAuthorityOwnerGeneration),
    routeSenderDifference(peer, command),
  );
}

/** The sender that a 44 itself calls for: `targetNodeRid` for role `target`, else the coordinator's node (S10). */
export function routeSenderDifference(peer: PeerRun, command: SessionRelocationRoute): string | undefined {
  const { route, coordinator } = command;
  if (command.senderRole !== "target") {
    return firstDifference(
      differs("coordinator.nodeRid", peer.nodeRid, coordinator.nodeRid),
      differs("coordinator.nodeGeneration", peer.nodeGeneration, coordinator.nodeGeneration),
    );
  }
  // The decoder lets a target send commits only (wire.md 3.3); a value built by hand may still say otherwise.
  if (route.action === "abort") return "senderRole";
  return firstDifference(
    differs("route.targetNodeRid", peer.nodeRid, route.targetNodeRid),
    differs("route.targetNodeGeneration", peer.nodeGeneration, route.targetNodeGeneration),
  );
}

/**
 * `protocol.md` S7: the same route, whoever sent it. A commit without the lease is the same as one with it: the lease is
 * what the store would have said.
 */
export function isSameRoute(one: RouteUpdate, other: RouteUpdate): boolean {
  if (one.action === "abort" || other.action === "abort") {
    return (
      one.action === "abort" &&
      other.action === "abort" &&
      one.currentAuthorityOwnerGeneration === other.currentAuthorityOwnerGeneration
    );
  }
  const lease = one.targetOwnerLeaseGeneration;
  const otherLease = other.targetOwnerLeaseGeneration;
  return (
    one.previousAuthorityOwnerGeneration === other.previousAuthorityOwnerGeneration &&
    one.targetAuthorityOwnerGeneration === other.targetAuthorityOwnerGeneration &&
    one.targetNodeRid === other.targetNodeRid &&
    one.targetNodeGeneration === other.targetNodeGeneration &&
    (lease === undefined || otherLease === undefined || lease === otherLease)
  );
}

/** Whether the binding is still the one that the barrier was set for, under the route it had then. */
export function isUntouched(binding: BindingView | undefined, subject: BarrierSubject): binding is BindingView {
  return (
    binding !== undefined &&
    binding.sessionRid === subject.session.sessionRid &&
    binding.bindingGeneration === subject.session.bindingGeneration &&
    actorFenceDifference("route", subject.fence, binding.route) === undefined
  );
}

/** Two records with the same bytes are one record repeated (S1). */
export function isSameFingerprint(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}

/** The 43 of a 42. */
export function sealedAnswer(command: SessionRelocationSeal): SessionRelocationSealed {
  const { relocation, coordinator, actor, session } = command;
  return { command: "sessionRelocationSealed", relocation, coordinator, actor, session };
}

/** The session owner's node, as a 42 or a 44 names it. */
export function ownerOf(command: SessionRelocationSeal | SessionRelocationRoute): Target {
  const { ownerNodeRid, ownerNodeGeneration, ownerId, ownerLeaseGeneration } = command.session;
  return { nodeRid: ownerNodeRid, nodeGeneration: ownerNodeGeneration, ownerId, ownerLeaseGeneration };
}

/** The 53 of a session owner (S4): its `target` is the owner's own node, its role `coordinator`. */
export function refusalAnswer(
  command: SessionRelocationSeal,
  owner: Target,
  failureCode: FailureCode,
): RelocationFailed {
  return {
    command: "relocationFailed",
    relocation: command.relocation,
    targetAttemptGeneration: TARGET_ATTEMPT_GENERATION,
    coordinator: command.coordinator,
    target: {
      nodeRid: owner.nodeRid,
      nodeGeneration: owner.nodeGeneration,
      ownerId: owner.ownerId,
      ownerLeaseGeneration: owner.ownerLeaseGeneration,
    },
    object: {
      kind: "actor",
      actorId: command.actor.actor.actorId,
      objectGeneration: command.actor.actor.objectGeneration,
      authorityOwnerGeneration: command.actor.authorityOwnerGeneration,
    },
    senderRole: "coordinator",
    failureCode,
  };
}
