/** Compact the array once this many taken slots lead it: rare enough to cost nothing, early enough to hold no memory. */
const COMPACT_AFTER = 1_024;

/** A queue whose `shift` does not move what is behind. */
export class Fifo<T> {
  #items: (T | undefined)[] = [];
  #head = 0;

  get length(): number {
    return this.#items.length - this.#head;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    if (this.length === 0) return undefined;
    const item = this.#items[this.#head];
    this.#items[this.#head++] = undefined;
    if (this.#head >= COMPACT_AFTER) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }

  toArray(): T[] {
    return this.#items.slice(this.#head) as T[];
  }

  clear(): void {
    this.#items = [];
    this.#head = 0;
  }
}
