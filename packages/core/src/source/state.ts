import type { ActorFence, Coordinator, Rid, Session, SessionRelocationRoute } from "@rehome/wire";
import type { MoveFailure } from "../move/failure.ts";
import type { AuthorityRecord } from "../ports/authority-store.ts";
import type { SourceConfig } from "./config.ts";
import type { SourceOutcome } from "./effects.ts";
import type { MemberBinding } from "./inputs.ts";

/** The target is being asked; nothing has stopped yet. */
export interface Checking extends Begun {
  readonly type: "checking";
}

/** The hold stands; the running turn is being waited for. */
export interface Stopping extends Agreed {
  readonly type: "stopping";
}

/** No turn runs; the base version is being read (O1). */
export interface ReadingBase extends Stopped {
  readonly type: "readingBase";
}

/** The store gave no answer; it is asked again after a pause. */
export interface PausingBase extends Stopped {
  readonly type: "pausingBase";
}

/** The base version is known; those of a spot's members are being read. */
export interface ReadingMembers extends Stopped {
  readonly type: "readingMembers";
  readonly baseVersion: string;
}

/** 42s are out; at least one session owner has not answered. */
export interface Sealing extends Based {
  readonly type: "sealing";
}

/** Every session is sealed or gone; user code captures the state. */
export interface Capturing extends Based {
  readonly type: "capturing";
}

/** 40 and 52s are handed over; the target's 30 is being waited for. */
export interface Transferring extends Based {
  readonly type: "transferring";
}

/** The 34 is handed over and nobody has given a reason to look at the store. */
export interface AwaitingWord extends CutOver {
  readonly type: "awaitingWord";
}

/** The store is being read for its verdict. */
export interface ReadingVerdict extends CutOver {
  readonly type: "readingVerdict";
  readonly situation: VerdictSituation;
}

/** The fence write on the base version is out (O4). */
export interface Fencing extends CutOver {
  readonly type: "fencing";
  readonly situation: GivingUp;
}

/** The store had no evidence; it is asked again after a pause (O5). */
export interface PausingVerdict extends CutOver {
  readonly type: "pausingVerdict";
  readonly situation: VerdictSituation;
}

/** The store has spoken about the unit; who owns its members now is being read, so that messages can follow them. */
export interface ReadingOwners extends Departing {
  readonly type: "readingOwners";
}

/** The store did not say it of every member; it is asked again after a pause. */
export interface PausingOwners extends Departing {
  readonly type: "pausingOwners";
}

/** The unit runs here again. */
export interface Aborted {
  readonly type: "aborted";
  readonly config: SourceConfig;
  readonly outcome: Extract<SourceOutcome, { readonly type: "aborted" }>;
}

/** The store names somebody else, or nobody: this node's copies are gone. */
export interface Departed {
  readonly type: "departed";
  readonly config: SourceConfig;
  readonly outcome: Exclude<SourceOutcome, { readonly type: "aborted" }>;
  /** What this node must say in the target's place if the target's link is lost (S20). Empty once said. */
  readonly routes: readonly OwedRoute[];
}

/** Where a move is at its source. Every state owns exactly the data that is true in it. */
export type SourceState = BeforeCutOver | AfterCutOver | LearningOwners | Ended;

/** O3: an abort needs no word from the store. */
export type BeforeCutOver =
  Checking | Stopping | ReadingBase | PausingBase | ReadingMembers | Sealing | Capturing | Transferring;
/** O4: only the store's word ends these. */
export type AfterCutOver = AwaitingWord | ReadingVerdict | Fencing | PausingVerdict;
/** I7: nothing brings the unit back; only where its members went is still to be found out. */
export type LearningOwners = ReadingOwners | PausingOwners;
export type Ended = Aborted | Departed;

/** What is known from the start. */
export interface Begun {
  readonly config: SourceConfig;
  /** When the `deadline` timer is due, on the clock of `now`. */
  readonly deadlineAtMs: number;
}

/** The target said yes. */
export interface Agreed extends Begun {
  /** What the target takes in one 52 (T2). */
  readonly chunkBytes: number;
}

/** The bindings are final (H7). */
export interface Stopped extends Agreed {
  readonly bindings: readonly MemberBinding[];
}

/** The base version was read: `coordinator` holds it, and every 42 that was handed to a link is listed. */
export interface Based extends Agreed {
  readonly coordinator: Coordinator;
  readonly seals: readonly Seal[];
  /** Base versions of a spot's members, in their order. */
  readonly memberVersions: readonly string[];
}

export interface CutOver extends Based {
  readonly targetLink: "up" | "lost";
  /** `move`: the move's own deadline is still to come. `resolution`: the store's (O5). */
  readonly deadline: "move" | "resolution";
}

/** The unit's verdict is known, and it is not this node's any more. */
export interface Departing extends Begun {
  readonly verdict: Verdict;
  /** What was handed to links on a base version; `undefined` when the unit was gone before there was one. */
  readonly stood: Stood | undefined;
  /** One for each member, in their order. */
  readonly owners: readonly MemberOwner[];
}

/** `failure` is what was wrong when the verdict was asked for, if something was. */
export type Verdict =
  | { readonly type: "committed"; readonly record: AuthorityRecord }
  | { readonly type: "superseded"; readonly record: AuthorityRecord; readonly failure: MoveFailure | undefined }
  | { readonly type: "gone" };

export type Stood = Pick<CutOver, "coordinator" | "seals" | "targetLink">;

/** Who owns a member, as the store says. */
export type MemberOwner =
  | { readonly type: "owned"; readonly record: AuthorityRecord }
  | { readonly type: "gone" }
  | { readonly type: "unknown" };

/** A 42 that was handed to a link. A `gone` owner has no session any more (O1). */
export interface Seal {
  readonly actor: ActorFence;
  readonly session: Session;
  readonly status: "pending" | "sealed" | "gone";
}

export interface OwedRoute {
  readonly peer: Rid;
  readonly command: SessionRelocationRoute;
}

/**
 * Why the store is being asked after the 34.
 *
 * - `hinted`: a 37 says that the target may have committed.
 * - `abortWanted`: there is a reason to give up; `failure` is the first one.
 * - `stuck`: the deadline has passed without evidence, and has been reported (O5).
 */
export type VerdictSituation = { readonly type: "hinted" } | GivingUp;
export type GivingUp = { readonly type: "abortWanted" | "stuck"; readonly failure: MoveFailure };

/** Whether the move has ended. `Settle` has been given out then, and nothing of it will change again (O10). */
export function sourceEnded(state: SourceState): state is Ended {
  return state.type === "aborted" || state.type === "departed";
}

/**
 * O6: whether this node must write nothing to the authorities of the unit (snapshots, journal, destroy) because a move
 * stands on the versions that they have, or is about to read them.
 */
export function authorityFrozen(state: SourceState): boolean {
  return !sourceEnded(state) && state.type !== "checking" && state.type !== "stopping";
}

/** Whether the store has spoken, and only the owners of the members are still to be learned. */
export function sourceLearnsOwners(state: SourceState): state is LearningOwners {
  return state.type === "readingOwners" || state.type === "pausingOwners";
}
