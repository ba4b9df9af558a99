import { afterEach, expect, it } from "vitest";
import { defineActor } from "../../src/index.ts";
import { startCluster, type Cluster } from "../support/cluster.ts";

let cluster: Cluster;
afterEach(() => cluster.close());

const Slow = defineActor<null>({
  type: "slow",
  create: () => null,
  on: {
    late: async (_ctx, value: { answer: string; ms: number }) => {
      await new Promise((resolve) => setTimeout(resolve, value.ms));
      return value.answer;
    },
  },
  capture: () => null,
  restore: () => null,
});

it("S18, Q2: an answer is for the run that asked; a newer run of the same node does not take it for its own", async () => {
  cluster = await startCluster(["a"], { actors: [Slow] });
  const [a] = cluster.nodes;
  await a!.getOrCreate("slow", "s");
  const first = await cluster.add("b", { placementWeight: 0 });
  // Each run numbers its requests from 1 on: the first one of the newer run has the number of the older one's.
  const lost = first.request("slow", "s", "late", { answer: "of the first run", ms: 150 }).catch(() => "lost");
  await new Promise((resolve) => setTimeout(resolve, 20));
  await first.close();
  expect(await lost).toBe("lost");
  const second = await cluster.add("b", { placementWeight: 0 });
  expect(second.nodeGeneration).toBe(first.nodeGeneration + 1n);
  const answer = await second.request("slow", "s", "late", { answer: "of the second", ms: 1 });
  expect(answer).toBe("of the second");
  expect(cluster.logs).toContainEqual(expect.objectContaining({ event: "reply.unsent" }));
});
