import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AFTER_RENEWAL, LEASE_MARGIN } from "../../src/lease/decisions.ts";
import { brokenLeaseInvariants } from "../../src/lease/invariants.ts";
import type { LeaseEffect, LeaseInput, LeaseState, LeaseTimer } from "../../src/lease/state.ts";
import { leaseStands, startLease, stepLease } from "../../src/lease/step.ts";
import type { RenewAnswer } from "../../src/ports/authority-store.ts";

const config = { durationMs: 9_000 };
const granted = { askedAtMs: 1_000, durationMs: 9_000 };
const renewed: RenewAnswer = { outcome: "renewed", durationMs: 9_000 };
const due: LeaseInput = { type: "TimerFired", timer: "renew" };

function delayOf(effects: readonly LeaseEffect[], timer: LeaseTimer): number | undefined {
  for (const effect of effects) if (effect.type === "StartTimer" && effect.timer === timer) return effect.delayMs;
  return undefined;
}

function renewing(askedAtMs: number): LeaseState {
  return stepLease(startLease(config, granted, 1_000).state, due, askedAtMs).state;
}

describe("the lease's keeper", () => {
  it("L1: counts from before the call was made, stops a margin earlier, renews well before", () => {
    const { state, effects } = startLease(config, granted, 1_500);
    expect(delayOf(effects, "renew")).toBe(2_500);
    expect(delayOf(effects, "expiry")).toBe(7_600);
    expect(leaseStands(state, 9_099)).toBe(true);
    expect(leaseStands(state, 9_100)).toBe(false);
  });

  it("L1: has one renewal out at a time, and counts its answer from when it was asked for", () => {
    const out = renewing(4_000);
    expect(stepLease(out, due, 4_100).effects).toEqual([]);
    const { state, effects } = stepLease(out, { type: "RenewSettled", answer: renewed }, 5_000);
    expect(delayOf(effects, "renew")).toBe(2_000);
    expect(leaseStands(state, 12_099)).toBe(true);
    expect(leaseStands(state, 12_100)).toBe(false);
  });

  it.each<[RenewAnswer, "resting" | "ended"]>([
    [renewed, "resting"],
    [{ outcome: "staleLease" }, "ended"],
    [{ outcome: "superseded" }, "ended"],
    [{ outcome: "unknown", reason: "timeout" }, "resting"],
  ])("L1: every answer to a renewal, %j", (answer, then) => {
    const { state, effects } = stepLease(renewing(4_000), { type: "RenewSettled", answer }, 5_000);
    expect(state.type).toBe(then);
    const decision = { extend: "resting", retry: "resting", refused: "ended", replaced: "ended" } as const;
    expect(decision[AFTER_RENEWAL[answer.outcome]]).toBe(then);
    if (answer.outcome === "unknown") {
      expect(leaseStands(state, 9_100)).toBe(false);
      expect(delayOf(effects, "renew")).toBe(900);
      expect(effects).toContainEqual({ type: "ReportUnrenewed", reason: "timeout" });
    }
    const reason = answer.outcome === "superseded" ? "replaced" : "refused";
    if (then === "ended") expect(effects.at(-1)).toEqual({ type: "LoseLease", reason });
  });

  it.each<LeaseInput>([
    due,
    { type: "TimerFired", timer: "expiry" },
    { type: "RenewSettled", answer: renewed },
    { type: "Looked" },
  ])("I1: a process that was suspended past its lease finds out with whatever it wakes to: %j", (input) => {
    const { state, effects } = stepLease(renewing(4_000), input, 60_000);
    expect(state).toEqual({ type: "ended" });
    expect(effects.at(-1)).toEqual({ type: "LoseLease", reason: "lapsed" });
    expect(stepLease(state, { type: "RenewSettled", answer: renewed }, 60_001).effects).toEqual([]);
  });

  it("L1: a renewal that was answered only after it had lapsed again is none", () => {
    const out = renewing(9_000);
    expect(stepLease(out, { type: "RenewSettled", answer: { ...renewed, durationMs: 50 } }, 9_060).state.type).toBe(
      "ended",
    );
  });

  it("waits on when a timer fired early, and tells nobody when the node ends by its own will", () => {
    const { state } = startLease(config, granted, 1_000);
    const early = stepLease(state, { type: "TimerFired", timer: "expiry" }, 9_000);
    expect(early).toEqual({ state, effects: [{ type: "StartTimer", timer: "expiry", delayMs: 100 }] });
    const stopped = stepLease(state, { type: "Stopped" }, 2_000);
    expect(stopped.state.type).toBe("ended");
    expect(stopped.effects.map(({ type }) => type)).toEqual(["StopTimer", "StopTimer"]);
    expect(stepLease(renewing(4_000), { type: "RenewRejected" }, 5_000).effects.at(-1)).toEqual({
      type: "LoseLease",
      reason: "storeFailed",
    });
  });
});

/** What can happen next, in the world's time. `gapMs`: how long nothing runs; a suspension is a long one. */
const happening = fc.record({
  gapMs: fc.oneof(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 20_000 })),
  what: fc.constantFrom("timer", "look", "answer", "lostAnswer", "lostCall"),
  travelMs: fc.integer({ min: 0, max: 3_000 }),
});

describe("L1 with arbitrary clocks", () => {
  it("never takes a lease to stand when the store may have given it to somebody else", () => {
    fc.assert(
      fc.property(
        // The node's clock may run slow by nearly the margin, or fast.
        fc.double({ min: 1 - LEASE_MARGIN + 0.001, max: 1.2, noNaN: true }),
        fc.integer({ min: 0, max: 2_000 }),
        fc.array(happening, { maxLength: 60 }),
        (pace, acquireTravelMs, happenings) => {
          let worldMs = 0;
          const nodeNow = (): number => 5_000 + worldMs * pace;
          const askedAtMs = nodeNow();
          worldMs += acquireTravelMs;
          // The store granted it at some moment on the call's way; the earliest is the hardest for the node.
          let storeEndsAt = config.durationMs;
          let { state } = startLease(config, { askedAtMs, durationMs: config.durationMs }, nodeNow());
          let out: { atStore: number } | undefined;
          const tell = (input: LeaseInput): void => {
            const step = stepLease(state, input, nodeNow());
            state = step.state;
            expect(brokenLeaseInvariants(state, nodeNow())).toEqual([]);
            if (step.effects.some(({ type }) => type === "RenewLease")) {
              expect(out).toBeUndefined();
              out = { atStore: worldMs };
            }
          };
          for (const { gapMs, what, travelMs } of happenings) {
            if (what === "timer") {
              worldMs += gapMs;
              tell({ type: "TimerFired", timer: "renew" });
            } else if (what === "look" || !out) {
              worldMs += gapMs;
              tell({ type: "Looked" });
            } else {
              const reached = what !== "lostCall" && out.atStore < storeEndsAt;
              if (reached) storeEndsAt = out.atStore + config.durationMs;
              worldMs += gapMs + travelMs;
              out = undefined;
              const refused = what === "answer" && !reached;
              const unknown: RenewAnswer = { outcome: "unknown", reason: "lost" };
              tell({
                type: "RenewSettled",
                answer: refused ? { outcome: "staleLease" } : what === "answer" ? renewed : unknown,
              });
            }
            if (leaseStands(state, nodeNow())) expect(worldMs).toBeLessThan(storeEndsAt);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it("keeps a lease for as long as the store answers in time", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2_500 }), { minLength: 1, maxLength: 50 }), (travels) => {
        let now = 0;
        let { state, effects } = startLease(config, { askedAtMs: 0, durationMs: config.durationMs }, now);
        for (const travelMs of travels) {
          now += delayOf(effects, "renew")!;
          ({ state, effects } = stepLease(state, due, now));
          expect(effects).toEqual([{ type: "RenewLease", durationMs: config.durationMs }]);
          now += travelMs;
          ({ state, effects } = stepLease(state, { type: "RenewSettled", answer: renewed }, now));
          expect(state.type).toBe("resting");
        }
      }),
    );
  });
});
