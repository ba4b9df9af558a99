import type { FailureCode, TerminalResult } from "@rehome/wire";

/**
 * What can go wrong for a caller of the runtime.
 *
 * - `notFound`: there is no such actor or spot. `notConnected`: the node that owns it cannot be reached.
 * - `backpressured`: a queue is full; nothing was run, send again later. `busy`: the actor is moving; retry.
 * - `timedOut`: no answer in time; the request may still run. `outcomeUnknown`: the link or the node was lost, nobody can
 *   tell whether it ran.
 * - `rejected`: the handler said no. `handlerFailed`: it threw, or gave what cannot be sent; what exactly is told on its node
 *   (`CallbackFailed`). `handlerNotFound`: the actor has no handler of that name.
 * - `typeUnknown`, `typeMismatch`: no node hosts that type, or the actor is of another one.
 * - `actorSessionNotBound`: the session is not bound to that actor. `stale`: the actor was destroyed and made anew.
 * - `operationInProgress`: another move of the same actor is under way. `notOwner`: this node does not own the actor.
 * - `moveFailed`: the move was undone, the actor goes on where it was; `cause` holds the reason.
 * - `dataLoss`: what the store kept for the actor is not what was saved; see `ActorContext.save` and `ActorDefinition.afterLoss`.
 * - `tooLarge`: a message, an answer or a push has more than `limits.messageBytes`; split it.
 * - `cancelled`: the caller's own signal ended its wait; what it waited for goes on.
 * - `capacityExceeded`, `storeUnavailable`, `leaseLost`, `closed`, `invalidArgument`, `protocolError`: as they say.
 */
export type RuntimeErrorCode =
  | "notFound"
  | "notConnected"
  | "backpressured"
  | "busy"
  | "timedOut"
  | "outcomeUnknown"
  | "rejected"
  | "handlerFailed"
  | "handlerNotFound"
  | "typeUnknown"
  | "typeMismatch"
  | "actorSessionNotBound"
  | "stale"
  | "operationInProgress"
  | "notOwner"
  | "moveFailed"
  | "dataLoss"
  | "cancelled"
  | "tooLarge"
  | "capacityExceeded"
  | "storeUnavailable"
  | "leaseLost"
  | "closed"
  | "invalidArgument"
  | "protocolError";

/** The one error that this package throws or rejects with. */
export class RuntimeError extends Error {
  readonly code: RuntimeErrorCode;

  constructor(code: RuntimeErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "RuntimeError";
    this.code = code;
  }
}

/** A result as it travels in 20, 33 and 200. */
export interface WireResult {
  readonly terminalResult: TerminalResult;
  readonly failureCode: FailureCode;
}

const wireResults: Record<RuntimeErrorCode, WireResult> = {
  notFound: { terminalResult: "notFound", failureCode: "actorRouteNotFound" },
  notConnected: { terminalResult: "notConnected", failureCode: "routeNotConnected" },
  backpressured: { terminalResult: "backpressured", failureCode: "workerQueueFull" },
  busy: { terminalResult: "busy", failureCode: "none" },
  timedOut: { terminalResult: "timedOut", failureCode: "workerTimedOut" },
  outcomeUnknown: { terminalResult: "terminated", failureCode: "requestFailed" },
  rejected: { terminalResult: "rejected", failureCode: "requestRejected" },
  handlerFailed: { terminalResult: "internalError", failureCode: "workerFailed" },
  handlerNotFound: { terminalResult: "notSupported", failureCode: "handlerNotFound" },
  typeUnknown: { terminalResult: "notSupported", failureCode: "actorCreateRejected" },
  typeMismatch: { terminalResult: "conflict", failureCode: "actorTypeMismatch" },
  actorSessionNotBound: { terminalResult: "invalidState", failureCode: "actorSessionNotBound" },
  stale: { terminalResult: "notFound", failureCode: "actorLocationStale" },
  operationInProgress: { terminalResult: "busy", failureCode: "requestRejected" },
  notOwner: { terminalResult: "invalidState", failureCode: "actorLocationStale" },
  moveFailed: { terminalResult: "internalError", failureCode: "requestFailed" },
  cancelled: { terminalResult: "terminated", failureCode: "requestFailed" },
  dataLoss: { terminalResult: "invalidState", failureCode: "payloadDecodeFailed" },
  tooLarge: { terminalResult: "invalidArgument", failureCode: "workerQueueFull" },
  capacityExceeded: { terminalResult: "rejected", failureCode: "workerQueueFull" },
  storeUnavailable: { terminalResult: "internalError", failureCode: "actorCreateFailed" },
  leaseLost: { terminalResult: "terminated", failureCode: "actorLocationStale" },
  closed: { terminalResult: "terminated", failureCode: "routeNotConnected" },
  invalidArgument: { terminalResult: "invalidArgument", failureCode: "requestProtocolError" },
  protocolError: { terminalResult: "protocolError", failureCode: "requestProtocolError" },
};

/** How an error is told to another node. */
export function wireResultOf(code: RuntimeErrorCode): WireResult {
  return wireResults[code];
}

const codeByFailure = new Map<string, RuntimeErrorCode>(
  (Object.entries(wireResults) as [RuntimeErrorCode, WireResult][])
    .reverse()
    .map(([code, result]) => [`${result.terminalResult}/${result.failureCode}`, code]),
);

const codeByTerminal: Partial<Record<TerminalResult, RuntimeErrorCode>> = {
  timedOut: "timedOut",
  notFound: "notFound",
  terminated: "outcomeUnknown",
  protocolError: "protocolError",
  internalError: "handlerFailed",
  rejected: "rejected",
  conflict: "typeMismatch",
  busy: "busy",
  notConnected: "notConnected",
  invalidArgument: "invalidArgument",
  invalidState: "stale",
  notSupported: "handlerNotFound",
  backpressured: "backpressured",
};

/** The error that another node's result stands for. `message` names what was asked. */
export function errorOfWire(result: WireResult, message: string): RuntimeError {
  const code =
    codeByFailure.get(`${result.terminalResult}/${result.failureCode}`) ??
    codeByTerminal[result.terminalResult] ??
    "protocolError";
  return new RuntimeError(code, `${message}: ${result.terminalResult} (${result.failureCode})`);
}

/** Turns anything that was thrown into a RuntimeError without losing it. */
export function asRuntimeError(error: unknown, code: RuntimeErrorCode, message: string): RuntimeError {
  return error instanceof RuntimeError ? error : new RuntimeError(code, message, { cause: error });
}
