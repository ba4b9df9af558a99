import type { Rid } from "@rehome/wire";

/** Directions in which nothing gets through, each with how many partitions say so. */
export class Partitions {
  readonly #ways = new Map<string, number>();

  has(from: Rid, to: Rid): boolean {
    return this.#ways.has(`${from}>${to}`);
  }

  /** Gives how to end it; that says whether the way is free then. */
  add(from: Rid, to: Rid): () => boolean {
    const way = `${from}>${to}`;
    this.#ways.set(way, (this.#ways.get(way) ?? 0) + 1);
    return () => {
      const left = (this.#ways.get(way) ?? 1) - 1;
      if (left > 0) this.#ways.set(way, left);
      else this.#ways.delete(way);
      return left === 0;
    };
  }
}
