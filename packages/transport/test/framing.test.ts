import { describe, expect, it } from "vitest";
import type { ByteStream } from "../src/byte-stream.ts";
import { ProtocolViolation } from "../src/errors.ts";
import { Outbox } from "../src/outbox.ts";
import { copyBytes, RecordPool } from "../src/record-pool.ts";
import { UnitReader } from "../src/unit-reader.ts";
import type { UnitSink } from "../src/unit-reader.ts";
import { encodeNumberUnit, PREFACE, readFrames, readNumber, unitKind, writeNumber } from "../src/units.ts";
import type { UnitBody } from "../src/units.ts";
import { concat, sameBytes, sameRecords, someBytes } from "./support/bytes.ts";

const LIMIT = 100_000;

class Collector implements UnitSink {
  readonly units: { kind: number; body: Uint8Array; owned: boolean }[] = [];
  version: number | undefined;
  reader = new UnitReader(this, new RecordPool());
  stopAfter = Number.POSITIVE_INFINITY;

  limitOf(kind: number): number {
    return kind === 99 ? -1 : LIMIT;
  }

  onUnit(kind: number, body: UnitBody): void {
    this.units.push({ kind, body: copyBytes(body.bytes, body.start, body.end), owned: body.owned });
    if (this.units.length === this.stopAfter) this.reader.stop();
  }

  onUnknownVersion(version: number): void {
    this.version = version;
  }
}

/** A stream that takes what the test says it takes. */
class Taker implements ByteStream {
  readonly remote = "test";
  readonly proven = undefined;
  readonly taken: Uint8Array[] = [];
  writes = 0;
  heldBytes = 0;
  private readonly takes: (offered: number) => number;

  constructor(takes: (offered: number) => number) {
    this.takes = takes;
  }

  start(): void {}
  close(): void {}
  destroy(): void {}

  write(bytes: Uint8Array): number {
    this.writes += 1;
    const count = this.takes(bytes.length);
    this.taken.push(bytes.slice(0, count));
    return count;
  }
}

function recordOf(outbox: Outbox, frames: readonly Uint8Array[]): void {
  outbox.appendRecord(frames, Outbox.recordBytes(frames));
}

function streamOf(records: readonly (readonly Uint8Array[])[]): Uint8Array {
  const outbox = new Outbox();
  outbox.appendPreface();
  for (const frames of records) recordOf(outbox, frames);
  const taker = new Taker((n) => n);
  outbox.writeTo(taker);
  return concat(taker.taken);
}

const RECORDS = [
  [someBytes(5)],
  [someBytes(40), someBytes(0), someBytes(3)],
  [someBytes(700), someBytes(20)],
  [someBytes(70_000)],
  [new Uint8Array(0)],
];

function framesIn(units: Collector["units"]): Uint8Array[][] {
  return units.map(({ body }) => readFrames(body, 8, body.length, 8));
}

describe("units", () => {
  it("N1: come out whole and in order, wherever the reads fall", () => {
    const bytes = streamOf(RECORDS);
    for (const size of [1, 2, 3, 5, 7, 64, 1_000, bytes.length]) {
      const collector = new Collector();
      for (let at = 0; at < bytes.length; at += size) {
        collector.reader.push(bytes.slice(at, at + size));
      }
      expect(sameRecords(framesIn(collector.units), RECORDS)).toBe(true);
      expect(collector.units.map(({ body }) => readNumber(body, 0))).toEqual([1, 2, 3, 4, 5]);
    }
  });

  it("N1: come out whole when two reads split them at any byte", () => {
    const bytes = streamOf(RECORDS.slice(0, 3));
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const collector = new Collector();
      collector.reader.push(bytes.subarray(0, cut));
      collector.reader.push(bytes.subarray(cut));
      expect(sameRecords(framesIn(collector.units), RECORDS.slice(0, 3))).toBe(true);
    }
  });

  it("are refused by their header, before their bytes are there", () => {
    const collector = new Collector();
    const header = encodeNumberUnit(unitKind.record, 1).slice(0, 5);
    new DataView(header.buffer).setUint32(1, LIMIT + 1);
    collector.reader.push(PREFACE);
    expect(() => collector.reader.push(header)).toThrow(ProtocolViolation);
    const other = new Collector();
    other.reader.push(PREFACE);
    expect(() => other.reader.push(Uint8Array.of(99, 0, 0, 0, 0))).toThrow(ProtocolViolation);
  });

  it("cost memory for the bytes that are there, not for the length that is claimed", () => {
    const collector = new Collector();
    const { reader } = collector;
    reader.push(PREFACE);
    const header = encodeNumberUnit(unitKind.record, 1).slice(0, 5);
    new DataView(header.buffer).setUint32(1, LIMIT);
    reader.push(header);
    const held = () => (reader as unknown as { held: Uint8Array }).held.length;
    expect(held()).toBeLessThanOrEqual(256);
    for (let count = 0; count < 1_000; count += 1) reader.push(Uint8Array.of(1));
    expect(held()).toBeLessThanOrEqual(2_048);
    reader.push(new Uint8Array(LIMIT - 1_000));
    expect(collector.units.length).toBe(1);
    expect(held()).toBe(0);
  });

  it("that a later version adds are skipped, others are not", () => {
    const collector = new Collector();
    collector.reader.push(PREFACE);
    collector.reader.push(Uint8Array.of(0x80, 0, 0, 0, 2, 1, 1, unitKind.acknowledge, 0, 0, 0, 0));
    expect(collector.units.map(({ kind }) => kind)).toEqual([unitKind.acknowledge]);
  });

  it("stop when their receiver says so, even within one read", () => {
    const collector = new Collector();
    collector.stopAfter = 2;
    collector.reader.push(streamOf(RECORDS));
    collector.reader.push(encodeNumberUnit(unitKind.end, 5));
    expect(collector.units.length).toBe(2);
  });

  it("need the preface: garbage fails at its first wrong byte, another version is named", () => {
    const http = new Collector();
    expect(() => http.reader.push(new TextEncoder().encode("GET / HTTP/1.1\r\n"))).toThrow(ProtocolViolation);
    const near = new Collector();
    near.reader.push(Uint8Array.of(0x52));
    expect(() => near.reader.push(Uint8Array.of(0x49))).toThrow(ProtocolViolation);
    const newer = new Collector();
    newer.reader.push(Uint8Array.of(0x52, 0x48, 0x4c, 2, 99, 99, 99));
    newer.reader.push(Uint8Array.of(1));
    expect(newer.version).toBe(2);
  });
});

describe("frames", () => {
  it("fill their record exactly", () => {
    expect(() => readFrames(Uint8Array.of(0, 0, 0, 2, 1), 0, 5, 8)).toThrow(/longer/);
    expect(() => readFrames(Uint8Array.of(0, 0, 0), 0, 3, 8)).toThrow(/inside/);
    expect(() => readFrames(new Uint8Array(0), 0, 0, 8)).toThrow(/without/);
    expect(() => readFrames(new Uint8Array(12), 0, 12, 2)).toThrow(/more than 2/);
    expect(readFrames(new Uint8Array(8), 0, 8, 2).length).toBe(2);
  });
});

describe("numbers", () => {
  it("are exact up to 2^53 - 1 and refused above", () => {
    const bytes = new Uint8Array(8);
    for (const value of [0, 1, 0xffffffff, 0x100000000, 2 ** 52 + 1, Number.MAX_SAFE_INTEGER]) {
      writeNumber(bytes, 0, value);
      expect(readNumber(bytes, 0)).toBe(value);
    }
    expect(() => readNumber(Uint8Array.of(0, 0x20, 0, 0, 0, 0, 0, 0), 0)).toThrow(ProtocolViolation);
  });
});

describe("the outbox", () => {
  it("T1: survives writes that take 0, 1 or n-1 bytes", () => {
    const whole = streamOf(RECORDS);
    let turn = 0;
    for (const takes of [
      (n: number) => Math.min(n, 1),
      (n: number) => n - 1 || 1,
      (n: number) => [0, 1, n - 1, n][(turn += 1) % 4]!,
      () => (turn += 1) % 2,
    ]) {
      const outbox = new Outbox();
      outbox.appendPreface();
      for (const frames of RECORDS) recordOf(outbox, frames);
      const taker = new Taker(takes);
      while (!outbox.writeTo(taker));
      expect(sameBytes(concat(taker.taken), whole)).toBe(true);
    }
  });

  it("owns what it is given", () => {
    const frame = someBytes(100);
    const expected = frame.slice();
    const outbox = new Outbox();
    recordOf(outbox, [frame]);
    frame.fill(0);
    expect(sameRecords(outbox.unacknowledged(), [[expected]])).toBe(true);
  });

  it("N2: lists exactly the unacknowledged records, written or not, between other units", () => {
    for (const writtenAfter of [undefined, 2, 4]) {
      for (let acknowledged = 0; acknowledged <= RECORDS.length; acknowledged += 1) {
        const outbox = new Outbox();
        outbox.appendPreface();
        for (const [index, frames] of RECORDS.entries()) {
          outbox.appendUnit(encodeNumberUnit(unitKind.acknowledge, index));
          recordOf(outbox, frames);
          if (index === writtenAfter) outbox.writeTo(new Taker((n) => n));
        }
        outbox.acknowledge(acknowledged);
        expect(sameRecords(outbox.unacknowledged(), RECORDS.slice(acknowledged))).toBe(true);
        const left = RECORDS.slice(acknowledged).reduce((sum, frames) => sum + Outbox.recordBytes(frames), 0);
        expect(outbox.outstandingBytes).toBe(left);
      }
    }
  });

  it("N1: goes on in another one with what is not received, in place and without what was the connection's", () => {
    for (let received = 0; received <= RECORDS.length; received += 1) {
      const first = new Outbox();
      first.appendPreface();
      for (const [index, frames] of RECORDS.entries()) {
        if (index % 2 === 1) first.appendUnit(encodeNumberUnit(unitKind.acknowledge, index));
        recordOf(first, frames);
      }
      // Half written: what a connection had taken of a record counts for nothing on the next one.
      first.writeTo(new Taker(() => 30));
      const next = new Outbox();
      next.appendPreface();
      next.continueFrom(first, received);
      recordOf(next, [someBytes(9)]);
      expect(next.lastNumber).toBe(RECORDS.length + 1);
      const taker = new Taker((n) => n);
      expect(next.writeTo(taker)).toBe(true);
      const collector = new Collector();
      collector.reader.push(concat(taker.taken));
      const left = [...RECORDS.slice(received), [someBytes(9)]];
      expect(sameRecords(framesIn(collector.units), left)).toBe(true);
      expect(collector.units.map(({ body }) => readNumber(body, 0))).toEqual(left.map((_, at) => received + at + 1));
      expect(next.writtenBytes).toBe(next.appendedBytes);
      const outstanding = left.reduce((sum, frames) => sum + Outbox.recordBytes(frames), 0);
      expect(next.outstandingBytes).toBe(outstanding);
      expect(sameRecords(next.unacknowledged(), left)).toBe(true);
      next.acknowledge(next.lastNumber);
      expect([next.outstandingBytes, next.unacknowledged().length, first.unacknowledged().length]).toEqual([0, 0, 0]);
    }
  });

  it("lets memory go once records are written and acknowledged, and not before", () => {
    const outbox = new Outbox();
    const slabs = () => (outbox as unknown as { slabs: { bytes: Uint8Array }[] }).slabs;
    const held = () => slabs().reduce((sum, { bytes }) => sum + bytes.length, 0);
    for (let count = 0; count < 2_000; count += 1) recordOf(outbox, [new Uint8Array(1_000)]);
    expect(held()).toBeGreaterThan(2_000_000);
    const taker = new Taker((n) => n);
    outbox.acknowledge(1_000);
    expect(held()).toBeGreaterThan(2_000_000);
    outbox.writeTo(taker);
    expect(held()).toBeLessThan(1_200_000);
    outbox.acknowledge(2_000);
    expect(held()).toBeLessThanOrEqual(65_536);
    expect(outbox.outstandingBytes).toBe(0);
  });

  it("T6: writes what has gathered at once", () => {
    const outbox = new Outbox();
    for (let count = 0; count < 1_000; count += 1) recordOf(outbox, [new Uint8Array(150)]);
    const taker = new Taker((n) => n);
    outbox.writeTo(taker);
    expect(taker.writes).toBeLessThan(10);
  });

  it("does not believe an acknowledgement of what was never sent", () => {
    const outbox = new Outbox();
    recordOf(outbox, [someBytes(1)]);
    expect(() => outbox.acknowledge(2)).toThrow(ProtocolViolation);
  });
});

describe("the pool", () => {
  it("copies, and never hands out the same bytes twice", () => {
    const pool = new RecordPool();
    const source = someBytes(4_000);
    const copies: { bytes: Uint8Array; from: number }[] = [];
    for (let from = 0; from < 50; from += 1) {
      const at = pool.take(source, from, from + 500, 500);
      expect(pool.end - at).toBe(500);
      copies.push({ bytes: pool.bytes.subarray(at, pool.end), from });
    }
    const whole = source.slice();
    source.fill(0);
    expect(copies.every(({ bytes, from }) => sameBytes(bytes, whole.subarray(from, from + 500)))).toBe(true);
  });

  it("copies what there is room for, and at least what it has to", () => {
    const pool = new RecordPool();
    const source = someBytes(100_000);
    expect([pool.take(source, 0, 100_000, 100), pool.end]).toEqual([0, 65_536]);
    expect([pool.take(source, 5, 105, 10), pool.end]).toEqual([0, 100]);
    expect([pool.take(source, 0, 8_000, 2_000), pool.end]).toEqual([100, 8_100]);
    expect([pool.take(source, 0, 57_344, 2_000), pool.end]).toEqual([8_100, 65_444]);
    // Not enough room for the least: a fresh array.
    const before = pool.bytes;
    expect([pool.take(source, 0, 8_000, 93), pool.end]).toEqual([0, 8_000]);
    expect(pool.bytes).not.toBe(before);
  });
});
