import { afterEach, expect, it } from "vitest";
import { readTally, startCluster, type Cluster } from "../support/cluster.ts";

let cluster: Cluster;
afterEach(() => cluster.close());

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

it("F3: what was sent to an earlier life of an actor does not wait for the one that is arriving", async () => {
  cluster = await startCluster(["a"]);
  const sender = await cluster.add("c", { placementWeight: 0 });
  await sender.getOrCreate("tally", "t");
  await readTally(sender, "t");
  await cluster.nodes[0]!.close();
  const second = await cluster.add("b");
  await second.getOrCreate("tally", "t");
  const again = await cluster.add("a");
  // The actor is complete at its target, and the store takes its time.
  const commit = cluster.store.commit.bind(cluster.store);
  cluster.store.commit = async (request) => {
    await pause(200);
    return commit(request);
  };
  const moved = second.relocate("t", { to: again.name });
  await pause(50);
  sender.send("tally", "t", "note", 1);
  await moved;
  sender.send("tally", "t", "note", 2);
  await pause(100);
  expect((await readTally(sender, "t")).seen).toEqual([2]);
  const told = cluster.events.flatMap((event) => (event.type === "SendRefused" ? [event.error.code] : []));
  expect(told).toEqual(["stale"]);
});
