import type { AuthorityStore, ReadAnswer } from "@rehome/core";
import { actorAuthorityKey, commandIds, decodeRecord, encodeRecord, type SendRefused } from "@rehome/wire";
import { afterEach, expect, it } from "vitest";
import { readTally, startCluster, type Cluster } from "../support/cluster.ts";

/** Where a record's first frame says its command (`wire.md` 1). */
const COMMAND_AT = 3;

let cluster: Cluster;
afterEach(() => cluster.close());

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

it("I2: a refusal that is lost with its link is said again, as an outcome that nobody can tell", async () => {
  cluster = await startCluster(["a"]);
  const sender = await cluster.add("c", { placementWeight: 0 });
  await sender.getOrCreate("tally", "t");
  await readTally(sender, "t");
  let isLost = false;
  cluster.network.watch = (_from, _to, frames) => {
    if (isLost || frames[0]![COMMAND_AT] !== commandIds.sendRefused) return true;
    isLost = true;
    return false;
  };
  sender.send("tally", "t", "no such handler", 1);
  await pause(100);
  expect(isLost).toBe(true);
  const told = cluster.events.flatMap((event) => (event.type === "SendRefused" ? [event.name, event.error.code] : []));
  expect(told).toEqual(["no such handler", "outcomeUnknown"]);
});

it("I2: a refusal finds its way to a node that no link leads to, once the store says where that is", async () => {
  cluster = await startCluster(["a"]);
  const sender = await cluster.add("c", { placementWeight: 0 });
  await sender.getOrCreate("tally", "t");
  await readTally(sender, "t");
  cluster.network.watch = (_from, _to, frames) => {
    if (frames[0]![COMMAND_AT] !== commandIds.sendRefused) return true;
    cluster.network.watch = () => true;
    return false;
  };
  let failures = 0;
  const nodes = cluster.store.nodes.bind(cluster.store);
  cluster.store.nodes = () => {
    if (++failures > 2) cluster.store.nodes = nodes;
    return Promise.resolve({ outcome: "unknown", reason: "away" });
  };
  sender.send("tally", "t", "no such handler", 1);
  while (!cluster.events.some(({ type }) => type === "SendRefused")) await pause(20);
  expect(failures).toBeGreaterThan(2);
});

it("I2, N2: a refusal that is said again while its message waits for the next try is no second answer", async () => {
  cluster = await startCluster([], { deadlines: { followMs: 20 } });
  const transport = cluster.network.transport();
  const old = await cluster.add("a", { transport });
  const sender = await cluster.add("c", { placementWeight: 0 });
  await sender.getOrCreate("tally", "t");
  await readTally(sender, "t");
  await cluster.add("b");
  await old.relocate("t", { to: "b" });
  await pause(60);
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const read = cluster.store.read.bind(cluster.store);
  cluster.store.read = async (key) => {
    await released;
    return read(key);
  };
  let refused: SendRefused | undefined;
  cluster.network.watch = (_from, _to, frames) => {
    if (frames[0]![COMMAND_AT] === commandIds.sendRefused) refused = decodeRecord(frames) as SendRefused;
    return true;
  };
  sender.send("tally", "t", "note", 1);
  while (!refused) await pause(5);
  transport.send(
    sender.rid,
    encodeRecord({ ...refused, terminalResult: "terminated", failureCode: "requestFailed" }),
    "control",
  );
  await pause(20);
  release();
  expect((await readTally(sender, "t")).seen).toEqual([1]);
  expect(cluster.events.filter(({ type }) => type === "SendRefused")).toEqual([]);
});

/** Answers the next read of `t` with what was read before. */
function stale(store: AuthorityStore): { keep(): Promise<void>; giveOnce(): void } {
  const read = store.read.bind(store);
  let kept: ReadAnswer | undefined;
  let isDue = false;
  store.read = async (key) => {
    if (!isDue || key !== actorAuthorityKey("t")) return read(key);
    isDue = false;
    return kept!;
  };
  return { keep: async () => void (kept = await read(actorAuthorityKey("t"))), giveOnce: () => (isDue = true) };
}

it("N4: a look-up that is older than what the sender knows starts no numbers anew", async () => {
  cluster = await startCluster(["a"], { deadlines: { followMs: 20 } });
  const sender = await cluster.add("c", { placementWeight: 0 });
  await sender.getOrCreate("tally", "t");
  const reader = stale(cluster.store);
  await reader.keep();
  await cluster.nodes[0]!.close();
  const second = await cluster.add("b");
  await sender.getOrCreate("tally", "t");
  sender.send("tally", "t", "note", 1);
  await readTally(sender, "t");
  const third = await cluster.add("d");
  await second.relocate("t", { to: third.name });
  await pause(60);
  // The old node follows no more, so the route has to be looked up, and the store's answer is an old one.
  reader.giveOnce();
  sender.send("tally", "t", "note", 2);
  sender.send("tally", "t", "note", 3);
  await pause(100);
  expect((await readTally(sender, "t")).seen).toEqual([1, 2, 3]);
});
