import { afterEach, expect, it } from "vitest";
import { defineActor } from "../../src/index.ts";
import { otherThan, ownerOf, startCluster, type Cluster } from "../support/cluster.ts";

let cluster: Cluster;
afterEach(() => cluster.close());

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

it("T12, I6: a capture that ends after its move was undone stops none of the actor's timers", async () => {
  const Slow = defineActor<string[]>({
    type: "slow",
    create: () => [],
    on: {
      timer: (ctx, value: { name: string; ms: number }) => ctx.setTimer(value.name, value.ms),
      read: (ctx) => ctx.state,
    },
    capture: async (state) => {
      await pause(300);
      return state;
    },
    restore: (state: string[]) => state,
    onTimer: (ctx, name) => ctx.state.push(name),
  });
  cluster = await startCluster(["a", "b"], { actors: [Slow] });
  const [a] = cluster.nodes;
  await a!.getOrCreate("slow", "s");
  const owner = ownerOf(cluster, "s");
  await a!.request("slow", "s", "timer", { name: "before", ms: 500 });
  const other = otherThan(cluster, owner);
  const moved = owner.relocate("s", { to: other.name });
  setTimeout(() => cluster.network.cut(owner.rid, other.rid), 50);
  await expect(moved).rejects.toMatchObject({ code: "moveFailed" });
  await pause(300);
  await a!.request("slow", "s", "timer", { name: "after", ms: 20 });
  await pause(500);
  expect(await a!.request("slow", "s", "read")).toEqual(["after", "before"]);
});
