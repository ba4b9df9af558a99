import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Places, Tickets } from "../../src/sessions/places.ts";

describe("which message has which place", () => {
  it("I2: knows the message of every place, whatever was refused between them", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 300 }), (placed) => {
        const tickets = new Tickets();
        const expected = new Map<bigint, bigint>();
        let sequence = 0n;
        placed.forEach((has, index) => {
          if (!has) return;
          tickets.note(++sequence, BigInt(index + 1));
          expected.set(sequence, BigInt(index + 1));
        });
        for (const [place, ticket] of expected) expect(tickets.ticketOf(place)).toBe(ticket);
      }),
    );
  });

  it("I2: a million messages cost one entry, and the first of them is still known", () => {
    const tickets = new Tickets();
    for (let n = 1n; n <= 1_000_000n; n++) tickets.note(n, n + 7n);
    expect(tickets.ticketOf(1n)).toBe(8n);
    expect(tickets.ticketOf(1_000_000n)).toBe(1_000_007n);
  });

  it("I8: forgets the oldest stretches, never the wrong ones", () => {
    const tickets = new Tickets();
    for (let n = 1n; n <= 3_000n; n++) tickets.note(n, 2n * n);
    expect(tickets.ticketOf(3_000n)).toBe(6_000n);
    expect(tickets.ticketOf(1n)).toBeUndefined();
  });
});

describe("a set of places", () => {
  it("N5: holds what was put in, gives it in order, and each once", () => {
    const step = fc.oneof(
      { weight: 5, arbitrary: fc.record({ add: fc.integer({ min: 1, max: 40 }) }) },
      { weight: 1, arbitrary: fc.constant("take" as const) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const places = new Places();
        const model = new Set<number>();
        for (const act of steps) {
          if (act === "take") {
            const first = model.size === 0 ? undefined : Math.min(...model);
            if (first !== undefined) model.delete(first);
            expect(places.takeFirst()).toBe(first === undefined ? undefined : BigInt(first));
          } else {
            places.add(BigInt(act.add), 1);
            model.add(act.add);
          }
        }
        for (let n = 1; n <= 40; n++) expect(places.untilMs(BigInt(n)) !== undefined).toBe(model.has(n));
      }),
    );
  });

  it("N5: forgets a place after its time, and keeps a later one", () => {
    const places = new Places();
    places.add(1n, 10);
    places.add(5n, 20);
    places.expire(10);
    expect(places.untilMs(1n)).toBeUndefined();
    expect(places.untilMs(5n)).toBe(20);
  });

  it("I8: keeps a bounded number of stretches, the highest", () => {
    const places = new Places();
    for (let n = 1n; n <= 3_000n; n++) places.add(2n * n, 1);
    expect(places.untilMs(2n)).toBeUndefined();
    expect(places.untilMs(6_000n)).toBe(1);
  });
});
