import { createInterface } from "node:readline";
import { actorAuthorityKey, ridFromText } from "@rehome/wire";
import type { AuthorityReading, AuthorityRecord, AuthorityStore, OwnerIdentity } from "@rehome/core";
import { openSqliteStore } from "../../src/index.ts";

/*
 * A node that fights with others for the same actors: `contender.ts PATH NAME SEED ACTORS LEASE_MS TTL_MS`.
 *
 * It says one line when it has opened the store, begins at the first line on its stdin and ends at the end of it. It says
 * every write that the store acknowledged, so that whoever started it can look for each in the store's history.
 */
const [path, name, seed, actors, leaseMs, ttlMs] = process.argv.slice(2) as [string, string, ...string[]];
const LEASE_MS = Number(leaseMs);
const SHORTEST_PAUSE_MS = 1;
/** Every third actor is not moved, so that a node that dies leaves something behind. */
const STAYS = /[0369]$/;

let state = Number(seed);
let isRunning = true;
let reservations = 0;
let relocations = 0;

/** 0 to `below` − 1; the same sequence for the same seed. */
function dice(below: number): number {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}

function say(line: object): void {
  process.stdout.write(
    `${JSON.stringify(line, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value))}\n`,
  );
}

function acknowledge(call: string, record: AuthorityRecord): void {
  const { key, storeVersion, objectGeneration, authorityOwnerGeneration, owner } = record;
  const { ownerId, ownerLeaseGeneration } = owner;
  say({ call, key, storeVersion, objectGeneration, authorityOwnerGeneration, ownerId, ownerLeaseGeneration });
}

/** A run of the node: a new owner id each time, as a process that starts anew has. */
async function run(store: AuthorityStore): Promise<void> {
  const request = {
    meshName: "mesh",
    nodeRid: ridFromText(name),
    ownerId: `${name} ${dice(2 ** 30)}`,
    durationMs: LEASE_MS,
  };
  const answer = await store.acquire(request);
  if (answer.outcome !== "acquired") return;
  say({ call: "acquire", nodeGeneration: answer.owner.nodeGeneration });
  let renewAtMs = performance.now() + LEASE_MS / 3;
  while (isRunning) {
    if (performance.now() >= renewAtMs) {
      const renewed = await store.renew(answer.owner, LEASE_MS);
      if (renewed.outcome === "staleLease") return;
      renewAtMs = performance.now() + LEASE_MS / 3;
    }
    await actOn(store, answer.owner, actorAuthorityKey(`actor ${dice(Number(actors))}`));
    await new Promise((resolve) => setTimeout(resolve, SHORTEST_PAUSE_MS + dice(4)));
  }
}

async function actOn(store: AuthorityStore, owner: OwnerIdentity, key: string): Promise<void> {
  const read = await store.read(key);
  if (read.outcome === "unknown") return;
  const reading = read.outcome === "found" ? read.reading : undefined;
  if (reading === undefined || reading.record.state !== "active" || !reading.ownerLeaseLive) {
    await create(store, owner, key);
  } else {
    await write(store, owner, reading);
  }
}

async function create(store: AuthorityStore, owner: OwnerIdentity, key: string): Promise<void> {
  const reservationId = `${owner.ownerId} ${(reservations += 1)}`;
  const reservation = { reservationId, ttlMs: Number(ttlMs), ifOwnerLeaseEnded: "replace" } as const;
  const reserved = await store.reserve({ key, kind: "actor", stableType: "t", owner, ...reservation });
  if (reserved.outcome !== "reserved") return;
  if (dice(10) === 0) return void (await store.abortCreate(key, reservationId));
  const created = await store.commitCreate(key, reservationId, owner);
  if (created.outcome === "committed") acknowledge("create", created.record);
}

/** Moves it here if another has it, unless it is one that stays where it is; else uses it, and now and then ends it. */
async function write(store: AuthorityStore, owner: OwnerIdentity, { record }: AuthorityReading): Promise<void> {
  const { key, storeVersion: baseVersion } = record;
  if (record.owner.ownerId !== owner.ownerId) {
    if (STAYS.test(key)) return;
    if (dice(8) === 0) return void (await store.fence(key, baseVersion, owner));
    const participant = {
      key,
      baseVersion,
      expectedObjectGeneration: record.objectGeneration,
      expectedAuthorityOwnerGeneration: record.authorityOwnerGeneration,
      place: undefined,
      membershipDigest: new Uint8Array(0),
    };
    const relocation = { high: BigInt(seed!), low: BigInt((relocations += 1)) };
    const moved = await store.commit({ relocation, owner, participants: [participant] });
    if (moved.outcome === "committed") acknowledge("move", moved.records[0]!);
  } else if (dice(20) === 0) {
    await store.destroy(key, baseVersion, owner);
  } else {
    const payload = new Uint8Array(dice(200));
    const published = await store.publish({ key, baseVersion, lease: owner, payload });
    if (published.outcome === "published") acknowledge("publish", published.record);
  }
}

const store = await openSqliteStore({ path });
say({ call: "open" });
const input = createInterface({ input: process.stdin });
input.once("close", () => (isRunning = false));
await new Promise<void>((resolve) => input.once("line", () => resolve()));
while (isRunning) await run(store);
await store.close();
