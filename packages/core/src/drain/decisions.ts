import type { MoveFailureCode } from "../move/failure.ts";
import type { DrainFailure, DrainReason } from "./state.ts";

/** D3: what a drain takes when its caller says nothing else. */
export const DEFAULT_DRAIN_MS = 30_000;
/** Tries of one unit: three nodes that say no, or one that is restarting meanwhile; a fourth would say no too. */
export const MAX_UNIT_TRIES = 3;
/** Pause before a unit is tried again, and between two looks for a target: a node's descriptor is as old as that anyway. */
export const DRAIN_RETRY_MS = 250;
/** A list of nodes older than this is read again before the next choice. */
export const NODES_FRESH_MS = 500;
/** How long a drain that can move nothing waits for a target to come: a node that restarts is back by then. */
export const NO_TARGET_GRACE_MS = 5_000;

/**
 * - `otherTarget`: this node did not take it, another may. `later`: it is nobody's fault that time does not mend.
 * - `untilDeadline`: something else has it that will end by itself. `stays`: it would fail the same way everywhere.
 */
export type RetryDecision = "otherTarget" | "later" | "untilDeadline" | "stays";

export interface FailureRow {
  readonly retry: RetryDecision;
  readonly reason: DrainReason;
}

/** A move's own code, or why it could not begin: another one runs, too many do. */
export type UnitFailureCode = MoveFailureCode | "operationInProgress" | "busy";

/** D3: what the failure of one unit's move means for the drain, by its code. */
export const DRAIN_AFTER_FAILURE: Readonly<Record<UnitFailureCode, FailureRow>> = {
  // Of many at once, one may have waited for its turn to be captured (T4).
  deadlineExceeded: { retry: "later", reason: "deadlineExceeded" },
  targetRefused: { retry: "otherTarget", reason: "relocationFailed" },
  targetUnavailable: { retry: "otherTarget", reason: "targetUnavailable" },
  sealRefused: { retry: "later", reason: "relocationFailed" },
  sessionOwnerUnavailable: { retry: "later", reason: "relocationFailed" },
  captureFailed: { retry: "stays", reason: "relocationFailed" },
  stateIncompatible: { retry: "otherTarget", reason: "stateIncompatible" },
  stateTooLarge: { retry: "stays", reason: "relocationFailed" },
  staleOwner: { retry: "later", reason: "relocationFailed" },
  storeUnavailable: { retry: "later", reason: "storeUnavailable" },
  aborted: { retry: "later", reason: "relocationFailed" },
  joinRejected: { retry: "stays", reason: "relocationFailed" },
  spotMoved: { retry: "later", reason: "relocationFailed" },
  ownerUndecided: { retry: "stays", reason: "storeUnavailable" },
  relocationDisabled: { retry: "stays", reason: "relocationDisabled" },
  operationInProgress: { retry: "untilDeadline", reason: "relocationFailed" },
  busy: { retry: "untilDeadline", reason: "relocationFailed" },
};

const OTHER: FailureRow = { retry: "stays", reason: "relocationFailed" };

export function afterUnitFailure(code: string): FailureRow {
  return Object.hasOwn(DRAIN_AFTER_FAILURE, code) ? DRAIN_AFTER_FAILURE[code as UnitFailureCode] : OTHER;
}

/** D3: what is said of a drain, and of every unit that stays, when its node ends. */
export const DRAIN_AFTER_END: Readonly<Record<"ShutdownRequested" | "LeaseLost", DrainFailure>> = {
  ShutdownRequested: { reason: "shutdownRequested", message: "The node was told to shut down." },
  LeaseLost: { reason: "runtimeNotReady", message: "The node lost its lease; start it again." },
};
