import type { ActorFence, Coordinator, Rid, Session, SessionRelocationRoute } from "@rehome/wire";
import type { MoveFailure } from "../move/failure.ts";
import type { SourceConfig } from "./config.ts";
import type { SourceOutcome } from "./effects.ts";

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

/** The actor runs here again. */
export interface Aborted {
  readonly type: "aborted";
  readonly config: SourceConfig;
  readonly outcome: Extract<SourceOutcome, { readonly type: "aborted" }>;
}

/** The store names somebody else, or nobody: this node's copy is gone. */
export interface Departed {
  readonly type: "departed";
  readonly config: SourceConfig;
  readonly outcome: Exclude<SourceOutcome, { readonly type: "aborted" }>;
  /** What this node must say in the target's place if the target's link is lost (S20). Empty once said. */
  readonly routes: readonly OwedRoute[];
}

/** Where a move is at its source. Every state owns exactly the data that is true in it. */
export type SourceState = BeforeCutOver | AfterCutOver | Ended;

/** O3: an abort needs no word from the store. */
export type BeforeCutOver = Checking | Stopping | ReadingBase | PausingBase | Sealing | Capturing | Transferring;
/** O4: only the store's word ends these. */
export type AfterCutOver = AwaitingWord | ReadingVerdict | Fencing | PausingVerdict;
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
  readonly bindings: readonly Session[];
}

/** The base version was read: `coordinator` holds it, and every 42 that was handed to a link is listed. */
export interface Based extends Agreed {
  readonly coordinator: Coordinator;
  readonly seals: readonly Seal[];
}

export interface CutOver extends Based {
  readonly targetLink: "up" | "lost";
  /** `move`: the move's own deadline is still to come. `resolution`: the store's (O5). */
  readonly deadline: "move" | "resolution";
}

/** A 42 that was handed to a link. A `gone` owner has no session any more (O1). */
export interface Seal {
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
 * O6: whether this node must write nothing to the actor's authority (snapshots, journal, destroy) because a move stands
 * on the version that it has, or is about to read it.
 */
export function authorityFrozen(state: SourceState): boolean {
  return !sourceEnded(state) && state.type !== "checking" && state.type !== "stopping";
}

/** The exact fence of the owner that a committed move made. */
export function committedFence(state: SourceState): ActorFence | undefined {
  return state.type === "departed" && state.outcome.type === "committed" ? state.outcome.target : undefined;
}
