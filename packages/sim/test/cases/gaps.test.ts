import { afterEach, describe, expect, it } from "vitest";
import { ACTOR, diary, type Manners } from "./book.ts";
import { nodeSender, read } from "./senders.ts";
import { Stage, type Seat } from "./stage.ts";

const FOLLOW_MS = 2_000;

let stage: Stage;
afterEach(() => stage.close());

/** Actor `t` lives on `a`; `b` may take it; `c` has sent it a message that was lost on the way, and one after it. */
async function cast(manners: Manners): Promise<Seat> {
  stage = await Stage.open({ deadlines: { followMs: FOLLOW_MS } });
  const actors = (process: Seat["process"]) => [diary(stage.book, process, manners)];
  const a = await stage.add("a", actors);
  await stage.settle(a.node.getOrCreate(ACTOR, "t"));
  const quiet = { placementWeight: 0 };
  await stage.add("b", actors, quiet);
  const c = await stage.add("c", actors, quiet);
  await read(stage, c, "t");
  const sender = nodeSender(stage, c, "t");
  let isLost = true;
  stage.taps.push(({ command, from }) =>
    isLost && command === "actorSend" && from.nodeRid === c.rid ? "lost" : undefined,
  );
  sender.send();
  await stage.pass(5);
  isLost = false;
  sender.send();
  await stage.pass(5);
  expect(stage.book.numbers("t", "c")).toEqual([]);
  return a;
}

describe("N4: a gap that nobody fills is given up after the follow period", () => {
  it("N4: on the node that the actor has moved to, which hears nothing more of that sender", async () => {
    const a = await cast({});
    await stage.settle(a.node.relocate("t", { to: "b" }));
    await stage.pass(FOLLOW_MS - 100);
    expect(stage.book.numbers("t", "c")).toEqual([]);
    await stage.pass(200);
    expect(stage.book.numbers("t", "c")).toEqual([2]);
    expect(stage.holders("t")).toEqual(["b"]);
    expect([...stage.book.faults, ...stage.broken]).toEqual([]);
  });

  it("N4: on a node whose move was undone after the period had passed", async () => {
    const a = await cast({ captureMs: 400, unreadable: () => true });
    await stage.pass(FOLLOW_MS - 100);
    await expect(stage.settle(a.node.relocate("t", { to: "b" }))).rejects.toThrow("undone");
    await stage.pass(10);
    expect(stage.book.numbers("t", "c")).toEqual([2]);
    expect(stage.holders("t")).toEqual(["a"]);
    expect([...stage.book.faults, ...stage.broken]).toEqual([]);
  });
});

describe("N5: a request whose refusal is lost with its link", () => {
  it("N5: leaves no gap: its sender's next message runs at once", async () => {
    stage = await Stage.open({ deadlines: { followMs: FOLLOW_MS } });
    const actors = (process: Seat["process"]) => [diary(stage.book, process, {})];
    const a = await stage.add("a", actors);
    await stage.settle(a.node.getOrCreate(ACTOR, "t"));
    const c = await stage.add("c", actors, { placementWeight: 0 });
    await read(stage, c, "t");
    const sender = nodeSender(stage, c, "t");
    // Its arrival is acknowledged; it does not run, and nobody hears why.
    stage.taps.push(({ command }) => (command === "actorRequest" && sender.sent === 1 ? "lost" : undefined));
    const number = sender.ask();
    await stage.pass(10);
    stage.network.cut(a.rid, c.rid);
    await stage.until(() => sender.answers.has(number));
    expect(sender.answers.get(number)?.outcome).toBe("outcomeUnknown");
    sender.send();
    await stage.pass(FOLLOW_MS / 2);
    expect(stage.book.numbers("t", "c")).toEqual([2]);
    expect([...stage.book.faults, ...stage.broken]).toEqual([]);
  });
});
