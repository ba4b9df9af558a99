import { ProtocolViolation } from "./errors.ts";

/** The first bytes in each direction: `RHL` and the version of everything below (`docs/transport.md`). */
export const PREFACE_MAGIC: readonly number[] = [0x52, 0x48, 0x4c];
export const PREFACE_VERSION = 1;
export const PREFACE: Uint8Array = Uint8Array.of(...PREFACE_MAGIC, PREFACE_VERSION);

/** After the preface a connection is a sequence of units: kind u8, body length u32, body. */
export const UNIT_HEADER_BYTES = 5;

export const unitKind = {
  /** Handshake: fields about the link, then the record 1 `hello`, 2 `admit` or 3 `reject`. */
  open: 1,
  /** A numbered record: number u64, then its frames. */
  record: 2,
  /** Cumulative: every record up to this number u64 has been received. */
  acknowledge: 3,
  /** A record about the connection itself (4 `update`, 5 `livenessProbe`, 6 `livenessAck`): its frames. Not numbered. */
  connection: 4,
  /** The sender ends the link on purpose. Number u64 of its last record. */
  end: 5,
  /** Handshake with a shared secret: random bytes that the dialler's proof must cover. */
  challenge: 6,
  /** Handshake with a shared secret: proves who says what was said. */
  proof: 7,
} as const;

/** Kinds from here on may be skipped by who does not know them, so that later versions can add to a connection. */
export const FIRST_SKIPPABLE_KIND = 0x80;

export const NUMBER_BYTES = 8;
export const FRAME_HEADER_BYTES = 4;

/** Where one unit's body lies. Reused from unit to unit: valid during the call only. */
export interface UnitBody {
  bytes: Uint8Array;
  start: number;
  end: number;
  /** The bytes belong to this unit alone, and whoever gets it may keep them. */
  owned: boolean;
}

export function writeU32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 24;
  bytes[at + 1] = value >>> 16;
  bytes[at + 2] = value >>> 8;
  bytes[at + 3] = value;
}

export function readU32(bytes: Uint8Array, at: number): number {
  return bytes[at]! * 0x1000000 + ((bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!);
}

/** Record numbers and byte counts are exact integers: a link does not live to see 2^53 records. */
export function writeNumber(bytes: Uint8Array, at: number, value: number): void {
  writeU32(bytes, at, Math.floor(value / 0x100000000));
  writeU32(bytes, at + 4, value % 0x100000000);
}

export function readNumber(bytes: Uint8Array, at: number): number {
  const high = readU32(bytes, at);
  if (high > 0x1fffff) throw new ProtocolViolation("a number past 2^53");
  return high * 0x100000000 + readU32(bytes, at + 4);
}

export function encodeNumberUnit(kind: number, value: number): Uint8Array {
  const bytes = new Uint8Array(UNIT_HEADER_BYTES + NUMBER_BYTES);
  bytes[0] = kind;
  writeU32(bytes, 1, NUMBER_BYTES);
  writeNumber(bytes, UNIT_HEADER_BYTES, value);
  return bytes;
}

/** The body of an `acknowledge` or `end`. */
export function readNumberBody(body: UnitBody): number {
  if (body.end - body.start !== NUMBER_BYTES) throw new ProtocolViolation("a unit of the wrong length");
  return readNumber(body.bytes, body.start);
}

export function framesLength(frames: readonly Uint8Array[]): number {
  let length = frames.length * FRAME_HEADER_BYTES;
  for (const frame of frames) length += frame.length;
  return length;
}

/** Writes the frames, each behind its length, and returns where they end. */
export function writeFrames(bytes: Uint8Array, at: number, frames: readonly Uint8Array[]): number {
  for (const frame of frames) {
    writeU32(bytes, at, frame.length);
    bytes.set(frame, at + FRAME_HEADER_BYTES);
    at += FRAME_HEADER_BYTES + frame.length;
  }
  return at;
}

/** The frames between `start` and `end` as views. Throws {@link ProtocolViolation} unless they fill it exactly. */
export function readFrames(bytes: Uint8Array, start: number, end: number, maxFrames: number): Uint8Array[] {
  if (start >= end) throw new ProtocolViolation("a record without frames");
  const first = readFrame(bytes, start, end);
  let at = start + FRAME_HEADER_BYTES + first.length;
  // An array that grows takes room for many, and most records have one frame or two.
  const frames = [first];
  while (at < end) {
    if (frames.length === maxFrames) throw new ProtocolViolation(`a record of more than ${maxFrames} frames`);
    const frame = readFrame(bytes, at, end);
    at += FRAME_HEADER_BYTES + frame.length;
    frames.push(frame);
  }
  return frames;
}

function readFrame(bytes: Uint8Array, at: number, end: number): Uint8Array {
  if (end - at < FRAME_HEADER_BYTES) throw new ProtocolViolation("a record that ends inside a frame's length");
  const from = at + FRAME_HEADER_BYTES;
  const length = readU32(bytes, at);
  if (length > end - from) throw new ProtocolViolation("a frame that is longer than its record");
  return bytes.subarray(from, from + length);
}

/** A whole unit with this body. */
export function encodeUnit(kind: number, body: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(UNIT_HEADER_BYTES + body.length);
  bytes[0] = kind;
  writeU32(bytes, 1, body.length);
  bytes.set(body, UNIT_HEADER_BYTES);
  return bytes;
}

/** A whole unit that holds one record's frames and nothing else. */
export function encodeFramesUnit(kind: number, frames: readonly Uint8Array[]): Uint8Array {
  const length = framesLength(frames);
  const bytes = new Uint8Array(UNIT_HEADER_BYTES + length);
  bytes[0] = kind;
  writeU32(bytes, 1, length);
  writeFrames(bytes, UNIT_HEADER_BYTES, frames);
  return bytes;
}
