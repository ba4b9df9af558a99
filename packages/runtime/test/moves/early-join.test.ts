import { createMemoryStore, type AuthorityStore } from "@rehome/core";
import { afterEach, expect, it } from "vitest";
import { systemClock } from "../../src/index.ts";
import { otherThan, ownerOf, readTally, startCluster, type Cluster } from "../support/cluster.ts";

let cluster: Cluster;
afterEach(() => cluster.close());

/** A store that does what it is asked, and keeps one answer to itself: that a spot was made. */
function silentOnSpots(): AuthorityStore {
  const store = createMemoryStore({ clock: systemClock });
  return {
    ...store,
    commitCreate: async (key, ...rest) => {
      const answer = await store.commitCreate(key, ...rest);
      return key.includes("r1") ? new Promise(() => undefined) : answer;
    },
  };
}

it("J1: a spot that the store places on the actor's node, where it is not open yet, is refused, and links can still be lost", async () => {
  cluster = await startCluster(["a", "b"], { store: silentOnSpots() });
  const [a] = cluster.nodes;
  await a!.getOrCreate("tally", "t");
  const owner = ownerOf(cluster, "t");
  const other = otherThan(cluster, owner);
  void owner.createSpot("room", "r1");
  await owner.request("tally", "t", "join", "r1");
  for (let tries = 0; (await readTally(owner, "t")).joins.length === 0; tries++) {
    if (tries > 200) throw new Error("the join is never answered");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect((await readTally(owner, "t")).joins).toEqual(["rejected:r1"]);
  await readTally(other, "t");
  cluster.network.cut(owner.rid, other.rid);
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect((await owner.relocate("t", { to: other.name })).outcome).toBe("committed");
});
