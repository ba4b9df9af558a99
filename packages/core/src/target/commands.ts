import { actorAuthorityKey } from "@rehome/wire";
import type {
  ActorJoined,
  RelocationFailed,
  RelocationPrepare,
  RelocationReady,
  Session,
  SessionRelocationRoute,
  SpotRef,
} from "@rehome/wire";
import type { MoveClaim } from "../authority-commit/evidence.ts";
import type { CommitMove } from "../authority-commit/state.ts";
import { assert } from "../errors.ts";
import { keyOfObject, type UnitObject } from "../move/unit.ts";
import type { AuthorityRecord, CommitParticipant, SpotPlace } from "../ports/authority-store.ts";
import type { TargetFailureCode } from "./failures.ts";
import type { RestoredFacts, RestoredMember } from "./inputs.ts";
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

/** A member that is here now, with the record that the store gave it. */
export interface ArrivedMember {
  readonly member: RestoredMember;
  readonly record: AuthorityRecord;
}

/** T9, T10: the 44 `commit` for one session of a member, with the store's generations. */
export function routeCommand(
  { prepare }: TargetAttempt,
  { member, record }: ArrivedMember,
  session: Session,
): SessionRelocationRoute {
  return {
    command: "sessionRelocationRoute",
    relocation: prepare.relocation,
    coordinator: prepare.coordinator,
    senderRole: "target",
    actor: member.actor,
    session,
    route: {
      action: "commit",
      previousAuthorityOwnerGeneration: member.authorityOwnerGeneration,
      targetAuthorityOwnerGeneration: record.authorityOwnerGeneration,
      targetNodeRid: record.owner.nodeRid,
      targetNodeGeneration: record.owner.nodeGeneration,
      targetOwnerLeaseGeneration: record.owner.ownerLeaseGeneration,
    },
  };
}

/** T9, T10: the 37 that tells the source to look at the store. It is a hint, so one of a unit's members is enough. */
export function joinedCommand({ config }: TargetAttempt, { member, record }: ArrivedMember): ActorJoined {
  const previousSpot = spotRef(member.previousPlace);
  return {
    command: "actorJoined",
    actor: member.actor,
    ...(previousSpot === undefined ? {} : { previousSpot }),
    currentSpot: spotRef(record.place) ?? config.entrySpot,
    authorityOwnerGeneration: record.authorityOwnerGeneration,
  };
}

function spotRef(place: SpotPlace | undefined): SpotRef | undefined {
  return place && { spotId: place.spotId, objectGeneration: place.objectGeneration };
}

/**
 * T6, T8: the one conditional write. The object stands on the base version that the coordinator's fence names, each member
 * of a spot on its own: all change their owner, or none does.
 */
export function commitMoveOf(attempt: TargetAttempt, restored: RestoredFacts): CommitMove {
  const { config, prepare } = attempt;
  const { membershipDigest } = restored;
  const object = unitObjectOf(prepare);
  const key = keyOfObject(object);
  const { objectGeneration, authorityOwnerGeneration } = object;
  const shared = { relocation: prepare.relocation, newOwner: config.self };
  const claim: MoveClaim = {
    ...shared,
    kind: object.kind,
    stableType: restored.stableType,
    objectGeneration,
    authorityOwnerGeneration,
    coordinator: prepare.coordinator,
  };
  const members = object.kind === "actor" ? [] : restored.members;
  const companions = members.map((member) => ({
    key: actorAuthorityKey(member.actor.actorId),
    claim: {
      ...shared,
      kind: "actor" as const,
      stableType: member.stableType,
      objectGeneration: member.actor.objectGeneration,
      authorityOwnerGeneration: member.authorityOwnerGeneration,
      coordinator: { ...prepare.coordinator, expectedAuthorityStoreVersion: member.baseVersion },
    },
  }));
  // Members stay in the spot that takes them along.
  const spot = object.kind === "actor" ? undefined : { spotId: object.spotId, objectGeneration };
  return {
    key,
    claim,
    companions,
    request: {
      relocation: prepare.relocation,
      owner: config.self,
      participants: [
        participant(key, claim, { place: restored.place, membershipDigest }),
        ...companions.map((each) => participant(each.key, each.claim, { place: spot, membershipDigest })),
      ],
    },
    retry: config.storeRetry,
  };
}

function participant(
  key: string,
  claim: MoveClaim,
  change: Pick<CommitParticipant, "place" | "membershipDigest">,
): CommitParticipant {
  return {
    key,
    baseVersion: claim.coordinator.expectedAuthorityStoreVersion,
    expectedObjectGeneration: claim.objectGeneration,
    expectedAuthorityOwnerGeneration: claim.authorityOwnerGeneration,
    ...change,
  };
}

/** What a 40 is about. Other units are declined before an attempt opens. */
export function unitObjectOf({ object }: RelocationPrepare): UnitObject {
  assert(object.kind !== "instanceSpot", "A target attempt is open for a unit that cannot move.");
  return object;
}
