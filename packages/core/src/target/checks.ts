import type { RelocationData, RelocationFailed, RelocationPrepare, Role, Rid, Target } from "@rehome/wire";
import type { MoveFailure } from "../move/failure.ts";
import {
  coordinatorDifference,
  differs,
  firstDifference,
  id128Difference,
  nodeRunDifference,
  objectDifference,
} from "../move/fences.ts";
import type { PeerIdentity } from "../ports/transport.ts";
import { TARGET_ATTEMPT_GENERATION } from "../source/config.ts";
import { unitObjectOf } from "./commands.ts";
import type { TargetConfig } from "./config.ts";
import type { DeclineCode } from "./failures.ts";
import type { RestoredFacts } from "./inputs.ts";
import type { TargetAttempt } from "./state.ts";

/** Who handed a record over, as the link's handshake proved it. */
export type ProvenPeer = Pick<PeerIdentity, "meshName" | "nodeRid" | "nodeGeneration" | "lease">;

/**
 * Whether a 40 comes from its rightful sender: the link's proven peer is the source, and the source is the coordinator,
 * run and lease included. Names the first field that is off, or `undefined`. Such a record is not answered: a 53 would
 * end the move of the one that it pretends to be.
 */
export function prepareSenderFault(
  config: TargetConfig,
  peer: ProvenPeer,
  command: RelocationPrepare,
): string | undefined {
  const { coordinator } = command;
  return firstDifference(
    differs("peer.meshName", config.self.meshName, peer.meshName),
    differs("sourceNodeRid", peer.nodeRid, command.sourceNodeRid),
    differs("sourceNodeGeneration", peer.nodeGeneration, command.sourceNodeGeneration),
    differs("coordinator.nodeRid", peer.nodeRid, coordinator.nodeRid),
    differs("coordinator.nodeGeneration", peer.nodeGeneration, coordinator.nodeGeneration),
    differs("coordinator.ownerId", peer.lease?.ownerId, coordinator.ownerId),
    differs("coordinator.leaseGeneration", peer.lease?.ownerLeaseGeneration, coordinator.leaseGeneration),
    isSourceSide(command.initiatorRole) ? undefined : "initiatorRole",
    differs("targetAttemptGeneration", TARGET_ATTEMPT_GENERATION, command.targetAttemptGeneration),
  );
}

/** What keeps this node from opening the attempt, whatever else it does; answered with 53. */
export interface PrepareFault {
  readonly field: string;
  readonly failure: MoveFailure;
  readonly failureCode: DeclineCode;
}

/** Whether a 40 from its rightful sender is for this run of this node, and speaks of something it can take (T2, T4). */
export function prepareFault(config: TargetConfig, command: RelocationPrepare): PrepareFault | undefined {
  const { self, limits } = config;
  const field = nodeRunDifference("target", targetOf(config), command.target);
  if (field !== undefined) {
    const message = "The move is for another run of this node; read the target's descriptor and move again.";
    return { field, failure: { code: "targetUnavailable", message }, failureCode: "actorLocationStale" };
  }
  if (command.sourceNodeRid === self.nodeRid) {
    const message = "The actor is on this node already; choose another target.";
    return { field: "sourceNodeRid", failure: { code: "targetRefused", message }, failureCode: "requestRejected" };
  }
  if (command.object.kind === "instanceSpot") {
    const message = "This node can only take actors and spots; choose another target.";
    return { field: "object.kind", failure: { code: "targetRefused", message }, failureCode: "actorTypeMismatch" };
  }
  const most = maxPayloadBytes(command.object.kind, limits);
  if (command.payloadTotalLength > BigInt(most)) {
    const message = `The payload is longer than this node takes (${most} bytes); shrink the state.`;
    const failure: MoveFailure = { code: "stateTooLarge", message };
    return { field: "payloadTotalLength", failure, failureCode: "workerQueueFull" };
  }
  const sizes = payloadSizeFault(limits.chunkBytes, command);
  if (sizes !== undefined) {
    const message = "Length, chunk count and checksum of the payload do not fit together; the source's 40 is wrong.";
    return { field: sizes, failure: { code: "targetRefused", message }, failureCode: "relocationDataLost" };
  }
  return undefined;
}

/**
 * T4: the longest payload of a unit. A spot's holds the states of its members, each within `actorStateBytes`, and is at most
 * what may be in flight at once: there is nothing else that bounds it.
 */
export function maxPayloadBytes(
  kind: RelocationPrepare["object"]["kind"],
  limits: Pick<TargetConfig["limits"], "actorStateBytes" | "payloadBytesInFlight">,
): number {
  const { actorStateBytes, payloadBytesInFlight } = limits;
  return kind === "actor" ? actorStateBytes : Math.max(actorStateBytes, payloadBytesInFlight);
}

/**
 * Whether what a payload says is of the object that the 40 named, and names every member once, as one that was in the spot. The payload has passed its
 * checksum, so that the first field that is off is the source's mistake.
 */
export function restoredFault({ prepare }: TargetAttempt, { members }: RestoredFacts): string | undefined {
  const object = unitObjectOf(prepare);
  if (object.kind === "userSpot") {
    const ids = new Set(members.map(({ actor }) => actor.actorId));
    const outsider = members.find(({ previousPlace: from }) => {
      return from?.spotId !== object.spotId || from.objectGeneration !== object.objectGeneration;
    });
    return firstDifference(
      ids.size === members.length ? undefined : "members.actorId",
      outsider === undefined ? undefined : "members.previousPlace",
    );
  }
  const [only, ...more] = members;
  if (only === undefined || more.length > 0) return "members";
  return firstDifference(
    differs("actorId", object.actorId, only.actor.actorId),
    differs("objectGeneration", object.objectGeneration, only.actor.objectGeneration),
    differs("authorityOwnerGeneration", object.authorityOwnerGeneration, only.authorityOwnerGeneration),
    differs("baseVersion", prepare.coordinator.expectedAuthorityStoreVersion, only.baseVersion),
  );
}

/** A 31 must be for a member of the unit, as the same object (F2, F3). */
export function relayedFault({ members }: RestoredFacts, { record }: RelocationData): string | undefined {
  if (record.recordKind !== "actorSend" && record.recordKind !== "actorRequest") return "record.recordKind";
  const { actorId, objectGeneration } = record.target.actor;
  const member = members.find(({ actor }) => actor.actorId === actorId);
  return firstDifference(
    member === undefined ? "record.target.actor.actorId" : undefined,
    differs("record.target.actor.objectGeneration", member?.actor.objectGeneration, objectGeneration),
  );
}

/** T2: there is a size of at most `chunkBytes` that cuts the payload into that many chunks; nothing has no chunk and CRC 0. */
function payloadSizeFault(chunkBytes: number, command: RelocationPrepare): string | undefined {
  const { payloadTotalLength: length, payloadChunkCount: count } = command;
  if (length === 0n) {
    return firstDifference(
      differs("payloadChunkCount", 0, count),
      differs("payloadChecksumCrc32c", 0, command.payloadChecksumCrc32c),
    );
  }
  const tooFew = length > BigInt(count) * BigInt(chunkBytes);
  const tooMany = BigInt(count) > length;
  return tooFew || tooMany ? "payloadChunkCount" : undefined;
}

/** The fields that 31, 34, 52 and 53 share. */
type AttemptRecord = Pick<
  RelocationFailed,
  "relocation" | "targetAttemptGeneration" | "coordinator" | "object" | "senderRole"
>;

/**
 * Whether a record of an open attempt comes from its source and says, in every field, what the 40 said (I9). Names the
 * first field that is off, or `undefined`.
 */
export function attemptRecordFault(attempt: TargetAttempt, peer: Rid, command: AttemptRecord): string | undefined {
  const { prepare } = attempt;
  return firstDifference(
    differs("peer", prepare.sourceNodeRid, peer),
    id128Difference("relocation", prepare.relocation, command.relocation),
    differs("targetAttemptGeneration", prepare.targetAttemptGeneration, command.targetAttemptGeneration),
    coordinatorDifference("coordinator", prepare.coordinator, command.coordinator),
    isSourceSide(command.senderRole) ? undefined : "senderRole",
    objectDifference("object", prepare.object, command.object),
  );
}

/** As {@link attemptRecordFault}, and the 53 names this node as the target. */
export function attemptFailedFault(attempt: TargetAttempt, peer: Rid, command: RelocationFailed): string | undefined {
  return firstDifference(
    attemptRecordFault(attempt, peer, command),
    nodeRunDifference("target", attempt.prepare.target, command.target),
  );
}

/** This run of this node, as a 40 must name it. */
export function targetOf(config: TargetConfig): Target {
  const { nodeRid, nodeGeneration, ownerId, ownerLeaseGeneration } = config.self;
  return { nodeRid, nodeGeneration, ownerId, ownerLeaseGeneration };
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

/** The source coordinates its moves; a coordinator of its own may speak in its place. */
function isSourceSide(role: Role): boolean {
  return role === "source" || role === "coordinator";
}
