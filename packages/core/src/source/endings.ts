import type { FailureCode } from "@rehome/wire";
import type { MoveFailure } from "../move/failure.ts";
import { abortRoutes, failedCommand } from "./commands.ts";
import type { SourceEffect } from "./effects.ts";
import type { SourceStep } from "./step.ts";
import type { Based, BeforeCutOver, Ended, Fencing, OwedRoute, ReadingVerdict } from "./state.ts";
import { becomeAborted } from "./transitions.ts";

/** O3: before the 34 the target cannot commit, so the source may simply resume. */
export function abortBeforeCutOver(state: BeforeCutOver, failure: MoveFailure): SourceStep {
  switch (state.type) {
    case "checking":
      return aborted(state, failure, state.config.kind === "join" ? resume([]) : []);
    case "stopping":
    case "readingBase":
    case "readingMembers":
      return aborted(state, failure, resume([]));
    case "pausingBase":
      return aborted(state, failure, [{ type: "StopTimer", timer: "retryRead" }, ...resume([])]);
    case "sealing":
    case "capturing":
      return aborted(state, failure, resume(abortRoutes(state)));
    case "transferring":
      return aborted(state, failure, [tellTarget(state, failure), ...resume(abortRoutes(state))]);
  }
}

/** O4: after the 34, once the store has made sure that no commit can succeed any more. */
export function rollBack(state: ReadingVerdict | Fencing, failure: MoveFailure): SourceStep {
  return aborted(state, failure, [tellTarget(state, failure), ...resume(abortRoutes(state))]);
}

export function sendRoute(route: OwedRoute): SourceEffect {
  return { type: "SendRoute", ...route };
}

/** O7: the hold goes back behind its closed gate, every owed 44 goes out, and only then may turns start. */
function resume(routes: readonly OwedRoute[]): SourceEffect[] {
  return [{ type: "GiveBackHold" }, ...routes.map(sendRoute), { type: "OpenGate" }];
}

/** O11: before anything else, so that the target stops working for nothing. */
function tellTarget(state: Based, failure: MoveFailure): SourceEffect {
  const command = failedCommand(state, failureCodeOf(failure));
  return { type: "SendFailed", peer: state.config.target.nodeRid, command };
}

function failureCodeOf(failure: MoveFailure): FailureCode {
  return failure.code === "staleOwner" ? "actorLocationStale" : "requestRejected";
}

function aborted(
  state: BeforeCutOver | ReadingVerdict | Fencing,
  failure: MoveFailure,
  effects: readonly SourceEffect[],
): SourceStep {
  const next = becomeAborted(state, failure);
  return {
    state: next,
    effects: [...effects, { type: "StopTimer", timer: "deadline" }, settle(next)],
  };
}

export function settle(state: Ended): SourceEffect {
  return { type: "Settle", outcome: state.outcome };
}
