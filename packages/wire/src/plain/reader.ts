import { WireError, type WireErrorCode } from "../error.ts";
import type { OperationKind } from "../values/enums.ts";

/** One piece of a frame as it was read: a field, a length or a discriminator. */
export interface TraceRow {
  /** Index of the frame in its record. */
  readonly frame: number;
  /** Bytes from the start of the frame. */
  readonly offset: number;
  readonly length: number;
  /** Path of the field (`session.sessionRid`). */
  readonly field: string;
  /** The value as section 7 of `wire.md` shows it, but bytes of a blob as they are. */
  readonly value: unknown;
}

/** Asked for the operation of a reply's correlation (`wire.md` 3.2). */
export type OperationOf = (correlation: bigint) => OperationKind | undefined;

interface Breach {
  readonly field: string;
  readonly offset: number;
  readonly reason: string;
}

/** A frame being read by the plain codec, which knows where it is and can say so. */
export class Reader {
  readonly bytes: Uint8Array;
  readonly frame: number;
  /** Where the enclosing delimited body ends. */
  end: number;
  at = 0;
  /** The flags byte of the record's prefix. */
  flags = 0;
  operationOf: OperationOf | undefined;
  readonly rows: TraceRow[] | undefined;
  readonly #view: DataView;
  #breach: Breach | undefined;

  constructor(bytes: Uint8Array, frame = 0, rows?: TraceRow[]) {
    this.bytes = bytes;
    this.frame = frame;
    this.end = bytes.length;
    this.rows = rows;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.end - this.at;
  }

  uint(size: 1 | 2 | 4, path: string): number {
    const offset = this.skip(size, path);
    if (size === 1) return this.#view.getUint8(offset);
    return size === 2 ? this.#view.getUint16(offset) : this.#view.getUint32(offset);
  }

  u64(path: string): bigint {
    return this.#view.getBigUint64(this.skip(8, path));
  }

  /** Moves over `count` bytes and returns where they begin. Nothing is allocated for bytes that are not there. */
  skip(count: number, path: string, start = this.at): number {
    if (count > this.left) throw this.#truncated(path, start);
    const offset = this.at;
    this.at += count;
    return offset;
  }

  /** A copy of the next `count` bytes: a decoded value owns its bytes. */
  take(count: number, path: string, start: number): Uint8Array {
    const offset = this.skip(count, path, start);
    const copy = new Uint8Array(count);
    copy.set(new Uint8Array(this.bytes.buffer, this.bytes.byteOffset + offset, count));
    return copy;
  }

  /** Narrows to a body of `length` bytes, runs `read`, and makes sure that it has read all of them. */
  within(length: number, path: string, start: number, read: () => void): void {
    if (length > this.left) throw this.#truncated(path, start);
    const outer = this.end;
    this.end = this.at + length;
    read();
    this.finish(path);
    this.end = outer;
  }

  /** Refuses what is left of the frame or of the enclosing body. */
  finish(path: string): void {
    if (this.left === 0) return;
    throw new WireError("trailing-byte", path, this.at, `${this.left} bytes are left after the last field`);
  }

  invalid(path: string, offset: number, reason: string): WireError {
    return this.fail("invalid-field", path, offset, reason);
  }

  fail(code: WireErrorCode, path: string, offset: number, reason: string): WireError {
    return new WireError(code, path, offset, reason);
  }

  /** Notes the breach of a rule across fields, which counts only once the frame has been read whole. */
  breach(field: string, offset: number, reason: string): void {
    this.#breach ??= { field, offset, reason };
  }

  /** The last step of a frame: nothing may be left over, and no rule across fields may be broken. */
  close(path: string): void {
    this.finish(path);
    const breach = this.#breach;
    if (breach !== undefined) throw this.invalid(breach.field, breach.offset, breach.reason);
  }

  row(offset: number, field: string, value: unknown): void {
    this.rows?.push({ frame: this.frame, offset, length: this.at - offset, field, value });
  }

  #truncated(path: string, offset: number): WireError {
    const where = this.end === this.bytes.length ? "the frame" : "the enclosing body";
    return this.fail("truncated-field", path, offset, `${where} ends at byte ${this.end}, inside this field`);
  }
}
