import type { Id128, ReplyRelay, ReplyRelayAck, ReplyRelayStatus, RequestSource } from "@rehome/wire";
import { operationKey } from "@rehome/wire";
import { LruMap } from "../memory/lru.ts";
import { nodeRunDifference } from "../move/fences.ts";

/** A request of this node that still waits for its result. */
export interface OpenRequest {
  readonly replyRouteId: bigint;
  /** This node as it was when it asked. */
  readonly requester: RequestSource;
}

/**
 * - `deliver`: the request's terminal result; hand it over once and send `ack`.
 * - `repeat`: the request has had its result; only send `ack`.
 * - `refused`: it is not for this run of this node, or for nothing it knows; nothing changes and nothing is sent (Q2).
 */
export type RelayAnswer =
  | { readonly outcome: "deliver" | "repeat"; readonly ack: ReplyRelayAck }
  | { readonly outcome: "refused"; readonly field: string };

/** Q1, and as many as finished operations are remembered elsewhere (J4). */
export const DEFAULT_TERMINAL_MEMORY = 4_096;

/**
 * The requester's side of Q1 and Q2: a result counts for an open request of this very run of the node, once. Requests that
 * have ended, however they did, are remembered, least recently used first out, so that repeats are answered the same.
 */
export class ReplyRelayReceiver {
  readonly #self: RequestSource;
  /** Operation to the correlation it was asked under. */
  readonly #terminal: LruMap<string, bigint>;

  constructor(self: RequestSource, capacity: number = DEFAULT_TERMINAL_MEMORY) {
    this.#self = self;
    this.#terminal = new LruMap(capacity);
  }

  /** A 33 came; `open` is the request that waits under its operation id, if one does. */
  receive(command: ReplyRelay, open: OpenRequest | undefined): RelayAnswer {
    const key = operationKey(command.operation);
    const known = this.#terminal.get(key);
    if (known !== undefined) {
      if (known !== command.replyRouteId) return { outcome: "refused", field: "replyRouteId" };
      return { outcome: "repeat", ack: this.#ack(command, "alreadyTerminal") };
    }
    if (open === undefined) return { outcome: "refused", field: "operation" };
    const stale = nodeRunDifference("requestSource", this.#self, open.requester);
    if (stale !== undefined) return { outcome: "refused", field: stale };
    if (open.replyRouteId !== command.replyRouteId) return { outcome: "refused", field: "replyRouteId" };
    this.#terminal.set(key, command.replyRouteId);
    return { outcome: "deliver", ack: this.#ack(command, "terminalReceived") };
  }

  /**
   * A request ended some other way: answered on its link, timed out, its session closed or its binding retired. A 33 for
   * it goes nowhere from now on (Q2).
   */
  closed(operation: Id128, replyRouteId: bigint): void {
    this.#terminal.set(operationKey(operation), replyRouteId);
  }

  #ack(command: ReplyRelay, status: ReplyRelayStatus): ReplyRelayAck {
    return {
      command: "replyRelayAck",
      relocation: command.context.relocation,
      coordinator: command.context.coordinator,
      operation: command.operation,
      replyRouteId: command.replyRouteId,
      requestSource: this.#self,
      status,
    };
  }
}
