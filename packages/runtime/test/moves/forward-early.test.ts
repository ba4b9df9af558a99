import { actorAuthorityKey, commandIds } from "@rehome/wire";
import { afterEach, expect, it } from "vitest";
import type { Node } from "../../src/index.ts";
import { ownerOf, readTally, startCluster, type Cluster } from "../support/cluster.ts";

/** Where a record's first frame says its command (`wire.md` 1). */
const COMMAND_AT = 3;

let cluster: Cluster;
afterEach(() => cluster.close());

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await holds()); tries++) {
    if (tries > 500) throw new Error("it does not come about");
    await pause(5);
  }
}

async function storeNames(node: Node): Promise<boolean> {
  const answer = await cluster.store.read(actorAuthorityKey("t"));
  return answer.outcome === "found" && answer.reading.record.owner.nodeRid === node.rid;
}

it("F2, O5: what a former owner forwards to a target that has not heard of its own commit yet waits there", async () => {
  cluster = await startCluster(["a"]);
  const sender = await cluster.add("c", { placementWeight: 0 });
  await sender.getOrCreate("tally", "t");
  await readTally(sender, "t");
  const first = ownerOf(cluster, "t");
  const second = await cluster.add("b");
  const third = await cluster.add("d");
  await readTally(third, "t");
  // The first owner does not hear that its move has committed.
  cluster.network.watch = (from, to, frames) => {
    if (from === first.rid && frames[0]![COMMAND_AT] === commandIds.relocationCutover) cluster.network.stall(to, from);
    return true;
  };
  const moved = first.relocate("t", { to: second.name }).catch((error: unknown) => error);
  await until(() => second.actors().length === 1);
  sender.send("tally", "t", "note", 1);
  await pause(20);
  // The third owner's commit is written at once, and it hears of it late.
  const commit = cluster.store.commit.bind(cluster.store);
  cluster.store.commit = async (request) => {
    const answer = await commit(request);
    await pause(300);
    return answer;
  };
  const movedOn = second.relocate("t", { to: third.name });
  await until(() => storeNames(third));
  cluster.network.cut(first.rid, second.rid);
  await moved;
  await movedOn;
  await until(async () => (await readTally(sender, "t")).seen.length > 0);
  expect((await readTally(sender, "t")).seen).toEqual([1]);
  expect(cluster.events.filter(({ type }) => type === "SendRefused")).toEqual([]);
});
