import type { Host } from "./host.ts";

/** What a node holds at this moment, for operators: all of it is bounded (`protocol.md` I8), and most of it is 0 at rest. */
export interface NodeCounts {
  readonly actors: number;
  /** In mailboxes, not run yet. */
  readonly queuedMessages: number;
  /** Ahead of their turn in their sender's stream (N4). */
  readonly earlyMessages: number;
  /** In the ingress holds of moves and joins (H1). */
  readonly heldMessages: number;
  readonly outboundMoves: number;
  readonly inboundMoves: number;
  /** Actors that left and whose messages are still forwarded (F1), and the messages that wait for that. */
  readonly follows: number;
  readonly followingMessages: number;
  /** Requests of this node and its actors and sessions that have no answer yet. */
  readonly openRequests: number;
  readonly sessions: number;
  readonly bindings: number;
  /** Bindings under a seal, and what is held behind it, in bytes (S17). */
  readonly seals: number;
  readonly sealedBytes: number;
  /** Timers of any kind. A node at rest has two: its lease is renewed, and its lease ends. */
  readonly timers: number;
}

export function countsOf({ actors, mover, requests, sessions, config }: Host): NodeCounts {
  const all = actors.all();
  const holds = new Set(all.flatMap(({ hold }) => (hold ? [hold] : [])));
  const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, each) => total + each, 0);
  return {
    actors: all.length,
    queuedMessages: sum(all.map((activation) => activation.queuedCount)),
    earlyMessages: sum(all.map(({ streams }) => streams.waitingCount)),
    heldMessages: sum([...holds].map(({ size }) => size)),
    outboundMoves: mover.departures.running().length,
    inboundMoves: mover.arrivals.openCount,
    ...mover.follows.counts,
    openRequests: requests.openCount,
    ...sessions.counts,
    timers: config.clock.running,
  };
}
