import type { Random } from "@rehome/core";

const UINT32 = 2 ** 32;

/** FNV-1a over the text's UTF-16 units: spreads seeds and names over 32 bits. */
export function hashText(text: string, from = 0x811c9dc5): number {
  let hash = from;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/**
 * A seeded source of chance (sfc32). Each concern of a run has its own, so that a change in one does not shuffle the rest:
 * `new Dice(seed, "network")`.
 */
export class Dice implements Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: number, concern: string) {
    this.#a = hashText(`${seed}/${concern}/a`);
    this.#b = hashText(`${seed}/${concern}/b`);
    this.#c = hashText(`${seed}/${concern}/c`);
    for (let round = 0; round < 12; round++) this.#next();
  }

  #next(): number {
    const result = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + result;
    return result >>> 0;
  }

  /** From 0 to below 1. */
  fraction(): number {
    return this.#next() / UINT32;
  }

  /** A whole number from 0 to below `count`. */
  below(count: number): number {
    return Math.floor(this.fraction() * count);
  }

  /** From `least` to below `most`, fractions included. */
  between(least: number, most: number): number {
    return least + this.fraction() * (most - least);
  }

  chance(probability: number): boolean {
    return probability > 0 && this.fraction() < probability;
  }

  /** Waiting time until the next of events that happen `perSecond` times a second, in ms. */
  wait(perSecond: number): number {
    return (-Math.log(1 - this.fraction()) * 1_000) / perSecond;
  }

  /** One of the items; there must be at least one. */
  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new RangeError("nothing to pick from");
    return item;
  }

  bytes(count: number): Uint8Array {
    const bytes = new Uint8Array(count);
    for (let at = 0; at < count; at++) bytes[at] = this.#next() >>> 24;
    return bytes;
  }
}
