/** Chance that can be repeated from its seed (SplitMix32). Not for secrets. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A whole number from 0 to 2^32−1. */
  next(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  }

  /** A whole number from 0 to `count` − 1. */
  below(count: number): number {
    return this.next() % count;
  }

  /** One of these. */
  of<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }
}
