import { ProtocolViolation } from "./errors.ts";
import {
  framesLength,
  NUMBER_BYTES,
  PREFACE,
  readFrames,
  readNumber,
  readU32,
  UNIT_HEADER_BYTES,
  unitKind,
  writeFrames,
  writeNumber,
  writeU32,
} from "./units.ts";
import type { ByteStream } from "./byte-stream.ts";
import { SLAB_BYTES, SlabPool } from "./slab-pool.ts";

/** Small for an idle link; a busy one soon fills slabs of {@link SLAB_BYTES}. */
const FIRST_SLAB_BYTES = 4 * 1024;

/** What a record's unit takes beside its frames. */
export const RECORD_OVERHEAD_BYTES: number = UNIT_HEADER_BYTES + NUMBER_BYTES;

/** A piece of the outgoing stream, as it goes to the socket: units one after the other. */
interface Slab {
  readonly bytes: Uint8Array;
  filled: number;
  written: number;
  /** The last record that was numbered when this slab was last added to. */
  lastNumber: number;
  /** Where units begin: behind the preface, if this slab holds it. */
  readonly unitsFrom: number;
  /** The memory is the pool's, and nobody else ever had it. */
  readonly pooled: boolean;
}

/**
 * Everything that goes out on a connection, in order, and every record until the peer has acknowledged it.
 *
 * Records are written once, as they will stand in the stream, into slabs that many of them share. A slab is given to the
 * socket as it is, so what gathers during a tick goes out in one write, and is let go once it has been written and its
 * records are acknowledged. It serves again if the socket has done with it, too.
 */
export class Outbox {
  private slabs: Slab[] = [];
  private nextToWrite = 0;
  private nextSlabBytes = FIRST_SLAB_BYTES;
  private last = 0;
  private acknowledged = 0;
  private appended = 0;
  private written = 0;
  /** Before here, slabs have been let go. */
  private released = 0;
  private readonly pool: SlabPool;
  /** Which has what was written. */
  private stream: ByteStream | undefined;
  /** What all records so far have taken, and what those of them that are acknowledged have. */
  private recorded = 0;
  private settled = 0;
  /** What `recorded` was behind each unacknowledged record, oldest first, from `endsHead` on. */
  private ends: number[] = [];
  private endsHead = 0;

  constructor(pool: SlabPool = new SlabPool()) {
    this.pool = pool;
  }

  /** The number of the last record, 0 before the first. */
  get lastNumber(): number {
    return this.last;
  }

  get acknowledgedThrough(): number {
    return this.acknowledged;
  }

  /** What the unacknowledged records take, written or not. */
  get outstandingBytes(): number {
    return this.recorded - this.settled;
  }

  get appendedBytes(): number {
    return this.appended;
  }

  get writtenBytes(): number {
    return this.written;
  }

  /** Whether a slab waits to be written to which nothing will be added. */
  get hasFullSlab(): boolean {
    return this.nextToWrite < this.slabs.length - 1;
  }

  /** What {@link appendRecord} will add to {@link outstandingBytes}. */
  static recordBytes(frames: readonly Uint8Array[]): number {
    return RECORD_OVERHEAD_BYTES + framesLength(frames);
  }

  /** Copies the frames. `size` is what {@link recordBytes} said. */
  appendRecord(frames: readonly Uint8Array[], size: number): void {
    this.last += 1;
    const slab = this.room(size);
    const bytes = slab.bytes;
    const at = slab.filled;
    bytes[at] = unitKind.record;
    writeU32(bytes, at + 1, size - UNIT_HEADER_BYTES);
    writeNumber(bytes, at + UNIT_HEADER_BYTES, this.last);
    writeFrames(bytes, at + UNIT_HEADER_BYTES + NUMBER_BYTES, frames);
    slab.filled += size;
    this.appended += size;
    this.recorded += size;
    this.ends.push(this.recorded);
  }

  /** The first thing on a connection. */
  appendPreface(): void {
    const bytes = new Uint8Array(FIRST_SLAB_BYTES);
    bytes.set(PREFACE);
    this.slabs.push({
      bytes,
      filled: PREFACE.length,
      written: 0,
      lastNumber: 0,
      unitsFrom: PREFACE.length,
      pooled: false,
    });
    this.appended += PREFACE.length;
  }

  /** Copies whole units that belong to the connection and not to the link. */
  appendUnit(bytes: Uint8Array): void {
    const slab = this.room(bytes.length);
    slab.bytes.set(bytes, slab.filled);
    slab.filled += bytes.length;
    this.appended += bytes.length;
  }

  /**
   * Goes on where the outbox of an earlier connection stopped: its records above `receivedThrough` follow under their old
   * numbers, the others count as acknowledged. What belonged to the earlier connection alone is left out. Takes the
   * records over: the earlier outbox is empty afterwards. `receivedThrough` lies between its last acknowledged and its
   * last number.
   */
  continueFrom(earlier: Outbox, receivedThrough: number): void {
    earlier.acknowledge(receivedThrough);
    this.last = earlier.last;
    this.acknowledged = receivedThrough;
    this.recorded = earlier.recorded;
    this.settled = earlier.settled;
    this.ends = earlier.ends;
    this.endsHead = earlier.endsHead;
    // In place: what waits may be many megabytes, and a peer decides how often it connects.
    for (const slab of earlier.slabs) {
      for (const { at, end, lastNumber } of runsOfRecords(slab, receivedThrough)) {
        const bytes = slab.bytes.subarray(at, end);
        // Not the pool's any more: the earlier connection's socket may still have it.
        this.slabs.push({ bytes, filled: bytes.length, written: 0, lastNumber, unitsFrom: 0, pooled: false });
        this.appended += bytes.length;
      }
    }
    earlier.slabs = [];
  }

  /** Gives the stream as much as it takes. True if that was everything. */
  writeTo(stream: ByteStream): boolean {
    if (!this.writeFullSlabsTo(stream)) return false;
    // The last slab stays the one that is added to.
    const last = this.slabs[this.nextToWrite];
    return last === undefined || this.write(last, stream);
  }

  /** The same for all that is in slabs to which nothing will be added. */
  writeFullSlabsTo(stream: ByteStream): boolean {
    while (this.hasFullSlab) {
      if (!this.write(this.slabs[this.nextToWrite]!, stream)) return false;
      this.nextToWrite += 1;
    }
    this.release();
    return true;
  }

  /** The peer has received every record up to this number. */
  acknowledge(number: number): void {
    if (number > this.last) throw new ProtocolViolation("an acknowledgement of a record that was never sent");
    if (number <= this.acknowledged) return;
    this.endsHead += number - this.acknowledged;
    this.settled = this.ends[this.endsHead - 1]!;
    this.acknowledged = number;
    if (this.endsHead > 1024 && this.endsHead * 2 > this.ends.length) {
      this.ends = this.ends.slice(this.endsHead);
      this.endsHead = 0;
    }
    this.release();
  }

  /** Every record that the peer has not acknowledged, in order. */
  unacknowledged(): Uint8Array[][] {
    const records: Uint8Array[][] = [];
    for (const slab of this.slabs) {
      for (const { at, end } of recordsIn(slab, this.acknowledged))
        records.push(readFrames(slab.bytes, at + UNIT_HEADER_BYTES + NUMBER_BYTES, end, Number.POSITIVE_INFINITY));
    }
    return records;
  }

  private write(slab: Slab, stream: ByteStream): boolean {
    const due = slab.filled - slab.written;
    if (due === 0) return true;
    this.stream = stream;
    const taken = stream.write(slab.bytes.subarray(slab.written, slab.filled));
    slab.written += taken;
    this.written += taken;
    return taken === due;
  }

  private room(size: number): Slab {
    let slab = this.slabs[this.slabs.length - 1];
    if (slab === undefined || slab.bytes.length - slab.filled < size) {
      const pooled = size <= SLAB_BYTES && this.nextSlabBytes === SLAB_BYTES;
      const bytes = pooled ? this.pool.take() : new Uint8Array(Math.max(size, this.nextSlabBytes));
      this.nextSlabBytes = Math.min(this.nextSlabBytes * 2, SLAB_BYTES);
      slab = { bytes, filled: 0, written: 0, lastNumber: this.last, unitsFrom: 0, pooled };
      this.slabs.push(slab);
    }
    slab.lastNumber = this.last;
    return slab;
  }

  private release(): void {
    let count = 0;
    const sent = this.written - (this.stream?.heldBytes ?? 0);
    while (count < this.slabs.length - 1) {
      const slab = this.slabs[count]!;
      if (slab.written < slab.filled || slab.lastNumber > this.acknowledged) break;
      this.released += slab.filled;
      if (slab.pooled && this.released <= sent) this.pool.give(slab.bytes);
      count += 1;
    }
    if (count === 0) return;
    this.slabs.splice(0, count);
    this.nextToWrite = Math.max(0, this.nextToWrite - count);
  }
}

interface Run {
  readonly at: number;
  readonly end: number;
  readonly lastNumber: number;
}

/** Where records above this number lie one behind the other in a slab, with nothing else in between. */
function runsOfRecords(slab: Slab, above: number): Run[] {
  const { bytes, filled } = slab;
  const runs: Run[] = [];
  let from = -1;
  let last = -1;
  const close = (end: number): void => {
    if (from < 0) return;
    runs.push({ at: from, end, lastNumber: readNumber(bytes, last + UNIT_HEADER_BYTES) });
    from = -1;
  };
  let at = slab.unitsFrom;
  while (at < filled) {
    // Numbers ascend: within a run only the first one has to be looked at.
    const belongs = bytes[at] === unitKind.record && (from >= 0 || readNumber(bytes, at + UNIT_HEADER_BYTES) > above);
    if (!belongs) close(at);
    else {
      if (from < 0) from = at;
      last = at;
    }
    at += UNIT_HEADER_BYTES + readU32(bytes, at + 1);
  }
  close(filled);
  return runs;
}

/** Where the units of a slab lie that hold records above this number, in order. */
function* recordsIn(slab: Slab, above: number): Generator<{ readonly at: number; readonly end: number }> {
  let at = slab.unitsFrom;
  while (at < slab.filled) {
    const end = at + UNIT_HEADER_BYTES + readU32(slab.bytes, at + 1);
    if (slab.bytes[at] === unitKind.record && readNumber(slab.bytes, at + UNIT_HEADER_BYTES) > above) yield { at, end };
    at = end;
  }
}
