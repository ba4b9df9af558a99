import { TokenBucket } from "@rehome/client/protocol";

/** Part of a second's hellos that may come at one instant. */
const BURST_PART = 0.1;
/** Nobody is told to wait longer: by then the storm may have ended otherwise. */
const MAX_WAIT_MS = 60_000;

/**
 * Lets in so many hellos a second. The others each get a time of their own to come again, one after the other at the
 * same rate, so that the second wave of a reconnect storm is none.
 */
export class Admission {
  readonly #bucket: TokenBucket;
  readonly #spacingMs: number;
  #nextSlotMs = -Infinity;

  constructor(perSecond: number, nowMs: number) {
    this.#bucket = new TokenBucket(perSecond, Math.max(1, perSecond * BURST_PART), nowMs);
    this.#spacingMs = 1_000 / perSecond;
  }

  /** 0: come in. Otherwise: how long to wait before the next try. */
  ask(nowMs: number): number {
    if (this.#bucket.take(1, nowMs)) return 0;
    this.#nextSlotMs = Math.min(Math.max(this.#nextSlotMs, nowMs) + this.#spacingMs, nowMs + MAX_WAIT_MS);
    return Math.max(1, Math.ceil(this.#nextSlotMs - nowMs));
  }
}
