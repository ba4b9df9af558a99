/** Two values less than this factor apart share a bucket: percentiles are good to half a percent. */
const GROWTH = 1.01;
/** Below this everything is one bucket, in the unit of the values. */
const LEAST = 0.001;
const LOG_GROWTH = Math.log(GROWTH);
/** 0.001 to about 1,000,000: a microsecond to a quarter of an hour, if the unit is ms. */
const BUCKETS = Math.ceil(Math.log(1e9) / LOG_GROWTH) + 1;

/** Counts of positive values in buckets that grow by one percent, so that any number of values takes the same memory. */
export class Histogram {
  readonly #buckets = new Uint32Array(BUCKETS);
  #count = 0;
  #max = 0;

  get count(): number {
    return this.#count;
  }

  /** The greatest value, exactly; 0 when there is none. */
  get max(): number {
    return this.#max;
  }

  add(value: number): void {
    const bounded = Math.max(value, LEAST);
    const index = Math.min(BUCKETS - 1, Math.floor(Math.log(bounded / LEAST) / LOG_GROWTH));
    this.#buckets[index]!++;
    this.#count++;
    this.#max = Math.max(this.#max, value);
  }

  /** The value below which `fraction` of all values lie, interpolated within its bucket; 0 when there is none. */
  percentile(fraction: number): number {
    const rank = fraction * this.#count;
    let below = 0;
    for (let index = 0; index < BUCKETS; index++) {
      const here = this.#buckets[index]!;
      if (here > 0 && below + here >= rank) {
        const value = LEAST * GROWTH ** (index + Math.max(0, rank - below) / here);
        return Math.min(value, this.#max);
      }
      below += here;
    }
    return this.#max;
  }
}
