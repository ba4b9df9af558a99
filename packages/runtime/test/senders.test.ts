import { commandIds, decodeRecord } from "@rehome/wire";
import { afterEach, describe, expect, it } from "vitest";
import { defineActor, payloadOf, valueOf, type ActorContext } from "../src/index.ts";
import { otherThan, ownerOf, readTally, startCluster, Tally, type Cluster } from "./support/cluster.ts";

/** Where a record's first frame says its command (`wire.md` 1). */
const COMMAND_AT = 3;

let cluster: Cluster;
afterEach(() => cluster.close());

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function moveOn(actorId: string): Promise<void> {
  const owner = ownerOf(cluster, actorId);
  await owner.relocate(actorId, { to: otherThan(cluster, owner).name });
}

describe("an actor that sends to another one (N4)", () => {
  it("loses and doubles nothing while it moves there and back", async () => {
    cluster = await startCluster(["a", "b"]);
    const [a] = cluster.nodes;
    await a!.getOrCreate("tally", "from");
    await a!.getOrCreate("tally", "to");
    for (let stop = 0; stop < 8; stop++) {
      for (const n of numbers(3)) await a!.request("tally", "from", "forward", { to: "to", number: stop * 3 + n });
      await moveOn("from");
      if (stop % 3 === 0) await moveOn("to");
    }
    await pause(30);
    expect((await readTally(a!, "to")).seen).toEqual(numbers(24));
    expect(cluster.events.filter(({ type }) => type === "SendRefused")).toEqual([]);
  });

  it("moves only once all that it has sent has its number, however slow the look-up", async () => {
    cluster = await startCluster(["a", "b"]);
    // Made by a third node, so that neither of the two knows the way yet.
    const a = await cluster.add("c", { placementWeight: 0 });
    await a.getOrCreate("tally", "from");
    await a.getOrCreate("tally", "to");
    const read = cluster.store.read.bind(cluster.store);
    cluster.store.read = async (key) => {
      if (key.endsWith(":to")) await pause(40);
      return read(key);
    };
    await a.request("tally", "from", "forward", { to: "to", number: 1 });
    const owner = ownerOf(cluster, "from");
    const to = cluster.nodes.find((node) => node !== owner && node !== a)!;
    await owner.relocate("from", { to: to.name });
    await a.request("tally", "from", "forward", { to: "to", number: 2 });
    await pause(120);
    expect((await readTally(a, "to")).seen).toEqual([1, 2]);
  });

  it("takes what is sent outside a turn during a move back to the source, or refuses it after the departure", async () => {
    let context: ActorContext<number> | undefined;
    let failing = true;
    const Chatty = defineActor<number>({
      type: "chatty",
      create: (ctx) => {
        context = ctx;
        return 0;
      },
      on: {},
      capture: async (state) => {
        // What cannot be sent is refused at once, and keeps nothing from what waits with it.
        expect(() => context!.send({ type: "tally", id: "" }, "note", 0)).toThrow(/receiver's id/);
        await expect(context!.request({ type: "", id: "to" }, "note", 0)).rejects.toThrow(/receiver's type/);
        context!.send({ type: "tally", id: "to" }, "note", failing ? 1 : 2);
        await pause(10);
        if (failing) throw new Error("not now");
        return state;
      },
      restore: (state: number) => state,
    });
    cluster = await startCluster(["a", "b"], { actors: [Tally, Chatty] });
    const [a] = cluster.nodes;
    await a!.getOrCreate("chatty", "c");
    await a!.getOrCreate("tally", "to");
    await expect(moveOn("c")).rejects.toMatchObject({
      cause: { code: "captureFailed", cause: { message: "not now" } },
    });
    await pause(20);
    expect((await readTally(a!, "to")).seen).toEqual([1]);
    failing = false;
    await moveOn("c");
    expect(cluster.events).toContainEqual(expect.objectContaining({ type: "SendRefused", name: "note" }));
    expect(() => context!.send({ type: "tally", id: "to" }, "note", 3)).toThrow(/lives elsewhere/);
    expect((await readTally(a!, "to")).seen).toEqual([1]);
  });
});

describe("a session owner that dies and comes back under its name (O1)", () => {
  it("neither hears what was meant for its former sessions, nor keeps their actors from moving", async () => {
    cluster = await startCluster(["a", "b"]);
    const generations: bigint[] = [];
    cluster.network.watch = (_from, _to, frames) => {
      const command = frames[0]![COMMAND_AT] === commandIds.boundSessionBind ? decodeRecord(frames) : undefined;
      if (command?.command === "boundSessionBind" && command.binding.state === "active") {
        generations.push(command.binding.bindingGeneration);
      }
      return true;
    };
    const open = async (pushes: unknown[]) => {
      const gate = await cluster.add("gate", { placementWeight: 0, actors: [], spots: [] });
      const session = gate.openSession({
        onPush: (_actorId, payload) => pushes.push(valueOf(payload)),
        onSendRefused: () => undefined,
        onBindingLost: () => undefined,
      });
      await session.bind("tally", "t");
      return { gate, session };
    };
    const before: unknown[] = [];
    const first = await open(before);
    // It dies: its links break, and nobody is told anything.
    for (const node of cluster.nodes) if (node !== first.gate) cluster.network.cut(first.gate.rid, node.rid);
    cluster.network.remove(first.gate.rid);
    const after: unknown[] = [];
    const second = await open(after);
    second.session.send("t", payloadOf("announce", 1));
    await pause(20);
    expect(after).toEqual([1]);
    for (let move = 0; move < 4; move++) await moveOn("t");
    second.session.send("t", payloadOf("announce", 2));
    await pause(20);
    expect(after).toEqual([1, 2]);
    expect(before).toEqual([]);
    expect(new Set(generations).size).toBe(2);
    expect(cluster.nodes.flatMap((node) => (node === first.gate ? [] : node.actors()))).toHaveLength(1);
  });
});
