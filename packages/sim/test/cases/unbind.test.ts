import { afterEach, describe, expect, it } from "vitest";
import { ACTOR, diary } from "./book.ts";
import { clientSender, read } from "./senders.ts";
import { Stage, type Seat } from "./stage.ts";

let stage: Stage;
afterEach(() => stage.close());

describe("I2: a client that unbinds", () => {
  it("I2: hears of everything that it sent before, although the actor is found to be gone meanwhile", async () => {
    stage = await Stage.open();
    const actors = (process: Seat["process"]) => [diary(stage.book, process, {})];
    const a = await stage.add("a", actors);
    const g = await stage.add("g", () => [], { placementWeight: 0 });
    const client = await clientSender(stage, g, "t", "client");
    await read(stage, g, "t");
    a.process.kill();
    // Long enough for the lease to end; the new run of the node knows nothing of the actor.
    await stage.pass(1_300);
    let refusals = 0;
    stage.taps.push(({ command, from, at }) => {
      if (command !== "sendRefused" || at !== g || ++refusals > 1) return;
      // The rest comes once the store has been asked what became of the actor.
      stage.time.after(20, stage.network.block(from.nodeRid, at.rid));
    });
    for (let count = 0; count < 3; count++) client.send();
    const unbound = client.session.unbind("t");
    await stage.add("a", actors);
    await stage.settle(unbound);
    expect(client.refused().map(({ number }) => number)).toEqual([1, 2, 3]);
    expect(client.lost).toEqual([]);
    expect(stage.eventsOf("NodeFailed")).toEqual([]);
    expect([...stage.book.faults, ...stage.broken]).toEqual([]);
  });
});

describe("N5: a client that unbinds", () => {
  it("N5: leaves no place empty: what it sent after a message that was lost does not wait in vain", async () => {
    stage = await Stage.open();
    const actors = (process: Seat["process"]) => [diary(stage.book, process, {})];
    const a = await stage.add("a", actors);
    await stage.settle(a.node.getOrCreate(ACTOR, "t"));
    const quiet = { placementWeight: 0 };
    await stage.add("b", actors, quiet);
    const g = await stage.add("g", () => [], quiet);
    const client = await clientSender(stage, g, "t", "client");
    await read(stage, g, "t");
    // The first is stuck on the way; the others, and the unbind, are held behind the seal of a move.
    const resume = stage.network.block(g.rid, a.rid);
    client.send();
    const move = a.node.relocate("t", { to: "b" });
    await stage.pass(10);
    client.send();
    client.send();
    const unbound = client.session.unbind("t");
    stage.network.cut(g.rid, a.rid);
    // There is room for the two that were held, and none for a marker.
    stage.network.terms = { ...stage.network.terms, fullAt: 2 };
    resume();
    await expect(stage.settle(move)).rejects.toThrow("sessionOwnerUnavailable");
    await stage.settle(unbound);
    await stage.pass(300);
    expect(client.refused().map(({ number, code }) => [number, code])).toEqual([[1, "outcomeUnknown"]]);
    expect(stage.book.numbers("t", "client")).toEqual([2, 3]);
    expect([...stage.book.faults, ...stage.broken]).toEqual([]);
  });
});
