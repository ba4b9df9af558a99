import { actorAuthorityKey } from "@rehome/wire";
import type {
  ActorJoined,
  ActorRef,
  RelocationFailed,
  RelocationPrepare,
  RelocationReady,
  Session,
  SessionRelocationRoute,
  SpotRef,
} from "@rehome/wire";
import type { CommitMove } from "../authority-commit/state.ts";
import { assert } from "../errors.ts";
import type { AuthorityRecord, SpotPlace } from "../ports/authority-store.ts";
import type { TargetFailureCode } from "./failures.ts";
import type { RestoredFacts } from "./inputs.ts";
import type { TargetAttempt } from "./state.ts";

export function readyCommand(attempt: TargetAttempt): RelocationReady {
  return { command: "relocationReady", ...answerHeader(attempt.prepare) };
}

/** The 40's own target, even where it is another run of this node: so the source knows which move is meant. */
export function failedCommand(prepare: RelocationPrepare, failureCode: TargetFailureCode): RelocationFailed {
  return { command: "relocationFailed", ...answerHeader(prepare), failureCode };
}

function answerHeader(prepare: RelocationPrepare) {
  const { relocation, targetAttemptGeneration, coordinator, target, object } = prepare;
  return { relocation, targetAttemptGeneration, coordinator, target, object, senderRole: "target" } as const;
}

/** T9, T10: the 44 `commit` for one session, with the store's generations. */
export function routeCommand(
  attempt: TargetAttempt,
  record: AuthorityRecord,
  session: Session,
): SessionRelocationRoute {
  const { prepare } = attempt;
  const { actor, authorityOwnerGeneration } = actorOf(prepare);
  return {
    command: "sessionRelocationRoute",
    relocation: prepare.relocation,
    coordinator: prepare.coordinator,
    senderRole: "target",
    actor,
    session,
    route: {
      action: "commit",
      previousAuthorityOwnerGeneration: authorityOwnerGeneration,
      targetAuthorityOwnerGeneration: record.authorityOwnerGeneration,
      targetNodeRid: record.owner.nodeRid,
      targetNodeGeneration: record.owner.nodeGeneration,
      targetOwnerLeaseGeneration: record.owner.ownerLeaseGeneration,
    },
  };
}

/** T9, T10: the 37 that tells the source to look at the store. */
export function joinedCommand(attempt: TargetAttempt, record: AuthorityRecord, restored: RestoredFacts): ActorJoined {
  const previousSpot = spotRef(restored.previousPlace);
  return {
    command: "actorJoined",
    actor: actorOf(attempt.prepare).actor,
    ...(previousSpot === undefined ? {} : { previousSpot }),
    currentSpot: spotRef(record.place) ?? attempt.config.entrySpot,
    authorityOwnerGeneration: record.authorityOwnerGeneration,
  };
}

function spotRef(place: SpotPlace | undefined): SpotRef | undefined {
  return place && { spotId: place.spotId, objectGeneration: place.objectGeneration };
}

/** T6, T8: the one conditional write, on the base version that the coordinator's fence names. */
export function commitMoveOf(attempt: TargetAttempt, restored: RestoredFacts): CommitMove {
  const { config, prepare } = attempt;
  const { actor, authorityOwnerGeneration } = actorOf(prepare);
  const key = actorAuthorityKey(actor.actorId);
  return {
    key,
    claim: {
      relocation: prepare.relocation,
      kind: "actor",
      stableType: restored.stableType,
      objectGeneration: actor.objectGeneration,
      authorityOwnerGeneration,
      coordinator: prepare.coordinator,
      newOwner: config.self,
    },
    request: {
      relocation: prepare.relocation,
      owner: config.self,
      participants: [
        {
          key,
          baseVersion: prepare.coordinator.expectedAuthorityStoreVersion,
          expectedObjectGeneration: actor.objectGeneration,
          expectedAuthorityOwnerGeneration: authorityOwnerGeneration,
          place: restored.place,
          membershipDigest: restored.membershipDigest,
        },
      ],
    },
    retry: config.storeRetry,
  };
}

/** The actor that a 40 is about. Other units are declined before an attempt opens. */
export function actorOf(prepare: RelocationPrepare): {
  readonly actor: ActorRef;
  readonly authorityOwnerGeneration: bigint;
} {
  const { object } = prepare;
  assert(object.kind === "actor", "A target attempt is open for a unit that is not an actor.");
  const { actorId, objectGeneration, authorityOwnerGeneration } = object;
  return { actor: { actorId, objectGeneration }, authorityOwnerGeneration };
}
