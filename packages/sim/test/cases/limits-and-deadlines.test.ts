import { afterEach, describe, expect, it } from "vitest";
import { ACTOR, Book, diary, type Manners } from "./book.ts";
import { every, nodeSender, read, type Sender } from "./senders.ts";
import { numbers, Stage, type Seat } from "./stage.ts";

let stage: Stage;
afterEach(() => stage.close());

const KIB = 1_024;
/** As JSON with its quotes and braces: 1 KiB. */
const ONE_KIB = { padding: "x".repeat(KIB - JSON.stringify({ padding: "" }).length) };

/** Actor `t` lives on `a`; `b` takes it; `c` only sends. */
async function cast(manners: Manners, limits: object = {}): Promise<Record<"a" | "b" | "c", Seat>> {
  stage = await Stage.open({ deadlines: { moveMs: 6_000, sealMs: 8_000, followMs: 30_000 } });
  const actors = (process: Seat["process"]) => [diary(stage.book, process, manners)];
  const a = await stage.add("a", actors, { limits });
  await stage.settle(a.node.getOrCreate(ACTOR, "t"));
  const quiet = { placementWeight: 0, limits };
  return { a, b: await stage.add("b", actors, quiet), c: await stage.add("c", actors, quiet) };
}

describe("M3: overfull", () => {
  const MESSAGES = 1_000;
  const MIB = KIB * KIB;
  const STALL_MS = 400;
  /** N5: the sender tries again to fill the places of what was refused, this often; a few times is enough. */
  const MARKERS_MS = 1_500;

  /** Gives how many were held, as the node counts at the end and as it counted at most. */
  async function overfill(limits: {
    holdMessages: number;
    holdBytes: number;
  }): Promise<{ most: number; held: number }> {
    const { a, b, c } = await cast({ captureMs: STALL_MS }, limits);
    const sender = nodeSender(stage, c, "t");
    await read(stage, c, "t");
    const moved = a.node.relocate("t", { to: "b" });
    await stage.pass(5);
    let most = 0;
    stage.taps.push(() => void (most = Math.max(most, a.node.counts().heldMessages, b.node.counts().heldMessages)));
    const sentAtMs: number[] = [];
    every(stage, 0.05, 5_000, (at) => {
      sentAtMs[at + 1] = stage.time.nowMs;
      // Every tenth is a request: it fails; the others are reported.
      if (at % 10 === 9) sender.ask(ONE_KIB);
      else sender.send(ONE_KIB);
    });
    await stage.pass(350);
    // The move stalls still, and everybody who was refused knows.
    expect(stage.holders("t")).toEqual(["a"]);
    expect(stage.book.turns).toEqual([]);
    const held = a.node.counts().heldMessages;
    const told = [...sender.refused(), ...answersOf(sender)];
    expect(told).toHaveLength(5_000 - held);
    for (const { number, code, atMs } of told) {
      expect(code).toBe("backpressured");
      expect(atMs - sentAtMs[number]!).toBeLessThan(10);
    }
    // Once each: nothing is said of the markers that fill their places (N5).
    expect(stage.eventsOf("SendRefused")).toHaveLength(sender.refused().length);
    const refused = new Set(told.map(({ number }) => number));
    expect(await stage.settle(moved)).toMatchObject({ outcome: "committed" });
    await stage.pass(20);
    const ranOf = stage.book.numbers("t", "c");
    expect(ranOf).toEqual(numbers(5_000).filter((number) => !refused.has(number)));
    expect(ranOf).toHaveLength(held);
    expect(new Set(stage.book.turns.map(({ on }) => on))).toEqual(new Set(["b"]));
    const keeps = (): number =>
      [a, b, c]
        .map(({ node }) => node.counts())
        .reduce((sum, { heldMessages, followingMessages, queuedMessages, earlyMessages, openRequests }) => {
          return sum + heldMessages + followingMessages + queuedMessages + earlyMessages + openRequests;
        }, 0);
    await stage.until(() => keeps() === 0, MARKERS_MS);
    // I2, I4: the places of those that were refused are filled; nothing waits for them.
    const next = sender.ask();
    await stage.until(() => sender.answers.has(next), MARKERS_MS);
    expect(sender.answers.get(next)).toMatchObject({ outcome: "answered" });
    expect([...stage.book.faults, ...stage.broken]).toEqual([]);
    return { most, held };
  }

  it("M3: 5,000 messages of 1 KiB against 1,000 and 1 MiB: never more held, who is refused knows at once, the rest run in order", async () => {
    const { most, held } = await overfill({ holdMessages: MESSAGES, holdBytes: MIB });
    expect(most).toBe(held);
    expect(held).toBeLessThanOrEqual(MESSAGES);
    // The bytes end first, as a message counts for more than its data; but not for twice as much.
    expect(held * KIB).toBeLessThanOrEqual(MIB);
    expect(held * KIB).toBeGreaterThan(MIB / 2);
  });

  it("M3: the same when it is the count that ends first: exactly 1,000 are held", async () => {
    const { most, held } = await overfill({ holdMessages: MESSAGES, holdBytes: 16 * MIB });
    expect({ most, held }).toEqual({ most: MESSAGES, held: MESSAGES });
  });
});

function answersOf({ answers }: Sender): { number: number; code: string; atMs: number }[] {
  return [...answers].map(([number, { outcome, atMs }]) => ({ number, code: outcome, atMs }));
}

describe("M4: still working", () => {
  /** The actor's handler works for 2 s from now on; five messages wait behind it. */
  async function working(): Promise<Record<"a" | "b" | "c", Seat> & { endsAtMs: number }> {
    const seats = await cast({});
    const { a, c } = seats;
    a.node.send(ACTOR, "t", "slow#turn.1", { ms: 2_000 });
    await stage.pass(1);
    const sender = nodeSender(stage, c, "t");
    for (let at = 0; at < 5; at++) sender.send();
    await stage.pass(4);
    return { ...seats, endsAtMs: stage.book.turns[0]!.atMs + 2_000 };
  }

  it("M4: a move that may wait 200 ms aborts, and there was never a second instance", async () => {
    const { a, b, endsAtMs } = await working();
    const startedAtMs = stage.time.nowMs;
    const moved = a.node.relocate("t", { to: "b", deadlineMs: 200 });
    await expect(stage.settle(moved)).rejects.toMatchObject({
      code: "moveFailed",
      cause: { code: "deadlineExceeded" },
    });
    expect(stage.time.nowMs - startedAtMs).toBeLessThan(210);
    await stage.pass(endsAtMs + 20 - stage.time.nowMs);
    expect(stage.book.restored).toEqual([]);
    expect(stage.book.turns.map(({ on }) => on)).toEqual(Array(6).fill("a"));
    expect(stage.book.turns[1]!.atMs).toBeGreaterThanOrEqual(endsAtMs);
    // It is not stuck: the next move takes it.
    expect(await stage.settle(a.node.relocate("t", { to: "b" }))).toMatchObject({ outcome: "committed" });
    expect(await read(stage, b, "t")).toEqual(Book.stateAfter(stage.book.turns));
    expect([...stage.book.faults, ...stage.broken]).toEqual([]);
  });

  it("M4: one that may wait longer builds the actor on the target only after the handler has ended", async () => {
    const { a, b, endsAtMs } = await working();
    expect(await stage.settle(a.node.relocate("t", { to: "b", deadlineMs: 4_000 }))).toMatchObject({
      outcome: "committed",
    });
    expect(stage.book.restored).toHaveLength(1);
    expect(stage.book.restored[0]!.atMs).toBeGreaterThanOrEqual(endsAtMs);
    await stage.pass(20);
    expect(stage.book.turns.map(({ on }) => on)).toEqual(["a", ...Array<string>(5).fill("b")]);
    expect(await read(stage, b, "t")).toEqual(Book.stateAfter(stage.book.turns));
    expect([...stage.book.faults, ...stage.broken]).toEqual([]);
  });
});
