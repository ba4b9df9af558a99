import type { FailureCode, RouteUpdate } from "@rehome/wire";
import { isSameFingerprint, refusalAnswer, routeFenceDifference, sealSenderDifference } from "./fence.ts";
import type { BarrierInput } from "./inputs.ts";
import { protocolError, report } from "./reports.ts";
import type { BarrierState, SealAnswer } from "./state.ts";
import type { BarrierStep } from "./transitions.ts";

/*
 * A 42 and a 44 of an identity that is already known are told apart in the same way in every state: is it a repeat, is
 * it from the rightful sender, does it match?
 */

export type SealReceived = Extract<BarrierInput, { type: "SealReceived" }>;
export type RouteReceived = Extract<BarrierInput, { type: "RouteReceived" }>;

export function stay(state: BarrierState, effects: BarrierStep["effects"] = []): BarrierStep {
  return { state, effects };
}

/** A 53 to whoever sent the 42; the identity is not touched. */
export function refuse(state: BarrierState, input: SealReceived, failureCode: FailureCode, field: string): BarrierStep {
  const command = refusalAnswer(input.command, input.owner, failureCode);
  const fields = { identity: identityOf(state), peer: input.peer.nodeRid, failureCode, field };
  return stay(state, [{ type: "SendRefusal", peer: input.peer.nodeRid, command }, report("seal.refused", fields)]);
}

/**
 * Sorts a 42 whose identity is known: other bytes are a protocol error (S3), and so the first one stays in force; the
 * same bytes from somebody else are refused like any forged one (S4). `undefined`: it is a repeat (S2).
 */
export function unlessRepeat(
  state: BarrierState,
  input: SealReceived,
  fingerprint: Uint8Array,
): BarrierStep | undefined {
  const { peer, command, bytes } = input;
  if (!isSameFingerprint(fingerprint, bytes)) {
    return stay(state, [protocolError(peer.nodeRid, "seal.conflict", { identity: identityOf(state) })]);
  }
  const field = sealSenderDifference(peer, command);
  return field === undefined ? undefined : refuse(state, input, "actorLocationStale", field);
}

/** S2, I9: the repeat of an answered 42 gets the same answer, and nothing else happens. */
export function answerAgain(state: BarrierState, input: SealReceived, answer: SealAnswer): BarrierStep {
  const peer = input.peer.nodeRid;
  switch (answer.type) {
    case "unasked":
      return refuse(state, input, "requestRejected", "relocation");
    case "sealed":
      return (
        unlessRepeat(state, input, answer.fingerprint) ??
        stay(state, [{ type: "SendSealed", peer, command: answer.command }])
      );
    case "refused":
      return (
        unlessRepeat(state, input, answer.fingerprint) ??
        stay(state, [{ type: "SendRefusal", peer, command: answer.command }])
      );
  }
}

/** S10: the first field in which a 44 does not fit a seal that still stands ends it; `undefined` means that it fits. */
export function unlessMatching(
  state: Extract<BarrierState, { seal: unknown }>,
  input: RouteReceived,
): BarrierStep | undefined {
  const field = routeFenceDifference(state.seal, input);
  return field === undefined ? undefined : refuseRoute(state, input, field);
}

/** A 44 that contradicts what stands. */
export function refuseRoute(state: BarrierState, input: RouteReceived, field: string): BarrierStep {
  const fields = { identity: identityOf(state), action: input.command.route.action, field };
  return stay(state, [protocolError(input.peer.nodeRid, "route.refused", fields)]);
}

/** A 44 that changes nothing, for a reason that is nobody's fault. */
export function noteRoute(
  state: BarrierState,
  input: RouteReceived,
  event: "route.unknownIdentity" | "route.repeated" | "route.late",
): BarrierStep {
  return stay(state, [
    report(event, { identity: identityOf(state), ...routeFields(input.command.route), peer: input.peer.nodeRid }),
  ]);
}

export function routeFields(route: RouteUpdate): Readonly<Record<string, unknown>> {
  return route.action === "abort"
    ? { action: route.action, authorityOwnerGeneration: route.currentAuthorityOwnerGeneration }
    : { action: route.action, authorityOwnerGeneration: route.targetAuthorityOwnerGeneration };
}

export function identityOf(state: BarrierState): string {
  if ("seal" in state) return state.seal.subject.identity;
  return "subject" in state ? state.subject.identity : state.identity;
}
