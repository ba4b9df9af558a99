import { afterEach, describe, expect, it } from "vitest";
import { ACTOR, Book, diary, type Manners } from "./book.ts";
import { clientSender, every, nodeSender, read, type Sender } from "./senders.ts";
import { numbers, Stage, type Seat } from "./stage.ts";

let stage: Stage;
afterEach(() => stage.close());

/** Actor `t` lives on `a`; `b` takes it; `c` and `g` only send. */
async function cast(manners: Manners = {}): Promise<Record<"a" | "b" | "c" | "g", Seat>> {
  stage = await Stage.open();
  const actors = (process: Seat["process"]) => [diary(stage.book, process, manners)];
  const a = await stage.add("a", actors);
  await stage.settle(a.node.getOrCreate(ACTOR, "t"));
  const quiet = { placementWeight: 0 };
  return {
    a,
    b: await stage.add("b", actors, quiet),
    c: await stage.add("c", actors, quiet),
    g: await stage.add("g", () => [], quiet),
  };
}

describe("M1: late to the party", () => {
  it.each([
    ["the last turn still runs", { slowTurn: 50, captureMs: 0 }],
    ["the turn has ended and the state is being captured", { slowTurn: 5, captureMs: 50 }],
  ])(
    "M1: while %s, 100 through the old node and 100 through a cached old route run once on the target",
    async (_when, slow) => {
      const { a, c, g } = await cast({ captureMs: slow.captureMs });
      const old = nodeSender(stage, a, "t");
      const third = nodeSender(stage, c, "t");
      const client = await clientSender(stage, g, "t", "client");
      await read(stage, c, "t");
      const routes: string[] = [];
      stage.taps.push(({ command, from, at }) => {
        if (command === "actorSend" && from.nodeRid === c.rid) routes.push(at.name);
      });
      a.node.send(ACTOR, "t", "slow#turn.1", { ms: slow.slowTurn });
      await stage.pass(1);
      const moved = a.node.relocate("t", { to: "b" });
      await stage.pass(8);
      every(stage, 0.35, 100, () => {
        old.send();
        third.send();
        client.send();
      });
      await stage.pass(36);
      // All of them were on their way before the target could open.
      expect(stage.holders("t")).toEqual(["a"]);
      expect(await stage.settle(moved)).toMatchObject({ outcome: "committed" });
      await stage.pass(50);
      expect(routes).toEqual(Array(100).fill("a"));
      for (const { name } of [old, third, client]) {
        expect(stage.book.numbers("t", name)).toEqual(numbers(100));
        expect(new Set(stage.book.of("t", name).map(({ on }) => on))).toEqual(new Set(["b"]));
      }
      expect([...old.refused(), ...third.refused(), ...client.refused()]).toEqual([]);
      expect(await read(stage, c, "t")).toEqual(Book.stateAfter(stage.book.of("t")));
      expect(stage.book.turns).toHaveLength(301);
      expect([...stage.book.faults, ...stage.broken]).toEqual([]);
    },
  );
});

describe("M2: two routes", () => {
  const senders: [string, (seats: Record<"c" | "g", Seat>) => Promise<Sender> | Sender][] = [
    ["node", ({ c }) => nodeSender(stage, c, "t")],
    ["client", ({ g }) => clientSender(stage, g, "t", "client")],
  ];
  it.each(senders)(
    "M2: 1…1000 of one %s through three moves, the forwarded tail 100 ms late, run in exactly that order",
    async (kind, make) => {
      const seats = await cast();
      const { a, b } = seats;
      const sender = await make(seats);
      const tails: { from: string; atMs: number }[] = [];
      const straight: { at: string; atMs: number }[] = [];
      stage.taps.push(({ command, from, at }) => {
        const { nowMs } = stage.time;
        if (command === "relocationData") tails.push({ from: from.nodeRid, atMs: nowMs });
        if (command === "actorSend" && from.nodeRid !== a.rid && from.nodeRid !== b.rid)
          straight.push({ at: at.name, atMs: nowMs });
      });
      every(stage, 1, 1_000, () => sender.send());
      const stalls: { at: string; fromMs: number; toMs: number }[] = [];
      // What the old owner forwards from the commit on is late; what goes straight to the new one is not.
      stage.taps.push(({ command, from, at }) => {
        if (command !== "actorJoined") return;
        const resume = stage.network.block(at.rid, from.nodeRid);
        const to = at === a ? b : a;
        stalls.push({ at: to.name, fromMs: stage.time.nowMs, toMs: stage.time.nowMs + 100 });
        stage.time.after(100, resume);
      });
      const moves: Promise<unknown>[] = [];
      for (const [atMs, from, to] of [
        [200, a, b],
        [500, b, a],
        [800, a, b],
      ] as const) {
        stage.time.after(atMs, () => moves.push(from.node.relocate("t", { to: to.name })));
      }
      await stage.pass(1_500);
      expect(await stage.settle(Promise.all(moves))).toMatchObject(Array(3).fill({ outcome: "committed" }));
      expect(stalls.map(({ at }) => at)).toEqual(["b", "a", "b"]);
      if (kind === "node") {
        // The sender's route switched in the middle: what came straight was there before the tail of the other way.
        for (const { at, fromMs, toMs } of stalls) {
          expect(straight.some((each) => each.at === at && each.atMs > fromMs && each.atMs < toMs)).toBe(true);
          expect(tails.some(({ atMs }) => atMs >= toMs && atMs < toMs + 5)).toBe(true);
        }
      }
      expect(sender.refused()).toEqual([]);
      expect(stage.book.numbers("t", sender.name)).toEqual(numbers(1_000));
      expect(await read(stage, seats.c, "t")).toEqual(Book.stateAfter(stage.book.of("t")));
      expect([...stage.book.faults, ...stage.broken]).toEqual([]);
    },
  );
});
