import { afterEach, expect, it } from "vitest";
import { otherThan, ownerOf, readTally, startCluster, type Cluster } from "../support/cluster.ts";

let cluster: Cluster;
afterEach(() => cluster.close());

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

it("F1, I2: forwards to the run that took the actor over, and to no later one of that node", async () => {
  cluster = await startCluster(["a", "b"]);
  const sender = await cluster.add("c", { placementWeight: 0 });
  await sender.getOrCreate("tally", "t");
  await readTally(sender, "t");
  const source = ownerOf(cluster, "t");
  const target = otherThan(cluster, source);
  await source.relocate("t", { to: target.name });
  // The target dies: its links break, and a new run of it begins before the source forwards anything.
  for (const node of [source, sender]) cluster.network.cut(node.rid, target.rid);
  cluster.network.remove(target.rid);
  await cluster.add(target.name);
  const nodes = cluster.store.nodes.bind(cluster.store);
  cluster.store.nodes = async (meshName) => {
    await pause(100);
    return nodes(meshName);
  };
  // Something else of the source waits for a link to that node already.
  source.send("tally", "t", "note", 0);
  sender.send("tally", "t", "note", 1);
  await pause(500);
  const told = cluster.events.flatMap((event) => (event.type === "SendRefused" ? [event.node] : []));
  expect(told).toContain(sender.name);
});
