import { expect } from "vitest";
import type {
  AuthorityReading,
  AuthorityRecord,
  AuthorityStore,
  CommitParticipant,
  CommitRequest,
  OwnerIdentity,
  ReserveRequest,
} from "@rehome/core";
import { actorAuthorityKey, ridFromText } from "@rehome/wire";
import type { Id128 } from "@rehome/wire";

/** Puts generations into the store as if so many runs, owners and creations had gone before. */
export interface PlantGenerations {
  /** Of an object that exists; leaves everything else of it as it is, its version included. */
  object(key: string, generations: { objectGeneration: bigint; authorityOwnerGeneration: bigint }): Promise<void>;
  /** The generation of the node's last run. */
  node(meshName: string, nodeName: string, nodeGeneration: bigint): Promise<void>;
  /** The generation of the last lease of this owner id. */
  lease(ownerId: string, ownerLeaseGeneration: bigint): Promise<void>;
}

/** One empty store, as a maker hands it to the suite. */
export interface StoreUnderTest {
  readonly store: AuthorityStore;
  /** Another client of the same records, as another process would have. */
  another(): Promise<AuthorityStore>;
  /** Lets this much time pass on the store's own clock, which otherwise must not pass much faster than real time. */
  advance(durationMs: number): Promise<void>;
  /** Reaches the ends of the number range, behind the store's back. */
  readonly plant: PlantGenerations;
  /** Closes every client and removes what the store left behind. */
  close(): Promise<void>;
}

export type MakeStore = () => Promise<StoreUnderTest>;

export const MESH = "mesh";
/** Longer than any test takes: such a lease ends only when the test lets time pass. */
export const LEASE_MS = 60_000;
const AT_ONCE = 10;

/** Runs a test with a store of its own. */
export async function withStore(make: MakeStore, test: (scene: Scene) => Promise<void>): Promise<void> {
  const underTest = await make();
  try {
    await test(new Scene(underTest));
  } finally {
    await underTest.close();
  }
}

/** Asserts how a call ended and gives its answer in that shape. */
export function expectOutcome<A extends { outcome: string }, O extends A["outcome"]>(
  answer: A,
  outcome: O,
): Extract<A, { outcome: O }> {
  expect(answer).toMatchObject({ outcome });
  return answer as Extract<A, { outcome: O }>;
}

let lastRelocation = 0n;

/** A relocation id that no other test has. */
export function newRelocation(): Id128 {
  lastRelocation += 1n;
  return { high: 2n ** 64n - 1n, low: lastRelocation };
}

/** What a move of this object would hand to the store. */
export function participantOf(record: AuthorityRecord, changes: Partial<CommitParticipant> = {}): CommitParticipant {
  return {
    key: record.key,
    baseVersion: record.storeVersion,
    expectedObjectGeneration: record.objectGeneration,
    expectedAuthorityOwnerGeneration: record.authorityOwnerGeneration,
    place: undefined,
    membershipDigest: new Uint8Array(0),
    ...changes,
  };
}

/** A move of these objects to `owner`. */
export function moveOf(records: readonly AuthorityRecord[], owner: OwnerIdentity): CommitRequest {
  return { relocation: newRelocation(), owner, participants: records.map((record) => participantOf(record)) };
}

export type ReserveOptions = Partial<
  Pick<ReserveRequest, "reservationId" | "ttlMs" | "ifOwnerLeaseEnded" | "stableType">
>;

/** The steps that most tests begin with. */
export class Scene {
  readonly underTest: StoreUnderTest;
  readonly store: AuthorityStore;

  constructor(underTest: StoreUnderTest) {
    this.underTest = underTest;
    this.store = underTest.store;
  }

  another(): Promise<AuthorityStore> {
    return this.underTest.another();
  }

  advance(durationMs: number): Promise<void> {
    return this.underTest.advance(durationMs);
  }

  /** A run of a node with a lease; described only if it has a capacity. */
  async node(
    name: string,
    options: { durationMs?: number; capacity?: number; ownerId?: string } = {},
  ): Promise<OwnerIdentity> {
    const answer = await this.store.acquire({
      meshName: MESH,
      nodeRid: ridFromText(name),
      ownerId: options.ownerId ?? `owner of ${name}`,
      durationMs: options.durationMs ?? LEASE_MS,
    });
    const { owner } = expectOutcome(answer, "acquired");
    if (options.capacity !== undefined) await this.describe(owner, { capacity: options.capacity });
    return owner;
  }

  async describe(owner: OwnerIdentity, options: { capacity?: number; endpoint?: string } = {}): Promise<void> {
    const answer = await this.store.describe({
      owner,
      endpoint: options.endpoint ?? "tcp://127.0.0.1:1",
      state: "serving",
      applicationVersion: 1n,
      stableTypes: ["test.Actor"],
      placementWeight: 50,
      capacity: options.capacity ?? 1_000_000,
    });
    expectOutcome(answer, "described");
  }

  /** A reservation that is expected to be granted. */
  async reserve(owner: OwnerIdentity, actorId: string, options: ReserveOptions = {}) {
    const answer = await this.store.reserve(reserveRequest(owner, actorId, options));
    return expectOutcome(answer, "reserved");
  }

  /** An active actor of this owner, with this payload. */
  async actor(owner: OwnerIdentity, actorId: string, payload?: Uint8Array): Promise<AuthorityRecord> {
    const key = actorAuthorityKey(actorId);
    await this.reserve(owner, actorId);
    const created = expectOutcome(await this.store.commitCreate(key, reservationIdOf(actorId), owner), "committed");
    if (payload === undefined) return created.record;
    const { storeVersion: baseVersion } = created.record;
    const answer = await this.store.publish({ key, baseVersion, lease: owner, payload });
    return expectOutcome(answer, "published").record;
  }

  async actors(owner: OwnerIdentity, count: number, prefix = "actor"): Promise<readonly AuthorityRecord[]> {
    const records: AuthorityRecord[] = [];
    // Some at once, because a server makes some of them in the time of one.
    while (records.length < count) {
      const indexes = Array.from({ length: Math.min(AT_ONCE, count - records.length) }, (_, at) => records.length + at);
      records.push(...(await Promise.all(indexes.map((index) => this.actor(owner, `${prefix} ${index}`)))));
    }
    return records;
  }

  async reading(key: string): Promise<AuthorityReading> {
    return expectOutcome(await this.store.read(key), "found").reading;
  }

  async record(key: string): Promise<AuthorityRecord> {
    return (await this.reading(key)).record;
  }

  /** Asserts that these keys still say exactly this. */
  async expectUnchanged(records: readonly AuthorityRecord[]): Promise<void> {
    for (const record of records) expect(await this.record(record.key)).toEqual(record);
  }

  /** The number of objects that the store counts for a described node. */
  async ownedBy(owner: OwnerIdentity): Promise<number | undefined> {
    const { nodes } = expectOutcome(await this.store.nodes(owner.meshName), "listed");
    return nodes.find((node) => node.descriptor.owner.ownerId === owner.ownerId)?.owned;
  }
}

export function reservationIdOf(actorId: string): string {
  return `reservation of ${actorId}`;
}

export function reserveRequest(owner: OwnerIdentity, actorId: string, options: ReserveOptions = {}) {
  return {
    key: actorAuthorityKey(actorId),
    kind: "actor",
    stableType: options.stableType ?? "test.Actor",
    owner,
    reservationId: options.reservationId ?? reservationIdOf(actorId),
    ttlMs: options.ttlMs ?? LEASE_MS,
    ifOwnerLeaseEnded: options.ifOwnerLeaseEnded ?? "refuse",
  } as const;
}
