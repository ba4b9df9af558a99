import { afterEach, describe, expect, it } from "vitest";
import { ACTOR, diary } from "./book.ts";
import { nodeSender } from "./senders.ts";
import { Stage, type Seat } from "./stage.ts";

let stage: Stage;
afterEach(() => stage.close());

describe("D5: a node that is shut down", () => {
  it("D5, I2: tells the senders of what still looks for its receiver", async () => {
    stage = await Stage.open();
    const actors = (process: Seat["process"]) => [diary(stage.book, process, {})];
    const a = await stage.add("a", actors);
    await stage.settle(a.node.getOrCreate(ACTOR, "t"));
    const b = await stage.add("b", actors, { placementWeight: 0 });
    const sender = nodeSender(stage, b, "t");
    // The store takes longer to say where the actor is than the node has left.
    stage.store.terms = { ...stage.store.terms, latencyMs: { least: 2_000, most: 2_000 } };
    sender.send();
    sender.ask();
    await stage.settle(b.node.shutdown({ deadlineMs: 50 }));
    expect(stage.time.nowMs).toBeLessThan(2_000);
    await stage.pass(5_000);
    expect(sender.refused().map(({ number, code }) => [number, code])).toEqual([[1, "notConnected"]]);
    expect(sender.answers.get(2)?.outcome).toBe("notConnected");
    expect(stage.book.turns).toEqual([]);
    expect([...stage.book.faults, ...stage.broken]).toEqual([]);
  });
});
