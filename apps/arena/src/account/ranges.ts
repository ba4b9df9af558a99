/** A range of numbers, both ends included. */
export type Range = readonly [from: number, to: number];

/**
 * A set of positive whole numbers as sorted, disjoint ranges. It never holds more than `capacity` ranges: past that the
 * lowest range is given up and its size is added to `forgotten`, so that the set cannot grow without bound and says so.
 */
export class RangeSet {
  #ranges: [number, number][];
  readonly #capacity: number;
  #forgotten: number;

  constructor(capacity: number, ranges: readonly Range[] = [], forgotten = 0) {
    this.#capacity = capacity;
    this.#ranges = ranges.map(([from, to]) => [from, to]);
    this.#forgotten = forgotten;
  }

  /** How many numbers were given up because there were too many ranges. */
  get forgotten(): number {
    return this.#forgotten;
  }

  /** How many numbers are in the set. */
  get size(): number {
    return this.#ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0);
  }

  has(n: number): boolean {
    const range = this.#ranges[this.#firstNotBelow(n)];
    return range !== undefined && range[0] <= n;
  }

  add(from: number, to: number = from): void {
    if (to < from) return;
    // A range that ends just before `from` is grown, not put beside the new one.
    const start = this.#firstNotBelow(from - 1);
    let end = start;
    let low = from;
    let high = to;
    for (let range = this.#ranges[end]; range !== undefined && range[0] <= to + 1; range = this.#ranges[++end]) {
      low = Math.min(low, range[0]);
      high = Math.max(high, range[1]);
    }
    this.#ranges.splice(start, end - start, [low, high]);
    this.#keepToCapacity();
  }

  /** Takes one number out; says whether it was there. */
  remove(n: number): boolean {
    const index = this.#firstNotBelow(n);
    const range = this.#ranges[index];
    if (range === undefined || range[0] > n) return false;
    const [from, to] = range;
    const rest: [number, number][] = [];
    if (from < n) rest.push([from, n - 1]);
    if (n < to) rest.push([n + 1, to]);
    this.#ranges.splice(index, 1, ...rest);
    this.#keepToCapacity();
    return true;
  }

  /** How many numbers are in both sets. */
  countIn(other: RangeSet): number {
    return this.#ranges.reduce((sum, [from, to]) => sum + other.countBetween(from, to), 0);
  }

  /** How many numbers from `from` to `to` are in the set. */
  countBetween(from: number, to: number): number {
    let sum = 0;
    for (const [low, high] of this.#ranges) sum += Math.max(0, Math.min(high, to) - Math.max(low, from) + 1);
    return sum;
  }

  toJSON(): Range[] {
    return this.#ranges.map(([from, to]) => [from, to]);
  }

  #firstNotBelow(n: number): number {
    let low = 0;
    let high = this.#ranges.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#ranges[middle]![1] < n) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #keepToCapacity(): void {
    while (this.#ranges.length > this.#capacity) {
      const [from, to] = this.#ranges.shift()!;
      this.#forgotten += to - from + 1;
    }
  }
}
