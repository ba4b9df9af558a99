import { ProtocolViolation } from "./errors.ts";
import { LARGEST_POOLED_BYTES, POOL_BYTES } from "./record-pool.ts";
import type { RecordPool } from "./record-pool.ts";
import { FIRST_SKIPPABLE_KIND, PREFACE_MAGIC, PREFACE_VERSION, readU32, UNIT_HEADER_BYTES } from "./units.ts";
import type { UnitBody } from "./units.ts";

export interface UnitSink {
  /** The most bytes that the body of a unit of this kind may have now, or -1 if the kind has no place here. */
  limitOf(kind: number): number;
  /** One whole unit. Kinds from {@link FIRST_SKIPPABLE_KIND} on never come here. */
  onUnit(kind: number, body: UnitBody): void;
  /** The peer speaks another version. Nothing more is read. */
  onUnknownVersion(version: number): void;
}

const PREFACE_LENGTH = PREFACE_MAGIC.length + 1;
const FIRST_CAPACITY = 256;
const NO_BYTES = new Uint8Array(0);

/**
 * Cuts a stream of bytes into units, however the reads fall.
 *
 * A unit that comes whole in one read is handed on as the receiver's own where it lies, unless whoever keeps it would hold on
 * to a read that is large, and mostly of others. Of such a read, small units are copied together, and a large one is handed on
 * as the reader's. One that does not come whole is gathered in a buffer that grows with the bytes that are there, never with
 * the length that a header claims.
 */
export class UnitReader {
  private readonly sink: UnitSink;
  private readonly pool: RecordPool;
  private readonly body: UnitBody = { bytes: NO_BYTES, start: 0, end: 0, owned: false };
  private prefaceSeen = 0;
  private stopped = false;
  private held: Uint8Array = NO_BYTES;
  private heldLength = 0;

  constructor(sink: UnitSink, pool: RecordPool) {
    this.sink = sink;
    this.pool = pool;
  }

  /** Nothing is handed on any more, not even the rest of the bytes that are being read now. */
  stop(): void {
    this.stopped = true;
    this.held = NO_BYTES;
    this.heldLength = 0;
  }

  /** Throws {@link ProtocolViolation}, and whatever the sink throws. The bytes stay as they are: parts of them may be kept. */
  push(bytes: Uint8Array): void {
    let at = this.prefaceSeen < PREFACE_LENGTH ? this.readPreface(bytes) : 0;
    if (this.heldLength > 0) at = this.continueHeld(bytes, at);
    const kept = bytes.buffer.byteLength;
    while (!this.stopped && bytes.length - at >= UNIT_HEADER_BYTES) {
      const length = this.checkedLength(bytes, at);
      const end = at + UNIT_HEADER_BYTES + length;
      if (end > bytes.length) break;
      if (kept <= POOL_BYTES || kept <= 2 * (end - at)) {
        this.hand(bytes, at, end, true);
        at = end;
      } else if (end - at <= LARGEST_POOLED_BYTES) {
        at += this.handTogether(bytes, at, end - at);
      } else {
        this.hand(bytes, at, end, false);
        at = end;
      }
    }
    if (!this.stopped && at < bytes.length) this.hold(bytes, at, bytes.length);
  }

  /** Copies what comes from here on, and hands on the units that the copy holds whole, of which the first has this size. */
  private handTogether(source: Uint8Array, start: number, firstSize: number): number {
    const { pool } = this;
    const from = pool.take(source, start, source.length, firstSize);
    const { bytes, end } = pool;
    let at = from;
    let next = at + firstSize;
    for (;;) {
      this.hand(bytes, at, next, true);
      at = next;
      if (this.stopped || end - at < UNIT_HEADER_BYTES) break;
      next = at + UNIT_HEADER_BYTES + this.checkedLength(bytes, at);
      if (next > end) break;
    }
    return at - from;
  }

  private readPreface(bytes: Uint8Array): number {
    let at = 0;
    for (; at < bytes.length && this.prefaceSeen < PREFACE_LENGTH; at += 1) {
      const byte = bytes[at]!;
      if (this.prefaceSeen < PREFACE_MAGIC.length) {
        if (byte !== PREFACE_MAGIC[this.prefaceSeen]) throw new ProtocolViolation("not a Rehome node");
      } else if (byte !== PREFACE_VERSION) {
        this.stop();
        this.sink.onUnknownVersion(byte);
        return bytes.length;
      }
      this.prefaceSeen += 1;
    }
    return at;
  }

  /** Adds to the unit that an earlier read left unfinished, and hands it on once it is whole. Returns where to go on. */
  private continueHeld(bytes: Uint8Array, from: number): number {
    let at = from;
    if (this.heldLength < UNIT_HEADER_BYTES) {
      const end = Math.min(bytes.length, at + UNIT_HEADER_BYTES - this.heldLength);
      this.hold(bytes, at, end);
      at = end;
      if (this.heldLength < UNIT_HEADER_BYTES) return at;
    }
    const total = UNIT_HEADER_BYTES + this.checkedLength(this.held, 0);
    const end = Math.min(bytes.length, at + total - this.heldLength);
    this.hold(bytes, at, end);
    if (this.heldLength < total) return end;
    const whole = this.held;
    this.held = NO_BYTES;
    this.heldLength = 0;
    this.hand(whole, 0, total, true);
    return end;
  }

  private hold(bytes: Uint8Array, start: number, end: number): void {
    const needed = this.heldLength + end - start;
    if (needed > this.held.length) {
      const total = this.announced(bytes, start, end);
      let capacity = Math.max(needed * 2, FIRST_CAPACITY);
      if (total > 0) capacity = Math.max(needed, Math.min(capacity, total));
      const grown = new Uint8Array(capacity);
      grown.set(this.held.subarray(0, this.heldLength));
      this.held = grown;
    }
    this.held.set(bytes.subarray(start, end), this.heldLength);
    this.heldLength = needed;
  }

  /** The size of the unit that is being gathered, once its header is there; 0 before. */
  private announced(bytes: Uint8Array, start: number, end: number): number {
    if (this.heldLength >= UNIT_HEADER_BYTES) return UNIT_HEADER_BYTES + readU32(this.held, 1);
    return this.heldLength === 0 && end - start >= UNIT_HEADER_BYTES
      ? UNIT_HEADER_BYTES + readU32(bytes, start + 1)
      : 0;
  }

  private checkedLength(bytes: Uint8Array, at: number): number {
    const kind = bytes[at]!;
    const limit = this.sink.limitOf(kind);
    if (limit < 0) throw new ProtocolViolation(`a unit of kind ${kind}, which has no place here`);
    const length = readU32(bytes, at + 1);
    if (length > limit) throw new ProtocolViolation(`a unit of kind ${kind} with ${length} bytes, more than ${limit}`);
    return length;
  }

  private hand(bytes: Uint8Array, start: number, end: number, owned: boolean): void {
    const kind = bytes[start]!;
    if (kind >= FIRST_SKIPPABLE_KIND) return;
    const body = this.body;
    body.bytes = bytes;
    body.start = start + UNIT_HEADER_BYTES;
    body.end = end;
    body.owned = owned;
    this.sink.onUnit(kind, body);
    body.bytes = NO_BYTES;
  }
}
