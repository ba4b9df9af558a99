/** A message of a stream, or a marker that fills its place (`protocol.md` N5) and is run as nothing. */
export type StreamContent<Item> = { readonly type: "message"; readonly item: Item } | { readonly type: "marker" };

/** What came in for an actor, with its place. */
export interface StreamArrival<Item> {
  /** Names the stream: session and binding, node and run, or sending actor. */
  readonly stream: string;
  /** 1 for a stream's first message, then one more each time. */
  readonly sequence: bigint;
  /**
   * The sender says that it had sent nothing on this stream for a good part of the follow period. Then nothing that came
   * before can still be on its way, and a receiver that has forgotten the stream may start it anew here (N6).
   */
  readonly resumes: boolean;
  readonly content: StreamContent<Item>;
  /** What it counts against the limits while it waits. */
  readonly bytes: number;
}

/**
 * Why a message was refused; its sender is told, and fills its place with a marker (N5).
 *
 * - `tooManyWaiting`: it is ahead of its turn, and there is no room to wait.
 * - `tooManyStreams`: there is no room for another stream, and none is idle for long enough to be forgotten.
 * - `placeGivenUp`: it comes after its place was given up, so that it could only run out of order.
 */
export type StreamRefusal = "tooManyWaiting" | "tooManyStreams" | "placeGivenUp";

export type StreamAcceptance<Item> =
  /** Into the mailbox with these, in this order. None when a marker closed no gap. */
  | { readonly outcome: "run"; readonly items: readonly Item[] }
  /** It was here before, or another one was in its place. Nothing is to be done, and nobody to be told. */
  | { readonly outcome: "duplicate" }
  /** It is kept until the missing ones have come, or were given up (`expire`). */
  | { readonly outcome: "waiting" }
  | { readonly outcome: "refused"; readonly reason: StreamRefusal };

/** Places that were given up: both ends included. */
export interface SkippedRange {
  readonly from: bigint;
  readonly to: bigint;
}

/** What a move carries of one stream. */
export interface StreamMark {
  readonly stream: string;
  /** Everything up to here has run, travels in the payload's queue, or was given up. */
  readonly lastQueued: bigint;
  readonly skipped: readonly SkippedRange[];
  readonly idleMs: number;
}

/** What a move carries of one message that is ahead of its turn. */
export interface WaitingMessage<Item> {
  readonly stream: string;
  readonly sequence: bigint;
  readonly content: StreamContent<Item>;
  readonly bytes: number;
  readonly waitedMs: number;
}

/** What a move carries of the order of an actor's streams. */
export interface StreamSnapshot<Item> {
  /** The idlest first. */
  readonly marks: readonly StreamMark[];
  /** The one that has waited longest first. */
  readonly waiting: readonly WaitingMessage<Item>[];
  /** How many streams this actor's owners have forgotten so far. */
  readonly forgotten: number;
}

/** What became of gaps that nobody closed in time. */
export interface StreamExpiry<Item> {
  /** Into the mailbox with these, in this order. */
  readonly items: readonly Item[];
  /** Places that are given up: whoever sent for them and is not told otherwise has an unknown outcome (I2). */
  readonly givenUp: readonly ({ readonly stream: string } & SkippedRange)[];
}
