import { decodeRecord } from "@rehome/wire";
import { afterEach, describe, expect, it } from "vitest";
import { ACTOR, Book, called, diary, type Manners } from "./book.ts";
import { read } from "./senders.ts";
import { numbers, Stage, type Seat } from "./stage.ts";

let stage: Stage;
afterEach(() => stage.close());

const ids = numbers(50).map((number) => `t${number}`);
const BAD = "t17";
const others = ids.filter((id) => id !== BAD);

/** Fifty actors that have each had a turn on `a`, and a node that could take them. */
async function fifty(manners: Manners): Promise<Record<"a" | "b", Seat>> {
  stage = await Stage.open();
  const actors = (process: Seat["process"]) => [diary(stage.book, process, manners)];
  const a = await stage.add("a", actors);
  for (const id of ids) {
    await stage.settle(a.node.getOrCreate(ACTOR, id));
    await stage.settle(a.node.request(ACTOR, id, called("ask", "a", 1), {}));
  }
  return { a, b: await stage.add("b", actors) };
}

/** 49 moved, the bad one stayed and is named; all fifty go on with what they had. */
async function expectOneBadApple({ a, b }: Record<"a" | "b", Seat>, reason: string): Promise<void> {
  const result = await stage.settle(a.node.drain({ deadlineMs: 5_000 }), 8_000);
  expect(result).toEqual({
    outcome: "blocked",
    reason,
    done: 49,
    stayed: [{ kind: "actor", id: BAD, failure: expect.objectContaining({ reason }) as object }],
  });
  expect(a.node.actors()).toMatchObject([{ actorId: BAD, phase: "running" }]);
  expect(
    b.node
      .actors()
      .map(({ actorId }) => actorId)
      .sort(),
  ).toEqual([...others].sort());
  for (const id of ids) {
    await stage.settle(b.node.request(ACTOR, id, called("ask", "b", 1), {}));
    expect(stage.ownerInStore(id)).toBe(id === BAD ? "a" : "b");
    expect(stage.book.of(id)).toHaveLength(2);
    expect(await read(stage, b, id)).toEqual(Book.stateAfter(stage.book.of(id)));
  }
  expect([...stage.book.faults, ...stage.broken]).toEqual([]);
}

describe("M7: one bad apple", () => {
  it("M7: a drain of 50 whose one payload its type cannot read: that one stays and is named, 49 move", async () => {
    const seats = await fifty({ unreadable: (actorId) => actorId === BAD });
    await expectOneBadApple(seats, "relocationFailed");
  });

  it("M7: the same when its payload arrives damaged, however often it is tried", async () => {
    const seats = await fifty({});
    let bad: string | undefined;
    let tries = 0;
    stage.taps.push(({ command, from, at, frames, hand }) => {
      if (command !== "relocationPrepare" && command !== "relocationState") return;
      const record = decodeRecord([...frames]);
      if (record.command === "relocationPrepare" && record.object.kind === "actor" && record.object.actorId === BAD) {
        bad = String(record.relocation.low);
        tries += 1;
      }
      if (record.command !== "relocationState" || String(record.relocation.low) !== bad || at !== seats.b) return;
      hand(
        from,
        frames.map((frame, index) => (index === frames.length - 1 ? damaged(frame) : frame)),
      );
      return "lost";
    });
    await expectOneBadApple(seats, "relocationFailed");
    // D3: what another time may mend is tried three times.
    expect(tries).toBe(3);
  });
});

function damaged(frame: Uint8Array): Uint8Array {
  const copy = frame.slice();
  copy[copy.length - 1] = copy.at(-1)! ^ 1;
  return copy;
}
