import type { Id128, Rid } from "@rehome/wire";

/** The lease under which a run of a node writes. A write under a lease that has ended is refused (`staleLease`). */
export interface OwnerLease {
  readonly ownerId: string;
  readonly ownerLeaseGeneration: bigint;
}

/** One run of a node together with its lease: everything that names an owner. */
export interface OwnerIdentity extends OwnerLease {
  readonly meshName: string;
  readonly nodeRid: Rid;
  readonly nodeGeneration: bigint;
}

/** A spot that an actor has joined. `undefined` where one is expected means the owner node's entry spot. */
export interface SpotPlace {
  readonly spotId: string;
  readonly objectGeneration: bigint;
}

/** The store's word on who owns an actor or a spot (`protocol.md` section 1, Authority). */
export interface AuthorityRecord {
  /** Authority key, `wire.md` section 5. */
  readonly key: string;
  /** Changes with every write; opaque, 1–4096 bytes of UTF-8. */
  readonly storeVersion: string;
  /** `reserved`: being created. `destroyed`: gone; only its generation is remembered. */
  readonly state: "reserved" | "active" | "destroyed";
  readonly kind: "actor" | "userSpot";
  readonly stableType: string;
  readonly objectGeneration: bigint;
  readonly authorityOwnerGeneration: bigint;
  readonly owner: OwnerIdentity;
  readonly place: SpotPlace | undefined;
  /** The last relocation that changed the owner. */
  readonly relocation: Id128 | undefined;
  /** SHA-256 of the last membership change (`protocol.md` T8), 32 bytes, or empty. */
  readonly membershipDigest: Uint8Array;
  /** The owner's own data; the store never interprets it. */
  readonly payload: Uint8Array;
}

/** The record together with what the store's clock says about the owner's lease. */
export interface AuthorityReading {
  readonly record: AuthorityRecord;
  /** False once the owner's lease has ended, by the store's clock. */
  readonly ownerLeaseLive: boolean;
}

export interface CreateReservation {
  readonly reservationId: string;
  readonly record: AuthorityRecord;
}

export interface ReserveRequest {
  readonly key: string;
  readonly kind: "actor" | "userSpot";
  readonly stableType: string;
  /** The node that shall own it. */
  readonly owner: OwnerIdentity;
  readonly reservationId: string;
  /** After this time, by the store's clock, anyone may reserve anew. */
  readonly ttlMs: number;
  /**
   * When the key is active but its owner's lease has ended: `refuse` leaves it, `replace` makes the object anew with
   * the next `objectGeneration` and `authorityOwnerGeneration`.
   */
  readonly ifOwnerLeaseEnded: "refuse" | "replace";
}

export type ReserveAnswer =
  | { readonly outcome: "reserved"; readonly reservation: CreateReservation; readonly replacesLostOwner: boolean }
  | { readonly outcome: "exists"; readonly reading: AuthorityReading }
  /** Somebody else's reservation stands for at most `remainingMs` more. */
  | { readonly outcome: "busy"; readonly remainingMs: number }
  | CapacityExceeded
  | StaleLease
  | GenerationExhausted
  | Unknown;

export type CreateAnswer =
  | { readonly outcome: "committed"; readonly record: AuthorityRecord }
  /** The reservation is no longer there or no longer this one. */
  | { readonly outcome: "stale" }
  | StaleLease
  | Unknown;

export type AbortCreateAnswer = { readonly outcome: "aborted" } | { readonly outcome: "stale" } | Unknown;

/** One object that changes its owner in a move. */
export interface CommitParticipant {
  readonly key: string;
  readonly baseVersion: string;
  readonly expectedObjectGeneration: bigint;
  readonly expectedAuthorityOwnerGeneration: bigint;
  readonly place: SpotPlace | undefined;
  readonly membershipDigest: Uint8Array;
}

export interface CommitRequest {
  readonly relocation: Id128;
  /** The target: the new owner, under whose lease this is written. */
  readonly owner: OwnerIdentity;
  readonly participants: readonly CommitParticipant[];
}

export type CommitAnswer =
  | { readonly outcome: "committed"; readonly records: readonly AuthorityRecord[] }
  /** An earlier write of the same relocation id and owner has already done it. */
  | { readonly outcome: "alreadyCommitted"; readonly records: readonly AuthorityRecord[] }
  | { readonly outcome: "stale" }
  | CapacityExceeded
  | GenerationExhausted
  | StaleLease
  | Unknown;

export type FenceAnswer =
  | { readonly outcome: "fenced"; readonly record: AuthorityRecord }
  | { readonly outcome: "stale" }
  | StaleLease
  | Unknown;

/** `place` and `payload` are written as given; leave one out to keep what is there. */
export interface PublishRequest {
  readonly key: string;
  readonly baseVersion: string;
  readonly lease: OwnerLease;
  readonly payload?: Uint8Array;
  readonly place?: { readonly spot: SpotPlace | undefined };
}

export type PublishAnswer =
  | { readonly outcome: "published"; readonly record: AuthorityRecord }
  | { readonly outcome: "stale" }
  | StaleLease
  | Unknown;

export type DestroyAnswer = { readonly outcome: "destroyed" } | { readonly outcome: "stale" } | StaleLease | Unknown;

export type ReadAnswer =
  | { readonly outcome: "found"; readonly reading: AuthorityReading }
  | { readonly outcome: "absent" }
  | Unknown;

/** What a node says of itself, kept in the store under its lease. */
export interface NodeDescriptor {
  readonly owner: OwnerIdentity;
  /** `Transport.listen`'s answer. */
  readonly endpoint: string;
  readonly state: "preparing" | "serving" | "draining" | "stopped";
  readonly applicationVersion: bigint;
  /** Stable types of the actors and spots that it can host. */
  readonly stableTypes: readonly string[];
  /** 0–100; 0 takes no new actors. */
  readonly placementWeight: number;
  /** The most objects it may own; creates and commits past it end as `capacityExceeded`. */
  readonly capacity: number;
}

export interface AcquireRequest {
  readonly meshName: string;
  readonly nodeRid: Rid;
  readonly ownerId: string;
  readonly durationMs: number;
}

export type AcquireAnswer =
  /** `nodeGeneration` is one more than that of the node's last run. */
  | { readonly outcome: "acquired"; readonly owner: OwnerIdentity; readonly durationMs: number }
  /** Another run holds this owner id for `remainingMs` more. */
  | { readonly outcome: "held"; readonly remainingMs: number }
  | GenerationExhausted
  | Unknown;

export type RenewAnswer = { readonly outcome: "renewed"; readonly durationMs: number } | StaleLease | Unknown;
export type ReleaseAnswer = { readonly outcome: "released" } | StaleLease | Unknown;
export type DescribeAnswer = { readonly outcome: "described" } | StaleLease | Unknown;
export type NodesAnswer =
  /** Descriptors whose lease is live, with the number of objects each owns now. */
  | { readonly outcome: "listed"; readonly nodes: readonly { descriptor: NodeDescriptor; owned: number }[] }
  | Unknown;
export type ScanAnswer =
  | { readonly outcome: "page"; readonly records: readonly AuthorityRecord[]; readonly cursor: string | undefined }
  | Unknown;

type CapacityExceeded = { readonly outcome: "capacityExceeded" };
/** A generation would pass 2^63−1. */
type GenerationExhausted = { readonly outcome: "generationExhausted" };
/** The lease named in the call has ended or is not the current one. */
type StaleLease = { readonly outcome: "staleLease" };
/** It may or may not have happened: only a later read tells (`protocol.md` O5, T6). `reason` is for people. */
type Unknown = { readonly outcome: "unknown"; readonly reason: string };

/**
 * The record of who owns what. It decides; messages only inform.
 *
 * - Every call MUST settle, within its own deadline, with one of its answers. It MUST NOT reject for anything the
 *   database or the network does: a write whose fate is not known is `unknown`, never success and never plain failure,
 *   and MUST NOT be sent again by the store itself. Wrong arguments are programmer errors and may throw.
 * - Every change of more than one key MUST be all or nothing.
 * - Conditional writes MUST compare the exact version. Every successful write MUST give the record a version that this
 *   key never had before.
 * - A write under a lease that has ended, by the store's own clock, MUST be refused as `staleLease`.
 * - Generations MUST be exact to 2^63−1. `objectGeneration` MUST rise when a key is made anew; `authorityOwnerGeneration`
 *   MUST rise with every change of owner and never fall.
 * - It MUST NOT interpret, change or cut `payload` bytes.
 */
export interface AuthorityStore {
  read(key: string): Promise<ReadAnswer>;
  /** First step of a creation; the new owner then calls `commitCreate`, or whoever gives up `abortCreate`. */
  reserve(request: ReserveRequest): Promise<ReserveAnswer>;
  commitCreate(key: string, reservationId: string, lease: OwnerLease): Promise<CreateAnswer>;
  abortCreate(key: string, reservationId: string): Promise<AbortCreateAnswer>;
  /** The one write that changes owners (`protocol.md` T6–T8): conditional on every participant's base version. */
  commit(request: CommitRequest): Promise<CommitAnswer>;
  /** Changes the version and nothing else, so that no commit on `baseVersion` can succeed any more (O4, T6). */
  fence(key: string, baseVersion: string, lease: OwnerLease): Promise<FenceAnswer>;
  /** An owner's own data: journal link, snapshot, the spot it is in. Only the owner may. */
  publish(request: PublishRequest): Promise<PublishAnswer>;
  /** Ends the object; the key remembers its generations. Only the owner may. */
  destroy(key: string, baseVersion: string, lease: OwnerLease): Promise<DestroyAnswer>;
  acquire(request: AcquireRequest): Promise<AcquireAnswer>;
  renew(lease: OwnerLease, durationMs: number): Promise<RenewAnswer>;
  release(lease: OwnerLease): Promise<ReleaseAnswer>;
  describe(descriptor: NodeDescriptor): Promise<DescribeAnswer>;
  nodes(meshName: string): Promise<NodesAnswer>;
  /** Active records whose key begins with `prefix`, in key order, at most `limit` a page. */
  scan(prefix: string, cursor: string | undefined, limit: number): Promise<ScanAnswer>;
  close(): Promise<void>;
}
