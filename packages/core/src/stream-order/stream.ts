import type { SkippedRange, StreamContent } from "./messages.ts";

/** A message that is ahead of its turn. */
export interface Waiting<Item> {
  readonly stream: Stream<Item>;
  readonly sequence: bigint;
  readonly content: StreamContent<Item>;
  readonly bytes: number;
  /** When it began to wait, by this node's clock; before the clock's zero for one that came with a move. */
  readonly sinceMs: number;
}

/** One sender's messages to one actor. It only keeps; `StreamOrder` decides. */
export class Stream<Item> {
  readonly key: string;
  activeAtMs: number;
  /** Everything up to here went into the mailbox, was a marker, or was given up. */
  lastQueued: bigint;
  skipped: readonly SkippedRange[];
  readonly waiting = new Map<bigint, Waiting<Item>>();
  /** Sequences of messages that are in the mailbox, in order. */
  readonly #queued = new Set<bigint>();

  constructor(key: string, lastQueued: bigint, skipped: readonly SkippedRange[], activeAtMs: number) {
    this.key = key;
    this.lastQueued = lastQueued;
    this.skipped = skipped;
    this.activeAtMs = activeAtMs;
  }

  /** Something of it is in the mailbox or waits: it cannot be forgotten (N6). */
  get isBusy(): boolean {
    return this.#queued.size > 0 || this.waiting.size > 0;
  }

  /** Everything up to here has run, was a marker, or was given up; the mailbox holds nothing of it. */
  get lastRun(): bigint {
    for (const first of this.#queued) return first - 1n;
    return this.lastQueued;
  }

  enqueued(sequence: bigint): void {
    this.#queued.add(sequence);
  }

  ran(sequence: bigint): boolean {
    return this.#queued.delete(sequence);
  }

  wasGivenUp(sequence: bigint): boolean {
    return this.skipped.some(({ from, to }) => from <= sequence && sequence <= to);
  }
}
