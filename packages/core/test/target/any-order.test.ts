import { crc32c } from "@rehome/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isExactlyThisMove } from "../../src/authority-commit/evidence.ts";
import type { AuthorityRecord } from "../../src/ports/authority-store.ts";
import { commitMoveOf } from "../../src/target/commands.ts";
import type { TargetEffect } from "../../src/target/effects.ts";
import type { TargetInput } from "../../src/target/inputs.ts";
import { targetEnded } from "../../src/target/state.ts";
import {
  DEADLINE_MS,
  Driver,
  START,
  allChunks,
  committed,
  cutoverReceived,
  failedReceived,
  movedRecord,
  payload,
  prepareReceived,
  relayReceived,
  relayed,
  restored,
  restoredInput,
  self,
  source,
  stateReceived,
  stranger,
  unknown,
} from "./fixture.ts";

const baseRecord: AuthorityRecord = {
  ...movedRecord,
  storeVersion: "v10",
  owner: source,
  authorityOwnerGeneration: 8n,
};
const fencedRecord: AuthorityRecord = { ...baseRecord, storeVersion: "v12" };
const otherRecord: AuthorityRecord = { ...movedRecord, relocation: { high: 5n, low: 5n } };
const found = (record: AuthorityRecord): TargetInput => ({
  type: "AuthorityRead",
  answer: { outcome: "found", reading: { record, ownerLeaseLive: true } },
});
const offFence = { coordinator: { ...prepareReceived().command.coordinator, nodeGeneration: 99n } };

/** Facts that fit somewhere in a move, in no order. */
const FACTS: readonly TargetInput[] = [
  prepareReceived(),
  { ...prepareReceived(), bytes: Uint8Array.of(1) },
  prepareReceived(prepareReceived().command, stranger),
  ...allChunks(),
  stateReceived(1, payload.slice(0, 4)),
  stateReceived(7, payload.slice(0, 4)),
  stateReceived(0, payload.slice(0, 4), offFence),
  restoredInput,
  { type: "RestoreFailed", failure: { code: "targetRefused", message: "threw" }, failureCode: "actorCreateFailed" },
  ...relayed.map((bytes) => relayReceived(bytes)),
  relayReceived(Uint8Array.of(9), offFence),
  { ...relayReceived(Uint8Array.of(9)), peer: stranger },
  cutoverReceived([]),
  cutoverReceived(relayed.slice(0, 1)),
  cutoverReceived(relayed),
  cutoverReceived([], offFence),
  { ...cutoverReceived([]), peer: stranger },
  failedReceived(),
  failedReceived(offFence),
  { ...failedReceived(), peer: stranger },
  { type: "CommitSettled", answer: committed },
  { type: "CommitSettled", answer: { outcome: "alreadyCommitted", records: [otherRecord] } },
  { type: "CommitSettled", answer: { outcome: "stale" } },
  { type: "CommitSettled", answer: { outcome: "capacityExceeded" } },
  { type: "CommitSettled", answer: { outcome: "staleLease" } },
  { type: "CommitSettled", answer: unknown },
  found(movedRecord),
  found(baseRecord),
  found(fencedRecord),
  found(otherRecord),
  { type: "AuthorityRead", answer: { outcome: "absent" } },
  { type: "AuthorityRead", answer: unknown },
  { type: "FenceSettled", answer: { outcome: "fenced", record: fencedRecord } },
  { type: "FenceSettled", answer: { outcome: "stale" } },
  { type: "FenceSettled", answer: { outcome: "staleLease" } },
  { type: "FenceSettled", answer: unknown },
  { type: "LinkLost", peer: source.nodeRid },
  { type: "LinkLost", peer: stranger },
  { type: "AbortRequested", failure: { code: "aborted", message: "closing" } },
  { type: "AbortRequested", failure: { code: "staleOwner", message: "newer" } },
  { type: "TimerFired", timer: "deadline" },
  { type: "TimerFired", timer: "retryStore" },
];

/** What an honest peer, store and runtime would say next, so that long ways are walked too. */
function likelyNext(driver: Driver): TargetInput {
  const { state } = driver;
  switch (state.type) {
    case "receiving":
      return allChunks()[state.received.chunks.length]!;
    case "restoring":
      return restoredInput;
    case "ready":
      return relayReceived(relayed[state.relayed.records.length % 2]!);
    case "committing":
      switch (state.commit.type) {
        case "pausing":
          return { type: "TimerFired", timer: "retryStore" };
        case "reading":
          return found(baseRecord);
        case "fencing":
          return { type: "FenceSettled", answer: unknown };
        default:
          return { type: "CommitSettled", answer: unknown };
      }
    case "adopted":
    case "failed":
      return prepareReceived();
  }
}

type Move =
  | { readonly type: "fact"; readonly fact: TargetInput }
  | { readonly type: "likely" }
  | { readonly type: "cutOver" }
  /** The store answers what it was asked, with one of the answers among the facts. */
  | { readonly type: "answer"; readonly which: number }
  | { readonly type: "later"; readonly byMs: number };

const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 9, arbitrary: fc.constant<Move>({ type: "likely" }) },
  { weight: 2, arbitrary: fc.constant<Move>({ type: "cutOver" }) },
  { weight: 4, arbitrary: fc.nat({ max: 99 }).map((which): Move => ({ type: "answer", which })) },
  { weight: 2, arbitrary: fc.constantFrom(...FACTS).map((fact): Move => ({ type: "fact", fact })) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 4_000 }).map((byMs): Move => ({ type: "later", byMs })) },
);

/** Watches one machine from outside, by its inputs and effects alone. */
class Watch {
  /** What an honest source would count, on this node's side of the link. */
  readonly counted: Uint8Array[] = [];
  readonly timers = new Set<string>();
  question: string | undefined;
  matched = false;
  adopted = false;
  dropped = false;
  settled = 0;

  before(driver: Driver, input: TargetInput): void {
    if (input.type === "TimerFired") this.timers.delete(input.timer);
    if (input.type === `${this.question ?? ""}`) this.question = undefined;
    const rightful = "peer" in input && input.peer === source.nodeRid && "command" in input && !offBy(input);
    if (driver.state.type !== "ready" || !rightful) return;
    if (input.type === "RelayReceived") this.counted.push(input.bytes);
    if (input.type === "CutoverReceived") {
      const { boundaryRecordCount, boundaryChecksumCrc32c } = input.command;
      const checksum = this.counted.reduce((crc, bytes) => crc32c(bytes, crc), 0);
      this.matched = boundaryRecordCount === BigInt(this.counted.length) && boundaryChecksumCrc32c === checksum;
    }
  }

  after(driver: Driver, effects: readonly TargetEffect[]): void {
    for (const effect of effects) this.#see(driver, effect);
    expect(this.settled).toBe(targetEnded(driver.state) ? 1 : 0);
    if (!targetEnded(driver.state)) return;
    expect([...this.timers]).toEqual([]);
    expect(this.question).toBeUndefined();
    expect(this.adopted).toBe(!this.dropped);
  }

  #see(driver: Driver, effect: TargetEffect): void {
    switch (effect.type) {
      case "CommitAuthority":
        expect(this.matched).toBe(true);
        expect(effect.request.participants[0]?.baseVersion).toBe("v10");
        this.#asks("CommitSettled");
        return;
      case "ReadAuthority":
        this.#asks("AuthorityRead");
        return;
      case "FenceAuthority":
        expect(effect.baseVersion).toBe("v10");
        this.#asks("FenceSettled");
        return;
      case "Adopt":
        expect(this.dropped || this.adopted).toBe(false);
        expect(isExactlyThisMove(effect.record, commitMoveOf(driver.state.attempt, restored).claim)).toBe(true);
        expect(effect.record.owner).toBe(self);
        this.adopted = true;
        return;
      case "OpenDispatch":
        expect(this.adopted).toBe(true);
        expect(effect.relayed).toEqual(this.counted);
        return;
      case "SendRoute":
      case "SendJoined":
        expect(this.adopted).toBe(true);
        return;
      case "DropCopy":
        expect(this.dropped || this.adopted).toBe(false);
        this.dropped = true;
        return;
      case "SendFailed":
        expect(this.adopted).toBe(false);
        return;
      case "RestoreUnit":
        expect([...effect.payload]).toEqual([...payload]);
        return;
      case "StartTimer":
        expect(this.timers.has(effect.timer)).toBe(false);
        this.timers.add(effect.timer);
        return;
      case "StopTimer":
        this.timers.delete(effect.timer);
        return;
      case "Settle":
        expect(effect.outcome.type).toBe(this.adopted ? "adopted" : "failed");
        this.settled += 1;
        return;
      case "OpenTemporaryQueue":
      case "SendReady":
      case "QueueForwarded":
      case "Report":
        return;
    }
  }

  #asks(answer: string): void {
    expect(this.question).toBeUndefined();
    this.question = answer;
  }
}

function offBy(input: Extract<TargetInput, { command: unknown }>): boolean {
  return input.command.coordinator.nodeGeneration !== source.nodeGeneration;
}

describe("a target, whatever comes", () => {
  it("keeps its invariants, settles once, and does nothing before what must come first", () => {
    const ends: Record<string, number> = {};
    fc.assert(
      fc.property(fc.array(move, { minLength: 1, maxLength: 60, size: "max" }), (moves) => {
        const driver = new Driver();
        const watch = new Watch();
        watch.after(driver, driver.effects);
        for (const step of moves) {
          if (step.type === "later") {
            driver.now += step.byMs;
            continue;
          }
          const input = inputOf(step, driver, watch);
          if (input === undefined) continue;
          // The store answers what it was asked, and a timer fires only when it runs: the runtime sees to both.
          const answers = ["CommitSettled", "AuthorityRead", "FenceSettled"].includes(input.type);
          if (answers && input.type !== watch.question) continue;
          if (input.type === "TimerFired" && !watch.timers.has(input.timer)) continue;
          watch.before(driver, input);
          watch.after(driver, driver.take(input));
        }
        const name = driver.state.type;
        ends[name] = (ends[name] ?? 0) + 1;
        // Whatever has happened, the deadline and a store that answers end the attempt.
        driver.now = START + DEADLINE_MS;
        for (let round = 0; round < 8 && !targetEnded(driver.state); round++) {
          const input = watch.question === undefined ? likelyNext(driver) : lastWord(watch.question);
          watch.before(driver, input);
          watch.after(driver, driver.take(input));
        }
        expect(targetEnded(driver.state)).toBe(true);
      }),
      { numRuns: 500 },
    );
    // The ways that were walked are not all the same short one.
    for (const type of ["receiving", "restoring", "ready", "committing", "adopted", "failed"]) {
      expect(ends[type] ?? 0, type).toBeGreaterThan(0);
    }
  });
});

function inputOf(step: Exclude<Move, { type: "later" }>, driver: Driver, watch: Watch): TargetInput | undefined {
  switch (step.type) {
    case "fact":
      return step.fact;
    case "likely":
      return likelyNext(driver);
    case "cutOver":
      return cutoverReceived(watch.counted);
    case "answer": {
      const answers = FACTS.filter((fact) => fact.type === watch.question);
      return answers[step.which % answers.length];
    }
  }
}

function lastWord(question: string): TargetInput {
  if (question === "CommitSettled") return { type: "CommitSettled", answer: unknown };
  if (question === "AuthorityRead") return found(fencedRecord);
  return { type: "FenceSettled", answer: { outcome: "fenced", record: fencedRecord } };
}
