/** Lets through `ratePerSecond` on average and `burst` at once. `Infinity` as a rate lets everything through. */
export class TokenBucket {
  readonly #ratePerMs: number;
  readonly #burst: number;
  #tokens: number;
  #atMs: number;

  constructor(ratePerSecond: number, burst: number, nowMs: number) {
    this.#ratePerMs = ratePerSecond / 1_000;
    this.#burst = burst;
    this.#tokens = burst;
    this.#atMs = nowMs;
  }

  /** Whole tokens there are now. */
  available(nowMs: number): number {
    if (this.#ratePerMs === Infinity) return Infinity;
    this.#tokens = Math.min(this.#burst, this.#tokens + Math.max(0, nowMs - this.#atMs) * this.#ratePerMs);
    this.#atMs = nowMs;
    return Math.floor(this.#tokens);
  }

  /** Takes `count` tokens if there are so many; takes none otherwise. */
  take(count: number, nowMs: number): boolean {
    if (this.available(nowMs) < count) return false;
    this.#tokens -= count;
    return true;
  }

  /** How long until there is one. */
  msUntilOne(nowMs: number): number {
    if (this.available(nowMs) >= 1) return 0;
    return Math.ceil((1 - this.#tokens) / this.#ratePerMs);
  }
}
