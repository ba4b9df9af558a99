import { RangeSet, type Range } from "./ranges.ts";

/**
 * Gaps that one track remembers. An arena in order has none, and a broken one is red after the first; what matters is
 * that an actor's state stays small.
 */
const MAX_GAPS = 64;

/** A track as it travels in an actor's state and in reports. */
export interface TrackRecord {
  /** The highest number seen. */
  readonly last: number;
  /** Everything that arrived, repeats included. */
  readonly count: number;
  /** Rolling hash over (number, mark) in the order of arrival. */
  readonly hash: number;
  /** Numbers below `last` that have not come. */
  readonly missing: readonly Range[];
  /** Missing numbers that were given up when there were too many gaps. */
  readonly forgotten: number;
  /** Arrivals that came after a higher number, for the first time. */
  readonly late: number;
  /** Arrivals that had come before. */
  readonly repeated: number;
  /** Arrivals without a usable number. */
  readonly strange: number;
}

export const emptyTrack: TrackRecord = {
  last: 0,
  count: 0,
  hash: 0,
  missing: [],
  forgotten: 0,
  late: 0,
  repeated: 0,
  strange: 0,
};

/**
 * The account of one line of numbers 1, 2, 3, … as somebody saw them arrive. It finds every loss, repeat and change of
 * order by itself, in bounded memory; the hash covers the marks too, so that a number with another content is found.
 */
export class Track {
  #last: number;
  #count: number;
  #hash: number;
  readonly #missing: RangeSet;
  #late: number;
  #repeated: number;
  #strange: number;

  constructor(record: TrackRecord = emptyTrack) {
    this.#last = record.last;
    this.#count = record.count;
    this.#hash = record.hash;
    this.#missing = new RangeSet(MAX_GAPS, record.missing, record.forgotten);
    this.#late = record.late;
    this.#repeated = record.repeated;
    this.#strange = record.strange;
  }

  get count(): number {
    return this.#count;
  }

  get last(): number {
    return this.#last;
  }

  /** Faults that can be told without knowing what was sent. */
  get anomalies(): number {
    return this.#missing.size + this.#missing.forgotten + this.#late + this.#repeated + this.#strange;
  }

  note(n: number, mark: number): void {
    this.#count++;
    this.#hash = mix(this.#hash, n, mark);
    if (!Number.isSafeInteger(n) || n < 1) {
      this.#strange++;
    } else if (n > this.#last) {
      this.#missing.add(this.#last + 1, n - 1);
      this.#last = n;
    } else if (this.#missing.remove(n)) {
      this.#late++;
    } else {
      this.#repeated++;
    }
  }

  toJSON(): TrackRecord {
    return {
      last: this.#last,
      count: this.#count,
      hash: this.#hash,
      missing: this.#missing.toJSON(),
      forgotten: this.#missing.forgotten,
      late: this.#late,
      repeated: this.#repeated,
      strange: this.#strange,
    };
  }
}

/** One step of the rolling hash: other numbers, other marks or another order give another hash (32 bits). */
export function mix(hash: number, n: number, mark: number): number {
  let h = Math.imul(hash ^ n, 0x9e3779b1);
  h = Math.imul((h ^ (h >>> 15)) + mark, 0x85ebca6b);
  return (h ^ (h >>> 13)) >>> 0;
}
