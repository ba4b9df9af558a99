import type { Transport } from "@rehome/core";
import { commandIds, decodeRecord } from "@rehome/wire";
import { afterEach, describe, expect, it } from "vitest";
import type { Node } from "../../src/index.ts";
import { readTally, startCluster, type Cluster } from "../support/cluster.ts";

/** Where a record's first frame says its command (`wire.md` 1). */
const COMMAND_AT = 3;

let cluster: Cluster;
afterEach(() => cluster.close());

/** Says no to that many data records. */
const room = { refusals: 0 };

function narrow(transport: Transport): Transport {
  return {
    ...transport,
    send(rid, frames, traffic) {
      if (traffic === "data" && room.refusals > 0) {
        room.refusals -= 1;
        return "refused";
      }
      return transport.send(rid, frames, traffic);
    },
  };
}

function isMarker(frames: readonly Uint8Array[]): boolean {
  const command = decodeRecord(frames, { operationOf: () => "actorRequest" });
  return command.command === "actorSend" && command.payload.packetName === "~gone";
}

/** A node of its own that sends, and knows the way to `t`. */
async function startSender(): Promise<Node> {
  cluster = await startCluster(["a"]);
  const sender = await cluster.add("sender", {
    transport: narrow(cluster.network.transport()),
    placementWeight: 0,
    actors: [],
    spots: [],
  });
  await sender.getOrCreate("tally", "t");
  await readTally(sender, "t");
  return sender;
}

async function seenBy(sender: Node): Promise<number[]> {
  return (await Promise.race([readTally(sender, "t"), later()]))?.seen ?? [];
}

const later = (): Promise<undefined> => new Promise((resolve) => setTimeout(resolve, 2_000, undefined));

describe("the marker of a message that found no room (N5)", () => {
  it("is sent again when it finds no room either", async () => {
    const sender = await startSender();
    room.refusals = 2;
    sender.send("tally", "t", "note", 1);
    sender.send("tally", "t", "note", 2);
    sender.send("tally", "t", "note", 3);
    expect(await seenBy(sender)).toEqual([2, 3]);
    expect(cluster.events.map((event) => event.type === "SendRefused" && event.error.code)).toEqual(["backpressured"]);
  });

  it("is sent again when it is lost with its link", async () => {
    const sender = await startSender();
    let isLost = false;
    cluster.network.watch = (_from, _to, frames) => {
      if (isLost || !isMarker(frames)) return true;
      isLost = true;
      return false;
    };
    room.refusals = 1;
    sender.send("tally", "t", "note", 1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(isLost).toBe(true);
    sender.send("tally", "t", "note", 2);
    expect(await seenBy(sender)).toEqual([2]);
  });

  it("is sent for a place that an earlier life of the receiver had a marker for, too", async () => {
    const sender = await startSender();
    const loseOne = async (n: number): Promise<void> => {
      room.refusals = 1;
      sender.send("tally", "t", "note", n);
      sender.send("tally", "t", "note", n + 1);
      expect(await seenBy(sender)).toEqual([n + 1]);
    };
    await loseOne(1);
    await cluster.nodes[0]!.close();
    await cluster.add("b");
    await sender.getOrCreate("tally", "t");
    await readTally(sender, "t");
    await loseOne(3);
  });

  it("is sent for a request whose refusal comes after its sender has given up", async () => {
    cluster = await startCluster([]);
    const transport = cluster.network.transport();
    const slowly: Transport = {
      ...transport,
      send(rid, frames, traffic) {
        if (frames[0]![COMMAND_AT] !== commandIds.reply) return transport.send(rid, frames, traffic);
        setTimeout(() => transport.send(rid, frames, traffic), 60);
        return "accepted";
      },
    };
    await cluster.add("a", { transport: slowly, limits: { mailboxMessages: 1 } });
    const sender = await cluster.add("sender", { placementWeight: 0, actors: [], spots: [] });
    await sender.getOrCreate("tally", "t");
    await readTally(sender, "t");
    sender.send("tally", "t", "slow", { number: 1, ms: 200 });
    await new Promise((resolve) => setTimeout(resolve, 20));
    sender.send("tally", "t", "note", 2);
    const refused = sender.request("tally", "t", "ask", 3, { timeoutMs: 30 });
    await expect(refused).rejects.toMatchObject({ code: "timedOut" });
    await new Promise((resolve) => setTimeout(resolve, 250));
    sender.send("tally", "t", "note", 4);
    expect(await seenBy(sender)).toEqual([1, 2, 4]);
  });
});
