import type { AuthorityRecord, AuthorityStore, OwnerIdentity } from "@rehome/core";
import { actorAuthorityKey, ridFromText } from "@rehome/wire";

const LEASE_MS = 3_600_000;
const MESH = "bench";

/** How long the parts of a move took, in µs. */
export interface MoveTimes {
  readonly read: number;
  readonly commit: number;
  readonly move: number;
}

/** Two nodes, as they describe themselves. */
export async function twoOwners(store: AuthorityStore): Promise<readonly [OwnerIdentity, OwnerIdentity]> {
  const owners: OwnerIdentity[] = [];
  for (const name of ["node-a", "node-b"]) {
    const request = {
      meshName: MESH,
      nodeRid: ridFromText(name),
      ownerId: `${name}/0123456789abcdef:0123456789abcdef`,
    };
    const answer = await store.acquire({ ...request, durationMs: LEASE_MS });
    const { owner } = expectAnswer(answer, "acquired");
    const rest = { applicationVersion: 1n, stableTypes: ["player", "room"], placementWeight: 50, capacity: 100_000 };
    const described = await store.describe({ owner, endpoint: "tcp://127.0.0.1:7801", state: "serving", ...rest });
    expectAnswer(described, "described");
    owners.push(owner);
  }
  return [owners[0]!, owners[1]!];
}

/** An actor that has saved a state of this size once, and goes back and forth between two owners. */
export class Wanderer {
  readonly #key: string;
  readonly #owners: readonly OwnerIdentity[];
  #home = 0;
  static #moves = 0n;

  private constructor(key: string, owners: readonly OwnerIdentity[]) {
    this.#key = key;
    this.#owners = owners;
  }

  static async create(
    store: AuthorityStore,
    owners: readonly OwnerIdentity[],
    options: { readonly id: string; readonly stateBytes: number },
  ): Promise<Wanderer> {
    const [key, owner, reservationId] = [actorAuthorityKey(options.id), owners[0]!, `reservation of ${options.id}`];
    const reservation = { reservationId, ttlMs: LEASE_MS, ifOwnerLeaseEnded: "refuse" } as const;
    expectAnswer(await store.reserve({ key, kind: "actor", stableType: "player", owner, ...reservation }), "reserved");
    const { record } = expectAnswer(await store.commitCreate(key, reservationId, owner), "committed");
    const payload = new Uint8Array(options.stateBytes);
    const publish = { key, baseVersion: record.storeVersion, lease: owner, payload };
    if (options.stateBytes > 0) expectAnswer(await store.publish(publish), "published");
    return new Wanderer(key, owners);
  }

  /** The store's part of an undisturbed move: the source looks, the target commits, the source looks again. */
  async move(store: AuthorityStore): Promise<MoveTimes> {
    const target = this.#owners[1 - this.#home]!;
    const began = nowUs();
    const before = recordOf(await store.read(this.#key));
    const looked = nowUs();
    Wanderer.#moves += 1n;
    const participant = {
      key: this.#key,
      baseVersion: before.storeVersion,
      expectedObjectGeneration: before.objectGeneration,
      expectedAuthorityOwnerGeneration: before.authorityOwnerGeneration,
      place: undefined,
      membershipDigest: new Uint8Array(0),
    };
    const relocation = { high: 1n, low: Wanderer.#moves };
    const answer = await store.commit({ relocation, owner: target, participants: [participant] });
    const committed = nowUs();
    expectAnswer(answer, "committed");
    const after = recordOf(await store.read(this.#key));
    const ended = nowUs();
    if (after.owner.ownerId !== target.ownerId) throw new Error("the move has not happened");
    this.#home = 1 - this.#home;
    return { read: looked - began, commit: committed - looked, move: ended - began };
  }
}

export function nowUs(): number {
  return performance.now() * 1000;
}

function recordOf(answer: Awaited<ReturnType<AuthorityStore["read"]>>): AuthorityRecord {
  return expectAnswer(answer, "found").reading.record;
}

function expectAnswer<A extends { outcome: string }, O extends A["outcome"]>(
  answer: A,
  outcome: O,
): Extract<A, { outcome: O }> {
  if (answer.outcome !== outcome) throw new Error(`the store said ${JSON.stringify(answer, textOfBigInt)}`);
  return answer as Extract<A, { outcome: O }>;
}

function textOfBigInt(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
