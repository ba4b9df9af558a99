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
  /** Authority key, `wire.md` section 5: printable ASCII, so that its order is the same everywhere. */
  readonly key: string;
  /** Changes with every write; opaque, 1–4096 bytes of UTF-8. */
  readonly storeVersion: string;
  /**
   * `reserved`: being created, as long as the reservation stands; then the record is again what it was before.
   * `destroyed`: gone, or never finished; only its generations are remembered.
   */
  readonly state: "reserved" | "active" | "destroyed";
  readonly kind: "actor" | "userSpot";
  readonly stableType: string;
  readonly objectGeneration: bigint;
  readonly authorityOwnerGeneration: bigint;
  /** Of a `reserved` object, who is making it; of a `destroyed` one, who had it last. */
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
  /**
   * What the object will be. Of a lost owner's object of the same type, `payload` is the last one that it published and
   * `relocation` its last move (`protocol.md` L3); otherwise they are empty. Once created it has no relocation.
   */
  readonly record: AuthorityRecord;
}

export interface ReserveRequest {
  readonly key: string;
  readonly kind: "actor" | "userSpot";
  readonly stableType: string;
  /** The node that shall own it. */
  readonly owner: OwnerIdentity;
  /** Names this attempt: the same again is answered the same way, while it stands, and is not made longer. */
  readonly reservationId: string;
  /** After this time, or when the owner's lease has ended, by the store's clock, anyone may reserve anew. */
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
  | UnknownAnswer;

export type CreateAnswer =
  /** Also when an earlier call with this reservation has done it and this lease still owns the object. */
  | { readonly outcome: "committed"; readonly record: AuthorityRecord }
  /** The reservation is no longer there, its time is up, or it is not this one or this lease's. */
  | { readonly outcome: "stale" }
  | StaleLease
  | UnknownAnswer;

export type AbortCreateAnswer = { readonly outcome: "aborted" } | { readonly outcome: "stale" } | UnknownAnswer;

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

/** `records` are in the order of the participants. */
export type CommitAnswer =
  | { readonly outcome: "committed"; readonly records: readonly AuthorityRecord[] }
  /** An earlier write of the same relocation id and owner has already done it. */
  | { readonly outcome: "alreadyCommitted"; readonly records: readonly AuthorityRecord[] }
  | { readonly outcome: "stale" }
  | CapacityExceeded
  | GenerationExhausted
  | StaleLease
  | UnknownAnswer;

export type FenceAnswer =
  | { readonly outcome: "fenced"; readonly record: AuthorityRecord }
  | { readonly outcome: "stale" }
  | StaleLease
  | UnknownAnswer;

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
  | UnknownAnswer;

export type DestroyAnswer =
  { readonly outcome: "destroyed" } | { readonly outcome: "stale" } | StaleLease | UnknownAnswer;

export type ReadAnswer =
  { readonly outcome: "found"; readonly reading: AuthorityReading } | { readonly outcome: "absent" } | UnknownAnswer;

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
  /**
   * The most objects it may own, standing reservations included; creates and commits past it end as `capacityExceeded`.
   * A node that has not described itself yet has no limit.
   */
  readonly capacity: number;
}

export interface AcquireRequest {
  readonly meshName: string;
  readonly nodeRid: Rid;
  readonly ownerId: string;
  readonly durationMs: number;
}

export type AcquireAnswer =
  /**
   * `nodeGeneration` is one more than that of the node's last run. `ownerLeaseGeneration` is higher than any that this
   * owner id ever had.
   */
  | { readonly outcome: "acquired"; readonly owner: OwnerIdentity; readonly durationMs: number }
  /** Another run holds this owner id for `remainingMs` more. */
  | { readonly outcome: "held"; readonly remainingMs: number }
  | GenerationExhausted
  | UnknownAnswer;

export type RenewAnswer =
  | { readonly outcome: "renewed"; readonly durationMs: number }
  /** A newer run of the same node has begun: this one's lease ends and cannot be renewed. */
  | { readonly outcome: "superseded" }
  | StaleLease
  | UnknownAnswer;
export type ReleaseAnswer = { readonly outcome: "released" } | StaleLease | UnknownAnswer;
export type DescribeAnswer = { readonly outcome: "described" } | StaleLease | UnknownAnswer;
export type NodesAnswer =
  /**
   * Descriptors whose lease is live, with the number of objects that each owns or has reserved now, in the order of their
   * rids' bytes. Of several runs of one node only the newest is listed.
   */
  | { readonly outcome: "listed"; readonly nodes: readonly { descriptor: NodeDescriptor; owned: number }[] }
  | UnknownAnswer;
/** A page may be shorter than asked for, even empty. `cursor` is `undefined` after the last page. */
export type ScanAnswer =
  | { readonly outcome: "page"; readonly records: readonly AuthorityRecord[]; readonly cursor: string | undefined }
  | UnknownAnswer;

type CapacityExceeded = { readonly outcome: "capacityExceeded" };
/** A generation would pass 2^63−1. */
type GenerationExhausted = { readonly outcome: "generationExhausted" };
/** The lease named in the call has ended or is not the current one. */
type StaleLease = { readonly outcome: "staleLease" };
/** It may or may not have happened: only a later read tells (`protocol.md` O5, T6). `reason` is for people. */
export interface UnknownAnswer {
  readonly outcome: "unknown";
  readonly reason: string;
}

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
 * - It MUST NOT interpret, change or cut `payload` bytes, nor keep or hand out arrays that a caller could change.
 * - After `close`, every call MUST answer `unknown`.
 */
export interface AuthorityStore {
  read(key: string): Promise<ReadAnswer>;
  /**
   * First step of a creation; the new owner then calls `commitCreate`, or whoever gives up `abortCreate`. Its write changes
   * the version, so that no commit of a move that was under way can succeed. Giving up brings back what was there.
   */
  reserve(request: ReserveRequest): Promise<ReserveAnswer>;
  commitCreate(key: string, reservationId: string, lease: OwnerLease): Promise<CreateAnswer>;
  abortCreate(key: string, reservationId: string): Promise<AbortCreateAnswer>;
  /**
   * The one write that changes owners (`protocol.md` T6–T8): conditional on every participant's base version and both its
   * generations, and on the target's lease. Whether the previous owner's lease has ended does not matter.
   */
  commit(request: CommitRequest): Promise<CommitAnswer>;
  /**
   * Changes the version and nothing else, so that no commit on `baseVersion` can succeed any more. Source (O4) and target
   * (T6) may, each under its own lease: whose lease it is does not matter, only that it is live.
   */
  fence(key: string, baseVersion: string, lease: OwnerLease): Promise<FenceAnswer>;
  /** An owner's own data: journal link, snapshot, the spot it is in. Only the owner may. */
  publish(request: PublishRequest): Promise<PublishAnswer>;
  /** Ends the object; the key remembers its generations. Only the owner may. */
  destroy(key: string, baseVersion: string, lease: OwnerLease): Promise<DestroyAnswer>;
  /**
   * Starts a run of a node. From then on an earlier run of the same node can neither `renew` (`superseded`) nor `describe` itself
   * (`staleLease`): its peers have turned to the new one (N2), so what it owns must become free with its lease.
   */
  acquire(request: AcquireRequest): Promise<AcquireAnswer>;
  renew(lease: OwnerLease, durationMs: number): Promise<RenewAnswer>;
  /** Ends the lease at once. What it still owned counts as lost. */
  release(lease: OwnerLease): Promise<ReleaseAnswer>;
  describe(descriptor: NodeDescriptor): Promise<DescribeAnswer>;
  nodes(meshName: string): Promise<NodesAnswer>;
  /**
   * Active records whose key begins with `prefix`, in key order, at most `limit` a page. A record that nobody touches
   * between the first page and the last is in exactly one of them.
   */
  scan(prefix: string, cursor: string | undefined, limit: number): Promise<ScanAnswer>;
  close(): Promise<void>;
}
