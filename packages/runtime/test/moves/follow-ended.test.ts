import { commandIds } from "@rehome/wire";
import { afterEach, expect, it } from "vitest";
import { ownerOf, readTally, startCluster, type Cluster } from "../support/cluster.ts";
import { until } from "../support/hall.ts";

/** Where a record's first frame says its command (`wire.md` 1). */
const COMMAND_AT = 3;

let cluster: Cluster;
afterEach(() => cluster.close());

it("N5, I2: who forwarded a message that is lost with its link tells the sender, though the actor is back by then", async () => {
  cluster = await startCluster(["a", "b", "d"]);
  const sender = await cluster.add("c", { placementWeight: 0 });
  await sender.getOrCreate("tally", "t");
  await readTally(sender, "t");
  const first = ownerOf(cluster, "t");
  const [second, third] = cluster.nodes.filter((node) => node !== first && node !== sender);
  await first.relocate("t", { to: second!.name });
  // What the first owner forwards never arrives.
  cluster.network.stall(first.rid, second!.rid);
  let isForwarded = false;
  cluster.network.watch = (_from, to, frames) => {
    if (to === first.rid && frames[0]![COMMAND_AT] === commandIds.actorSend) isForwarded = true;
    return true;
  };
  sender.send("tally", "t", "note", 1);
  await until("it is forwarded", () => isForwarded);
  await second!.relocate("t", { to: third!.name });
  await third!.relocate("t", { to: first.name });
  expect(first.counts().follows).toBe(0);
  cluster.network.cut(first.rid, second!.rid);
  cluster.network.resume(first.rid, second!.rid);
  const refusals = () => cluster.events.flatMap((event) => (event.type === "SendRefused" ? [event] : []));
  await until("its sender is told", () => refusals().length > 0);
  expect(refusals().map(({ node, error }) => [node, error.code])).toEqual([[sender.name, "outcomeUnknown"]]);
  // The place is filled: nothing waits for it.
  sender.send("tally", "t", "note", 2);
  await until("the next one has run", async () => (await readTally(first, "t")).seen.includes(2));
  expect((await readTally(first, "t")).seen).toEqual([2]);
});
