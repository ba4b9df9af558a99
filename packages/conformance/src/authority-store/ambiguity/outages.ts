import { describe, expect, it } from "vitest";
import type { AuthorityRecord, AuthorityStore, OwnerIdentity } from "@rehome/core";
import { expectOutcome, moveOf, reservationIdOf, reserveRequest } from "../scene.ts";
import { pause, withProxiedStore } from "./scene.ts";
import type { MakeStoreBehindProxy, ProxiedScene } from "./scene.ts";

const TEST_TIMEOUT_MS = 60_000;
const WRITERS = 12;
const CUTS = 15;

export function outageTests(make: MakeStoreBehindProxy): void {
  describe("an outage of the server", () => {
    it(
      "every call settles as unknown while it lasts, nothing is done later, and the same client goes on afterwards",
      () =>
        withProxiedStore(make, async (scene) => {
          const lease = await scene.node("n", { capacity: 10 });
          const record = await scene.actor(lease, "a");
          await scene.reachable();
          await scene.proxy.down();
          const calls = everyCall(scene.proxied, lease, record);
          for (const answer of await Promise.all(calls.map((call) => scene.settled<{ outcome: string }>(call)))) {
            expect(answer).toEqual({ outcome: "unknown", reason: expect.stringMatching(/./) as string });
          }
          await scene.proxy.up();
          await scene.reachable();
          await scene.expectUnchanged([record]);
          expect(await scene.ownedBy(lease)).toBe(1);
          const { key, storeVersion: baseVersion } = record;
          expectOutcome(await scene.proxied.publish({ key, baseVersion, lease, payload: BYTES }), "published");
        }),
      TEST_TIMEOUT_MS,
    );

    it(
      "D5, D8: many writers through one client that is cut again and again: none hears that it lost, none loses a write",
      () =>
        withProxiedStore(make, async (scene) => {
          const lease = await scene.node("n");
          const records = await scene.actors(lease, WRITERS);
          await scene.reachable();
          let isOver = false;
          const writing = records.map((record) => writeOn(scene, lease, record, () => isOver));
          for (let cut = 0; cut < CUTS; cut++) {
            // An odd step, so that the cuts are at many places of a call.
            await pause(7 + ((cut * 13) % 31));
            scene.proxy.cut();
          }
          isOver = true;
          const told = await Promise.all(writing);
          expect(told.reduce((sum, writer) => sum + writer.unknown, 0)).toBeGreaterThan(0);
          for (const writer of told) expect(writer.published).toBeGreaterThan(0);
        }),
      TEST_TIMEOUT_MS,
    );
  });
}

const BYTES = new Uint8Array([1]);

function everyCall(store: AuthorityStore, lease: OwnerIdentity, record: AuthorityRecord) {
  const { key, storeVersion: baseVersion } = record;
  const { meshName, nodeRid } = lease;
  const rest = { applicationVersion: 1n, stableTypes: [], placementWeight: 1, capacity: 1 };
  return [
    store.read(key),
    store.scan("", undefined, 10),
    store.nodes(meshName),
    store.reserve(reserveRequest(lease, "b")),
    store.commitCreate(key, reservationIdOf("a"), lease),
    store.abortCreate(key, reservationIdOf("a")),
    store.commit(moveOf([record], lease)),
    store.publish({ key, baseVersion, lease, payload: BYTES }),
    store.fence(key, baseVersion, lease),
    store.destroy(key, baseVersion, lease),
    store.acquire({ meshName, nodeRid, ownerId: "y", durationMs: 1000 }),
    store.renew(lease, 1000),
    store.release(lease),
    store.describe({ owner: lease, endpoint: "e", state: "serving", ...rest }),
  ];
}

/**
 * The only writer of its actor, which writes 1, 2, 3, … and reads whenever it does not know: then there may be its last number
 * or the one before, and nothing else. Only where that reading came before the end of its own write may the next be stale.
 */
async function writeOn(
  scene: ProxiedScene,
  lease: OwnerIdentity,
  from: AuthorityRecord,
  isOver: () => boolean,
): Promise<{ readonly published: number; readonly unknown: number }> {
  const store = scene.proxied;
  let [baseVersion, last, published, unknown] = [from.storeVersion, 0, 0, 0];
  let mayStillLand = false;
  while (!isOver() || published === 0) {
    const payload = numberBytes(last + 1);
    const answer = await scene.settled(store.publish({ key: from.key, baseVersion, lease, payload }));
    expect(mayStillLand ? ["published", "unknown", "stale"] : ["published", "unknown"]).toContain(answer.outcome);
    if (answer.outcome === "published") {
      published += 1;
      last += 1;
      baseVersion = answer.record.storeVersion;
      mayStillLand = false;
      continue;
    }
    if (answer.outcome === "unknown") unknown += 1;
    await pause(1);
    const record = await recordOnceReachable(scene, from.key);
    const found = numberFrom(record.payload);
    expect(answer.outcome === "stale" ? [last + 1] : [last, last + 1]).toContain(found);
    expect(record.storeVersion === baseVersion).toBe(found === last);
    mayStillLand = found === last;
    [baseVersion, last] = [record.storeVersion, found];
  }
  return { published, unknown };
}

async function recordOnceReachable(scene: ProxiedScene, key: string): Promise<AuthorityRecord> {
  for (;;) {
    await scene.reachable();
    const answer = await scene.settled(scene.proxied.read(key));
    if (answer.outcome !== "unknown") return expectOutcome(answer, "found").reading.record;
  }
}

function numberBytes(value: number): Uint8Array {
  return new TextEncoder().encode(String(value));
}

/** 0 for the empty payload of a new actor. */
function numberFrom(payload: Uint8Array): number {
  return Number(new TextDecoder().decode(payload));
}
