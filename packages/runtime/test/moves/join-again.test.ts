import { afterEach, expect, it } from "vitest";
import { defineActor } from "../../src/index.ts";
import { Room, startCluster, type Cluster } from "../support/cluster.ts";
import { until } from "../support/hall.ts";

/** How many joins it asks for, each on hearing of the last one. */
const JOINS = 4;

/** An actor that asks for the same spot again in the turn in which it hears of its last join. */
const Stubborn = defineActor<{ answers: string[] }>({
  type: "stubborn",
  create: () => ({ answers: [] }),
  on: {
    join: (ctx, spotId: string) => ctx.join(spotId),
    read: (ctx) => ctx.state.answers,
  },
  onJoin: (ctx, result) => {
    ctx.state.answers.push(result.outcome === "accepted" ? "accepted" : result.reason);
    if (ctx.state.answers.length < JOINS) ctx.join(result.spotId);
  },
  capture: (state) => state,
  restore: (value: { answers: string[] }) => value,
});

let cluster: Cluster;
afterEach(() => cluster.close());

async function answersOf(spotId: string): Promise<string[]> {
  const [node] = cluster.nodes;
  await node!.getOrCreate("stubborn", "s");
  await node!.request("stubborn", "s", "join", spotId);
  let answers: string[] = [];
  await until("every join is answered", async () => {
    answers = (await node!.request("stubborn", "s", "read")) as string[];
    return answers.length === JOINS;
  });
  return answers;
}

it("J1, O2: a join asked for on hearing that the last one was refused has an answer of its own", async () => {
  cluster = await startCluster(["a"], { actors: [Stubborn] });
  expect(await answersOf("nowhere")).toEqual(new Array(JOINS).fill("there is no such spot"));
});

it("J1, O2, J6: a join asked for on hearing that the last one was accepted is not taken for that one", async () => {
  cluster = await startCluster(["a"], { actors: [Stubborn], spots: [Room] });
  await cluster.nodes[0]!.createSpot("room", "r");
  expect(await answersOf("r")).toEqual(new Array(JOINS).fill("accepted"));
});
