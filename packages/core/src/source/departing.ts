import type { ActorFence } from "@rehome/wire";
import type { MoveFailure } from "../move/failure.ts";
import { companionsOf, membersOf, type UnitMember } from "../move/unit.ts";
import type { ReadAnswer } from "../ports/authority-store.ts";
import { abortRoute, commitRoute, coordinatorOf, fenceOf, relayHeader } from "./commands.ts";
import { READ_AGAIN_MS, type SourceConfig } from "./config.ts";
import type { HandedOver, SourceEffect, SourceOutcome } from "./effects.ts";
import { sendRoute, settle } from "./endings.ts";
import { FAILURES } from "./failures.ts";
import type { SourceInput } from "./inputs.ts";
import { ownersOf, unknownKeys } from "./members.ts";
import type {
  LearningOwners,
  MemberOwner,
  OwedRoute,
  ReadingBase,
  ReadingOwners,
  ReadingVerdict,
  Stood,
  Verdict,
} from "./state.ts";
import type { SourceStep } from "./step.ts";
import {
  becomeDeparted,
  becomePausingOwners,
  becomeReadingOwners,
  becomeReadingOwnersAgain,
  withTargetGone,
} from "./transitions.ts";

/**
 * The store names another owner of the unit, or none (O5). The record of an actor says where to follow to; of a spot's
 * members the store has to be asked, because their generations are its own (T9).
 */
export function leave(state: ReadingBase | ReadingVerdict, verdict: Verdict, now: number): SourceStep {
  const reading = becomeReadingOwners(state, verdict, now);
  if (companionsOf(state.config.unit).length === 0) return depart(reading, ownersByVerdict(reading));
  const { storeResolutionMs } = state.config.deadlines;
  const asked = ask(reading);
  return {
    state: asked.state,
    effects: [{ type: "StartTimer", timer: "deadline", delayMs: storeResolutionMs }, ...asked.effects],
  };
}

/** I7: a unit that has left does not come back, whatever is learned now. */
export function stepLearningOwners(state: LearningOwners, input: SourceInput, now: number): SourceStep {
  switch (input.type) {
    case "MembersRead":
      return state.type === "readingOwners" ? ownersRead(state, input.answers) : stay(state);
    case "TimerFired":
      if (input.timer === "deadline") return deadlineFired(state, now);
      return state.type === "pausingOwners" ? ask(becomeReadingOwnersAgain(state)) : stay(state);
    case "LinkLost":
      return stay(input.peer === state.config.target.nodeRid ? withTargetGone(state) : state);
    default:
      return stay(state);
  }
}

function ask(state: ReadingOwners): SourceStep {
  return { state, effects: [{ type: "ReadMembers", keys: unknownKeys(state.owners, state.config) }] };
}

function ownersRead(state: ReadingOwners, answers: readonly ReadAnswer[]): SourceStep {
  const owners = ownersOf(answers, state.owners, state.config);
  if (owners.every(({ type }) => type !== "unknown")) return depart(state, owners);
  return {
    state: becomePausingOwners(state, owners),
    effects: [{ type: "StartTimer", timer: "retryRead", delayMs: READ_AGAIN_MS }],
  };
}

/** Whoever has waited for this long is told to look the member up (H5). */
function deadlineFired(state: LearningOwners, now: number): SourceStep {
  if (now < state.deadlineAtMs) {
    return { state, effects: [{ type: "StartTimer", timer: "deadline", delayMs: state.deadlineAtMs - now }] };
  }
  const step = depart(state, state.owners);
  if (state.type !== "pausingOwners") return step;
  return { state: step.state, effects: [{ type: "StopTimer", timer: "retryRead" }, ...step.effects] };
}

function ownersByVerdict({ verdict, config }: ReadingOwners): readonly MemberOwner[] {
  const owner: MemberOwner = verdict.type === "gone" ? { type: "gone" } : { type: "owned", record: verdict.record };
  return membersOf(config.unit).map(() => owner);
}

function depart(state: LearningOwners, owners: readonly MemberOwner[]): SourceStep {
  const { config, verdict, stood } = state;
  const members = membersOf(config.unit).map((member, index) => ({ member, owner: owners[index]! }));
  const handedOver = handedOverBy(verdict, stood);
  const { now, owed } = routesOf(config, stood, new Map(members.map((left) => [left.member.fence, left.owner])));
  // S20: while its link stands, the target says a commit itself.
  const silent = stood?.targetLink === "up";
  const next = becomeDeparted(state, outcomeOf(verdict), silent ? owed : []);
  return {
    state: next,
    effects: [
      ...members.map(({ member, owner }) => leaveMember(state, member, owner, handedOver)),
      ...(silent ? now : [...now, ...owed]).map(sendRoute),
      { type: "DropCopy" },
      { type: "StopTimer", timer: "deadline" },
      settle(next),
    ],
  };
}

function leaveMember(
  { config, stood }: LearningOwners,
  { fence }: UnitMember,
  owner: MemberOwner,
  handedOver: HandedOver,
): SourceEffect {
  if (owner.type !== "owned") {
    const failure = owner.type === "gone" ? FAILURES.objectGone : FAILURES.ownerUnknown;
    return { type: "FailHold", actorId: fence.actor.actorId, failure, handedOver };
  }
  // Where no move stands on a base version, the coordinator names the one that was read instead.
  const coordinator = stood?.coordinator ?? coordinatorOf(config.self, owner.record.storeVersion);
  return {
    type: "StartFollow",
    target: fenceOf(fence, owner.record),
    relay: relayHeader(config, coordinator),
    handedOver,
  };
}

function handedOverBy(verdict: Verdict, stood: Stood | undefined): HandedOver {
  if (stood === undefined) return "nothing";
  return verdict.type === "committed" ? "delivered" : "unknown";
}

/**
 * What session owners are owed (S20): `now`, an abort for an actor that is no more; `owed`, the commit that the target says
 * too. Where a member went that nobody knows of, the seal's deadline asks the store (S5).
 */
function routesOf(
  config: SourceConfig,
  stood: Stood | undefined,
  owners: ReadonlyMap<ActorFence, MemberOwner>,
): { readonly now: readonly OwedRoute[]; readonly owed: readonly OwedRoute[] } {
  const now: OwedRoute[] = [];
  const owed: OwedRoute[] = [];
  if (stood === undefined) return { now, owed };
  for (const seal of stood.seals) {
    const owner = owners.get(seal.actor);
    const context = { config, coordinator: stood.coordinator };
    if (owner?.type === "gone") now.push(abortRoute(context, seal));
    if (owner?.type === "owned" && seal.status === "sealed") {
      owed.push(commitRoute(context, seal, fenceOf(seal.actor, owner.record)));
    }
  }
  return { now, owed };
}

function outcomeOf(verdict: Verdict): Exclude<SourceOutcome, { readonly type: "aborted" }> {
  switch (verdict.type) {
    case "committed": {
      const { owner, authorityOwnerGeneration } = verdict.record;
      return { type: "committed", owner, authorityOwnerGeneration };
    }
    case "superseded":
      return { type: "superseded", failure: supersededFailure(verdict.failure) };
    case "gone":
      return { type: "superseded", failure: FAILURES.objectGone };
  }
}

function supersededFailure(cause: MoveFailure | undefined): MoveFailure {
  return cause === undefined ? FAILURES.superseded : { ...FAILURES.superseded, cause };
}

function stay(state: LearningOwners): SourceStep {
  return { state, effects: [] };
}
