/**
 * What one kept record can hold on to beyond itself, if it is not larger than that: a read of Node's, so that most are not
 * copied. Who decodes records as they come keeps nothing of it.
 */
export const POOL_BYTES = 64 * 1024;
/** Larger ones get memory of their own, since an allocation costs little beside them. */
export const LARGEST_POOLED_BYTES = 2 * 1024;

/**
 * Memory for what is received and may be kept. Small records share an array, and those that came together are copied
 * together: an allocation and a copy for each costs more than all else that is done with it. Memory is never used twice.
 */
export class RecordPool {
  private array = new Uint8Array(0);
  private used = 0;

  /** The array into which the last {@link take} has copied. */
  get bytes(): Uint8Array {
    return this.array;
  }

  /**
   * Copies as many bytes from `start` on as there is room for, at least `least` (at most {@link LARGEST_POOLED_BYTES}) and
   * none past `end`. Returns where they lie in {@link bytes}, up to {@link end}.
   */
  take(source: Uint8Array, start: number, end: number, least: number): number {
    if (this.array.length - this.used < least) {
      this.array = new Uint8Array(POOL_BYTES);
      this.used = 0;
    }
    const at = this.used;
    const length = Math.min(end - start, this.array.length - at);
    this.array.set(start === 0 && length === source.length ? source : source.subarray(start, start + length), at);
    this.used = at + length;
    return at;
  }

  /** Behind the last byte that was copied. */
  get end(): number {
    return this.used;
  }
}

/** Not `slice`, which on a Node `Buffer` does not copy. */
export function copyBytes(source: Uint8Array, start: number, end: number): Uint8Array {
  const copy = new Uint8Array(end - start);
  copy.set(source.subarray(start, end));
  return copy;
}
