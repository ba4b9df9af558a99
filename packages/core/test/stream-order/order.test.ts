import { describe, expect, test } from "vitest";
import { CoreError } from "../../src/errors.ts";
import { DEFAULT_STREAM_LIMITS } from "../../src/stream-order/limits.ts";
import { StreamOrder, restoreStreamOrder } from "../../src/stream-order/order.ts";
import { Receiver } from "./fixture.ts";

const FOLLOW_MS = DEFAULT_STREAM_LIMITS.followMs;

describe("N4: order within a stream", () => {
  test("N4: messages in their turn run at once", () => {
    const actor = new Receiver();
    expect([1, 2, 3].map((sequence) => actor.message(sequence))).toEqual(["run", "run", "run"]);
    actor.run();
    expect(actor.log()).toEqual([1, 2, 3]);
  });

  test("N4: one that is ahead of its turn waits for the missing ones, and all run in order", () => {
    const actor = new Receiver();
    actor.message(1);
    expect([4, 3, 6].map((sequence) => actor.message(sequence))).toEqual(["waiting", "waiting", "waiting"]);
    expect(actor.message(2)).toBe("run");
    actor.run();
    expect(actor.log()).toEqual([1, 2, 3, 4]);
    actor.message(5);
    actor.run();
    expect(actor.log()).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test("N4, I3: a repeat is dropped, whether the first one has run, is queued or waits", () => {
    const actor = new Receiver();
    actor.message(1);
    expect(actor.message(1)).toBe("duplicate");
    actor.run();
    expect(actor.message(1)).toBe("duplicate");
    actor.message(3);
    expect(actor.message(3)).toBe("duplicate");
    actor.message(2);
    actor.run();
    expect(actor.log()).toEqual([1, 2, 3]);
  });

  test("N4: streams do not wait for each other", () => {
    const actor = new Receiver();
    actor.message(2, "a");
    expect(actor.message(1, "b")).toBe("run");
    actor.run();
    expect(actor.log("b")).toEqual([1]);
  });

  test("N4: what was ahead waits for the follow period and no longer; the gap is given up", () => {
    const actor = new Receiver();
    actor.message(1);
    actor.message(4);
    expect(actor.order.nextExpiryMs()).toBe(FOLLOW_MS);
    expect(actor.pass(FOLLOW_MS - 1).items).toEqual([]);
    const expiry = actor.pass(1);
    expect(expiry.givenUp).toEqual([{ stream: "s", from: 2n, to: 3n }]);
    actor.run();
    expect(actor.log()).toEqual([1, 4]);
    expect(actor.order.nextExpiryMs()).toBeUndefined();
  });

  test("I4: one that has waited long enough takes what came later but belongs before it along, in order", () => {
    const actor = new Receiver();
    actor.message(1);
    actor.message(7);
    actor.nowMs = 10_000;
    actor.message(4);
    actor.message(8);
    const expiry = actor.pass(FOLLOW_MS - 10_000);
    expect(expiry.givenUp).toEqual([
      { stream: "s", from: 2n, to: 3n },
      { stream: "s", from: 5n, to: 6n },
    ]);
    actor.run();
    expect(actor.log()).toEqual([1, 4, 7, 8]);
  });

  test("N4: a later gap has a follow period of its own", () => {
    const actor = new Receiver();
    actor.message(2);
    actor.nowMs = 10_000;
    actor.message(4);
    actor.pass(FOLLOW_MS - 10_000);
    actor.run();
    expect(actor.log()).toEqual([2]);
    actor.pass(10_000);
    actor.run();
    expect(actor.log()).toEqual([2, 4]);
  });

  test("I2: a straggler whose place was given up is refused, not swallowed; its marker is nothing", () => {
    const actor = new Receiver();
    actor.message(3);
    actor.pass(FOLLOW_MS);
    expect(actor.message(1)).toBe("placeGivenUp");
    expect(actor.message(1)).toBe("placeGivenUp");
    expect(actor.marker(1)).toBe("duplicate");
    expect(actor.message(3)).toBe("duplicate");
  });

  test("I8: given-up ranges are remembered up to a limit; beyond it a straggler counts as a repeat", () => {
    const actor = new Receiver({ maxSkippedRanges: 2 });
    for (const sequence of [2, 4, 6]) {
      actor.message(sequence);
      actor.pass(FOLLOW_MS);
    }
    expect([1, 3, 5].map((sequence) => actor.message(sequence))).toEqual(["duplicate", "placeGivenUp", "placeGivenUp"]);
  });
});

describe("N5: markers", () => {
  test("N5: a marker fills a place and is run as nothing", () => {
    const actor = new Receiver();
    actor.message(1);
    actor.message(3);
    expect(actor.marker(2)).toBe("run");
    actor.run();
    expect(actor.log()).toEqual([1, 3]);
  });

  test("N5: a marker ahead of its turn waits like a message", () => {
    const actor = new Receiver();
    expect(actor.marker(2)).toBe("waiting");
    actor.message(3);
    actor.message(1);
    actor.run();
    expect(actor.log()).toEqual([1, 3]);
  });

  test("N5: if message and marker both arrive, the first one counts", () => {
    const actor = new Receiver();
    expect(actor.marker(1)).toBe("run");
    expect(actor.message(1)).toBe("duplicate");
    actor.message(3);
    expect(actor.marker(3)).toBe("duplicate");
    expect(actor.marker(4)).toBe("waiting");
    expect(actor.message(4)).toBe("duplicate");
    actor.message(2);
    actor.run();
    expect(actor.log()).toEqual([2, 3]);
  });
});

describe("N6: streams that are idle", () => {
  const small = { maxStreams: 2 };

  test("N6: the idlest is forgotten first, and only after the follow period", () => {
    const actor = new Receiver(small);
    actor.message(1, "a");
    actor.message(1, "b");
    actor.run();
    actor.nowMs = FOLLOW_MS;
    expect(actor.message(1, "c")).toBe("tooManyStreams");
    actor.message(2, "a");
    actor.run();
    actor.nowMs = FOLLOW_MS + 1;
    expect(actor.message(1, "c")).toBe("run");
    expect(actor.order.inspect().streams.map(({ stream }) => stream)).toEqual(["a", "c"]);
  });

  test("N6: never one with something queued or waiting", () => {
    const actor = new Receiver(small);
    actor.message(1, "queued");
    actor.message(1, "idle");
    actor.order.ran({ stream: "idle", sequence: 1n }, 0);
    actor.nowMs = FOLLOW_MS + 1;
    expect(actor.message(1, "c")).toBe("run");
    expect(actor.message(1, "queued")).toBe("duplicate");

    const other = new Receiver({ maxStreams: 1 });
    other.message(2, "waits");
    other.nowMs = FOLLOW_MS + 1;
    expect(other.message(1, "c")).toBe("tooManyStreams");
  });

  test("N6: a turn that ends is activity: the stream is not idle before", () => {
    const actor = new Receiver({ maxStreams: 1 });
    actor.message(1, "a");
    actor.nowMs = FOLLOW_MS + 1;
    actor.run();
    expect(actor.message(1, "b")).toBe("tooManyStreams");
    actor.nowMs += FOLLOW_MS + 1;
    expect(actor.message(1, "b")).toBe("run");
  });

  test("N6: a stream that was never seen starts at 1: a higher sequence is ahead of its turn", () => {
    const actor = new Receiver();
    expect(actor.message(2)).toBe("waiting");
    // Even if the sender had been idle: this actor has never forgotten a stream.
    expect(actor.message(5, "t", true)).toBe("waiting");
    actor.message(1);
    actor.run();
    expect(actor.log()).toEqual([1, 2]);
  });

  test("N6: a stream that was forgotten starts anew with its next message, in order from there", () => {
    const actor = new Receiver({ maxStreams: 1 });
    for (const sequence of [1, 2, 3]) actor.message(sequence, "a");
    actor.run();
    actor.nowMs = FOLLOW_MS + 1;
    actor.message(1, "b");
    actor.run();
    actor.nowMs += FOLLOW_MS + 1;
    expect(actor.message(4, "a", true)).toBe("run");
    expect(actor.message(5, "a")).toBe("run");
    expect(actor.message(3, "a")).toBe("duplicate");
    actor.run();
    expect(actor.log("a")).toEqual([1, 2, 3, 4, 5]);
  });

  test("N6: even if a message behind it overtakes it, both run at once and in order", () => {
    const actor = forgetful();
    expect(actor.message(59, "a")).toBe("waiting");
    expect(actor.message(58, "a", true)).toBe("run");
    actor.run();
    expect(actor.log("a")).toEqual([58, 59]);
  });

  test("N6: it does not start anew past a message that waits: that one says that there is more to come", () => {
    const actor = forgetful();
    expect(actor.message(57, "a")).toBe("waiting");
    expect(actor.message(58, "a", true)).toBe("waiting");
    actor.pass(FOLLOW_MS);
    actor.run();
    expect(actor.log("a")).toEqual([57, 58]);
  });

  test("N6: a stream that is known does not start anew: what is missing in it is waited for", () => {
    const actor = forgetful();
    actor.message(1, "a");
    expect(actor.message(3, "a", true)).toBe("waiting");
    expect(actor.message(2, "a")).toBe("run");
    actor.run();
    expect(actor.log("a")).toEqual([1, 2, 3]);
  });

  test("N6: a marker is run at once: its stream is idle from then on", () => {
    const actor = new Receiver({ maxStreams: 1 });
    actor.marker(1, "a");
    expect(actor.order.lastRun("a")).toBe(1n);
    actor.nowMs = FOLLOW_MS + 1;
    expect(actor.message(1, "b")).toBe("run");
  });

  test("N6, I8: a message that is refused costs no other stream its place", () => {
    const actor = new Receiver({ maxStreams: 2, maxWaiting: 1 });
    actor.message(1, "a");
    actor.run();
    actor.message(2, "b");
    actor.nowMs = FOLLOW_MS + 1;
    expect(actor.message(2, "c")).toBe("tooManyWaiting");
    expect(actor.message(1, "a")).toBe("duplicate");
  });

  test("N6: a sender that does not say that it was idle loses time, and nothing else", () => {
    const actor = forgetful();
    expect(actor.message(58, "a")).toBe("waiting");
    actor.pass(FOLLOW_MS);
    actor.run();
    expect(actor.log("a")).toEqual([58]);
  });

  test("N6: that streams were forgotten moves with the actor", () => {
    const actor = forgetful();
    expect(actor.move(0).forgotten).toBe(1);
    actor.order.ran({ stream: "b", sequence: 1n }, 0);
    actor.nowMs = FOLLOW_MS + 1;
    expect(actor.message(58, "a", true)).toBe("run");
  });

  test("N6: 10,000 are kept by default", () => {
    expect(DEFAULT_STREAM_LIMITS.maxStreams).toBe(10_000);
  });

  /** An actor that has forgotten one stream, and has room for another. */
  function forgetful(): Receiver {
    const actor = new Receiver({ maxStreams: 1 });
    actor.message(1, "first");
    actor.run();
    actor.nowMs = FOLLOW_MS + 1;
    actor.message(1, "b");
    actor.run();
    actor.nowMs += FOLLOW_MS + 1;
    return actor;
  }
});

describe("I8: waiting messages", () => {
  test("I8: so many; what does not fit is refused, and what is in its turn always fits", () => {
    const actor = new Receiver({ maxWaiting: 2 });
    expect([3, 4, 5].map((sequence) => actor.message(sequence))).toEqual(["waiting", "waiting", "tooManyWaiting"]);
    expect(actor.message(3)).toBe("duplicate");
    expect(actor.message(2, "t")).toBe("tooManyWaiting");
    expect(actor.order.inspect().streams).toHaveLength(1);
    expect(actor.message(1)).toBe("run");
    expect(actor.message(2)).toBe("run");
    actor.run();
    expect(actor.log()).toEqual([1, 2, 3, 4]);
    expect(actor.order.inspect()).toMatchObject({ waiting: 0, waitingBytes: 0 });
  });

  test("I8: so many bytes", () => {
    const actor = new Receiver({ maxWaitingBytes: 100 });
    expect(actor.message(2, "s", false, 60)).toBe("waiting");
    expect(actor.message(3, "s", false, 41)).toBe("tooManyWaiting");
    expect(actor.message(3, "s", false, 40)).toBe("waiting");
    expect(actor.message(1, "s", false, 1_000)).toBe("run");
  });
});

describe("N4: the order moves in the payload", () => {
  test("N4: what has run before is a repeat at the new owner", () => {
    const actor = new Receiver();
    actor.message(1);
    actor.run();
    actor.move(500);
    expect(actor.message(1)).toBe("duplicate");
    expect(actor.message(2)).toBe("run");
  });

  test("N4: a queued message travels beside the marks: a repeat of it is one, and it is not asked for again", () => {
    const actor = new Receiver();
    actor.message(1);
    actor.message(2);
    actor.run(1);
    expect(actor.order.lastRun("s")).toBe(1n);
    const snapshot = actor.move(500);
    expect(snapshot.marks).toEqual([{ stream: "s", lastQueued: 2n, skipped: [], idleMs: 0 }]);
    expect(actor.order.lastRun("s")).toBe(1n);
    expect(actor.message(2)).toBe("duplicate");
    actor.run();
    expect(actor.log()).toEqual([1, 2]);
    expect(actor.order.lastRun("s")).toBe(2n);
  });

  test("N4: a message that waits moves with the time that it has waited, whatever the new node's clock says", () => {
    const actor = new Receiver();
    actor.nowMs = 1_000_000;
    actor.message(3);
    actor.nowMs += 20_000;
    actor.move(5);
    expect(actor.order.nextExpiryMs()).toBe(5 + FOLLOW_MS - 20_000);
    actor.message(1);
    actor.message(2);
    actor.run();
    expect(actor.log()).toEqual([1, 2, 3]);
  });

  test("N4, I2: gaps that were given up stay given up, and stragglers are still told", () => {
    const actor = new Receiver();
    actor.message(2);
    actor.pass(FOLLOW_MS);
    actor.move(0);
    expect(actor.message(1)).toBe("placeGivenUp");
    expect(actor.message(3)).toBe("run");
  });

  test("N6: idleness moves as well: the idlest is still the first to go, and not before its time", () => {
    const actor = new Receiver({ maxStreams: 2 });
    actor.message(1, "a");
    actor.run();
    actor.nowMs = 20_000;
    actor.message(1, "b");
    actor.run();
    actor.move(0);
    actor.nowMs = 10_000;
    expect(actor.message(1, "c")).toBe("tooManyStreams");
    actor.nowMs = 10_001;
    expect(actor.message(1, "c")).toBe("run");
    expect(actor.message(1, "b")).toBe("duplicate");
  });

  test("I6: capturing changes nothing: after a rollback the source goes on", () => {
    const actor = new Receiver();
    actor.message(1);
    actor.message(3);
    const before = actor.order.inspect();
    actor.order.capture(0);
    expect(actor.order.inspect()).toEqual(before);
    expect(actor.message(2)).toBe("run");
  });

  test("restoring over something, or a snapshot that contradicts itself, is a programmer's error", () => {
    const used = new StreamOrder<string>(DEFAULT_STREAM_LIMITS);
    used.accept({ stream: "s", sequence: 1n, resumes: false, bytes: 1, content: { type: "marker" } }, 0);
    expect(() => {
      used.load({ marks: [], waiting: [], forgotten: 0 }, [], 0);
    }).toThrow(CoreError);
    const waiting = { stream: "s", sequence: 1n, content: { type: "marker" }, bytes: 0, waitedMs: 0 } as const;
    const marks = [{ stream: "s", lastQueued: 1n, skipped: [], idleMs: 0 }];
    expect(() => restoreStreamOrder({ marks, waiting: [waiting], forgotten: 0 }, [], DEFAULT_STREAM_LIMITS, 0)).toThrow(
      CoreError,
    );
  });
});
