import { createMemoryStore } from "@rehome/core";
import type { AuthorityStore, RowSnapshot } from "@rehome/core";
import { actorAuthorityKey, ridFromText } from "@rehome/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { authorityStoreSuite } from "../src/authority-store-suite.ts";
import { plantingInto } from "./support/memory-planting.ts";
import { optimisticStore } from "./support/optimistic-store.ts";
import type { Line } from "./support/optimistic-store.ts";
import { RowDatabase } from "./support/row-database.ts";

const IDLE_LINE: Line = {
  travel: () => Promise.resolve(),
  tookEffect: () => undefined,
  remembered: () => undefined,
  showed: () => undefined,
};

authorityStoreSuite(() => {
  const database = new RowDatabase();
  const store = optimisticStore(database, () => IDLE_LINE);
  return Promise.resolve({
    store,
    another: () => Promise.resolve(optimisticStore(database, () => IDLE_LINE)),
    advance: (durationMs) => Promise.resolve(void (database.nowMs += durationMs)),
    plant: plantingInto(database.tables),
    close: () => store.close(),
  });
});

const KEYS = ["a", "b", "c"].map(actorAuthorityKey);
const OWNERS = ["x", "y", "z"];
const DIGEST = new Uint8Array(0);

/** One call, by numbers: which of the kinds, which key, owner and known version or reservation. */
type Call = readonly [kind: number, key: number, owner: number, what: number];

/** What callers know by now, so that some of their calls make sense. */
interface Known {
  readonly owners: Map<string, Parameters<AuthorityStore["describe"]>[0]["owner"]>;
  readonly records: Map<
    string,
    Extract<Awaited<ReturnType<AuthorityStore["read"]>>, { outcome: "found" }>["reading"]["record"]
  >;
}

/** The call as a function of the store, so that the same one can be made to two stores. */
function callOf([kind, keyIndex, ownerIndex, what]: Call, known: Known, withCapacity: boolean) {
  const [key, ownerId] = [KEYS[keyIndex % KEYS.length]!, OWNERS[ownerIndex % OWNERS.length]!];
  const run = { meshName: "m", nodeRid: ridFromText(ownerId), ownerId, durationMs: 100 + what * 40 };
  const owner = known.owners.get(ownerId) ?? { ...run, ownerLeaseGeneration: 1n, nodeGeneration: 1n };
  const record = known.records.get(key);
  const baseVersion = record?.storeVersion ?? "1";
  const reservationId = `r${what % 2}`;
  const ifOwnerLeaseEnded = what % 3 === 0 ? "refuse" : "replace";
  const participants = [...new Set([key, KEYS[what % KEYS.length]!])].map((participant) => {
    const at = known.records.get(participant);
    return {
      key: participant,
      baseVersion: at?.storeVersion ?? "1",
      expectedObjectGeneration: at?.objectGeneration ?? 1n,
      expectedAuthorityOwnerGeneration: at?.authorityOwnerGeneration ?? 1n,
      place: undefined,
      membershipDigest: DIGEST,
    };
  });
  const calls: ((store: AuthorityStore) => Promise<{ outcome: string }>)[] = [
    (store) => store.acquire(run),
    (store) => store.renew(owner, 150),
    (store) =>
      store.reserve({
        key,
        kind: "actor",
        stableType: "t",
        owner,
        reservationId,
        ttlMs: 60 + what * 20,
        ifOwnerLeaseEnded,
      }),
    (store) => store.commitCreate(key, reservationId, owner),
    (store) => store.abortCreate(key, reservationId),
    (store) => store.publish({ key, baseVersion, lease: owner, payload: new Uint8Array([what]) }),
    (store) => store.fence(key, baseVersion, owner),
    (store) => store.destroy(key, baseVersion, owner),
    (store) =>
      store.commit({
        relocation: { high: 1n, low: BigInt(what + 1) },
        owner,
        participants,
      }),
    (store) => (what === 0 ? store.release(owner) : store.renew(owner, 200)),
    (store) => store.nodes("m"),
    (store) => store.read(key),
    (store) => store.scan("", undefined, 2),
  ];
  if (withCapacity) {
    calls.push((store) =>
      store.describe({
        owner,
        endpoint: "e",
        state: "serving",
        applicationVersion: 1n,
        stableTypes: ["t"],
        placementWeight: 1,
        capacity: what,
      }),
    );
  }
  return calls[kind % calls.length]!;
}

function learn(known: Known, answer: object): void {
  if ("owner" in answer) {
    const owner = answer.owner as Parameters<AuthorityStore["describe"]>[0]["owner"];
    known.owners.set(owner.ownerId, owner);
  }
  const records = [
    ...("record" in answer ? [answer.record] : []),
    ...("records" in answer ? (answer.records as unknown[]) : []),
    ...("reading" in answer ? [(answer.reading as { record: unknown }).record] : []),
  ] as Parameters<typeof known.records.set>[1][];
  for (const record of records) known.records.set(record.key, record);
}

const CALLS = fc.array(fc.tuple(fc.nat(13), fc.nat(2), fc.nat(2), fc.nat(5)), { minLength: 60, maxLength: 200 });

interface Effect {
  readonly decidedAtMs: number;
  readonly call: (store: AuthorityStore) => Promise<{ outcome: string }>;
  readonly answer: () => unknown;
}

/**
 * Makes the calls through several clients at once, with an order of requests and answers that `dice` chooses, and returns
 * what took effect in the order in which it did. Between a snapshot and its write other calls write, and time passes.
 */
async function runAtOnce(calls: readonly Call[], dice: (below: number) => number, options: { withCapacity: boolean }) {
  const database = new RowDatabase();
  const known: Known = { owners: new Map(), records: new Map() };
  const waiting: (() => void)[] = [];
  const effects: Effect[] = [];
  let running = 0;
  let memory: RowSnapshot | undefined;
  const start = (numbers: Call) => {
    const call = callOf(numbers, known, options.withCapacity);
    let answer: unknown;
    const line: Line = {
      travel: () => new Promise((resolve) => waiting.push(resolve)),
      tookEffect: (decidedAtMs) => effects.push({ decidedAtMs, call, answer: () => answer }),
      remembered: () => (dice(2) === 0 ? undefined : memory),
      showed: (snapshot) => {
        const [objects, leases] = [
          [...(memory?.objects ?? []), ...snapshot.objects],
          [...(memory?.leases ?? []), ...snapshot.leases],
        ];
        memory = { ...snapshot, objects: new Map(objects), leases: new Map(leases), mesh: undefined, page: undefined };
      },
    };
    running += 1;
    void call(optimisticStore(database, () => line)).then((settled) => {
      answer = settled;
      running -= 1;
      learn(known, settled);
    });
  };
  const left = [...calls];
  while (left.length > 0 || running > 0) {
    const mayStart = left.length > 0 && running < 5;
    if (mayStart && (waiting.length === 0 || dice(2) === 0)) start(left.shift()!);
    else if (waiting.length > 0) waiting.splice(dice(waiting.length), 1)[0]!();
    // With capacities, what a reservation's end sets free between snapshot and write may be taken at once.
    if (dice(4) === 0 && (!options.withCapacity || running === 0)) database.nowMs += dice(8);
    // Long enough for a call to go on to its next request.
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  }
  return effects;
}

const SEED = 20_261_130;

describe("calls whose rules run over snapshots", () => {
  it.each([
    ["time passes between a snapshot and its write", false],
    ["nodes have capacities", true],
  ])("many at once answer as the same calls one after the other would in memory: %s", async (_, withCapacity) => {
    const outcomes = new Set<string>();
    await fc.assert(
      fc.asyncProperty(CALLS, fc.infiniteStream(fc.nat(999)), async (calls, stream) => {
        const dice = (below: number) => stream.next().value! % below;
        const effects = await runAtOnce(calls, dice, { withCapacity });
        expect(effects).toHaveLength(calls.length);
        let nowMs = 0;
        const memory = createMemoryStore({ clock: { nowMs: () => nowMs } });
        for (const { decidedAtMs, call, answer } of effects) {
          nowMs = decidedAtMs;
          const expected = await call(memory);
          expect(answer()).toEqual(expected);
          outcomes.add(expected.outcome);
        }
      }),
      // One seed, so that every run shows the outcomes that are asked for below.
      { numRuns: 60, seed: SEED },
    );
    const needed = [
      "acquired",
      "held",
      "reserved",
      "committed",
      "published",
      "fenced",
      "stale",
      "staleLease",
      "exists",
    ];
    expect([...outcomes]).toEqual(expect.arrayContaining(needed));
    if (withCapacity) expect(outcomes).toContain("capacityExceeded");
  });
});
