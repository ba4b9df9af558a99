import { assert } from "../errors.ts";

/**
 * A map that never holds more than `capacity` entries: the least recently used one goes first. `get` and `set` use an
 * entry, `peek` and `has` do not.
 *
 * It is the memory of the past that the protocol bounds everywhere (`protocol.md` I8): ended relocations (T1), terminal
 * seals (S14), finished operations (J4, Q1). Iteration runs from the least to the most recently used entry.
 */
export class LruMap<K, V> {
  readonly #capacity: number;
  // A Map iterates in insertion order, so deleting and setting again moves an entry to the young end.
  readonly #entries = new Map<K, V>();

  /** `capacity` is the largest number of entries, a positive integer; anything else is an `assertionFailed`. */
  constructor(capacity: number) {
    const bounds = Number.isSafeInteger(capacity) && capacity >= 1;
    assert(bounds, `An LruMap needs a capacity of at least 1, not ${capacity}.`);
    this.#capacity = capacity;
  }

  get capacity(): number {
    return this.#capacity;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Whether the key is there. Does not count as use. */
  has(key: K): boolean {
    return this.#entries.has(key);
  }

  /** The value, or `undefined`. Counts as use. */
  get(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (value === undefined && !this.#entries.has(key)) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value as V);
    return value;
  }

  /** The value, or `undefined`. Does not count as use. */
  peek(key: K): V | undefined {
    return this.#entries.get(key);
  }

  /** Stores the value as the most recently used, and returns the entry that had to go for it, if one had to. */
  set(key: K, value: V): readonly [K, V] | undefined {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#capacity) return undefined;
    for (const oldest of this.#entries) {
      this.#entries.delete(oldest[0]);
      return oldest;
    }
    return undefined;
  }

  /** Removes the entry; false when there was none. */
  delete(key: K): boolean {
    return this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  keys(): IterableIterator<K> {
    return this.#entries.keys();
  }

  values(): IterableIterator<V> {
    return this.#entries.values();
  }

  entries(): IterableIterator<[K, V]> {
    return this.#entries.entries();
  }

  [Symbol.iterator](): IterableIterator<[K, V]> {
    return this.#entries.entries();
  }
}
