import type { FailureCode } from "@rehome/wire";
import type { MoveFailure } from "../move/failure.ts";
import type { AuthorityRecord } from "../ports/authority-store.ts";
import { abortRoutes, commitRoutes, coordinatorOf, failedCommand, fenceOf, relayHeader } from "./commands.ts";
import type { SourceEffect } from "./effects.ts";
import type { SourceStep } from "./step.ts";
import type { Based, BeforeCutOver, Ended, Fencing, OwedRoute, ReadingBase, ReadingVerdict } from "./state.ts";
import { becomeAborted, becomeDeparted } from "./transitions.ts";

/** O3: before the 34 the target cannot commit, so the source may simply resume. */
export function abortBeforeCutOver(state: BeforeCutOver, failure: MoveFailure): SourceStep {
  switch (state.type) {
    case "checking":
      return aborted(state, failure, state.config.kind === "join" ? resume([]) : []);
    case "stopping":
    case "readingBase":
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

/** Exactly this move: the target runs the actor, and everything held after the 34 goes there. */
export function departCommitted(state: ReadingVerdict, record: AuthorityRecord): SourceStep {
  const target = fenceOf(state.config, record);
  return departed(state, state, {
    outcome: { type: "committed", target },
    follow: {
      type: "StartFollow",
      target,
      relay: relayHeader(state.config, state.coordinator),
      handedOver: "delivered",
    },
    routes: commitRoutes(state, target),
  });
}

/** O5: somebody else owns the actor, by whatever move. */
export function departSuperseded(state: ReadingBase | ReadingVerdict, record: AuthorityRecord): SourceStep {
  const target = fenceOf(state.config, record);
  const outcome = { type: "superseded", failure: supersededFailure(state) } as const;
  if (state.type === "readingBase") {
    // No move stands on a base version here: the coordinator names the one that was read instead.
    const relay = relayHeader(state.config, coordinatorOf(state.config.self, record.storeVersion));
    return departed(state, undefined, {
      outcome,
      follow: { type: "StartFollow", target, relay, handedOver: "nothing" },
      routes: [],
    });
  }
  const relay = relayHeader(state.config, state.coordinator);
  return departed(state, state, {
    outcome,
    follow: { type: "StartFollow", target, relay, handedOver: "unknown" },
    routes: commitRoutes(state, target),
  });
}

/** H5: the object is no more; nothing is queued for nobody. */
export function departGone(state: ReadingBase | ReadingVerdict): SourceStep {
  const failure: MoveFailure = {
    code: "staleOwner",
    message: "The actor was destroyed or made anew while it was to move; there is nothing left to move.",
  };
  const routes = state.type === "readingBase" ? [] : abortRoutes(state);
  const outcome = { type: "superseded", failure } as const;
  return {
    state: becomeDeparted(state, outcome, []),
    effects: [
      { type: "FailHold", failure },
      ...routes.map(sendRoute),
      { type: "DropCopy" },
      { type: "StopTimer", timer: "deadline" },
      { type: "Settle", outcome },
    ],
  };
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

interface Departure {
  readonly outcome: Parameters<typeof becomeDeparted>[1];
  readonly follow: Extract<SourceEffect, { readonly type: "StartFollow" }>;
  readonly routes: readonly OwedRoute[];
}

function departed(
  state: ReadingBase | ReadingVerdict,
  cutOver: ReadingVerdict | undefined,
  { outcome, follow, routes }: Departure,
): SourceStep {
  // S20: while its link stands, the target says it itself.
  const said = cutOver?.targetLink === "lost" ? routes : [];
  const next = becomeDeparted(state, outcome, cutOver?.targetLink === "lost" ? [] : routes);
  return {
    state: next,
    effects: [
      follow,
      ...said.map(sendRoute),
      { type: "DropCopy" },
      { type: "StopTimer", timer: "deadline" },
      settle(next),
    ],
  };
}

function settle(state: Ended): SourceEffect {
  return { type: "Settle", outcome: state.outcome };
}

function supersededFailure(state: ReadingBase | ReadingVerdict): MoveFailure {
  const failure: MoveFailure = {
    code: "staleOwner",
    message: "The store names another owner of this actor, not by this move; ask that owner to move it.",
  };
  if (state.type === "readingBase" || state.situation.type === "hinted") return failure;
  return { ...failure, cause: state.situation.failure };
}
