import { WireError, type WireErrorCode } from "../error.ts";

/** Where the plain encoder puts a frame together. It grows as needed, and always knows its offset. */
export class Writer {
  at = 0;
  #bytes = new Uint8Array(256);
  #view = new DataView(this.#bytes.buffer);
  #breach: WireError | undefined;

  uint(size: 1 | 2 | 4, value: number): void {
    const offset = this.#room(size);
    if (size === 1) this.#view.setUint8(offset, value);
    else if (size === 2) this.#view.setUint16(offset, value);
    else this.#view.setUint32(offset, value);
  }

  u64(value: bigint): void {
    const offset = this.#room(8);
    this.#view.setBigUint64(offset, value);
  }

  raw(bytes: Uint8Array): void {
    const offset = this.#room(bytes.length);
    this.#bytes.set(bytes, offset);
  }

  /** Leaves room for a length, runs `write`, and fills the length in. */
  measured(size: 2 | 4, write: () => void): void {
    const offset = this.#room(size);
    write();
    const length = this.at - offset - size;
    if (size === 2) this.#view.setUint16(offset, length);
    else this.#view.setUint32(offset, length);
  }

  /** What has been written from `start` on; not a copy. */
  since(start: number): Uint8Array {
    return this.#bytes.subarray(start, this.at);
  }

  invalid(path: string, reason: string): WireError {
    return this.fail("invalid-field", path, reason);
  }

  fail(code: WireErrorCode, path: string, reason: string, offset = this.at): WireError {
    return new WireError(code, path, offset, reason);
  }

  /** Notes the breach of a rule across fields: as on decode, it counts only once the frame is whole. */
  breach(path: string, reason: string): void {
    this.#breach ??= this.invalid(path, reason);
  }

  /** The whole frame, in bytes of its own. */
  close(): Uint8Array {
    if (this.#breach !== undefined) throw this.#breach;
    return this.#bytes.slice(0, this.at);
  }

  #room(count: number): number {
    const offset = this.at;
    this.at += count;
    if (this.at > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(2 * this.#bytes.length, this.at));
      grown.set(this.#bytes);
      this.#bytes = grown;
      this.#view = new DataView(grown.buffer);
    }
    return offset;
  }
}
