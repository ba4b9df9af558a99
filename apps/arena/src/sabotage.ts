import type { SeededRandom } from "./random.ts";

export const sabotages = ["drop", "double", "reorder"] as const;
/** A fault that the arena puts into its own message path, to see that the judge finds it. */
export type Sabotage = (typeof sabotages)[number];

/** One message in so many is hit; the first one early, so that a short run is hit too. */
const ONE_IN = 25;
const FIRST_WITHIN = 5;

/**
 * A stretch of the arena's own message path between an account and the product. Without sabotage it hands on what it is
 * given; with it, it drops, doubles or swaps some of it, and tells no account.
 */
export class MessagePath<T> {
  readonly #sabotage: Sabotage | undefined;
  readonly #random: SeededRandom;
  readonly #handOn: (message: T) => void;
  #untilFault: number;
  #held: { readonly message: T } | undefined;

  constructor(sabotage: Sabotage | undefined, random: SeededRandom, handOn: (message: T) => void) {
    this.#sabotage = sabotage;
    this.#random = random;
    this.#handOn = handOn;
    this.#untilFault = 1 + random.below(FIRST_WITHIN);
  }

  pass(message: T): void {
    const held = this.#held;
    this.#held = undefined;
    if (this.#sabotage === undefined || --this.#untilFault > 0) {
      this.#handOn(message);
    } else {
      this.#untilFault = 1 + this.#random.below(2 * ONE_IN);
      if (this.#sabotage === "reorder") this.#held = { message };
      else if (this.#sabotage === "double") this.#twice(message);
    }
    if (held !== undefined) this.#handOn(held.message);
  }

  /** Lets go of what is held back; nothing comes after it. */
  end(): void {
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined) this.#handOn(held.message);
  }

  #twice(message: T): void {
    this.#handOn(message);
    this.#handOn(message);
  }
}
