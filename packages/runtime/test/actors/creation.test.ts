import { createMemoryStore, type AuthorityStore } from "@rehome/core";
import { afterEach, describe, expect, it } from "vitest";
import { systemClock } from "../../src/index.ts";
import { readTally, startCluster, type Cluster } from "../support/cluster.ts";

let cluster: Cluster;
afterEach(() => cluster.close());

/** A store that says of the first `commitCreate`, and for a while of every read, that it cannot tell. */
function doubtful(isWritten: boolean): AuthorityStore {
  const store = createMemoryStore({ clock: systemClock });
  const unknown = { outcome: "unknown", reason: "the answer was lost" } as const;
  let commits = 0;
  let silentReads = 0;
  return {
    ...store,
    read: async (key) => (silentReads-- > 0 ? unknown : store.read(key)),
    commitCreate: async (...request) => {
      if (commits++ > 0) return store.commitCreate(...request);
      silentReads = 1_000;
      setTimeout(() => (silentReads = 0), 400);
      if (isWritten) await store.commitCreate(...request);
      return unknown;
    },
  };
}

describe.each([true, false])("a creation whose answer is lost, written or not (%s)", (isWritten) => {
  const deadlines = { storeResolutionMs: 50, createMs: 2_000 };

  it("ends with an actor that answers: no actor is the store's alone (I2)", async () => {
    cluster = await startCluster(["a"], { store: doubtful(isWritten), deadlines });
    const [a] = cluster.nodes;
    await a!.getOrCreate("tally", "t");
    expect((await readTally(a!, "t")).seen).toEqual([]);
    expect(a!.actors()).toHaveLength(1);
  });

  it("ends with a spot that can be joined", async () => {
    cluster = await startCluster(["a"], { store: doubtful(isWritten), deadlines });
    const [a] = cluster.nodes;
    await a!.createSpot("room", "r");
    await a!.getOrCreate("tally", "t");
    await a!.request("tally", "t", "join", "r");
    for (let tries = 0; a!.actors()[0]?.spotId !== "r"; tries++) {
      if (tries > 200) throw new Error("the join is never granted");
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  });
});

it("D2: where no node takes an actor, the error says of each why", async () => {
  cluster = await startCluster([]);
  const idle = await cluster.add("idle", { placementWeight: 0 });
  const full = await cluster.add("full", { capacity: 1 });
  await cluster.add("other", { actors: [] });
  await idle.getOrCreate("tally", "first");
  expect(full.actors()).toHaveLength(1);
  await expect(idle.getOrCreate("tally", "second")).rejects.toMatchObject({
    code: "capacityExceeded",
    message: expect.stringMatching(/"full": it is full \(1 of 1\).*"idle": its placement weight is 0/) as unknown,
  });
  await expect(idle.getOrCreate("nothing", "n")).rejects.toMatchObject({
    code: "typeUnknown",
    message: expect.stringContaining('"other": it does not host the type') as unknown,
  });
});
