import type {
  ActorFence,
  Coordinator,
  FailureCode,
  RelocationFailed,
  RelocationPrepare,
  Session,
  SessionRelocationRoute,
  SessionRelocationSeal,
} from "@rehome/wire";
import { objectOf } from "../move/unit.ts";
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

export function sealCommand(state: Based, { actor, session }: Seal): SessionRelocationSeal {
  return {
    command: "sessionRelocationSeal",
    relocation: state.config.relocation,
    coordinator: state.coordinator,
    senderRole: "source",
    actor,
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
    object: objectOf(config.unit),
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
    object: objectOf(config.unit),
    senderRole: "source",
    failureCode,
  };
}

/** S20: one 44 `abort` for every 42 that was handed to a link, whatever came of it. */
export function abortRoutes(state: Based): readonly OwedRoute[] {
  return state.seals.map((seal) => abortRoute(state, seal));
}

export function abortRoute(move: RouteContext, { actor, session }: Seal): OwedRoute {
  return {
    peer: session.ownerNodeRid,
    command: {
      ...routeHeader(move, actor, session),
      senderRole: "source",
      route: { action: "abort", currentAuthorityOwnerGeneration: actor.authorityOwnerGeneration },
    },
  };
}

/** S20: the 44 `commit` that the coordinator says in the target's place, with the store's values. */
export function commitRoute(move: RouteContext, { actor, session }: Seal, owner: ActorFence): OwedRoute {
  return {
    peer: session.ownerNodeRid,
    command: {
      ...routeHeader(move, actor, session),
      senderRole: "coordinator",
      route: {
        action: "commit",
        previousAuthorityOwnerGeneration: actor.authorityOwnerGeneration,
        targetAuthorityOwnerGeneration: owner.authorityOwnerGeneration,
        targetNodeRid: owner.nodeRid,
        targetNodeGeneration: owner.nodeGeneration,
        targetOwnerLeaseGeneration: owner.ownerLeaseGeneration,
      },
    },
  };
}

/** The fence under which the owner that the store names is addressed for this member. */
export function fenceOf(member: ActorFence, record: AuthorityRecord): ActorFence {
  return {
    actor: { actorId: member.actor.actorId, objectGeneration: record.objectGeneration },
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
    object: objectOf(config.unit),
  } as const;
}

/** What every 44 of a move names. */
type RouteContext = Pick<Based, "config" | "coordinator">;

function routeHeader(
  { config, coordinator }: RouteContext,
  { actor }: ActorFence,
  session: Session,
): Omit<SessionRelocationRoute, "senderRole" | "route"> {
  return {
    command: "sessionRelocationRoute",
    relocation: config.relocation,
    coordinator,
    actor,
    session,
  };
}
