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
import { bool, close2, gen, id128, open2, rid, text16, text8, u32Within, uint1, uint4 } from "../output.ts";
import { refuse } from "../refuse.ts";

export function writeActorRef(value: ActorRef): void {
  text8(value.actorId);
  gen(value.objectGeneration);
}

export function writeSpotRef(value: SpotRef): void {
  text8(value.spotId);
  gen(value.objectGeneration);
}

export function writeReplyTail(value: ReplyTail): void {
  switch (value.operation) {
    case "actorLookup": {
      writeActorRef(value.actor);
      text8(value.spotId);
      gen(value.spotGeneration);
      gen(value.authorityOwnerGeneration);
      break;
    }
    case "actorJoin": {
      switch (value.joinResult) {
        case "accepted": {
          uint4(0);
          const body0 = open2();
          writeSpotRef(value.spot);
          gen(value.membershipEpoch);
          u32Within(value.receiveChunkLimitBytes, 0, 4294967295);
          close2(body0);
          break;
        }
        case "rejected": {
          uint4(1);
          const body2 = open2();
          bool(value.spot !== undefined);
          const body1 = open2();
          if (value.spot !== undefined) {
            writeSpotRef(value.spot);
          }
          close2(body1);
          close2(body2);
          break;
        }
        default:
          refuse();
      }
      break;
    }
    case "actorCreate": {
      switch (value.createResult) {
        case "existing": {
          uint1(1);
          const body3 = open2();
          writeActorRef(value.actor);
          close2(body3);
          break;
        }
        case "created": {
          uint1(2);
          const body4 = open2();
          writeActorRef(value.actor);
          close2(body4);
          break;
        }
        case "rejected": {
          uint1(3);
          const body5 = open2();
          close2(body5);
          break;
        }
        default:
          refuse();
      }
      break;
    }
    case "streamBind": {
      gen(value.bindingGeneration);
      gen(value.authorityOwnerGeneration);
      break;
    }
    default:
      refuse();
  }
}

export function writeActorFence(value: ActorFence): void {
  writeActorRef(value.actor);
  rid(value.nodeRid);
  gen(value.nodeGeneration);
  gen(value.authorityOwnerGeneration);
  gen(value.ownerLeaseGeneration);
}

export function writeSessionTail(value: SessionTail): void {
  rid(value.sessionRid);
  gen(value.bindingGeneration);
  gen(value.sessionSequence);
}

export function writeSpotFence(value: SpotFence): void {
  writeSpotRef(value.spot);
  rid(value.nodeRid);
  gen(value.nodeGeneration);
  gen(value.authorityOwnerGeneration);
  gen(value.ownerLeaseGeneration);
}

export function writeCoordinator(value: Coordinator): void {
  text8(value.ownerId);
  gen(value.leaseGeneration);
  rid(value.nodeRid);
  gen(value.nodeGeneration);
  text16(value.expectedAuthorityStoreVersion, 1, 4096);
}

export function writeTarget(value: Target): void {
  rid(value.nodeRid);
  gen(value.nodeGeneration);
  text8(value.ownerId);
  gen(value.ownerLeaseGeneration);
}

export function writeRelocationObject(value: RelocationObject): void {
  switch (value.kind) {
    case "actor": {
      uint1(1);
      const body6 = open2();
      text8(value.actorId);
      gen(value.objectGeneration);
      gen(value.authorityOwnerGeneration);
      close2(body6);
      break;
    }
    case "userSpot": {
      uint1(2);
      const body7 = open2();
      text8(value.spotId);
      gen(value.objectGeneration);
      gen(value.authorityOwnerGeneration);
      close2(body7);
      break;
    }
    case "instanceSpot": {
      uint1(3);
      const body8 = open2();
      text8(value.stableType);
      text8(value.spotId);
      gen(value.objectGeneration);
      close2(body8);
      break;
    }
    default:
      refuse();
  }
}

export function writeReplyRelayContext(value: ReplyRelayContext): void {
  switch (value.kind) {
    case "maintenanceRelocation": {
      uint1(2);
      const body9 = open2();
      id128(value.relocation);
      gen(value.targetAttemptGeneration);
      writeCoordinator(value.coordinator);
      gen(value.participantId);
      gen(value.sequence);
      close2(body9);
      break;
    }
    default:
      refuse();
  }
}

export function writeSessionBinding(value: SessionBinding): void {
  switch (value.state) {
    case "active": {
      uint1(1);
      const body10 = open2();
      gen(value.bindingGeneration);
      close2(body10);
      break;
    }
    case "tombstone": {
      uint1(2);
      const body11 = open2();
      gen(value.retiredBindingGeneration);
      close2(body11);
      break;
    }
    default:
      refuse();
  }
}

export function writeSession(value: Session): void {
  rid(value.ownerNodeRid);
  gen(value.ownerNodeGeneration);
  text8(value.ownerId);
  gen(value.ownerLeaseGeneration);
  rid(value.sessionRid);
  gen(value.bindingGeneration);
}

export function writeRouteUpdate(value: RouteUpdate): void {
  switch (value.action) {
    case "commit": {
      uint1(1);
      const body12 = open2();
      gen(value.previousAuthorityOwnerGeneration);
      gen(value.targetAuthorityOwnerGeneration);
      rid(value.targetNodeRid);
      gen(value.targetNodeGeneration);
      if (value.targetOwnerLeaseGeneration !== undefined) {
        gen(value.targetOwnerLeaseGeneration);
      }
      close2(body12);
      break;
    }
    case "abort": {
      uint1(2);
      const body13 = open2();
      gen(value.currentAuthorityOwnerGeneration);
      close2(body13);
      break;
    }
    default:
      refuse();
  }
}

export function writeRequestSource(value: RequestSource): void {
  text8(value.ownerId);
  gen(value.ownerLeaseGeneration);
  rid(value.nodeRid);
  gen(value.nodeGeneration);
}

export function writeReservation(value: Reservation): void {
  text8(value.reservationId);
  text16(value.expectedStoreVersion, 1, 4096);
  gen(value.objectGeneration);
  gen(value.authorityOwnerGeneration);
  rid(value.nodeRid);
  gen(value.nodeGeneration);
  text8(value.ownerId);
  gen(value.ownerLeaseGeneration);
  u32Within(value.pendingCapacityDelta, 1, 4294967295);
}

export function writeFollowRoute(value: FollowRoute): void {
  switch (value.kind) {
    case "actor": {
      uint1(1);
      const body14 = open2();
      writeActorFence(value.actor);
      close2(body14);
      break;
    }
    case "spot": {
      uint1(2);
      const body15 = open2();
      writeSpotFence(value.spot);
      close2(body15);
      break;
    }
    default:
      refuse();
  }
}
