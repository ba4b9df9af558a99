import { createMemoryStore, type AuthorityStore } from "@rehome/core";
import { afterEach, describe, expect, it } from "vitest";
import { systemClock, type Node } from "../../src/index.ts";
import { otherThan, ownerOf, readTally, startCluster, type Cluster } from "../support/cluster.ts";

let cluster: Cluster;
afterEach(() => cluster.close());

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function kill(node: Node, store: AuthorityStore): Promise<void> {
  const listed = await store.nodes("test");
  const nodes = listed.outcome === "listed" ? listed.nodes : [];
  const { descriptor } = nodes.find(({ descriptor: { owner } }) => owner.nodeRid === node.rid)!;
  for (const other of cluster.nodes) if (other !== node) cluster.network.cut(node.rid, other.rid);
  cluster.network.remove(node.rid);
  await store.release(descriptor.owner);
}

describe("a source that is lost after its 34", () => {
  it("L3: the target's own commit makes the actor's owner, with the payload that it holds", async () => {
    const store = createMemoryStore({ clock: systemClock });
    cluster = await startCluster(["a", "b"], { store });
    await cluster.nodes[0]!.getOrCreate("tally", "t");
    const source = ownerOf(cluster, "t");
    const target = otherThan(cluster, source);
    for (let n = 1; n <= 5; n++) target.send("tally", "t", "note", n);
    await readTally(target, "t");
    const commit = store.commit.bind(store);
    let wasAsked = false;
    store.commit = async (request) => {
      // The 34 has matched; the source dies before the write, and somebody asks for the actor at once.
      store.commit = commit;
      await kill(source, store);
      const asked = target.getOrCreate("tally", "t");
      await pause(50);
      expect(target.actors()).toEqual([]);
      wasAsked = true;
      const answer = await commit(request);
      void asked;
      return answer;
    };
    void source.relocate("t", { to: target.name }).catch(() => undefined);
    while (!wasAsked || target.actors().length === 0) await pause(5);
    expect((await readTally(target, "t")).seen).toEqual([1, 2, 3, 4, 5]);
    expect(await target.getOrCreate("tally", "t")).toEqual({ created: false });
    expect(cluster.events.filter(({ type }) => type === "ActorRecreated")).toEqual([]);
  });

  it("L3: a target that has only part of it, or no 34, holds nothing: the actor begins again, and that is said", async () => {
    const store = createMemoryStore({ clock: systemClock });
    cluster = await startCluster(["a", "b"], { store });
    await cluster.nodes[0]!.getOrCreate("tally", "t");
    const source = ownerOf(cluster, "t");
    const target = otherThan(cluster, source);
    await target.request("tally", "t", "ask", 1);
    let isCut = false;
    cluster.network.watch = (from) => {
      // The first record from the target during the move is its 30: the 34 never comes.
      if (from !== target.rid || isCut) return true;
      isCut = true;
      return false;
    };
    const moved = source.relocate("t", { to: target.name }).catch((error: unknown) => error);
    while (!isCut) await pause(2);
    await kill(source, store);
    await moved;
    await target.getOrCreate("tally", "t");
    expect((await readTally(target, "t")).seen).toEqual([]);
    expect(cluster.events.filter(({ type }) => type === "ActorRecreated")).toMatchObject([{ from: "new" }]);
  });
});
