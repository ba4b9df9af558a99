import { expect } from "vitest";
import type { AuthorityRecord, AuthorityStore, NodeDescriptor, OwnerIdentity } from "@rehome/core";
import { ridFromText } from "@rehome/wire";
import { expectOutcome, LEASE_MS, MESH, moveOf, reservationIdOf, reserveRequest } from "../scene.ts";
import type { Scene } from "../scene.ts";

const BYTES = new Uint8Array([7, 0, 255]);
const CAPACITY = 100;

/** One write on a scene of its own. */
export interface PreparedWrite {
  call(store: AuthorityStore): Promise<{ readonly outcome: string }>;
  /** Whether the store has done it; fails if it has done so twice, or by half. */
  happened(): Promise<boolean>;
  /** The answers that say that it is done. */
  readonly done: readonly string[];
  /** The answer of the same call again, once it is known whether the first has done it. */
  readonly again: { readonly ifDone: string; readonly ifNot: string };
}

export interface WriteCase {
  readonly name: keyof AuthorityStore;
  /** `turn` makes what it prepares its own. */
  prepare(scene: Scene, turn: string): Promise<PreparedWrite>;
}

/** Every write of the port. */
export const WRITE_CASES: readonly WriteCase[] = [
  { name: "reserve", prepare: prepareReserve },
  { name: "commitCreate", prepare: prepareCommitCreate },
  { name: "abortCreate", prepare: prepareAbortCreate },
  { name: "commit", prepare: prepareCommit },
  { name: "fence", prepare: prepareFence },
  { name: "publish", prepare: preparePublish },
  { name: "destroy", prepare: prepareDestroy },
  { name: "acquire", prepare: prepareAcquire },
  { name: "renew", prepare: prepareRenew },
  { name: "release", prepare: prepareRelease },
  { name: "describe", prepare: prepareDescribe },
];

function nodeOf(scene: Scene, turn: string): Promise<OwnerIdentity> {
  return scene.node(`node ${turn}`, { capacity: CAPACITY });
}

async function prepareReserve(scene: Scene, turn: string): Promise<PreparedWrite> {
  const owner = await nodeOf(scene, turn);
  const request = reserveRequest(owner, turn);
  return {
    call: (store) => store.reserve(request),
    async happened() {
      const answer = await scene.store.read(request.key);
      const isThere = answer.outcome === "found";
      if (isThere) expect(answer.reading.record).toMatchObject({ state: "reserved", objectGeneration: 1n, owner });
      expect(await scene.ownedBy(owner)).toBe(isThere ? 1 : 0);
      return isThere;
    },
    done: ["reserved"],
    again: { ifDone: "reserved", ifNot: "reserved" },
  };
}

async function prepareCommitCreate(scene: Scene, turn: string): Promise<PreparedWrite> {
  const owner = await nodeOf(scene, turn);
  const { record } = (await scene.reserve(owner, turn)).reservation;
  return {
    call: (store) => store.commitCreate(record.key, reservationIdOf(turn), owner),
    async happened() {
      const { state, authorityOwnerGeneration } = await scene.record(record.key);
      expect(authorityOwnerGeneration).toBe(1n);
      expect(await scene.ownedBy(owner)).toBe(1);
      return state === "active";
    },
    done: ["committed"],
    again: { ifDone: "committed", ifNot: "committed" },
  };
}

async function prepareAbortCreate(scene: Scene, turn: string): Promise<PreparedWrite> {
  const owner = await nodeOf(scene, turn);
  const { record } = (await scene.reserve(owner, turn)).reservation;
  return {
    call: (store) => store.abortCreate(record.key, reservationIdOf(turn)),
    async happened() {
      const { state } = await scene.record(record.key);
      expect(await scene.ownedBy(owner)).toBe(state === "reserved" ? 1 : 0);
      return state === "destroyed";
    },
    done: ["aborted"],
    again: { ifDone: "stale", ifNot: "aborted" },
  };
}

async function prepareCommit(scene: Scene, turn: string): Promise<PreparedWrite> {
  const [source, target] = [await nodeOf(scene, `source ${turn}`), await nodeOf(scene, `target ${turn}`)];
  const before = await scene.actors(source, 2, turn);
  const request = moveOf(before, target);
  return {
    call: (store) => store.commit(request),
    async happened() {
      const after = await Promise.all(before.map((record) => scene.record(record.key)));
      const moved = after.filter((record) => record.owner.ownerId === target.ownerId);
      expect([0, 2]).toContain(moved.length);
      for (const [index, record] of after.entries()) {
        const rise = moved.length > 0 ? 1n : 0n;
        expect(record.authorityOwnerGeneration).toBe(before[index]!.authorityOwnerGeneration + rise);
      }
      const owned = [await scene.ownedBy(source), await scene.ownedBy(target)];
      expect(owned).toEqual(moved.length > 0 ? [0, 2] : [2, 0]);
      return moved.length > 0;
    },
    done: ["committed", "alreadyCommitted"],
    again: { ifDone: "alreadyCommitted", ifNot: "committed" },
  };
}

/** Writes on the exact version: done once, the same call again is stale. */
async function prepareOnVersion(
  scene: Scene,
  turn: string,
  write: {
    call(store: AuthorityStore, record: AuthorityRecord, owner: OwnerIdentity): Promise<{ readonly outcome: string }>;
    changed(record: AuthorityRecord): Partial<AuthorityRecord>;
    readonly owned: number;
    readonly done: string;
  },
): Promise<PreparedWrite> {
  const owner = await nodeOf(scene, turn);
  const before = await scene.actor(owner, turn);
  return {
    call: (store) => write.call(store, before, owner),
    async happened() {
      const after = await scene.record(before.key);
      const isChanged = after.storeVersion !== before.storeVersion;
      const { storeVersion } = after;
      expect(after).toEqual(isChanged ? { ...before, ...write.changed(before), storeVersion } : before);
      expect(await scene.ownedBy(owner)).toBe(isChanged ? write.owned : 1);
      return isChanged;
    },
    done: [write.done],
    again: { ifDone: "stale", ifNot: write.done },
  };
}

function prepareFence(scene: Scene, turn: string): Promise<PreparedWrite> {
  return prepareOnVersion(scene, turn, {
    call: (store, { key, storeVersion }, owner) => store.fence(key, storeVersion, owner),
    changed: () => ({}),
    owned: 1,
    done: "fenced",
  });
}

function preparePublish(scene: Scene, turn: string): Promise<PreparedWrite> {
  return prepareOnVersion(scene, turn, {
    call: (store, { key, storeVersion: baseVersion }, lease) =>
      store.publish({ key, baseVersion, lease, payload: BYTES }),
    changed: () => ({ payload: BYTES }),
    owned: 1,
    done: "published",
  });
}

function prepareDestroy(scene: Scene, turn: string): Promise<PreparedWrite> {
  return prepareOnVersion(scene, turn, {
    call: (store, { key, storeVersion }, owner) => store.destroy(key, storeVersion, owner),
    changed: () => ({ state: "destroyed" }),
    owned: 0,
    done: "destroyed",
  });
}

/** A run of a node that had none: what comes after it tells how many there were. */
function prepareAcquire(scene: Scene, turn: string): Promise<PreparedWrite> {
  const request = { meshName: MESH, nodeRid: ridFromText(turn), ownerId: `owner of ${turn}`, durationMs: LEASE_MS };
  return Promise.resolve({
    call: (store) => store.acquire(request),
    async happened() {
      const asked = await scene.store.acquire(request);
      const next = await scene.store.acquire({ ...request, ownerId: `next of ${turn}` });
      expect(expectOutcome(next, "acquired").owner.nodeGeneration).toBe(2n);
      return asked.outcome === "held";
    },
    done: ["acquired"],
    again: { ifDone: "held", ifNot: "held" },
  });
}

async function prepareRenew(scene: Scene, turn: string): Promise<PreparedWrite> {
  const owner = await nodeOf(scene, turn);
  const { key } = await scene.actor(owner, turn);
  let isLive: boolean | undefined;
  return {
    call: (store) => store.renew(owner, 10 * LEASE_MS),
    async happened() {
      if (isLive === undefined) await scene.advance(LEASE_MS + 1);
      isLive = (await scene.reading(key)).ownerLeaseLive;
      return isLive;
    },
    done: ["renewed"],
    again: { ifDone: "renewed", ifNot: "staleLease" },
  };
}

async function prepareRelease(scene: Scene, turn: string): Promise<PreparedWrite> {
  const owner = await nodeOf(scene, turn);
  const { key } = await scene.actor(owner, turn);
  return {
    call: (store) => store.release(owner),
    happened: async () => !(await scene.reading(key)).ownerLeaseLive,
    done: ["released"],
    again: { ifDone: "staleLease", ifNot: "released" },
  };
}

async function prepareDescribe(scene: Scene, turn: string): Promise<PreparedWrite> {
  const owner = await nodeOf(scene, turn);
  const descriptor: NodeDescriptor = {
    owner,
    endpoint: "tcp://127.0.0.1:2",
    state: "draining",
    applicationVersion: 7n,
    stableTypes: ["a", "b"],
    placementWeight: 1,
    capacity: 3,
  };
  return {
    call: (store) => store.describe(descriptor),
    async happened() {
      const { nodes } = expectOutcome(await scene.store.nodes(MESH), "listed");
      const listed = nodes.find((node) => node.descriptor.owner.ownerId === owner.ownerId);
      const isNew = listed?.descriptor.state === descriptor.state;
      if (isNew) expect(listed.descriptor).toEqual(descriptor);
      return isNew;
    },
    done: ["described"],
    again: { ifDone: "described", ifNot: "described" },
  };
}
