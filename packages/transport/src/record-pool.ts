/** What one kept record can hold on to beyond itself. */
const POOL_BYTES = 8 * 1024;
/** Larger ones get memory of their own, since an allocation costs little beside them. */
const LARGEST_POOLED_BYTES = 2 * 1024;

/** Memory for received records: small ones share an array, because allocating one each costs more than copying. */
export class RecordPool {
  private bytes = new Uint8Array(POOL_BYTES);
  private used = 0;

  /** A copy of these bytes that its receiver may keep. */
  copy(source: Uint8Array, start: number, end: number): Uint8Array {
    const length = end - start;
    if (length > LARGEST_POOLED_BYTES) return copyBytes(source, start, end);
    if (this.used + length > this.bytes.length) {
      this.bytes = new Uint8Array(POOL_BYTES);
      this.used = 0;
    }
    const copy = this.bytes.subarray(this.used, this.used + length);
    copy.set(source.subarray(start, end));
    this.used += length;
    return copy;
  }
}

/** Not `slice`, which on a Node `Buffer` does not copy. */
export function copyBytes(source: Uint8Array, start: number, end: number): Uint8Array {
  const copy = new Uint8Array(end - start);
  copy.set(source.subarray(start, end));
  return copy;
}
