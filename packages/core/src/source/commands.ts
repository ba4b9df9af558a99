import type {
  ActorFence,
  Coordinator,
  FailureCode,
  RelocationFailed,
  RelocationObject,
  RelocationPrepare,
  Session,
  SessionRelocationRoute,
  SessionRelocationSeal,
} from "@rehome/wire";
import type { AuthorityRecord, OwnerIdentity } from "../ports/authority-store.ts";
import type { SourceConfig } from "./config.ts";
import { TARGET_ATTEMPT_GENERATION } from "./config.ts";
import type { CutoverHeader, RelayHeader, StateHeader } from "./effects.ts";
import type { PayloadSummary } from "./inputs.ts";
import type { Based, OwedRoute, Seal } from "./state.ts";

/** The fence of the node that coordinates a move on this base version. */
export function coordinatorOf(self: OwnerIdentity, baseVersion: string): Coordinator {
  return {
    ownerId: self.ownerId,
    leaseGeneration: self.ownerLeaseGeneration,
    nodeRid: self.nodeRid,
    nodeGeneration: self.nodeGeneration,
    expectedAuthorityStoreVersion: baseVersion,
  };
}

/** The unit that moves, under the authority generation that it moves away from. */
export function objectOf(config: SourceConfig): RelocationObject {
  const { actor, authorityOwnerGeneration } = config.actor;
  return {
    kind: "actor",
    actorId: actor.actorId,
    objectGeneration: actor.objectGeneration,
    authorityOwnerGeneration,
  };
}

export function sealCommand(state: Based, session: Session): SessionRelocationSeal {
  return {
    command: "sessionRelocationSeal",
    relocation: state.config.relocation,
    coordinator: state.coordinator,
    senderRole: "source",
    actor: state.config.actor,
    session,
  };
}

export function prepareCommand(state: Based, payload: PayloadSummary): RelocationPrepare {
  const { config, coordinator } = state;
  return {
    command: "relocationPrepare",
    relocation: config.relocation,
    targetAttemptGeneration: TARGET_ATTEMPT_GENERATION,
    coordinator,
    target: config.target,
    initiatorRole: "source",
    object: objectOf(config),
    sourceNodeRid: config.self.nodeRid,
    sourceNodeGeneration: config.self.nodeGeneration,
    payloadTotalLength: payload.totalLength,
    payloadChunkCount: payload.chunkCount,
    payloadChecksumCrc32c: payload.checksumCrc32c,
    applicationVersion: config.applicationVersion,
  };
}

export function stateHeader(state: Based): StateHeader {
  return { command: "relocationState", ...header(state.config, state.coordinator) };
}

export function relayHeader(config: SourceConfig, coordinator: Coordinator): RelayHeader {
  return { command: "relocationData", ...header(config, coordinator) };
}

export function cutoverHeader(state: Based): CutoverHeader {
  return { command: "relocationCutover", ...header(state.config, state.coordinator) };
}

export function failedCommand(state: Based, failureCode: FailureCode): RelocationFailed {
  const { config, coordinator } = state;
  return {
    command: "relocationFailed",
    relocation: config.relocation,
    targetAttemptGeneration: TARGET_ATTEMPT_GENERATION,
    coordinator,
    target: config.target,
    object: objectOf(config),
    senderRole: "source",
    failureCode,
  };
}

/** S20: one 44 `abort` for every 42 that was handed to a link, whatever came of it. */
export function abortRoutes(state: Based): readonly OwedRoute[] {
  const { config, coordinator, seals } = state;
  return seals.map(({ session }) => ({
    peer: session.ownerNodeRid,
    command: {
      ...routeHeader(config, coordinator, session),
      senderRole: "source",
      route: { action: "abort", currentAuthorityOwnerGeneration: config.actor.authorityOwnerGeneration },
    },
  }));
}

/** S20: the 44 `commit` that the coordinator says in the target's place, with the store's values. */
export function commitRoutes(state: Based, owner: ActorFence): readonly OwedRoute[] {
  const { config, coordinator } = state;
  return state.seals.filter(isSealed).map(({ session }) => ({
    peer: session.ownerNodeRid,
    command: {
      ...routeHeader(config, coordinator, session),
      senderRole: "coordinator",
      route: {
        action: "commit",
        previousAuthorityOwnerGeneration: config.actor.authorityOwnerGeneration,
        targetAuthorityOwnerGeneration: owner.authorityOwnerGeneration,
        targetNodeRid: owner.nodeRid,
        targetNodeGeneration: owner.nodeGeneration,
        targetOwnerLeaseGeneration: owner.ownerLeaseGeneration,
      },
    },
  }));
}

/** The fence under which the store's owner is addressed. */
export function fenceOf(config: SourceConfig, record: AuthorityRecord): ActorFence {
  return {
    actor: { actorId: config.actor.actor.actorId, objectGeneration: record.objectGeneration },
    nodeRid: record.owner.nodeRid,
    nodeGeneration: record.owner.nodeGeneration,
    authorityOwnerGeneration: record.authorityOwnerGeneration,
    ownerLeaseGeneration: record.owner.ownerLeaseGeneration,
  };
}

function header(config: SourceConfig, coordinator: Coordinator) {
  return {
    relocation: config.relocation,
    targetAttemptGeneration: TARGET_ATTEMPT_GENERATION,
    coordinator,
    senderRole: "source",
    object: objectOf(config),
  } as const;
}

function routeHeader(
  config: SourceConfig,
  coordinator: Coordinator,
  session: Session,
): Omit<SessionRelocationRoute, "senderRole" | "route"> {
  return {
    command: "sessionRelocationRoute",
    relocation: config.relocation,
    coordinator,
    actor: config.actor.actor,
    session,
  };
}

function isSealed(seal: Seal): boolean {
  return seal.status === "sealed";
}
