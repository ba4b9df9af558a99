import type { OpenRequest as RelayableRequest, TimerHandle } from "@rehome/core";
import {
  ridToDisplay,
  type FailureCode,
  type Id128,
  type OperationKind,
  type PayloadEnvelope,
  type Reply,
  type RequestSource,
  type Rid,
  type TerminalResult,
} from "@rehome/wire";
import type { NodeConfig } from "../config.ts";
import { errorOfWire, RuntimeError } from "../errors.ts";

/** How a request ended. Exactly one of these comes, once (`protocol.md` I3). */
export type Answer =
  | { readonly ok: true; readonly payload: PayloadEnvelope | undefined; readonly tail: Reply["tail"] }
  | {
      readonly ok: false;
      readonly error: RuntimeError;
      /** What another node said, when one did. */
      readonly result: { readonly terminalResult: TerminalResult; readonly failureCode: FailureCode } | undefined;
    };

export interface OpenRequest {
  readonly kind: OperationKind;
  /** Names what was asked, for error messages. */
  readonly what: string;
  readonly timeoutMs: number;
  /** Of a request to an actor: its answer may come by 33 under this id (Q1). */
  readonly operation?: Id128;
  readonly settle: (answer: Answer) => void;
  /** What to do with an answer that comes up to `ms` after the timeout, of which `settle` was told. */
  readonly late?: { readonly ms: number; readonly settle: (answer: Answer) => void };
}

interface Entry extends OpenRequest {
  timer: TimerHandle;
  isLate: boolean;
  /** Where it was last sent; a reply from anyone else is not one. */
  peer: Rid | undefined;
}

/** A reply's packet name when it carries an error's text. */
export const ERROR_PACKET = "~error";
const decoder = new TextDecoder();
/** 2^32 requests in each of 2^30 runs in a row fit a correlation. */
const REQUESTS_PER_RUN_BITS = 32n;
const RUNS_TOLD_APART = 2n ** 30n;

/**
 * The requests that this node has open, by correlation (`protocol.md` Q1, Q2). Every entry settles: by a reply, by its
 * timeout, by the loss of the link it was sent on, or by `close`.
 */
export class Requests {
  readonly #config: NodeConfig;
  readonly #entries = new Map<bigint, Entry>();
  #lateCount = 0;
  #next: bigint;
  #settled: (operation: Id128, correlation: bigint) => void = () => undefined;

  /** An answer may come late to a newer run of this node: each run numbers its requests apart. */
  constructor(config: NodeConfig, nodeGeneration: bigint) {
    this.#config = config;
    this.#next = ((nodeGeneration % RUNS_TOLD_APART) << REQUESTS_PER_RUN_BITS) + 1n;
  }

  /** Registers a request and gives its correlation. The caller sends it and says where with `sentTo`. */
  open(request: OpenRequest): bigint {
    const correlation = this.#next++;
    const timer = this.#config.clock.after(request.timeoutMs, () => this.#timedOut(correlation));
    this.#entries.set(correlation, { ...request, timer, isLate: false, peer: undefined });
    return correlation;
  }

  /** Called when a request with an operation id has ended, however it did. */
  onSettled(listener: (operation: Id128, correlation: bigint) => void): void {
    this.#settled = listener;
  }

  /** The request that waits under this correlation and operation, for a 33. */
  openRequest(correlation: bigint, operation: Id128, requester: RequestSource): RelayableRequest | undefined {
    const open = this.#entries.get(correlation)?.operation;
    if (open?.high !== operation.high || open.low !== operation.low) return undefined;
    return { replyRouteId: correlation, requester };
  }

  sentTo(correlation: bigint, peer: Rid): void {
    const entry = this.#entries.get(correlation);
    if (entry) entry.peer = peer;
  }

  /** Those that somebody waits for. */
  get openCount(): number {
    return this.#entries.size - this.#lateCount;
  }

  isOpen(correlation: bigint): boolean {
    return this.#entries.has(correlation);
  }

  operationOf(correlation: bigint): OperationKind | undefined {
    return this.#entries.get(correlation)?.kind;
  }

  /** A 20 came. One that no open request at that peer waits for goes nowhere (Q2). */
  onReply(peer: Rid, reply: Reply): void {
    const entry = this.#entries.get(reply.correlation);
    if (!entry || entry.peer !== peer) {
      this.#config.log.write("debug", "reply.unexpected", { peer: ridToDisplay(peer), correlation: reply.correlation });
      return;
    }
    this.complete(reply.correlation, reply);
  }

  /** Settles with a result from the actor's owner, whichever node that is by now. False when nothing was open. */
  complete(
    correlation: bigint,
    result: {
      terminalResult: TerminalResult;
      failureCode: FailureCode;
      payload?: PayloadEnvelope;
      tail?: Reply["tail"];
    },
  ): boolean {
    const entry = this.#take(correlation);
    if (!entry) return false;
    const settle = settleOf(entry);
    if (result.terminalResult === "ok") {
      settle({ ok: true, payload: result.payload, tail: result.tail });
      return true;
    }
    const text = result.payload?.packetName === ERROR_PACKET ? `: ${decoder.decode(result.payload.data)}` : "";
    settle({ ok: false, error: errorOfWire(result, entry.what + text), result });
    return true;
  }

  fail(correlation: bigint, error: RuntimeError): void {
    const entry = this.#take(correlation);
    if (entry) settleOf(entry)({ ok: false, error, result: undefined });
  }

  /** The link to a node is gone: what was sent there has an unknown outcome (N2). */
  failPeer(peer: Rid): void {
    for (const [correlation, entry] of [...this.#entries]) {
      if (entry.peer !== peer) continue;
      this.fail(
        correlation,
        new RuntimeError("outcomeUnknown", `${entry.what}: the link to ${ridToDisplay(peer)} was lost`),
      );
    }
  }

  close(): void {
    for (const [correlation, entry] of [...this.#entries]) {
      this.fail(correlation, new RuntimeError("closed", `${entry.what}: this node is closing`));
    }
  }

  #timedOut(correlation: bigint): void {
    const entry = this.#entries.get(correlation);
    if (!entry) return;
    const error = new RuntimeError("timedOut", `${entry.what}: no answer within ${entry.timeoutMs} ms`);
    if (!entry.late) {
      this.fail(correlation, error);
      return;
    }
    entry.isLate = true;
    this.#lateCount += 1;
    entry.timer = this.#config.clock.after(entry.late.ms, () => this.#take(correlation));
    entry.settle({ ok: false, error, result: undefined });
  }

  #take(correlation: bigint): Entry | undefined {
    const entry = this.#entries.get(correlation);
    if (!entry) return undefined;
    this.#entries.delete(correlation);
    if (entry.isLate) this.#lateCount -= 1;
    entry.timer.cancel();
    if (entry.operation) this.#settled(entry.operation, correlation);
    return entry;
  }
}

function settleOf({ isLate, late, settle }: Entry): (answer: Answer) => void {
  return isLate && late ? late.settle : settle;
}
