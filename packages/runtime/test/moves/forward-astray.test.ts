import { commandIds, type Rid } from "@rehome/wire";
import { afterEach, expect, it } from "vitest";
import type { Node } from "../../src/index.ts";
import { ownerOf, readTally, startCluster, type Cluster } from "../support/cluster.ts";
import { pause, until } from "../support/hall.ts";

/** Where a record's first frame says its command (`wire.md` 1). */
const COMMAND_AT = 3;

let cluster: Cluster;
afterEach(() => cluster.close());

interface Stage {
  readonly sender: Node;
  readonly owner: Node;
  readonly target: Node;
  readonly seen: () => Promise<readonly number[]>;
  readonly told: () => readonly unknown[];
  /** From here on the owner's 31s go to a node that has heard of nothing, or no more. */
  readonly misdirect: (on: boolean) => void;
  readonly strays: () => number;
}

/** An actor "t" on its owner, and links between all. */
async function stage(): Promise<Stage> {
  cluster = await startCluster([]);
  const target = await cluster.add("b", { placementWeight: 0 });
  const transport = cluster.network.transport();
  let straysTo: Rid | undefined;
  let strays = 0;
  const owner = await cluster.add("a", {
    transport: {
      ...transport,
      send: (rid, frames, traffic) => {
        const isStray = straysTo !== undefined && frames[0]![COMMAND_AT] === commandIds.relocationData;
        if (isStray) strays += 1;
        return transport.send(isStray ? straysTo! : rid, frames, traffic);
      },
    },
  });
  const sender = await cluster.add("c", { placementWeight: 0 });
  await sender.getOrCreate("tally", "t");
  await readTally(sender, "t");
  const stranger = await cluster.add("d");
  await sender.getOrCreate("tally", "u");
  if (ownerOf(cluster, "u") === owner) await owner.relocate("u", { to: stranger.name });
  await readTally(owner, "u");
  await readTally(sender, "u");
  return {
    sender,
    owner,
    target,
    seen: async () => (await readTally(sender, "t")).seen,
    told: () =>
      cluster.events.flatMap((event) => (event.type === "SendRefused" ? [[event.node, event.error.code]] : [])),
    misdirect: (on) => (straysTo = on ? stranger.rid : undefined),
    strays: () => strays,
  };
}

it("I2, N5: who gets a forwarded message of which it knows nothing tells the sender, which fills the place", async () => {
  const { sender, owner, target, seen, told, misdirect, strays } = await stage();
  await owner.relocate("t", { to: target.name });
  misdirect(true);
  sender.send("tally", "t", "note", 1);
  const asked = sender.request("tally", "t", "ask", 2).catch((error: { code: string }) => error.code);
  await until("both senders are told", () => told().length > 0);
  expect(await asked).toBe("outcomeUnknown");
  expect(strays()).toBe(2);
  misdirect(false);
  sender.send("tally", "t", "note", 3);
  await until("the next one has run", async () => (await seen()).length > 0);
  expect([await seen(), told()]).toEqual([[3], [[sender.name, "outcomeUnknown"]]]);
});

it("I2: a record of a move under way that goes astray is ignored, as the source still holds the message", async () => {
  const { sender, owner, target, seen, told, misdirect, strays } = await stage();
  misdirect(true);
  sender.send("tally", "t", "slow", { number: 1, ms: 200 });
  await pause(50);
  const moved = owner.relocate("t", { to: target.name }).then(
    () => "committed",
    () => "undone",
  );
  await until("the actor stops", () => owner.counts().outboundMoves === 1);
  sender.send("tally", "t", "note", 2);
  expect(await moved).toBe("undone");
  expect(strays()).toBe(1);
  await until("both have run", async () => (await seen()).length === 2);
  expect([await seen(), told()]).toEqual([[1, 2], []]);
});
