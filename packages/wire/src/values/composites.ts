import type { RuntimeState } from "./enums.ts";
import type { Rid } from "./rid.ts";

/** 128 bits as two u64; never both zero where the page says `id128`. */
export interface Id128 {
  readonly high: bigint;
  readonly low: bigint;
}

/** The fence of the node that coordinates a move (`protocol.md` section 1), and the store version the move stands on. */
export interface Coordinator {
  readonly ownerId: string;
  readonly leaseGeneration: bigint;
  readonly nodeRid: Rid;
  readonly nodeGeneration: bigint;
  readonly expectedAuthorityStoreVersion: string;
}

export interface ActorRef {
  readonly actorId: string;
  readonly objectGeneration: bigint;
}

export interface SpotRef {
  readonly spotId: string;
  readonly objectGeneration: bigint;
}

interface OwnerFence {
  readonly nodeRid: Rid;
  readonly nodeGeneration: bigint;
  readonly authorityOwnerGeneration: bigint;
  readonly ownerLeaseGeneration: bigint;
}

/** An actor together with the owner that it is believed to have. */
export interface ActorFence extends OwnerFence {
  readonly actor: ActorRef;
}

/** A spot together with the owner that it is believed to have. */
export interface SpotFence extends OwnerFence {
  readonly spot: SpotRef;
}

/** A binding of a client's session to an actor, with the run of the node that holds the session. */
export interface Session {
  readonly ownerNodeRid: Rid;
  readonly ownerNodeGeneration: bigint;
  readonly ownerId: string;
  readonly ownerLeaseGeneration: bigint;
  readonly sessionRid: Rid;
  readonly bindingGeneration: bigint;
}

/** The node that a unit moves to, or, in a 53 of a session owner, that owner's own node. */
export interface Target {
  readonly nodeRid: Rid;
  readonly nodeGeneration: bigint;
  readonly ownerId: string;
  readonly ownerLeaseGeneration: bigint;
}

/** The node that made a request and waits for its result. */
export interface RequestSource {
  readonly ownerId: string;
  readonly ownerLeaseGeneration: bigint;
  readonly nodeRid: Rid;
  readonly nodeGeneration: bigint;
}

/** The unit of a move: `object` in `wire.md` section 2. */
export type RelocationObject =
  | {
      readonly kind: "actor";
      readonly actorId: string;
      readonly objectGeneration: bigint;
      readonly authorityOwnerGeneration: bigint;
    }
  | {
      readonly kind: "userSpot";
      readonly spotId: string;
      readonly objectGeneration: bigint;
      readonly authorityOwnerGeneration: bigint;
    }
  | {
      readonly kind: "instanceSpot";
      readonly stableType: string;
      readonly spotId: string;
      readonly objectGeneration: bigint;
    };

/** Says that a message came from a bound session, and its place in that binding's stream (`protocol.md` N4). */
export interface SessionTail {
  readonly sessionRid: Rid;
  readonly bindingGeneration: bigint;
  readonly sessionSequence: bigint;
}

/** Room set aside for an actor that is about to be created. */
export interface Reservation {
  readonly reservationId: string;
  readonly expectedStoreVersion: string;
  readonly objectGeneration: bigint;
  readonly authorityOwnerGeneration: bigint;
  readonly nodeRid: Rid;
  readonly nodeGeneration: bigint;
  readonly ownerId: string;
  readonly ownerLeaseGeneration: bigint;
  readonly pendingCapacityDelta: number;
}

/**
 * Key and value pairs in wire order. At most 255 entries and 1,024 bytes in all; keys are unique. Keys that begin with
 * `~` are the protocol's own.
 */
export type Metadata = readonly (readonly [key: string, value: string])[];

/** What a message carries. */
export interface PayloadEnvelope {
  readonly packetName: string;
  readonly contentType: string;
  readonly data: Uint8Array;
}

/** Who sent the message that a frozen record holds. */
export type FrozenSource =
  | ({ readonly kind: "node" } & Target)
  | ({ readonly kind: "spot"; readonly spotId: string } & Target)
  | ({ readonly kind: "actor"; readonly actor: ActorRef } & Target)
  | ({ readonly kind: "boundSession"; readonly actor: ActorRef } & SessionTail & Target);

interface FrozenHead {
  readonly source: FrozenSource;
  readonly metadata?: Metadata;
  /** Both zero only for a one-way record. */
  readonly operation: Id128;
  readonly payload: PayloadEnvelope;
}
interface OneWay {
  readonly operationKind: "none";
}

/** A queued message on its way to another node (`wire.md` section 2). */
export type FrozenRecord = FrozenHead &
  (
    | ({ readonly recordKind: "nodeSend" } & OneWay)
    | { readonly recordKind: "nodeRequest"; readonly operationKind: "nodeRequest"; readonly replyRouteId: bigint }
    | ({ readonly recordKind: "channelSend"; readonly channelName: string } & OneWay)
    | {
        readonly recordKind: "channelRequest";
        readonly operationKind: "channelRequest";
        readonly replyRouteId: bigint;
        readonly channelName: string;
      }
    | ({ readonly recordKind: "spotSend"; readonly target: SpotFence } & OneWay)
    | {
        readonly recordKind: "spotRequest";
        readonly operationKind: "spotRequest";
        readonly replyRouteId: bigint;
        readonly target: SpotFence;
      }
    | ({ readonly recordKind: "spotMulticast"; readonly channelName: string; readonly topic: string } & OneWay)
    | ({ readonly recordKind: "actorSend"; readonly target: ActorFence } & OneWay)
    | {
        readonly recordKind: "actorRequest";
        readonly operationKind: "actorRequest";
        readonly replyRouteId: bigint;
        readonly target: ActorFence;
      }
  );

export interface Channel {
  readonly name: string;
  /** 0–100. */
  readonly weight: number;
}

/** What a node says of itself in 1, 2 and 4 (`wire.md` 3.1). */
export type Admission = {
  readonly topology: "routeMesh";
  readonly meshName: string;
  readonly securityIdentity: string;
  readonly lifecycleGeneration: bigint;
  readonly descriptorRevision: bigint;
  readonly advertisedEndpoint: string;
  /** Sorted by the bytes of the name, unique. */
  readonly channels: readonly Channel[];
  readonly runtimeState: RuntimeState;
  readonly applicationVersion: bigint;
  /** Sorted by bytes, unique. */
  readonly protocolCapabilities: readonly string[];
  /** 0–100. */
  readonly placementWeight: number;
  readonly nodeRid: Rid;
  /** Present together with `ownerLeaseGeneration` or not at all. */
  readonly ownerId?: string;
  readonly ownerLeaseGeneration?: bigint;
  /** Extension fields that this version does not know, by ascending id. They are encoded again in their place. */
  readonly unknown?: readonly (readonly [id: number, bytes: Uint8Array])[];
};

/** Where a binding's messages go from now on (`wire.md` 3.3). */
export type RouteUpdate =
  | {
      readonly action: "commit";
      readonly previousAuthorityOwnerGeneration: bigint;
      /** Greater than the previous one. */
      readonly targetAuthorityOwnerGeneration: bigint;
      readonly targetNodeRid: Rid;
      readonly targetNodeGeneration: bigint;
      /** Absent in the older form; a receiver then asks the store (`protocol.md` S11). */
      readonly targetOwnerLeaseGeneration?: bigint;
    }
  | { readonly action: "abort"; readonly currentAuthorityOwnerGeneration: bigint };

/** What a reply says beyond its result, by the operation that it answers (`wire.md` 3.2). */
export type ReplyTail =
  | {
      readonly operation: "actorLookup";
      readonly actor: ActorRef;
      readonly spotId: string;
      readonly spotGeneration: bigint;
      readonly authorityOwnerGeneration: bigint;
    }
  | {
      readonly operation: "actorJoin";
      readonly joinResult: "accepted";
      readonly spot: SpotRef;
      readonly membershipEpoch: bigint;
      readonly receiveChunkLimitBytes: number;
    }
  | { readonly operation: "actorJoin"; readonly joinResult: "rejected"; readonly spot?: SpotRef }
  | { readonly operation: "actorCreate"; readonly createResult: "existing" | "created"; readonly actor: ActorRef }
  | { readonly operation: "actorCreate"; readonly createResult: "rejected" }
  | {
      readonly operation: "streamBind";
      readonly bindingGeneration: bigint;
      readonly authorityOwnerGeneration: bigint;
    };

/** The move within which a 33 was sent. */
export interface ReplyRelayContext {
  readonly kind: "maintenanceRelocation";
  readonly relocation: Id128;
  readonly targetAttemptGeneration: bigint;
  readonly coordinator: Coordinator;
  /** Counts the unit's participants from 1. */
  readonly participantId: bigint;
  /** Counts the 33s of one relocation. */
  readonly sequence: bigint;
}

/** What a 38 says of a binding. */
export type SessionBinding =
  | { readonly state: "active"; readonly bindingGeneration: bigint }
  | { readonly state: "tombstone"; readonly retiredBindingGeneration: bigint };

/** A route that a 50 names. */
export type FollowRoute =
  { readonly kind: "actor"; readonly actor: ActorFence } | { readonly kind: "spot"; readonly spot: SpotFence };

/** `ZLTC`: one chunk of a durable state (`wire.md` section 6). */
export interface StateChunk {
  readonly magic: "ZLTC";
  readonly order: number;
  readonly data: Uint8Array;
}

/** `ZLTM`: what the chunks of a durable state are (`wire.md` section 6). */
export interface StateManifest {
  readonly magic: "ZLTM";
  readonly logicalFormatVersion: 1;
  readonly totalLength: bigint;
  readonly totalChecksumCrc32c: number;
  /** 32 bytes. */
  readonly inventoryDigestSha256: Uint8Array;
  /** Ascending by `order`, unique. */
  readonly chunks: readonly ManifestChunk[];
}

export interface ManifestChunk {
  readonly order: number;
  readonly reference: string;
  /** Bytes, not zero. */
  readonly length: bigint;
  readonly checksumCrc32c: number;
}

export type DurableEnvelope = StateChunk | StateManifest;
