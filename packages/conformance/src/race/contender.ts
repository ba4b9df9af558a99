import { createInterface } from "node:readline";
import { actorAuthorityKey, ridFromText } from "@rehome/wire";
import type { AuthorityReading, AuthorityRecord, AuthorityStore, OwnerIdentity, OwnerLease } from "@rehome/core";
import { appendLine, seenLease, seenRecord } from "./journal.ts";
import type { JournalLine } from "./journal.ts";

/** What `runRace` tells each of its processes, as one JSON argument. */
export interface ContenderOptions {
  readonly name: string;
  readonly seed: number;
  readonly actors: number;
  readonly leaseMs: number;
  readonly reservationMs: number;
  readonly capacity: number;
  readonly journal: string;
}

export const RACE_MESH = "race";
/** Long enough that those who judge find the last owners still there. */
const LAST_LEASE_MS = 60_000;
const LAST_ATTEMPTS = 20;
/** Every third actor is not moved, so that a node that dies leaves something behind. */
const STAYS = /[0369]$/;
/** The most objects of one commit. */
const MOST_PARTICIPANTS = 3;

export function raceKey(index: number): string {
  return actorAuthorityKey(`actor ${index}`);
}

/** A text of the machine's monotonic clock, the same in all of its processes (on Node). */
function nowMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/**
 * The whole program of one process of a race (`raceSuite`): says `ready`, begins at the first line on its stdin, contends
 * for actors until the end of it, and writes every answer of the store into its journal. `options` is the program's last
 * argument.
 */
export async function runContender(store: AuthorityStore, options = process.argv.at(-1)!): Promise<void> {
  const contender = new Contender(store, JSON.parse(options) as ContenderOptions);
  const input = createInterface({ input: process.stdin });
  const begun = new Promise<void>((resolve) => {
    input.once("line", resolve);
    input.once("close", () => {
      contender.end();
      resolve();
    });
  });
  process.stdout.write("ready\n");
  await begun;
  await contender.contend();
  await store.close();
}

class Contender {
  readonly #store: AuthorityStore;
  readonly #options: ContenderOptions;
  #isRunning = true;
  /** Of the newest run. */
  #owner: OwnerIdentity | undefined;
  #state: number;
  #reservations = 0;
  #relocations = 0n;

  constructor(store: AuthorityStore, options: ContenderOptions) {
    this.#store = store;
    this.#options = options;
    this.#state = options.seed >>> 0;
  }

  end(): void {
    this.#isRunning = false;
  }

  async contend(): Promise<void> {
    while (this.#isRunning) await this.#run();
    await this.#stay();
  }

  /** 0 to `below` − 1; the same sequence for the same seed. */
  #dice(below: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * below);
  }

  /** Makes the call and writes down how it was answered. */
  async #call<A extends { readonly outcome: string }>(
    call: JournalLine["call"],
    make: () => Promise<A>,
    describe: (answer: A) => Partial<JournalLine>,
  ): Promise<A> {
    const fromMs = nowMs();
    const answer = await make();
    const toMs = nowMs();
    appendLine(this.#options.journal, {
      call,
      outcome: answer.outcome,
      fromMs,
      toMs,
      records: [],
      ...describe(answer),
    });
    return answer;
  }

  /** A run of the node, until its lease is lost or the race is over. Each has a new owner id, as a process that starts has. */
  async #run(): Promise<void> {
    const owner = await this.#acquire();
    if (owner === undefined) return this.#pause(20);
    const { leaseMs } = this.#options;
    let renewAtMs = nowMs() + leaseMs / 3;
    while (this.#isRunning) {
      if (nowMs() >= renewAtMs) {
        if (["staleLease", "superseded"].includes(await this.#renew(owner, leaseMs))) return;
        renewAtMs = nowMs() + leaseMs / 3;
      }
      await this.#act(owner, raceKey(this.#dice(this.#options.actors)));
      await this.#pause(1 + this.#dice(4));
    }
  }

  /** Those who judge shall find every node there, one too whose lease has just been lost on a busy machine. */
  async #stay(): Promise<void> {
    for (let attempt = 0; attempt < LAST_ATTEMPTS; attempt++) {
      if (this.#owner !== undefined && (await this.#renew(this.#owner, LAST_LEASE_MS)) === "renewed") return;
      await this.#acquire();
    }
  }

  async #acquire(): Promise<OwnerIdentity | undefined> {
    const { name, leaseMs: durationMs, seed, capacity } = this.#options;
    const ownerId = `${name} ${seed} ${this.#dice(2 ** 31)}`;
    const request = { meshName: RACE_MESH, nodeRid: ridFromText(name), ownerId, durationMs };
    const answer = await this.#call(
      "acquire",
      () => this.#store.acquire(request),
      (got) => {
        if (got.outcome !== "acquired") return {};
        return { lease: seenLease(got.owner), durationMs, run: `${name}#${got.owner.nodeGeneration}` };
      },
    );
    this.#owner = answer.outcome === "acquired" ? answer.owner : undefined;
    if (answer.outcome !== "acquired") return undefined;
    const { owner } = answer;
    const rest = { applicationVersion: 1n, stableTypes: ["t"], placementWeight: 50, capacity } as const;
    const descriptor = { owner, endpoint: `race://${name}`, state: "serving", ...rest } as const;
    await this.#under(owner, "describe", () => this.#store.describe(descriptor));
    return owner;
  }

  async #renew(owner: OwnerLease, durationMs: number): Promise<string> {
    const lease = seenLease(owner);
    const answer = await this.#call(
      "renew",
      () => this.#store.renew(owner, durationMs),
      () => ({ lease, durationMs }),
    );
    return answer.outcome;
  }

  /** A write under this lease whose answer may show records. */
  #under<
    A extends {
      readonly outcome: string;
      readonly record?: AuthorityRecord;
      readonly records?: readonly AuthorityRecord[];
    },
  >(owner: OwnerLease, call: JournalLine["call"], make: () => Promise<A>): Promise<A> {
    return this.#call(call, make, ({ record, records = record === undefined ? [] : [record] }) => ({
      lease: seenLease(owner),
      records: records.map(seenRecord),
    }));
  }

  async #read(key: string): Promise<AuthorityReading | "absent" | "unknown"> {
    const answer = await this.#call(
      "read",
      () => this.#store.read(key),
      (got) => {
        if (got.outcome !== "found") return {};
        const { record, ownerLeaseLive } = got.reading;
        return { records: [seenRecord(record)], ownerLeaseLive };
      },
    );
    return answer.outcome === "found" ? answer.reading : answer.outcome;
  }

  async #act(owner: OwnerIdentity, key: string): Promise<void> {
    const reading = await this.#read(key);
    if (reading === "unknown") return;
    const isOwned = reading !== "absent" && reading.record.state === "active" && reading.ownerLeaseLive;
    if (!isOwned) return this.#create(owner, key);
    if (reading.record.owner.ownerId === owner.ownerId) return this.#use(owner, reading.record);
    if (STAYS.test(key)) return;
    if (this.#dice(8) === 0) {
      const { storeVersion } = reading.record;
      return void (await this.#under(owner, "fence", () => this.#store.fence(key, storeVersion, owner)));
    }
    await this.#move(owner, reading.record);
  }

  async #create(owner: OwnerIdentity, key: string): Promise<void> {
    const reservationId = `${owner.ownerId} ${(this.#reservations += 1)}`;
    const { reservationMs: ttlMs } = this.#options;
    const rest = { reservationId, ttlMs, ifOwnerLeaseEnded: "replace" } as const;
    const request = { key, kind: "actor", stableType: "t", owner, ...rest } as const;
    const reserved = await this.#call(
      "reserve",
      () => this.#store.reserve(request),
      (answer) => {
        const lease = seenLease(owner);
        if (answer.outcome !== "reserved") return { lease };
        const { reservation, replacesLostOwner } = answer;
        return { lease, records: [seenRecord(reservation.record)], replacesLostOwner };
      },
    );
    if (reserved.outcome !== "reserved") return;
    if (this.#dice(10) === 0) {
      await this.#call(
        "abortCreate",
        () => this.#store.abortCreate(key, reservationId),
        () => ({}),
      );
    } else {
      await this.#under(owner, "commitCreate", () => this.#store.commitCreate(key, reservationId, owner));
    }
  }

  /** Takes it and perhaps others of the same owner. */
  async #move(owner: OwnerIdentity, first: AuthorityRecord): Promise<void> {
    const records = [first];
    for (let more = this.#dice(MOST_PARTICIPANTS); more > 0; more--) {
      const key = raceKey(this.#dice(this.#options.actors));
      if (STAYS.test(key) || records.some((record) => record.key === key)) continue;
      const reading = await this.#read(key);
      if (typeof reading === "string" || reading.record.state !== "active") continue;
      if (reading.record.owner.ownerId === first.owner.ownerId) records.push(reading.record);
    }
    const relocation = { high: BigInt(this.#options.seed), low: (this.#relocations += 1n) };
    const participants = records.map((record) => ({
      key: record.key,
      baseVersion: record.storeVersion,
      expectedObjectGeneration: record.objectGeneration,
      expectedAuthorityOwnerGeneration: record.authorityOwnerGeneration,
      place: undefined,
      membershipDigest: new Uint8Array(0),
    }));
    const request = { relocation, owner, participants };
    const answer = await this.#under(owner, "commit", () => this.#store.commit(request));
    // What is not known is asked again as it is (T6): the answer is `alreadyCommitted` if it was done.
    if (answer.outcome === "unknown") await this.#under(owner, "commit", () => this.#store.commit(request));
  }

  async #use(owner: OwnerIdentity, record: AuthorityRecord): Promise<void> {
    const { key, storeVersion: baseVersion } = record;
    if (this.#dice(20) === 0) {
      await this.#under(owner, "destroy", () => this.#store.destroy(key, baseVersion, owner));
      return;
    }
    const payload = new Uint8Array(this.#dice(200));
    await this.#under(owner, "publish", () => this.#store.publish({ key, baseVersion, lease: owner, payload }));
  }

  #pause(durationMs: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, durationMs));
  }
}
