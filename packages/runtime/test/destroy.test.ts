import { actorAuthorityKey } from "@rehome/wire";
import { afterEach, describe, expect, it } from "vitest";
import { defineActor, payloadOf, valueOf } from "../src/index.ts";
import { otherThan, ownerOf, startCluster, type Cluster } from "./support/cluster.ts";

let cluster: Cluster;
afterEach(() => cluster.close());

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const Mortal = defineActor<number>({
  type: "mortal",
  create: () => 0,
  on: {
    add: (ctx) => ++ctx.state,
    wait: (_ctx, ms: number) => pause(ms),
    end: (ctx) => {
      ctx.destroy();
      return "last words";
    },
  },
  capture: async (state) => {
    await pause(60);
    return state;
  },
  restore: (value: number) => value,
});

async function start(): Promise<Cluster> {
  cluster = await startCluster(["a", "b"], { actors: [Mortal] });
  await cluster.nodes[0]!.getOrCreate("mortal", "m");
  return cluster;
}

describe("the end of an actor", () => {
  it("S16: ends after its turn; what was queued is refused, the sessions lose it, and its place in the store is free", async () => {
    await start();
    const owner = ownerOf(cluster, "m");
    const other = otherThan(cluster, owner);
    const lost: string[] = [];
    const session = other.openSession({
      onPush: () => undefined,
      onSendRefused: () => undefined,
      onBindingLost: (actorId, error) => lost.push(`${actorId}:${error.code}`),
    });
    await session.bind("mortal", "m");
    const waiting = other.request("mortal", "m", "wait", 40);
    const last = other.request("mortal", "m", "end");
    const queued = other.request("mortal", "m", "add").catch((error: unknown) => error);
    await waiting;
    expect(await last).toBe("last words");
    expect(await queued).toMatchObject({ code: "notFound" });
    while (lost.length === 0) await pause(2);
    expect(lost).toEqual(["m:notFound"]);
    expect(owner.actors()).toEqual([]);
    expect(await cluster.store.read(actorAuthorityKey("m"))).toMatchObject({
      reading: { record: { state: "destroyed" } },
    });
    expect(await other.getOrCreate("mortal", "m")).toEqual({ created: true });
    expect(await other.request("mortal", "m", "add")).toBe(1);
    await session.bind("mortal", "m");
    expect(valueOf(await session.request("m", payloadOf("add")))).toBe(2);
    expect(cluster.events.filter(({ type }) => type === "ActorRecreated")).toEqual([]);
  });

  it("H7: node.destroy finds an actor wherever it lives, and waits for a move to end", async () => {
    await start();
    const owner = ownerOf(cluster, "m");
    const other = otherThan(cluster, owner);
    const moved = owner.relocate("m", { to: other.name });
    await pause(10);
    await Promise.all([owner.destroy("mortal", "m"), moved]);
    expect([...owner.actors(), ...other.actors()]).toEqual([]);
    await expect(owner.destroy("mortal", "m")).rejects.toMatchObject({ code: "notFound" });
    await owner.getOrCreate("mortal", "m");
    await expect(other.destroy("another", "m")).rejects.toMatchObject({ code: "typeMismatch" });
  });

  it("an end that the store does not take leaves the actor as it was", async () => {
    await start();
    const owner = ownerOf(cluster, "m");
    const destroy = cluster.store.destroy.bind(cluster.store);
    cluster.store.destroy = () => Promise.resolve({ outcome: "staleLease" });
    await expect(owner.destroy("mortal", "m")).rejects.toMatchObject({ code: "leaseLost" });
    cluster.store.destroy = destroy;
    expect(await owner.request("mortal", "m", "add")).toBe(1);
  });
});
