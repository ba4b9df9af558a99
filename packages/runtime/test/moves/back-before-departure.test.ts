import type { ReadAnswer } from "@rehome/core";
import { actorAuthorityKey } from "@rehome/wire";
import { afterEach, expect, it } from "vitest";
import { defineSpot, systemClock } from "../../src/index.ts";
import { startCluster, type Cluster } from "../support/cluster.ts";
import { until } from "../support/hall.ts";

let cluster: Cluster;
afterEach(() => cluster.close());

/** A spot that writes down who comes and goes. */
function diary(entries: string[]) {
  return defineSpot({
    type: "diary",
    create: () => ({}),
    admit: (_state, { actorId }) => {
      entries.push(`${actorId} asks`);
      return { accept: true };
    },
    onJoin: (_state, { actorId }) => entries.push(`${actorId} joins`),
    onLeave: (_state, { actorId }) => entries.push(`${actorId} leaves`),
  });
}

it("O9: an actor that is back in its spot before the spot's node knew that it had left has left first, and stays", async () => {
  const entries: string[] = [];
  cluster = await startCluster(["a"], { spots: [diary(entries)] });
  const [a] = cluster.nodes;
  await a!.createSpot("diary", "d");
  await a!.getOrCreate("tally", "x");
  const b = await cluster.add("b");
  a!.send("tally", "x", "join", "d");
  await until("it is in", () => entries.includes("x joins"));

  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const commit = cluster.store.commit.bind(cluster.store);
  const read = cluster.store.read.bind(cluster.store);
  let isEvidence = false;
  cluster.store.commit = async (...args) => {
    const answer = await commit(...args);
    isEvidence = true;
    return answer;
  };
  cluster.store.read = async (key): Promise<ReadAnswer> => {
    if (!isEvidence || key !== actorAuthorityKey("x")) return read(key);
    cluster.store.read = read;
    const answer = await read(key);
    await released;
    return answer;
  };
  const moved = a!.relocate("x", { to: "b" });
  await until("it is away", () => b.actors().length === 1);
  cluster.store.commit = commit;
  await until("its former node looks", () => cluster.store.read === read);
  b.send("tally", "x", "join", "d");
  await until("it is back", () => a!.spots()[0]!.members.length === 1 && b.actors().length === 0);
  release();
  await moved;
  expect(entries).toEqual(["x asks", "x joins", "x asks", "x leaves", "x joins"]);
  expect(a!.spots()).toMatchObject([{ members: ["x"] }]);
});

it("L1: a spot of a process that has slept past its lease admits nobody", async () => {
  const entries: string[] = [];
  let sleptMs = 0;
  const clock = { ...systemClock, nowMs: () => systemClock.nowMs() + sleptMs };
  cluster = await startCluster([], { spots: [diary(entries)] });
  const a = await cluster.add("a", { clock });
  await a.createSpot("diary", "d");
  const b = await cluster.add("b");
  await a.getOrCreate("tally", "x");
  await a.relocate("x", { to: "b" }).catch(() => undefined);
  let asked = 0;
  cluster.network.watch = (from, to) => {
    if (from === b.rid && to === a.rid) asked += 1;
    return true;
  };
  sleptMs = 3_600_000;
  b.send("tally", "x", "join", "d");
  await until("it is asked", () => asked > 0);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(entries).toEqual([]);
});
