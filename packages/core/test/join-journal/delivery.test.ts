import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JoinDeliveries, REMEMBERED_DELIVERIES } from "../../src/join-journal/deliveries.ts";
import {
  AFTER_REREAD,
  DELIVERY_PAUSES_MS,
  rereadOf,
  startDelivery,
  stepDelivery,
} from "../../src/join-journal/delivery.ts";
import type { DeliveryInput, DeliveryStep, JournalReread } from "../../src/join-journal/delivery.ts";
import { journal } from "../owner-writes/fixture.ts";

const committed = { ...journal, cursor: "committed" } as const;
const { operation } = journal;

function play(first: DeliveryStep, ...inputs: DeliveryInput[]): DeliveryStep {
  return inputs.reduce(({ state }, input) => stepDelivery(state, input), first);
}
const notTold: DeliveryInput = { type: "NotTold", reason: "the mailbox is closing" };
const reread = (what: JournalReread): DeliveryInput => ({ type: "JournalRead", reread: what });

describe("delivering an accepted join's answer (J3)", () => {
  it("tells the actor through its mailbox, marks it when its turn has run, and has then delivered it", () => {
    const first = startDelivery(journal, "now");
    expect(first.effects).toEqual([
      { type: "MarkCommitted", operation },
      { type: "TellActor", record: journal },
    ]);
    const told = play(first, { type: "Told" });
    expect(told.effects).toEqual([{ type: "MarkDelivered", operation }]);
    const done = play(told, { type: "MarkSettled", outcome: { type: "written", record: undefined } });
    expect(done.effects).toEqual([{ type: "Settle", outcome: { type: "delivered" } }]);
    expect(startDelivery(committed, "now").effects).toEqual([{ type: "TellActor", record: committed }]);
    expect(startDelivery(committed, "queued").effects).toEqual([]);
  });

  it("tries three times, 10 and 20 ms apart, reads the journal between them, then gives the error", () => {
    let step = play(startDelivery(committed, "now"), notTold);
    for (const delayMs of DELIVERY_PAUSES_MS) {
      expect(step.effects).toEqual([{ type: "StartTimer", delayMs }]);
      step = play(step, { type: "RetryDue" });
      expect(step.effects).toEqual([{ type: "ReadJournal", operation }]);
      step = play(step, reread("undelivered"));
      expect(step.effects).toEqual([{ type: "TellActor", record: committed }]);
      step = play(step, notTold);
    }
    expect(DELIVERY_PAUSES_MS).toEqual([10, 20]);
    expect(step.effects).toEqual([{ type: "Settle", outcome: { type: "failed", reason: "the mailbox is closing" } }]);
    expect(play(step, { type: "RetryDue" }, { type: "Told" }).effects).toEqual([]);
  });

  it("what the journal says between two tries counts: a delivered or replaced record is not told again", () => {
    for (const what of ["delivered", "replaced"] as const) {
      expect(AFTER_REREAD[what]).toBe("settled");
      const step = play(startDelivery(committed, "now"), notTold, { type: "RetryDue" }, reread(what));
      expect(step.effects).toEqual([{ type: "Settle", outcome: { type: "settled" } }]);
    }
    expect(rereadOf(undefined, operation)).toBe("unreadable");
    expect(rereadOf({ record: undefined }, operation)).toBe("replaced");
    expect(rereadOf({ record: { ...journal, operation: { high: 1n, low: 1n } } }, operation)).toBe("replaced");
    expect(rereadOf({ record: committed }, operation)).toBe("undelivered");
    expect(rereadOf({ record: { ...journal, cursor: "delivered" } }, operation)).toBe("delivered");
  });

  it("a journal that cannot be read is a failed try", () => {
    let step = play(startDelivery(committed, "now"), notTold);
    for (let tries = 1; tries <= 2; tries++) step = play(step, { type: "RetryDue" }, reread("unreadable"));
    expect(step.state).toMatchObject({ type: "ended", outcome: { type: "failed" } });
  });

  it("an answer that was told but could not be marked is said to be so", () => {
    const told = play(startDelivery(committed, "now"), { type: "Told" });
    const step = play(told, { type: "MarkSettled", outcome: { type: "failed", reason: "inDoubt" } });
    expect(step.effects).toEqual([{ type: "Settle", outcome: { type: "unmarked", reason: "inDoubt" } }]);
  });

  it("ends once, tells at most three times and never after it was told, whatever comes (I9)", () => {
    const input = fc.constantFrom<DeliveryInput>(
      { type: "Told" },
      notTold,
      { type: "RetryDue" },
      reread("undelivered"),
      reread("unreadable"),
      reread("delivered"),
      { type: "MarkSettled", outcome: { type: "written", record: undefined } },
    );
    fc.assert(
      fc.property(fc.array(input, { maxLength: 30 }), (inputs) => {
        let { state, effects } = startDelivery(committed, "now");
        let [tells, settles, isTold] = [0, 0, false];
        const count = (): void => {
          for (const { type } of effects) {
            if (type === "TellActor") expect(isTold).toBe(false);
            if (type === "TellActor") tells++;
            if (type === "Settle") settles++;
          }
        };
        count();
        for (const each of inputs) {
          if (each.type === "Told" && state.type === "telling") isTold = true;
          ({ state, effects } = stepDelivery(state, each));
          count();
        }
        expect(tells).toBeLessThanOrEqual(3);
        expect(settles).toBe(state.type === "ended" ? 1 : 0);
      }),
    );
  });
});

describe("one attempt for concurrent deliveries (J4)", () => {
  it("shares one that runs, does not begin a finished one again, and remembers 4,096 of them", () => {
    const deliveries = new JoinDeliveries();
    const op = (low: number) => ({ high: 1n, low: BigInt(low) });
    expect(deliveries.begin(op(0))).toBe("start");
    expect(deliveries.begin(op(0))).toBe("share");
    deliveries.end(op(0), "told");
    expect(deliveries.begin(op(0))).toBe("finished");
    expect(REMEMBERED_DELIVERIES).toBe(4_096);
    for (let low = 1; low < REMEMBERED_DELIVERIES; low++) {
      deliveries.begin(op(low));
      deliveries.end(op(low), "told");
    }
    // Asking makes it the most recently used: another one goes first.
    expect(deliveries.begin(op(0))).toBe("finished");
    deliveries.begin(op(REMEMBERED_DELIVERIES));
    deliveries.end(op(REMEMBERED_DELIVERIES), "told");
    expect(deliveries.begin(op(0))).toBe("finished");
    expect(deliveries.begin(op(1))).toBe("start");
  });

  it("a failed one may be tried again", () => {
    const deliveries = new JoinDeliveries();
    deliveries.begin(operation);
    deliveries.end(operation, "notTold");
    expect(deliveries.begin(operation)).toBe("start");
    expect(deliveries.running).toBe(1);
  });
});
