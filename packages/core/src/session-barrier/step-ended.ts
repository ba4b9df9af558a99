import { nodeRunDifference } from "../move/fences.ts";
import { isSameRoute, ownerOf, refusalAnswer, routeSenderDifference, sealSenderDifference } from "./fence.ts";
import type { BarrierInput, BindingView } from "./inputs.ts";
import { answerAgain, noteRoute, refuse, refuseRoute, stay } from "./received.ts";
import type { RouteReceived, SealReceived } from "./received.ts";
import type { BarrierSubject, CommitRoute, EndedBarrier } from "./state.ts";
import { becomeRefused, becomeRouted, becomeVerifying } from "./transitions.ts";
import type { BarrierStep, Moment } from "./transitions.ts";

/** What comes after the end of an identity (`protocol.md` S7, S8, S14). */
export function stepEnded(state: EndedBarrier, input: BarrierInput, moment: Moment): BarrierStep {
  switch (input.type) {
    case "SealReceived":
      return state.answer.type === "unasked" ? refuseLate(state, input) : answerAgain(state, input, state.answer);
    case "RouteReceived":
      return lateRoute(state, input, moment);
    default:
      return stay(state);
  }
}

/** S8: a 42 that its own 44 overtook cannot seal. */
function refuseLate(state: EndedBarrier, input: SealReceived): BarrierStep {
  const field = sealSenderDifference(input.peer, input.command);
  if (field !== undefined) return refuse(state, input, "actorLocationStale", field);
  const refused = refuse(state, input, "requestRejected", "relocation");
  const command = refusalAnswer(input.command, input.owner, "requestRejected");
  const { state: remembered } = becomeRefused(state, { type: "refused", fingerprint: input.bytes, command });
  return { state: remembered, effects: refused.effects };
}

/** S7. */
function lateRoute(state: EndedBarrier, input: RouteReceived, moment: Moment): BarrierStep {
  const { end } = state;
  const { route } = input.command;
  if (end.type === "routed" && isSameRoute(end.route, route)) return noteRoute(state, input, "route.repeated");
  const field = routeSenderDifference(input.peer, input.command);
  if (field !== undefined) return refuseRoute(state, input, field);
  if (end.type === "unrouted") return noteRoute(becomeRouted(state, route).state, input, "route.late");
  if (route.action === "abort") return refuseRoute(state, input, "route.action");

  const subject = subjectOfLate(state, input);
  // The binding that it was for is no more: nothing can be set right, and nobody is to blame.
  if (subject === undefined) return noteRoute(state, input, "route.late");
  if (leadsHere(subject, route)) return noteRoute(state, input, "route.repeated");
  if (route.targetAuthorityOwnerGeneration <= subject.fence.authorityOwnerGeneration) {
    return refuseRoute(state, input, "route.targetAuthorityOwnerGeneration");
  }
  // Another move holds the binding; whatever that one learns from the store is newer than this.
  if (moment.rival !== undefined) return noteRoute(state, input, "route.late");
  return becomeVerifying(state, subject, route, moment);
}

function subjectOfLate(state: EndedBarrier, input: RouteReceived): BarrierSubject | undefined {
  const { command, binding, owner } = input;
  if (binding === undefined || !isFor(binding, input)) return undefined;
  if (nodeRunDifference("session", owner, ownerOf(command)) !== undefined) return undefined;
  return { identity: state.identity, fence: binding.route, session: command.session };
}

function isFor(binding: BindingView, { command }: RouteReceived): boolean {
  const { actor } = binding.route;
  return (
    binding.sessionRid === command.session.sessionRid &&
    binding.bindingGeneration === command.session.bindingGeneration &&
    actor.actorId === command.actor.actorId &&
    actor.objectGeneration === command.actor.objectGeneration
  );
}

function leadsHere({ fence }: BarrierSubject, route: CommitRoute): boolean {
  return (
    fence.authorityOwnerGeneration === route.targetAuthorityOwnerGeneration &&
    fence.nodeRid === route.targetNodeRid &&
    fence.nodeGeneration === route.targetNodeGeneration
  );
}
