import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defineActor, RuntimeError, type Node } from "../src/index.ts";
import { otherThan, ownerOf, startCluster, type Cluster } from "./support/cluster.ts";

let cluster: Cluster;
afterEach(() => cluster.close());

/** What an untyped caller may pass. */
const NO_NAMES: readonly unknown[] = ["", "x".repeat(256), "a\0b", "\ud800", undefined, null, 5, {}];
/** Without characters that a report could not hold. */
const titleOf = (value: unknown): string => encodeURIComponent((JSON.stringify(value) ?? "undefined").slice(0, 12));
const never = (value: unknown): never => value as never;

describe("names and ids that cannot travel are refused where they are given", () => {
  let node: Node;
  beforeEach(async () => {
    cluster = await startCluster(["a", "b"], { deadlines: { requestMs: 2_000 } });
    await cluster.nodes[0]!.getOrCreate("tally", "t");
    // Not its owner, and without a route in its memory.
    node = otherThan(cluster, ownerOf(cluster, "t"));
  });

  it.each(NO_NAMES.map((name) => [titleOf(name), name]))(
    "%s as a message's name, and nothing is left behind (N4)",
    async (_title, name) => {
      for (const round of ["without a route", "with one"]) {
        expect(() => node.send("tally", "t", never(name)), round).toThrow(RuntimeError);
        await expect(node.request("tally", "t", never(name)), round).rejects.toMatchObject({ code: "invalidArgument" });
        // No hole in this node's stream: the next message is run at once.
        expect(await node.request("tally", "t", "ask", 2), round).toBe(4);
      }
    },
  );

  it.each(NO_NAMES.map((id) => [titleOf(id), id]))("%s as an id", async (_title, id) => {
    const refused = { code: "invalidArgument" };
    expect(() => node.send("tally", never(id), "note", 1)).toThrow(RuntimeError);
    await expect(node.request("tally", never(id), "read")).rejects.toMatchObject(refused);
    await expect(node.getOrCreate("tally", never(id))).rejects.toMatchObject(refused);
    await expect(node.destroy("tally", never(id))).rejects.toMatchObject(refused);
    await expect(node.createSpot("room", never(id))).rejects.toMatchObject(refused);
    await expect(node.relocate("t", { to: never(id) })).rejects.toMatchObject(refused);
  });

  it("no options for a move, and waits that no timer can count", async () => {
    await expect(node.relocate("t", never(undefined))).rejects.toMatchObject({ code: "invalidArgument" });
    for (const timeoutMs of [Number.NaN, 0, -1, Number.POSITIVE_INFINITY, never("5")]) {
      await expect(node.request("tally", "t", "read", undefined, { timeoutMs })).rejects.toMatchObject({
        code: "invalidArgument",
      });
    }
  });
});

describe("a capture or restore that forgets to return", () => {
  it.each(["capture", "restore"] as const)("%s: the move is undone, the state stays (I6)", async (which) => {
    const Forgetful = defineActor<{ count: number }>({
      type: "forgetful",
      create: () => ({ count: 0 }),
      on: { add: (ctx) => ++ctx.state.count },
      capture: (state) => (which === "capture" ? undefined : state),
      restore: (state: { count: number }) => (which === "restore" ? never(undefined) : state),
    });
    cluster = await startCluster(["a", "b"], { actors: [Forgetful] });
    const [node] = cluster.nodes;
    await node!.getOrCreate("forgetful", "f");
    expect(await node!.request("forgetful", "f", "add")).toBe(1);
    const owner = ownerOf(cluster, "f");
    await expect(owner.relocate("f", { to: otherThan(cluster, owner).name })).rejects.toMatchObject({
      code: "moveFailed",
    });
    expect(await node!.request("forgetful", "f", "add")).toBe(2);
  });

  it("is no fault where there is no state", async () => {
    const Stateless = defineActor<undefined>({
      type: "stateless",
      create: () => undefined,
      on: { ping: () => "pong" },
      capture: () => undefined,
      restore: () => undefined,
    });
    cluster = await startCluster(["a", "b"], { actors: [Stateless] });
    const [node] = cluster.nodes;
    await node!.getOrCreate("stateless", "s");
    const owner = ownerOf(cluster, "s");
    await owner.relocate("s", { to: otherThan(cluster, owner).name });
    expect(await node!.request("stateless", "s", "ping")).toBe("pong");
  });
});
