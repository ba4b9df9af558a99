import { afterEach, expect, it } from "vitest";
import { payloadOf } from "../src/index.ts";
import { ownerOf, startCluster, type Cluster } from "./support/cluster.ts";

let cluster: Cluster;
afterEach(() => cluster.close());

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

it("tells operators what a node holds, which is next to nothing at rest (I8)", async () => {
  cluster = await startCluster(["a", "b"], {
    deadlines: { followMs: 50, sealMs: 1_600, moveMs: 1_000, storeResolutionMs: 500 },
  });
  const [a, b] = cluster.nodes;
  const session = a!.openSession({
    onPush: () => undefined,
    onSendRefused: () => undefined,
    onBindingLost: () => undefined,
  });
  await session.bind("tally", "t");
  const owner = ownerOf(cluster, "t");
  const other = owner === a ? b! : a!;
  session.send("t", payloadOf("slow", { number: 1, ms: 40 }));
  const moved = owner.relocate("t", { to: other.name });
  await pause(15);
  session.send("t", payloadOf("note", 2));
  await pause(5);
  expect(owner.counts()).toMatchObject({ actors: 1, outboundMoves: 1 });
  expect(owner.counts().heldMessages).toBeGreaterThan(0);
  expect(a!.counts()).toMatchObject({ sessions: 1, bindings: 1 });
  await moved;
  expect(owner.counts()).toMatchObject({ actors: 0, follows: 1 });
  await pause(1_800);
  for (const node of cluster.nodes) {
    expect(node.counts()).toMatchObject({
      queuedMessages: 0,
      earlyMessages: 0,
      heldMessages: 0,
      outboundMoves: 0,
      inboundMoves: 0,
      follows: 0,
      followingMessages: 0,
      openRequests: 0,
      seals: 0,
      sealedBytes: 0,
      timers: 2,
    });
  }
});
