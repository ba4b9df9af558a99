import type { Id128, ReplyRelay, ReplyRelayAck, RequestSource, Rid } from "@rehome/wire";
import { operationKey } from "@rehome/wire";
import { assert } from "../errors.ts";
import { LruMap } from "../memory/lru.ts";
import { coordinatorDifference, differs, firstDifference, id128Difference, nodeRunDifference } from "../move/fences.ts";

/** A request that came to this node in a move, and whose answer is relayed (`protocol.md` Q1). */
export interface RelayedRequest {
  readonly operation: Id128;
  /** The correlation that the requester's node gave. */
  readonly replyRouteId: bigint;
  readonly requester: RequestSource;
  /** The move that brought it here. */
  readonly move: Pick<ReplyRelay["context"], "relocation" | "targetAttemptGeneration" | "coordinator">;
}

export type RelayedResult = Pick<ReplyRelay, "terminalResult" | "failureCode" | "payload">;

export interface RelayLimits {
  readonly maxRelays: number;
  readonly maxBytes: number;
  /** Moves whose 33s are counted. */
  readonly maxMoves: number;
}

/**
 * 4,096 results are four full holds (H1): more than is open at any time on links that work. 64 MiB is what a single
 * actor's state may have (T4). 4,096 moves: as many ended ones as are remembered elsewhere (T1).
 */
export const DEFAULT_RELAY_LIMITS: RelayLimits = Object.freeze({
  maxRelays: 4_096,
  maxBytes: 64 * 1024 * 1024,
  maxMoves: 4_096,
});

export interface SentRelay {
  readonly peer: Rid;
  readonly command: ReplyRelay;
  /** The oldest ones, which had to make room; they are not repeated any more. Report each. */
  readonly dropped: readonly ReplyRelay[];
}

/** `refused` names the field that is off: nothing changed (I9). `unknown`: nothing is kept under that operation. */
export type AckAnswer =
  | { readonly outcome: "acknowledged" }
  | { readonly outcome: "unknown" }
  | { readonly outcome: "refused"; readonly field: string };

interface Kept {
  readonly command: ReplyRelay;
  readonly requester: RequestSource;
  readonly bytes: number;
}

/**
 * The new owner's side of Q1 and Q3: a 33 is kept until its 46 comes or the requester's lease has ended, and repeated on
 * every new link to the requester's node. Bounded: the oldest goes first and is reported.
 */
export class ReplyRelaySender {
  readonly #limits: RelayLimits;
  readonly #kept = new Map<string, Kept>();
  readonly #sequences: LruMap<string, bigint>;
  #bytes = 0;

  constructor(limits: RelayLimits = DEFAULT_RELAY_LIMITS) {
    assert(limits.maxRelays >= 1 && limits.maxBytes >= 1, "There is room for a relay.");
    this.#limits = limits;
    this.#sequences = new LruMap(limits.maxMoves);
  }

  get size(): number {
    return this.#kept.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Relays the terminal result of a request, which counts `bytes` bytes. The same operation again gives the same 33 as
   * the first time, whatever the result (I3, I9).
   */
  relay(request: RelayedRequest, result: RelayedResult, bytes: number): SentRelay {
    const key = operationKey(request.operation);
    const known = this.#kept.get(key);
    if (known !== undefined) return { peer: known.requester.nodeRid, command: known.command, dropped: [] };
    const command: ReplyRelay = {
      command: "replyRelay",
      operation: request.operation,
      replyRouteId: request.replyRouteId,
      context: {
        kind: "maintenanceRelocation",
        ...request.move,
        // One actor moves at a time: it is its unit's only participant.
        participantId: 1n,
        sequence: this.#nextSequence(request.move.relocation),
      },
      ...result,
    };
    this.#kept.set(key, { command, requester: request.requester, bytes });
    this.#bytes += bytes;
    return { peer: request.requester.nodeRid, command, dropped: this.#makeRoom(key) };
  }

  /** Q3: a 46 that fits in every field ends the relay. */
  acknowledge(peer: Rid, ack: ReplyRelayAck): AckAnswer {
    const key = operationKey(ack.operation);
    const kept = this.#kept.get(key);
    if (kept === undefined) return { outcome: "unknown" };
    const { context, replyRouteId } = kept.command;
    const field = firstDifference(
      differs("peer", kept.requester.nodeRid, peer),
      id128Difference("relocation", context.relocation, ack.relocation),
      coordinatorDifference("coordinator", context.coordinator, ack.coordinator),
      differs("replyRouteId", replyRouteId, ack.replyRouteId),
      nodeRunDifference("requestSource", kept.requester, ack.requestSource),
    );
    if (field !== undefined) return { outcome: "refused", field };
    this.#remove(key);
    return { outcome: "acknowledged" };
  }

  /**
   * Q3: what to send again, oldest first, on a new link to this run of a node. What an earlier run of it had asked is
   * dropped: that run's lease has ended.
   */
  linkUp(peer: Rid, nodeGeneration: bigint): readonly ReplyRelay[] {
    const again: ReplyRelay[] = [];
    for (const [key, { command, requester }] of this.#kept) {
      if (requester.nodeRid !== peer) continue;
      if (requester.nodeGeneration === nodeGeneration) again.push(command);
      else if (requester.nodeGeneration < nodeGeneration) this.#remove(key);
    }
    return again;
  }

  /** Q3: the store says that this lease has ended; nobody waits for these results any more. Answers how many went. */
  leaseEnded(ownerId: string, ownerLeaseGeneration: bigint): number {
    let removed = 0;
    for (const [key, { requester }] of this.#kept) {
      if (requester.ownerId !== ownerId || requester.ownerLeaseGeneration > ownerLeaseGeneration) continue;
      this.#remove(key);
      removed++;
    }
    return removed;
  }

  #nextSequence(relocation: Id128): bigint {
    const key = operationKey(relocation);
    const sequence = (this.#sequences.get(key) ?? 0n) + 1n;
    this.#sequences.set(key, sequence);
    return sequence;
  }

  /** I8. The newest always stays, so that it is sent at least once with a chance to be repeated. */
  #makeRoom(newest: string): readonly ReplyRelay[] {
    const dropped: ReplyRelay[] = [];
    for (const [key, { command }] of this.#kept) {
      if (this.#kept.size <= this.#limits.maxRelays && this.#bytes <= this.#limits.maxBytes) break;
      if (key === newest) break;
      this.#remove(key);
      dropped.push(command);
    }
    return dropped;
  }

  #remove(key: string): void {
    this.#bytes -= this.#kept.get(key)?.bytes ?? 0;
    this.#kept.delete(key);
  }
}
