import { assert } from "../errors.ts";
import { stepAfterCutOver } from "./after-cut-over.ts";
import { stepBeforeCutOver } from "./before-cut-over.ts";
import { isRecordInput, recordFault } from "./checks.ts";
import { ownFenceFault, type SourceConfig } from "./config.ts";
import type { SourceEffect } from "./effects.ts";
import { stepLearningOwners } from "./departing.ts";
import { sendRoute } from "./endings.ts";
import { FAILURES } from "./failures.ts";
import type { SourceInput } from "./inputs.ts";
import { reportLate, reportRefused } from "./reports.ts";
import type { Departed, SourceState } from "./state.ts";
import { sourceEnded, sourceLearnsOwners } from "./state.ts";
import { becomeChecking, becomeRefused, withRoutesSaid } from "./transitions.ts";

/** A state, and what has to be done because of how it was reached. */
export interface SourceStep {
  readonly state: SourceState;
  readonly effects: readonly SourceEffect[];
}

/**
 * Begins a move at its source (`protocol.md` section 4, step 1). `now` is `Clock.nowMs`. With a fence that is not this
 * run's own the move has ended before anything was done (O1).
 */
export function startSource(config: SourceConfig, now: number): SourceStep {
  const { self, target, relocation } = config;
  assert(relocation.high !== 0n || relocation.low !== 0n, "A relocation id is never zero.");
  assert(target.nodeRid !== self.nodeRid, "A unit moves to another node than the one that it is on.");
  if (ownFenceFault(config) !== undefined) {
    const state = becomeRefused(config, FAILURES.staleOwner);
    return { state, effects: [{ type: "Settle", outcome: state.outcome }] };
  }
  const effects: SourceEffect[] = [{ type: "StartTimer", timer: "deadline", delayMs: config.deadlines.moveMs }];
  if (config.kind === "join") effects.push({ type: "HoldIngress", mode: "provisional" });
  effects.push({ type: "CheckTarget" });
  return { state: becomeChecking(config, now), effects };
}

/**
 * What a fact means for a move: its next state and what to do. Never throws for anything that a peer or a store does, and
 * never waits. `now` is `Clock.nowMs`.
 */
export function stepSource(state: SourceState, input: SourceInput, now: number): SourceStep {
  if (isRecordInput(input)) {
    if (sourceEnded(state) || sourceLearnsOwners(state))
      return { state, effects: [reportLate(state, input.peer, input.command)] };
    const fault = recordFault(state, input);
    if (fault !== undefined) return { state, effects: [reportRefused(state, input.peer, input.command, fault)] };
  }
  switch (state.type) {
    case "checking":
    case "stopping":
    case "readingBase":
    case "pausingBase":
    case "readingMembers":
    case "sealing":
    case "capturing":
    case "transferring":
      return stepBeforeCutOver(state, input, now);
    case "awaitingWord":
    case "readingVerdict":
    case "fencing":
    case "pausingVerdict":
      return stepAfterCutOver(state, input, now);
    case "readingOwners":
    case "pausingOwners":
      return stepLearningOwners(state, input, now);
    case "departed":
      return stepDeparted(state, input);
    case "aborted":
      // O10: nothing comes after a rollback.
      return { state, effects: [] };
  }
}

/** S20: the one thing that a move still owes after its end. */
function stepDeparted(state: Departed, input: SourceInput): SourceStep {
  if (input.type !== "LinkLost" || input.peer !== state.config.target.nodeRid) return { state, effects: [] };
  return { state: withRoutesSaid(state), effects: state.routes.map(sendRoute) };
}
