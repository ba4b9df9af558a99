import type { Based, Seal, SourceState } from "./state.ts";
import type { SourceEffect } from "./effects.ts";
import type { SourceInput } from "./inputs.ts";
import { holdingOf, membersOf } from "../move/unit.ts";

/**
 * What holds in every state of a source move; the broken ones, by number.
 *
 * 1. From the seal on, the coordinator is this node on a base version that is not empty (O1).
 * 2. No two 42s are for one binding (S1).
 * 3. Nothing is captured while a session still feeds the actor: no seal is pending past `sealing` (section 4, step 4).
 * 4. Only a node that was handed a 42 is told a route (S20).
 * 5. A fence is written only by a source that wants to give up (O4): `hinted` never fences.
 */
export function brokenSourceInvariants(state: SourceState): readonly string[] {
  const broken: string[] = [];
  if ("coordinator" in state) broken.push(...brokenBased(state));
  if (state.type === "departed" && state.routes.some(({ peer, command }) => peer !== command.session.ownerNodeRid)) {
    broken.push("4: a route is owed to a node that is not the session's owner");
  }
  if (state.type === "fencing" && !["abortWanted", "stuck"].includes(state.situation.type)) {
    broken.push("5: fencing without a reason to give up");
  }
  return broken;
}

function brokenBased(state: Based & { readonly type: SourceState["type"] }): readonly string[] {
  const broken: string[] = [];
  const { coordinator, seals, config } = state;
  if (
    coordinator.nodeRid !== config.self.nodeRid ||
    coordinator.nodeGeneration !== config.self.nodeGeneration ||
    coordinator.ownerId !== config.self.ownerId ||
    coordinator.leaseGeneration !== config.self.ownerLeaseGeneration ||
    coordinator.expectedAuthorityStoreVersion === ""
  ) {
    broken.push("1: the coordinator is not this node on a base version");
  }
  const identities = seals.map(
    ({ actor, session }) => `${session.bindingGeneration}:${session.sessionRid}:${actor.actor.actorId}`,
  );
  if (new Set(identities).size !== identities.length) broken.push("2: two seals for one binding");
  if (state.type !== "sealing" && seals.some(isPending)) broken.push("3: a seal is pending past sealing");
  return broken;
}

function isPending(seal: Seal): boolean {
  return seal.status === "pending";
}

/**
 * What a source move has asked for so far, as tests and the simulator watch it from outside: it knows inputs and effects,
 * not states, so that it does not share the machine's mistakes.
 */
export interface SourceTrail {
  readonly settled: number;
  readonly held: boolean;
  readonly turnsStopped: boolean;
  readonly baseVersion: string | undefined;
  readonly captured: boolean;
  readonly prepared: boolean;
  readonly cutOver: boolean;
  /** The store has shown that no commit of this move can succeed any more (O4). */
  readonly commitRuledOut: boolean;
  /** The store has shown that this node is not the owner any more (O5). */
  readonly ownerChanged: boolean;
  readonly seals: number;
  readonly aborts: number;
  readonly givenBack: number;
  readonly opened: number;
  /** Members whose messages have been taken care of. */
  readonly left: number;
  readonly dropped: boolean;
}

export const EMPTY_TRAIL: SourceTrail = {
  settled: 0,
  held: false,
  turnsStopped: false,
  baseVersion: undefined,
  captured: false,
  prepared: false,
  cutOver: false,
  commitRuledOut: false,
  ownerChanged: false,
  seals: 0,
  aborts: 0,
  givenBack: 0,
  opened: 0,
  left: 0,
  dropped: false,
};

/** Adds what one step learned and asked for; the second value names the rules that it broke. */
export function watchSource(
  trail: SourceTrail,
  before: SourceState,
  input: SourceInput,
  effects: readonly SourceEffect[],
): readonly [SourceTrail, readonly string[]] {
  let seen = learn(trail, before, input);
  const broken: string[] = [];
  for (const effect of effects) {
    const complaint = complain(seen, effect, membersOf(before.config.unit).length);
    if (complaint !== undefined) broken.push(`${effect.type}: ${complaint}`);
    seen = record(seen, effect);
  }
  return [seen, broken];
}

/** Evidence is taken from answers only while one was asked for: a stray answer proves nothing. */
function learn(trail: SourceTrail, before: SourceState, input: SourceInput): SourceTrail {
  const { config } = before;
  if (input.type === "FenceSettled" && before.type === "fencing" && input.answer.outcome === "fenced") {
    const { record } = input.answer;
    const own =
      record.owner.ownerId === config.self.ownerId && record.authorityOwnerGeneration === ownGeneration(before);
    return own ? { ...trail, commitRuledOut: true } : trail;
  }
  if (input.type !== "AuthorityRead") return trail;
  if (before.type !== "readingBase" && before.type !== "readingVerdict") return trail;
  if (input.answer.outcome === "absent") return { ...trail, ownerChanged: true };
  if (input.answer.outcome !== "found") return trail;
  const { record } = input.answer.reading;
  if (record.authorityOwnerGeneration > ownGeneration(before) || record.state === "destroyed") {
    return { ...trail, ownerChanged: true };
  }
  if (record.objectGeneration > holdingOf(config.unit).objectGeneration) return { ...trail, ownerChanged: true };
  const own = record.owner.ownerId === config.self.ownerId && record.authorityOwnerGeneration === ownGeneration(before);
  if (!own || record.state !== "active") return trail;
  if (trail.baseVersion === undefined) return { ...trail, baseVersion: record.storeVersion };
  return record.storeVersion === trail.baseVersion ? trail : { ...trail, commitRuledOut: true };
}

function ownGeneration(state: SourceState): bigint {
  return state.config.unit.fence.authorityOwnerGeneration;
}

function complain(trail: SourceTrail, effect: SourceEffect, members: number): string | undefined {
  if (effect.type === "Report" || effect.type === "StopTimer") return undefined;
  if (trail.settled > 0 && effect.type !== "SendRoute") return "O10: after the move had ended";
  switch (effect.type) {
    case "StopTurns":
      return trail.held ? undefined : "section 4, step 2: turns are stopped before the hold stands";
    case "SendSeal":
      return trail.baseVersion === undefined ? "O1: sealed before the base version was read" : undefined;
    case "CaptureState":
      return trail.turnsStopped && trail.baseVersion !== undefined ? undefined : "step 4: captured too early";
    case "SendPrepare":
      return trail.captured ? undefined : "step 5: prepared before it was captured";
    case "RelayAndCutOver":
      return trail.prepared && !trail.cutOver ? undefined : "step 6: cut over too early, or twice";
    case "FenceAuthority":
      return trail.cutOver ? undefined : "O3: before the 34 an abort needs no store write";
    case "SendFailed":
    case "GiveBackHold":
    case "OpenGate":
      return complainResume(trail, effect);
    case "StartFollow":
    case "FailHold":
      return trail.ownerChanged ? undefined : "F1: left without evidence from the store";
    case "DropCopy":
      return trail.left === members ? undefined : "O9: dropped before the hold was taken care of";
    case "Settle":
      return complainSettle(trail, effect);
    default:
      return undefined;
  }
}

function complainResume(trail: SourceTrail, effect: SourceEffect): string | undefined {
  if (trail.cutOver && !trail.commitRuledOut) return "O4: after the 34 without evidence from the store";
  if (effect.type === "OpenGate") {
    if (trail.givenBack !== 1 || trail.opened !== 0) return "O7: the gate opens once, after the hold was given back";
    return trail.aborts === trail.seals ? undefined : "O7: the gate opens before every owed abort went out";
  }
  return effect.type === "GiveBackHold" && trail.givenBack !== 0 ? "O10: given back twice" : undefined;
}

function complainSettle(trail: SourceTrail, effect: Extract<SourceEffect, { type: "Settle" }>): string | undefined {
  if (effect.outcome.type !== "aborted") return trail.dropped ? undefined : "O9: settled before it departed";
  if (trail.left !== 0 || trail.dropped) return "I6: aborted after it had departed";
  if (trail.held && trail.opened !== 1) return "H4: settled with the gate still closed";
  return trail.aborts === trail.seals ? undefined : "S20: an abort is owed for every 42";
}

function record(trail: SourceTrail, effect: SourceEffect): SourceTrail {
  switch (effect.type) {
    case "HoldIngress":
    case "PromoteHold":
      return { ...trail, held: true };
    case "StopTurns":
      return { ...trail, turnsStopped: true };
    case "SendSeal":
      return { ...trail, seals: trail.seals + 1 };
    case "CaptureState":
      return { ...trail, captured: true };
    case "SendPrepare":
      return { ...trail, prepared: true };
    case "RelayAndCutOver":
      return { ...trail, cutOver: true };
    case "GiveBackHold":
      return { ...trail, givenBack: trail.givenBack + 1 };
    case "OpenGate":
      return { ...trail, opened: trail.opened + 1 };
    case "StartFollow":
    case "FailHold":
      return { ...trail, left: trail.left + 1 };
    case "DropCopy":
      return { ...trail, dropped: true };
    case "SendRoute":
      return effect.command.route.action === "abort" ? { ...trail, aborts: trail.aborts + 1 } : trail;
    case "Settle":
      return { ...trail, settled: trail.settled + 1 };
    default:
      return trail;
  }
}
