/** Finds cases that take far more time for their bytes than others do: work that an attacker could order cheaply. */

/** Every case costs something, however short it is. */
const overheadBytes = 64;
/** A case is looked at again when it took this many times what is usual for its length. Most were only interrupted. */
const suspectFactor = 100;
/** And it is slow when the best of several tries still takes this many times as long. */
const slowFactor = 50;
const tries = 7;
/** Suspects that are kept: a machine that is busy makes many, and one that is really slow comes again. */
const maxSuspects = 300;
/** The first cases say nothing: code is compiled as it is used. */
const warmUpCases = 10_000;
/** And the usual is known after this many more. */
const calibrationCases = 5000;

interface Suspect<Case> {
  readonly item: Case;
  readonly bytes: number;
}

export interface SlowCase<Case> {
  readonly item: Case;
  /** How many times as long as is usual for its length. */
  readonly factor: number;
}

export class Pace<Case> {
  readonly #nowMs: () => number;
  readonly #first: number[] = [];
  readonly #suspects: Suspect<Case>[] = [];
  #seen = 0;
  #usualMs = 0;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Of one byte. 0 until enough cases have run. */
  get usualMs(): number {
    return this.#usualMs;
  }

  /** Notes how long a case took. */
  note(item: Case, bytes: number, tookMs: number): void {
    this.#seen++;
    if (this.#seen <= warmUpCases) return;
    const perByte = tookMs / (bytes + overheadBytes);
    if (this.#usualMs === 0) {
      this.#first.push(perByte);
      if (this.#first.length < calibrationCases) return;
      this.#usualMs = median(this.#first.splice(0));
    }
    if (perByte > suspectFactor * this.#usualMs && this.#suspects.length < maxSuspects) {
      this.#suspects.push({ item, bytes });
    }
  }

  /** Runs the suspects again, each by itself, and returns those that are slow indeed. */
  slowCases(run: (item: Case) => void): SlowCase<Case>[] {
    return this.#suspects.flatMap(({ item, bytes }) => {
      const usualMs = this.#usualMs * (bytes + overheadBytes);
      let best = Infinity;
      for (let left = tries; left > 0; left--) {
        const began = this.#nowMs();
        run(item);
        best = Math.min(best, this.#nowMs() - began);
      }
      const factor = best / usualMs;
      return factor > slowFactor ? [{ item, factor }] : [];
    });
  }
}

function median(values: number[]): number {
  return values.sort((left, right) => left - right)[values.length >> 1]!;
}
