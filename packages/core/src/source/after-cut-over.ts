import type { MoveFailure } from "../move/failure.ts";
import type { FenceAnswer, ReadAnswer } from "../ports/authority-store.ts";
import { READ_AGAIN_MS, READ_AGAIN_SLOWLY_MS } from "./config.ts";
import type { SourceEffect } from "./effects.ts";
import { leave } from "./departing.ts";
import { rollBack } from "./endings.ts";
import { FAILURES, targetRefused, undecidedFailure } from "./failures.ts";
import type { SourceInput } from "./inputs.ts";
import { reportContradiction, reportUndecided } from "./reports.ts";
import { SOURCE_AFTER_FENCE, SOURCE_AFTER_READ, fenceReading, verdictEvidence } from "./resolution.ts";
import type { AfterCutOver, Fencing, GivingUp, PausingVerdict, ReadingVerdict, VerdictSituation } from "./state.ts";
import type { SourceStep } from "./step.ts";
import {
  becomeFencing,
  becomePausingVerdict,
  becomeReadingVerdict,
  withResolutionDeadline,
  withTargetLinkLost,
} from "./transitions.ts";

/** Only the store's word counts now (O4, O5): whatever else comes is at most a reason to ask it. */
export function stepAfterCutOver(state: AfterCutOver, input: SourceInput, now: number): SourceStep {
  switch (input.type) {
    case "JoinedReceived":
      return ask(state, { type: "hinted" });
    case "FailedReceived":
      return ask(state, { type: "abortWanted", failure: targetRefused(input.command.failureCode) });
    case "LinkLost":
      return input.peer === state.config.target.nodeRid
        ? ask(withTargetLinkLost(state), { type: "abortWanted", failure: FAILURES.targetLost })
        : stay(state);
    case "AbortRequested":
      return ask(state, { type: "abortWanted", failure: input.failure });
    case "TimerFired":
      return input.timer === "deadline" ? deadlineFired(state, now) : pauseOver(state);
    case "AuthorityRead":
      return state.type === "readingVerdict" ? verdictRead(state, input.answer, now) : stay(state);
    case "FenceSettled":
      return state.type === "fencing" ? fenceSettled(state, input.answer) : stay(state);
    default:
      return stay(state);
  }
}

/** Asks the store, unless it is being asked; the answer is then taken in the worse of the two situations. */
function ask(state: AfterCutOver, reason: VerdictSituation): SourceStep {
  switch (state.type) {
    case "awaitingWord":
      return read(becomeReadingVerdict(state, reason));
    case "readingVerdict":
      return stay(becomeReadingVerdict(state, worse(state.situation, reason)));
    case "fencing":
      return stay(becomeFencing(state, worseGivingUp(state.situation, reason)));
    case "pausingVerdict": {
      const situation = worse(state.situation, reason);
      // A repeat of what is known is no reason to ask sooner; a 37 is one, because the target may just have committed.
      if (situation === state.situation && reason.type !== "hinted") return stay(state);
      const step = read(becomeReadingVerdict(state, situation));
      return { state: step.state, effects: [{ type: "StopTimer", timer: "retryRead" }, ...step.effects] };
    }
  }
}

function deadlineFired(state: AfterCutOver, now: number): SourceStep {
  if (now < state.deadlineAtMs) {
    return { state, effects: [{ type: "StartTimer", timer: "deadline", delayMs: state.deadlineAtMs - now }] };
  }
  if (state.deadline === "move") {
    const { storeResolutionMs } = state.config.deadlines;
    const asked = ask(withResolutionDeadline(state, now), { type: "abortWanted", failure: FAILURES.verdictDeadline });
    return {
      state: asked.state,
      effects: [{ type: "StartTimer", timer: "deadline", delayMs: storeResolutionMs }, ...asked.effects],
    };
  }
  return becomeStuck(state);
}

/** O5: the actor stays closed, the failure is reported, and reading goes on at a slower pace. */
function becomeStuck(state: AfterCutOver): SourceStep {
  const first = firstFailure(state);
  if (state.type !== "awaitingWord" && state.situation.type === "stuck") return stay(state);
  const asked = ask(state, { type: "stuck", failure: first });
  return { state: asked.state, effects: [reportUndecided(undecidedFailure(first)), ...asked.effects] };
}

function pauseOver(state: AfterCutOver): SourceStep {
  return state.type === "pausingVerdict" ? read(becomeReadingVerdict(state, state.situation)) : stay(state);
}

function read(state: ReadingVerdict): SourceStep {
  return { state, effects: [{ type: "ReadAuthority" }] };
}

function verdictRead(state: ReadingVerdict, answer: ReadAnswer, now: number): SourceStep {
  const { situation } = state;
  const evidence = verdictEvidence(answer, state.config, state.coordinator);
  const { action } = SOURCE_AFTER_READ[situation.type][evidence.reading];
  if (action === "departCommitted" && "record" in evidence) {
    return leave(state, { type: "committed", record: evidence.record }, now);
  }
  if (action === "departSuperseded" && "record" in evidence) {
    const failure = situation.type === "hinted" ? undefined : situation.failure;
    return leave(state, { type: "superseded", record: evidence.record, failure }, now);
  }
  if (action === "departGone") return leave(state, { type: "gone" }, now);
  if (action === "rollBack") return rollBack(state, firstFailure(state));
  if (action === "fence" && situation.type !== "hinted") return fence(state, situation);
  const paused = pause(state, situation, action === "readAgainSlowly" ? "slowly" : "soon");
  return evidence.reading === "contradiction"
    ? { state: paused.state, effects: [reportContradiction(state), ...paused.effects] }
    : paused;
}

function fence(state: ReadingVerdict, situation: GivingUp): SourceStep {
  const baseVersion = state.coordinator.expectedAuthorityStoreVersion;
  return { state: becomeFencing(state, situation), effects: [{ type: "FenceAuthority", baseVersion }] };
}

function fenceSettled(state: Fencing, answer: FenceAnswer): SourceStep {
  const { situation } = state;
  const reading = fenceReading(answer, state.config);
  const { action } = SOURCE_AFTER_FENCE[situation.type][reading];
  if (action === "rollBack") return rollBack(state, situation.failure);
  const paused = pause(state, situation, action === "readAgainSlowly" ? "slowly" : "soon");
  return reading === "otherRecord"
    ? { state: paused.state, effects: [reportContradiction(state), ...paused.effects] }
    : paused;
}

function pause(state: ReadingVerdict | Fencing, situation: VerdictSituation, pace: "soon" | "slowly"): SourceStep {
  const delayMs = pace === "slowly" ? READ_AGAIN_SLOWLY_MS : READ_AGAIN_MS;
  const effects: SourceEffect[] = [{ type: "StartTimer", timer: "retryRead", delayMs }];
  return { state: becomePausingVerdict(state, situation), effects };
}

/** O7: the first error is the one that is told. */
function firstFailure(state: AfterCutOver): MoveFailure {
  if (state.type === "awaitingWord") return FAILURES.verdictDeadline;
  return state.situation.type === "hinted" ? FAILURES.baseGone : state.situation.failure;
}

const RANK = { hinted: 0, abortWanted: 1, stuck: 2 } as const;

/** The situation that asks for more; of two that ask for the same, the first. */
function worse(known: VerdictSituation, reason: VerdictSituation): VerdictSituation {
  return RANK[reason.type] > RANK[known.type] ? reason : known;
}

function worseGivingUp(known: GivingUp, reason: VerdictSituation): GivingUp {
  return reason.type !== "hinted" && RANK[reason.type] > RANK[known.type] ? reason : known;
}

function stay(state: AfterCutOver | PausingVerdict): SourceStep {
  return { state, effects: [] };
}
