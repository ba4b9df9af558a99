import type { SessionRelocationRoute, SessionRelocationSeal } from "@rehome/wire";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ReadAnswer } from "../../src/ports/authority-store.ts";
import type { PeerRun } from "../../src/session-barrier/inputs.ts";
import {
  ABORT,
  BINDING,
  COMMIT,
  FENCE,
  IDENTITY,
  Owner,
  SEAL,
  SOURCE,
  STRANGER,
  TARGET,
  TARGET_FENCE,
  abortCommand,
  commitCommand,
  reading,
  unchanged,
} from "./fixture.ts";
import type { Effect } from "./fixture.ts";

/** What anybody could send, by name, so that a failing run reads well. */
const SECOND = { high: 1n, low: 3n };
const SEALS: Record<string, SessionRelocationSeal> = {
  first: SEAL,
  conflicting: { ...SEAL, coordinator: { ...SEAL.coordinator, expectedAuthorityStoreVersion: "v9" } },
  second: { ...SEAL, relocation: SECOND },
  fromTarget: {
    ...SEAL,
    relocation: { high: 1n, low: 4n },
    coordinator: { ...SEAL.coordinator, ...TARGET },
    actor: TARGET_FENCE,
  },
};
const ROUTES: Record<string, SessionRelocationRoute> = {
  commit: commitCommand(),
  commitByCoordinator: { ...commitCommand(), senderRole: "coordinator" },
  commitElsewhere: commitCommand({ ...COMMIT, targetNodeRid: STRANGER.nodeRid, targetNodeGeneration: 9n }),
  abort: abortCommand(),
  abortOfSecond: { ...abortCommand(), relocation: SECOND },
  abortOfAnother: abortCommand({ ...ABORT, currentAuthorityOwnerGeneration: 6n }),
};
const PEERS: Record<string, PeerRun> = { source: SOURCE, target: TARGET, stranger: STRANGER };
const ANSWERS: Record<string, ReadAnswer> = {
  unchanged: unchanged(),
  target: reading(),
  newer: reading({ authorityOwnerGeneration: 12n }),
  absent: { outcome: "absent" },
  unknown: { outcome: "unknown", reason: "timeout" },
};

type Act =
  | { do: "seal"; what: string; peer: string }
  | { do: "route"; what: string; peer: string }
  | { do: "answer"; which: number; good: boolean; answer: string; keep: boolean }
  | { do: "deadline"; afterMs: number }
  | { do: "message" | "push" | "unbind" | "clear" | "rebind" };

const oneOf = (values: object) => fc.constantFrom(...Object.keys(values));
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("seal" as const), what: oneOf(SEALS), peer: oneOf(PEERS) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("route" as const), what: oneOf(ROUTES), peer: oneOf(PEERS) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("answer" as const),
      which: fc.nat({ max: 5 }),
      good: fc.boolean(),
      answer: oneOf(ANSWERS),
      keep: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("deadline" as const), afterMs: fc.constantFrom(1, 5_000, 20_000) }),
  },
  { weight: 6, arbitrary: fc.constant({ do: "message" as const }) },
  { weight: 3, arbitrary: fc.constant({ do: "push" as const }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom({ do: "unbind" as const }, { do: "clear" as const }, { do: "rebind" as const }),
  },
);

/** Plays anything against one session owner and keeps the clients' account of it. */
class Play {
  readonly owner = new Owner({ maxHeldMessages: 4, maxHeldPushes: 3, maxEndedIdentities: 3 });
  readonly asked: Effect[] = [];
  readonly waiting: string[] = [];
  readonly settled = new Set<string>();
  readonly waitingPushes: string[] = [];
  count = 0;

  run(step: Act): void {
    this.settle(this.perform(step));
    expect(this.owner.barriers.isSealed(BINDING) || this.waiting.length === 0).toBe(true);
  }

  perform(step: Act): readonly Effect[] {
    const { owner } = this;
    switch (step.do) {
      case "seal":
        return owner.seal(SEALS[step.what], PEERS[step.peer]);
      case "route":
        return owner.route(ROUTES[step.what]!, PEERS[step.peer]!);
      case "deadline":
        owner.nowMs += step.afterMs;
        return [...owner.barriers.inspect().active].flatMap(({ key }) =>
          owner.handle({ type: "SealDeadlinePassed", identity: key }),
        );
      case "answer":
        return this.answer(step);
      case "message":
        return this.message();
      case "push":
        return this.push();
      case "unbind":
        if (owner.barriers.offerUnbind(BINDING, "unbind") === "held") this.waiting.push("unbind");
        return [];
      case "clear":
        return owner.handle({ type: "BindingEnded", binding: BINDING });
      case "rebind":
        owner.binding ??= { sessionRid: BINDING.sessionRid, bindingGeneration: 5n, route: FENCE };
        return [];
    }
  }

  message(): readonly Effect[] {
    const text = `m${(this.count += 1)}`;
    const verdict = this.owner.message(text);
    if (verdict === "held") this.waiting.push(text);
    // Fed at once: then nothing older may still be held (I4).
    if (verdict === "feed") expect(this.waiting).toEqual([]);
    return [];
  }

  push(): readonly Effect[] {
    const text = `p${(this.count += 1)}`;
    if (this.owner.push(text, TARGET_FENCE).outcome === "held") this.waitingPushes.push(text);
    return [];
  }

  answer({ which, good, answer, keep }: Extract<Act, { do: "answer" }>): readonly Effect[] {
    const index = which % Math.max(1, this.asked.length);
    const effect = this.asked[index];
    if (effect === undefined) return [];
    // A driver answers once; one that answers twice must do no harm either (I9).
    if (!keep) this.asked.splice(index, 1);
    const { owner } = this;
    switch (effect.type) {
      case "InstallSeal":
        return good
          ? owner.installed(effect.identity)
          : owner.handle({ type: "SealInstallFailed", identity: effect.identity, reason: "no" });
      case "ReadAuthority": {
        const { identity, read } = effect;
        const facts = { identity, read, answer: ANSWERS[answer]!, binding: owner.binding };
        return owner.handle({ type: "AuthorityRead", ...facts });
      }
      case "RepointBinding": {
        const { identity, route } = effect;
        if (!good) return owner.handle({ type: "RouteApplyFailed", identity, reason: "no" });
        const isApplying = owner.barriers
          .inspect()
          .active.some(({ key, state }) => key === identity && state.type === "applying");
        if (isApplying && owner.binding !== undefined) {
          expect(route.authorityOwnerGeneration).toBeGreaterThan(owner.binding.route.authorityOwnerGeneration);
          owner.binding = { ...owner.binding, route: { actor: FENCE.actor, ...route } };
        }
        return owner.handle({ type: "RouteApplied", identity });
      }
      default:
        return [];
    }
  }

  settle(effects: readonly Effect[]): void {
    for (const effect of effects) {
      if (effect.type === "InstallSeal" || effect.type === "ReadAuthority" || effect.type === "RepointBinding") {
        this.asked.push(effect);
      }
      if (effect.type === "ReleaseHeld" || effect.type === "FailHeld") {
        // All of them, once, in the order in which they were offered (I2, I3, I4).
        expect(effect.items).toEqual(this.waiting);
        for (const item of effect.items) {
          expect(item !== "unbind" && this.settled.has(item)).toBe(false);
          this.settled.add(item);
        }
        this.waiting.length = 0;
      }
      if (effect.type === "DeliverHeldPushes" || effect.type === "DropHeldPushes") {
        expect(effect.items).toEqual(this.waitingPushes.splice(0, effect.items.length));
      }
    }
  }
}

describe("whatever comes, in whatever order", () => {
  test("I2, I3, I4, I8: every held message comes back once and in order, and the owner's books are right", () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
        const play = new Play();
        for (const step of acts) play.run(step);
        play.settle(play.owner.handle({ type: "Stopping" }));
        expect(play.waiting).toEqual([]);
        expect(play.waitingPushes).toEqual([]);
        expect(play.owner.barriers.inspect()).toMatchObject({ active: [], heldTotalBytes: 0 });
      }),
      { numRuns: 2_000 },
    );
  });

  test("S5, I8: every barrier ends by its deadlines alone, whatever answers are lost", () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
        const play = new Play();
        for (const step of acts) play.run(step);
        for (let round = 0; round < 3; round++) play.run({ do: "deadline", afterMs: 20_000 });
        expect(play.owner.barriers.inspect().active).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("M8: repeats and late records of one move", () => {
  /** What changed something: everything but answers to repeats and reports. */
  const effective = (effects: readonly Effect[]) =>
    effects.filter(({ type }) => !["Report", "ReportProtocolError", "SendSealed", "SendRefusal"].includes(type));

  function play(end: "commit" | "abort", extra: readonly (readonly [number, number])[]): readonly Effect[] {
    const owner = new Owner();
    const seen: Effect[] = [];
    const tell = (effects: readonly Effect[]) => seen.push(...effective(effects));
    const records = [
      () => owner.seal(),
      () => (end === "commit" ? owner.commit() : owner.abort()),
      () => (end === "commit" ? owner.route({ ...commitCommand(), senderRole: "coordinator" }, SOURCE) : owner.abort()),
    ];
    const steps = [
      () => records[0]!(),
      () => owner.installed(),
      () => records[1]!(),
      () => {
        const state = owner.barriers.inspect().active[0]?.state;
        if (state?.type !== "applying") return [];
        owner.binding = { ...owner.binding!, route: { actor: FENCE.actor, ...state.to } };
        return owner.handle({ type: "RouteApplied", identity: IDENTITY });
      },
    ];
    steps.forEach((step, index) => {
      owner.message(`m${index}`);
      tell(step());
      // Only what has been sent can come again.
      const sent = index < 2 ? 1 : 3;
      for (const [at, which] of extra) {
        if (at === index) tell(records[which % sent]!());
      }
    });
    return seen;
  }

  test.each(["commit", "abort"] as const)("M8: same outcome, one effect (%s)", (end) => {
    const plain = play(end, []);
    const repeat = fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 2 }));
    fc.assert(
      fc.property(fc.array(repeat, { maxLength: 12 }), (extra) => {
        expect(play(end, extra)).toEqual(plain);
      }),
      { numRuns: 500 },
    );
  });
});
