import type { FailureCode, TerminalResult } from "@rehome/wire";

/** How long and how much an old owner forwards for one actor (`protocol.md` F1, I8). */
export interface FollowLimits {
  readonly lifeMs: number;
  /** Messages that wait for the link to the new owner. */
  readonly maxMessages: number;
  readonly maxBytes: number;
  /** Routes that were told once and are remembered (F4). */
  readonly maxHints: number;
}

/** F1, and one hint for each of the messages that can wait. */
export const DEFAULT_FOLLOW_LIMITS: FollowLimits = Object.freeze({
  lifeMs: 30_000,
  maxMessages: 1_024,
  maxBytes: 16 * 1024 * 1024,
  maxHints: 1_024,
});

/** F2, and the most that `hopCount` can say on the wire. */
export const MAX_HOPS = 8;

export interface FollowRefusal {
  readonly terminalResult: TerminalResult;
  readonly failureCode: FailureCode;
}

/** Why a follower does not forward, and what the sender is told. */
export const FOLLOW_REFUSALS = {
  /** F3: the sender looks the actor up again. */
  expired: { terminalResult: "notFound", failureCode: "actorLocationStale" },
  /** F3: the message is for an actor that was destroyed or made anew under the same id. */
  otherObject: { terminalResult: "invalidState", failureCode: "none" },
  /** F2: nine hops, or a circle. */
  noWay: { terminalResult: "notConnected", failureCode: "routeNotConnected" },
  /** F3. */
  full: { terminalResult: "backpressured", failureCode: "workerQueueFull" },
} as const satisfies Readonly<Record<string, FollowRefusal>>;
