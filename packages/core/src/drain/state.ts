import type { Rid } from "@rehome/wire";

/** What moves as one: an actor of the entry spot, or a spot with its members (`protocol.md` D1). */
export interface DrainUnit {
  readonly kind: "actor" | "spot";
  readonly id: string;
  /** How many objects the target will own more. */
  readonly objects: number;
  /** Everything that the target must host. */
  readonly stableTypes: readonly string[];
  /** Messages that wait to be run. */
  readonly waitingMessages: number;
  readonly mobility: { readonly type: "movable" } | { readonly type: "fixed"; readonly failure: DrainFailure };
}

/** A unit that is being made here, or on its way here, since before the drain began: nobody can tell yet whether it will be here. */
export interface ArrivingUnit {
  readonly kind: "actor" | "spot";
  readonly id: string;
}

/** A node as the store lists it. */
export interface DrainNode {
  readonly nodeRid: Rid;
  readonly state: "preparing" | "serving" | "draining" | "stopped";
  readonly applicationVersion: bigint;
  readonly stableTypes: readonly string[];
  readonly placementWeight: number;
  /** How many objects more it may own. */
  readonly room: number;
}

/** D3. */
export type DrainReason =
  | "targetUnavailable"
  | "storeUnavailable"
  | "relocationDisabled"
  | "stateIncompatible"
  | "deadlineExceeded"
  | "relocationFailed"
  | "runtimeNotReady"
  | "shutdownRequested"
  | "operationInProgress";

export interface DrainFailure {
  readonly reason: DrainReason;
  readonly message: string;
}

/** A unit that stayed. */
export interface StayedUnit {
  readonly kind: "actor" | "spot";
  readonly id: string;
  readonly failure: DrainFailure;
}

export interface DrainProgress {
  /** Units that have moved. */
  readonly done: number;
  /** Units that have not, and may yet. */
  readonly left: number;
  /** Units that stay, by name. */
  readonly failed: readonly StayedUnit[];
}

/** D3. What moved stays moved (D4). */
export type DrainResult =
  | { readonly outcome: "relocated"; readonly done: number }
  | {
      readonly outcome: "blocked";
      readonly reason: DrainReason;
      readonly done: number;
      readonly stayed: readonly StayedUnit[];
    };

export interface DrainConfig {
  readonly self: Rid;
  /** The version that targets must have, exactly (D2). */
  readonly applicationVersion: bigint;
  readonly deadlineAtMs: number;
  /** The most units that move at once (T4). */
  readonly maxMoving: number;
  /** The longest that one move may take. */
  readonly moveMs: number;
}

/** Why a unit's move did not happen, as the host's machine says it; see `DRAIN_AFTER_FAILURE`. */
export interface UnitFailure {
  readonly code: string;
  readonly message: string;
}

export interface WaitingUnit {
  readonly unit: DrainUnit;
  readonly tries: number;
  /** Not before this moment. */
  readonly notBeforeMs: number;
  /** Targets that did not take it. */
  readonly refusedBy: readonly Rid[];
  /** Why it has not moved yet. */
  readonly failure: DrainFailure;
}

export interface MovingUnit extends WaitingUnit {
  readonly target: Rid;
}

export interface KnownNodes {
  readonly nodes: readonly DrainNode[];
  readonly readAtMs: number;
}

/** What is asked of the host right now; one thing at a time. */
export type DrainQuestion = "none" | "units" | "nodes";

export interface RunningDrain {
  readonly type: "running";
  readonly config: DrainConfig;
  readonly question: DrainQuestion;
  readonly waiting: readonly WaitingUnit[];
  readonly moving: readonly MovingUnit[];
  /** As of the last listing. */
  readonly arriving: readonly ArrivingUnit[];
  readonly stayed: readonly StayedUnit[];
  readonly done: number;
  readonly known: KnownNodes;
  /** Objects that this drain has sent to each node, for its share by weight. */
  readonly sent: ReadonlyMap<Rid, number>;
  /** Since when no unit could go anywhere; `undefined` while one can. */
  readonly stuckSinceMs: number | undefined;
}

export type DrainState = RunningDrain | { readonly type: "ended"; readonly result: DrainResult };

export type DrainInput =
  | {
      readonly type: "UnitsListed";
      readonly units: readonly DrainUnit[];
      readonly arriving: readonly ArrivingUnit[];
    }
  | { readonly type: "NodesListed"; readonly nodes: readonly DrainNode[] }
  /** The store gave no answer. */
  | { readonly type: "NodesUnknown" }
  | { readonly type: "UnitMoved"; readonly kind: DrainUnit["kind"]; readonly id: string }
  /** It is not here any more, and not by this move: destroyed, or moved by somebody else. */
  | { readonly type: "UnitGone"; readonly kind: DrainUnit["kind"]; readonly id: string }
  | {
      readonly type: "UnitFailed";
      readonly kind: DrainUnit["kind"];
      readonly id: string;
      readonly failure: UnitFailure;
    }
  | { readonly type: "TimerFired"; readonly timer: DrainTimer }
  | { readonly type: "ShutdownRequested" }
  /** This run of the node is over (L1): nothing more can move from it. */
  | { readonly type: "LeaseLost" };

export type DrainTimer = "deadline" | "retry";

export type DrainEffect =
  /** Answer with `UnitsListed`. */
  | { readonly type: "ListUnits" }
  /** Freshly. Answer with `NodesListed` or `NodesUnknown`. */
  | { readonly type: "ListNodes" }
  /** Answer with `UnitMoved`, `UnitGone` or `UnitFailed`. */
  | { readonly type: "MoveUnit"; readonly unit: DrainUnit; readonly target: Rid; readonly deadlineMs: number }
  /** Undo its move if it still can be: nobody waits for it any more. */
  | { readonly type: "AbortUnit"; readonly unit: DrainUnit }
  | { readonly type: "StartTimer"; readonly timer: DrainTimer; readonly delayMs: number }
  | { readonly type: "StopTimer"; readonly timer: DrainTimer }
  | { readonly type: "ReportProgress"; readonly progress: DrainProgress }
  | { readonly type: "Settle"; readonly result: DrainResult };

export interface DrainStep {
  readonly state: DrainState;
  readonly effects: readonly DrainEffect[];
}
