import type { ActorFence } from "@rehome/wire";
import type { MoveFailure } from "../move/failure.ts";
import { membersOf } from "../move/unit.ts";
import { coordinatorOf } from "./commands.ts";
import type { SourceConfig } from "./config.ts";
import type { SourceOutcome } from "./effects.ts";
import type { MemberBinding } from "./inputs.ts";
import type {
  Aborted,
  AfterCutOver,
  AwaitingWord,
  BeforeCutOver,
  Capturing,
  Checking,
  CutOver,
  Departed,
  Fencing,
  GivingUp,
  LearningOwners,
  MemberOwner,
  OwedRoute,
  PausingBase,
  PausingOwners,
  PausingVerdict,
  ReadingBase,
  ReadingMembers,
  ReadingOwners,
  ReadingVerdict,
  Seal,
  Sealing,
  Stopping,
  Transferring,
  Verdict,
  VerdictSituation,
} from "./state.ts";

/* The only place that makes a state. Each takes the earlier one, narrowed to where the step is allowed from. */

export function becomeChecking(config: SourceConfig, now: number): Checking {
  return { type: "checking", config, deadlineAtMs: now + config.deadlines.moveMs };
}

export function becomeStopping(state: Checking, chunkBytes: number): Stopping {
  return { type: "stopping", config: state.config, deadlineAtMs: state.deadlineAtMs, chunkBytes };
}

export function becomeReadingBase(
  state: Stopping | ReadingBase | PausingBase,
  bindings: readonly MemberBinding[],
): ReadingBase {
  const { config, deadlineAtMs, chunkBytes } = state;
  return { type: "readingBase", config, deadlineAtMs, chunkBytes, bindings };
}

export function becomePausingBase(
  state: ReadingBase | PausingBase | ReadingMembers,
  bindings: readonly MemberBinding[],
): PausingBase {
  const { config, deadlineAtMs, chunkBytes } = state;
  return { type: "pausingBase", config, deadlineAtMs, chunkBytes, bindings };
}

export function becomeReadingMembers(
  state: ReadingBase | ReadingMembers,
  baseVersion: string,
  bindings: readonly MemberBinding[],
): ReadingMembers {
  const { config, deadlineAtMs, chunkBytes } = state;
  return { type: "readingMembers", config, deadlineAtMs, chunkBytes, bindings, baseVersion };
}

export function becomeSealing(
  state: ReadingBase | ReadingMembers,
  baseVersion: string,
  memberVersions: readonly string[],
): Sealing {
  const { config, deadlineAtMs, chunkBytes, bindings } = state;
  const fences = new Map(membersOf(config.unit).map(({ fence }) => [fence.actor.actorId, fence]));
  return {
    type: "sealing",
    config,
    deadlineAtMs,
    chunkBytes,
    coordinator: coordinatorOf(config.self, baseVersion),
    seals: bindings.flatMap(({ actorId, session }) => sealFor(fences.get(actorId), session)),
    memberVersions,
  };
}

/** A binding of an actor that is no member is nobody's to seal. */
function sealFor(actor: ActorFence | undefined, session: Seal["session"]): readonly Seal[] {
  return actor === undefined ? [] : [{ actor, session, status: "pending" }];
}

export function withSeals(state: Sealing, seals: readonly Seal[]): Sealing {
  return { ...state, seals };
}

export function becomeCapturing(state: Sealing): Capturing {
  return { ...state, type: "capturing" };
}

export function becomeTransferring(state: Capturing): Transferring {
  return { ...state, type: "transferring" };
}

export function becomeAwaitingWord(state: Transferring): AwaitingWord {
  return { ...state, type: "awaitingWord", targetLink: "up", deadline: "move" };
}

/** A unit without members has nobody whom a 37 could name: the source looks at the store by itself. */
export function becomeAwaitingUnprompted(state: Transferring): PausingVerdict {
  return { ...becomeAwaitingWord(state), type: "pausingVerdict", situation: { type: "hinted" } };
}

export function becomeReadingVerdict(state: AfterCutOver, situation: VerdictSituation): ReadingVerdict {
  return { ...cutOver(state), type: "readingVerdict", situation };
}

export function becomeFencing(state: ReadingVerdict | Fencing, situation: GivingUp): Fencing {
  return { ...cutOver(state), type: "fencing", situation };
}

export function becomePausingVerdict(
  state: ReadingVerdict | Fencing | PausingVerdict,
  situation: VerdictSituation,
): PausingVerdict {
  return { ...cutOver(state), type: "pausingVerdict", situation };
}

export function withTargetLinkLost<S extends AfterCutOver>(state: S): S {
  return { ...state, targetLink: "lost" };
}

/** The move's deadline has passed; from here the store's own one runs (O5). */
export function withResolutionDeadline<S extends AfterCutOver>(state: S, now: number): S {
  return { ...state, deadline: "resolution", deadlineAtMs: now + state.config.deadlines.storeResolutionMs };
}

export function becomeAborted(state: BeforeCutOver | ReadingVerdict | Fencing, failure: MoveFailure): Aborted {
  return { type: "aborted", config: state.config, outcome: { type: "aborted", failure } };
}

/** A move that cannot even begin (O1). */
export function becomeRefused(config: SourceConfig, failure: MoveFailure): Aborted {
  return { type: "aborted", config, outcome: { type: "aborted", failure } };
}

/** The verdict is there; whoever owns the members is not known yet. The clock of the store's answer starts anew (O5). */
export function becomeReadingOwners(state: ReadingBase | ReadingVerdict, verdict: Verdict, now: number): ReadingOwners {
  const { config } = state;
  return {
    type: "readingOwners",
    config,
    deadlineAtMs: now + config.deadlines.storeResolutionMs,
    verdict,
    stood: state.type === "readingVerdict" ? state : undefined,
    owners: membersOf(config.unit).map(() => ({ type: "unknown" })),
  };
}

export function becomeReadingOwnersAgain(state: PausingOwners): ReadingOwners {
  return { ...state, type: "readingOwners" };
}

export function becomePausingOwners(state: ReadingOwners, owners: readonly MemberOwner[]): PausingOwners {
  return { ...state, type: "pausingOwners", owners };
}

export function withTargetGone<S extends LearningOwners>(state: S): S {
  return state.stood === undefined ? state : { ...state, stood: { ...state.stood, targetLink: "lost" } };
}

export function becomeDeparted(
  state: ReadingBase | ReadingVerdict | LearningOwners,
  outcome: Exclude<SourceOutcome, { readonly type: "aborted" }>,
  routes: readonly OwedRoute[],
): Departed {
  return { type: "departed", config: state.config, outcome, routes };
}

/** The target's link is lost and this node has said what it owed in the target's place. */
export function withRoutesSaid(state: Departed): Departed {
  return { ...state, routes: [] };
}

function cutOver(state: AfterCutOver): CutOver {
  const { config, deadlineAtMs, chunkBytes, coordinator, seals, memberVersions, targetLink, deadline } = state;
  return { config, deadlineAtMs, chunkBytes, coordinator, seals, memberVersions, targetLink, deadline };
}
