import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Receiver } from "./fixture.ts";

/** What a sender sent at its place: a message, a marker, or both, since nobody knew what became of the message. */
type Fate = "message" | "marker" | "both";

const senders = fc.array(
  fc.array(fc.constantFrom<Fate>("message", "message", "message", "marker", "both"), { maxLength: 12 }),
  {
    minLength: 1,
    maxLength: 3,
  },
);

interface Copy {
  readonly stream: string;
  readonly sequence: number;
  readonly as: "message" | "marker";
}

function copies(fates: readonly (readonly Fate[])[]): readonly Copy[] {
  return fates.flatMap((fate, index) =>
    fate.flatMap((what, at): readonly Copy[] => {
      const place = { stream: `s${index}`, sequence: at + 1 };
      const message = { ...place, as: "message" as const };
      const marker = { ...place, as: "marker" as const };
      return what === "both" ? [message, marker] : [what === "message" ? message : marker];
    }),
  );
}

/** Every record once and some again, in any order, with turns and moves of the actor between them. */
const scenario = senders.chain((fates) => {
  const all = copies(fates);
  const again = all.length === 0 ? fc.constant([]) : fc.array(fc.constantFrom(...all), { maxLength: 10 });
  return again.chain((repeated) => {
    const sent = [...all, ...repeated];
    return fc.record({
      fates: fc.constant(fates),
      arrivals: fc.shuffledSubarray(sent, { minLength: sent.length, maxLength: sent.length }),
      between: fc.array(fc.constantFrom("turn", "move", "nothing"), {
        minLength: sent.length,
        maxLength: sent.length,
      }),
    });
  });
});

describe("N4, N5, I3, I4: whatever the routes, repeats and moves", () => {
  test("N4: every message runs once and in order; a marker runs as nothing", () => {
    fc.assert(
      fc.property(scenario, ({ fates, arrivals, between }) => {
        const actor = new Receiver();
        const first = new Map<string, "message" | "marker">();
        arrivals.forEach(({ stream, sequence, as }, index) => {
          const key = `${stream}:${sequence}`;
          if (!first.has(key)) first.set(key, as);
          if (as === "message") actor.message(sequence, stream);
          else actor.marker(sequence, stream);
          if (between[index] === "turn") actor.run(1);
          if (between[index] === "move") actor.move(index * 7);
        });
        actor.run();
        fates.forEach((fate, index) => {
          const stream = `s${index}`;
          const expected = fate
            .map((_, at) => at + 1)
            .filter((sequence) => first.get(`${stream}:${sequence}`) === "message");
          expect(actor.log(stream)).toEqual(expected);
        });
        expect(actor.order.inspect()).toMatchObject({ waiting: 0, waitingBytes: 0 });
      }),
      { numRuns: 1_000 },
    );
  });

  test("I2, I4: with losses, time and limits, each message runs once and in order, or its sender can know that it did not", () => {
    const step = fc.oneof(
      {
        weight: 8,
        arbitrary: fc.record({ stream: fc.constantFrom("a", "b"), sequence: fc.integer({ min: 1, max: 12 }) }),
      },
      { weight: 1, arbitrary: fc.constantFrom("turn" as const, "move" as const) },
      { weight: 1, arbitrary: fc.record({ passMs: fc.constantFrom(1_000, 15_000, 30_000) }) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const actor = new Receiver({ maxWaiting: 4 });
        const accepted = new Set<string>();
        for (const act of steps) {
          if (act === "turn") actor.run(1);
          else if (act === "move") actor.move(0);
          else if ("passMs" in act) actor.pass(act.passMs);
          else {
            const key = `${act.stream}:${act.sequence}`;
            const outcome = actor.message(act.sequence, act.stream);
            if (outcome === "run" || outcome === "waiting") {
              expect(accepted.has(key)).toBe(false);
              accepted.add(key);
            }
            // Only what was accepted before is dropped without a word.
            if (outcome === "duplicate") expect(accepted.has(key)).toBe(true);
          }
        }
        actor.pass(30_000);
        actor.run();
        expect(actor.order.nextExpiryMs()).toBeUndefined();
        for (const stream of ["a", "b"]) {
          const log = actor.log(stream);
          expect(log).toEqual([...log].sort((one, other) => one - other));
          expect(new Set(log.map((sequence) => `${stream}:${sequence}`))).toEqual(
            new Set([...accepted].filter((key) => key.startsWith(`${stream}:`))),
          );
          expect(new Set(log).size).toBe(log.length);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
