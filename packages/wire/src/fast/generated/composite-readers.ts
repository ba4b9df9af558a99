// Made by scripts/generate.ts from the schema. Do not edit.
import type {
  ActorFence,
  ActorRef,
  Coordinator,
  FollowRoute,
  RelocationObject,
  ReplyRelayContext,
  ReplyTail,
  RequestSource,
  Reservation,
  RouteUpdate,
  Session,
  SessionBinding,
  SessionTail,
  SpotFence,
  SpotRef,
  Target,
} from "../../values/composites.ts";
import { enter2, gen, id128, leave, left, optionalUnion, rid, text16, text8, uint1, uint4, within } from "../input.ts";
import { refuse, type Mutable } from "../refuse.ts";

export function readActorRef(): ActorRef {
  return { actorId: text8(), objectGeneration: gen() };
}

export function readSpotRef(): SpotRef {
  return { spotId: text8(), objectGeneration: gen() };
}

export function readReplyTail(operation: string | undefined): ReplyTail | undefined {
  switch (operation) {
    case "actorLookup": {
      return {
        operation: "actorLookup",
        actor: readActorRef(),
        spotId: text8(),
        spotGeneration: gen(),
        authorityOwnerGeneration: gen(),
      };
    }
    case "actorJoin": {
      const tag = uint4();
      const outer = enter2();
      switch (tag) {
        case 0: {
          const value: ReplyTail = {
            operation: "actorJoin",
            joinResult: "accepted",
            spot: readSpotRef(),
            membershipEpoch: gen(),
            receiveChunkLimitBytes: uint4(),
          };
          leave(outer);
          return value;
        }
        case 1: {
          const spotValue = optionalUnion(readSpotRef);
          leave(outer);
          const value: Mutable<Extract<ReplyTail, { operation: "actorJoin"; joinResult: "rejected" }>> = {
            operation: "actorJoin",
            joinResult: "rejected",
          };
          if (spotValue !== undefined) value.spot = spotValue;
          return value;
        }
        default:
          return refuse();
      }
    }
    case "actorCreate": {
      const tag = uint1();
      const outer = enter2();
      switch (tag) {
        case 1: {
          const value: ReplyTail = { operation: "actorCreate", createResult: "existing", actor: readActorRef() };
          leave(outer);
          return value;
        }
        case 2: {
          const value: ReplyTail = { operation: "actorCreate", createResult: "created", actor: readActorRef() };
          leave(outer);
          return value;
        }
        case 3: {
          const value: ReplyTail = { operation: "actorCreate", createResult: "rejected" };
          leave(outer);
          return value;
        }
        default:
          return refuse();
      }
    }
    case "streamBind": {
      return { operation: "streamBind", bindingGeneration: gen(), authorityOwnerGeneration: gen() };
    }
    default:
      return undefined;
  }
}

export function readActorFence(): ActorFence {
  return {
    actor: readActorRef(),
    nodeRid: rid(),
    nodeGeneration: gen(),
    authorityOwnerGeneration: gen(),
    ownerLeaseGeneration: gen(),
  };
}

export function readSessionTail(): SessionTail {
  return { sessionRid: rid(), bindingGeneration: gen(), sessionSequence: gen() };
}

export function readSpotFence(): SpotFence {
  return {
    spot: readSpotRef(),
    nodeRid: rid(),
    nodeGeneration: gen(),
    authorityOwnerGeneration: gen(),
    ownerLeaseGeneration: gen(),
  };
}

export function readCoordinator(): Coordinator {
  return {
    ownerId: text8(),
    leaseGeneration: gen(),
    nodeRid: rid(),
    nodeGeneration: gen(),
    expectedAuthorityStoreVersion: text16(1, 4096),
  };
}

export function readTarget(): Target {
  return { nodeRid: rid(), nodeGeneration: gen(), ownerId: text8(), ownerLeaseGeneration: gen() };
}

export function readRelocationObject(): RelocationObject {
  const tag = uint1();
  const outer = enter2();
  switch (tag) {
    case 1: {
      const value: RelocationObject = {
        kind: "actor",
        actorId: text8(),
        objectGeneration: gen(),
        authorityOwnerGeneration: gen(),
      };
      leave(outer);
      return value;
    }
    case 2: {
      const value: RelocationObject = {
        kind: "userSpot",
        spotId: text8(),
        objectGeneration: gen(),
        authorityOwnerGeneration: gen(),
      };
      leave(outer);
      return value;
    }
    case 3: {
      const value: RelocationObject = {
        kind: "instanceSpot",
        stableType: text8(),
        spotId: text8(),
        objectGeneration: gen(),
      };
      leave(outer);
      return value;
    }
    default:
      return refuse();
  }
}

export function readReplyRelayContext(): ReplyRelayContext {
  const tag = uint1();
  const outer = enter2();
  switch (tag) {
    case 2: {
      const value: ReplyRelayContext = {
        kind: "maintenanceRelocation",
        relocation: id128(),
        targetAttemptGeneration: gen(),
        coordinator: readCoordinator(),
        participantId: gen(),
        sequence: gen(),
      };
      leave(outer);
      return value;
    }
    default:
      return refuse();
  }
}

export function readSessionBinding(): SessionBinding {
  const tag = uint1();
  const outer = enter2();
  switch (tag) {
    case 1: {
      const value: SessionBinding = { state: "active", bindingGeneration: gen() };
      leave(outer);
      return value;
    }
    case 2: {
      const value: SessionBinding = { state: "tombstone", retiredBindingGeneration: gen() };
      leave(outer);
      return value;
    }
    default:
      return refuse();
  }
}

export function readSession(): Session {
  return {
    ownerNodeRid: rid(),
    ownerNodeGeneration: gen(),
    ownerId: text8(),
    ownerLeaseGeneration: gen(),
    sessionRid: rid(),
    bindingGeneration: gen(),
  };
}

export function readRouteUpdate(): RouteUpdate {
  const tag = uint1();
  const outer = enter2();
  switch (tag) {
    case 1: {
      const previousAuthorityOwnerGenerationValue = gen();
      const targetAuthorityOwnerGenerationValue = gen();
      const targetNodeRidValue = rid();
      const targetNodeGenerationValue = gen();
      const targetOwnerLeaseGenerationValue = left() === 8 ? gen() : undefined;
      leave(outer);
      const value: Mutable<Extract<RouteUpdate, { action: "commit" }>> = {
        action: "commit",
        previousAuthorityOwnerGeneration: previousAuthorityOwnerGenerationValue,
        targetAuthorityOwnerGeneration: targetAuthorityOwnerGenerationValue,
        targetNodeRid: targetNodeRidValue,
        targetNodeGeneration: targetNodeGenerationValue,
      };
      if (targetOwnerLeaseGenerationValue !== undefined)
        value.targetOwnerLeaseGeneration = targetOwnerLeaseGenerationValue;
      return value;
    }
    case 2: {
      const value: RouteUpdate = { action: "abort", currentAuthorityOwnerGeneration: gen() };
      leave(outer);
      return value;
    }
    default:
      return refuse();
  }
}

export function readRequestSource(): RequestSource {
  return { ownerId: text8(), ownerLeaseGeneration: gen(), nodeRid: rid(), nodeGeneration: gen() };
}

export function readReservation(): Reservation {
  return {
    reservationId: text8(),
    expectedStoreVersion: text16(1, 4096),
    objectGeneration: gen(),
    authorityOwnerGeneration: gen(),
    nodeRid: rid(),
    nodeGeneration: gen(),
    ownerId: text8(),
    ownerLeaseGeneration: gen(),
    pendingCapacityDelta: within(uint4(), 1, 4294967295),
  };
}

export function readFollowRoute(): FollowRoute {
  const tag = uint1();
  const outer = enter2();
  switch (tag) {
    case 1: {
      const value: FollowRoute = { kind: "actor", actor: readActorFence() };
      leave(outer);
      return value;
    }
    case 2: {
      const value: FollowRoute = { kind: "spot", spot: readSpotFence() };
      leave(outer);
      return value;
    }
    default:
      return refuse();
  }
}
