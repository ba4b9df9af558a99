/**
 * Seeded random numbers for traffic and movement. Each purpose gets its own sequence from (seed, names), so that what one
 * part draws never changes what another one gets.
 */
export class SeededRandom {
  #state: number;

  constructor(seed: number, ...names: readonly (number | string)[]) {
    let state = scramble(seed >>> 0);
    for (const name of names) {
      for (const part of typeof name === "number" ? [name] : Array.from(name, (c) => c.codePointAt(0)!)) {
        state = scramble(state ^ (part >>> 0));
      }
    }
    this.#state = state;
  }

  /** 32 random bits. */
  next(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    return scramble(this.#state);
  }

  /** A fraction in [0, 1). */
  fraction(): number {
    return this.next() / 2 ** 32;
  }

  /** A whole number from 0 to `count` − 1. */
  below(count: number): number {
    return Math.floor(this.fraction() * count);
  }
}

function scramble(value: number): number {
  let h = Math.imul(value ^ (value >>> 16), 0x21f0aaad);
  h = Math.imul(h ^ (h >>> 15), 0x735a2d97);
  return (h ^ (h >>> 15)) >>> 0;
}
