/**
 * Where the fast encoder writes. Frames are cut one after another from a slab, and no byte of a slab is ever written
 * twice: a frame is a view of its own bytes for good. A value that is not accepted ends in `refuse()`.
 */
import { maxGeneration, maxMetadataBytes, maxRidBytes, maxText8Bytes, maxU16, maxU64 } from "../limits.ts";
import { utf8Length, writeUtf8 } from "../utf8.ts";
import type { Id128, Metadata } from "../values/composites.ts";
import { isLittleEndian } from "./input.ts";
import { refuse } from "./refuse.ts";

/** Big enough to share its cost among a hundred records, small enough that one kept frame does not hold much. */
const slabBytes = 32_768;

let bytes = new Uint8Array(slabBytes);
let view = new DataView(bytes.buffer);
let at = 0;
let start = 0;

/** Begins a frame that has at most `bound` bytes: no room is checked for after this. */
export function begin(bound: number): void {
  if (bytes.length - at < bound) {
    bytes = new Uint8Array(Math.max(slabBytes, bound));
    view = new DataView(bytes.buffer);
    at = 0;
  }
  start = at;
}

/** As {@link begin}, for frame 0 of a record: writes the prefix. */
export function beginRecord(id: number, flags: number, bound: number): void {
  begin(bound);
  bytes[at] = 0x5a;
  bytes[at + 1] = 0x4d;
  bytes[at + 2] = 1;
  bytes[at + 3] = id;
  bytes[at + 4] = flags;
  at += 5;
}

/** The frame that was begun. */
export function done(): Uint8Array {
  // Cheaper than `subarray`, which has to look for the constructor to use.
  const frame = new Uint8Array(bytes.buffer, start, at - start);
  // A large frame has a buffer of its own: a small one behind it would keep all of it alive.
  if (bytes.length > slabBytes) at = bytes.length;
  return frame;
}

/** Gives up the frame that was begun. */
export function abandon(): void {
  at = start;
}

export function open2(): number {
  at += 2;
  return at;
}

export function close2(body: number): void {
  view.setUint16(body - 2, at - body);
}

export function open4(): number {
  at += 4;
  return at;
}

export function close4(body: number): void {
  view.setUint32(body - 4, at - body);
}

export function uint1(value: number): void {
  bytes[at++] = value;
}

export function uint4(value: number): void {
  view.setUint32(at, value);
  at += 4;
}

export function u8Within(value: number, min: number, max: number): void {
  if ((value & 0xff) !== value || value < min || value > max) refuse();
  bytes[at++] = value;
}

export function u32Within(value: number, min: number, max: number): void {
  if (value >>> 0 !== value || value < min || value > max) refuse();
  view.setUint32(at, value);
  at += 4;
}

export function u64Within(value: bigint, min: bigint, max: bigint): void {
  if (typeof value !== "bigint" || value < min || value > max) refuse();
  view.setBigUint64(at, value);
  at += 8;
}

const word = new BigUint64Array(1);
const wordHalves = new Uint32Array(word.buffer);

/**
 * Whether a u64 is written through {@link word}. On V8 that takes half the time of two comparisons and `setBigUint64`, on
 * JavaScriptCore five times as long; both ways accept the same numbers.
 */
const isWordFast = isLittleEndian && !("Bun" in globalThis);

export const gen: (value: bigint) => void = isWordFast ? genThroughWord : genThroughView;
export const u64: (value: bigint) => void = isWordFast ? u64ThroughWord : u64ThroughView;

function genThroughView(value: bigint): void {
  if (typeof value !== "bigint" || value < 1n || value > maxGeneration) refuse();
  view.setBigUint64(at, value);
  at += 8;
}

function genThroughWord(value: bigint): void {
  if (typeof value !== "bigint") refuse();
  word[0] = value;
  const low = wordHalves[0]!;
  const high = wordHalves[1]!;
  // A number that does not fit has left only its lower 64 bits there.
  if (high > 0x7fff_ffff || (high | low) === 0 || word[0] !== value) refuse();
  view.setUint32(at, high);
  view.setUint32(at + 4, low);
  at += 8;
}

export function ord(value: bigint): void {
  u64Within(value, 0n, maxGeneration);
}

function u64ThroughView(value: bigint): void {
  if (typeof value !== "bigint" || value < 0n || value > maxU64) refuse();
  view.setBigUint64(at, value);
  at += 8;
}

function u64ThroughWord(value: bigint): void {
  if (typeof value !== "bigint") refuse();
  word[0] = value;
  if (word[0] !== value) refuse();
  view.setUint32(at, wordHalves[1]!);
  view.setUint32(at + 4, wordHalves[0]!);
  at += 8;
}

export function pair(value: Id128): void {
  u64(value.high);
  u64(value.low);
}

export function id128(value: Id128): void {
  const { high, low } = value;
  if (high === 0n && low === 0n) refuse();
  u64(high);
  u64(low);
}

export function text8(text: string): void {
  if (typeof text !== "string") refuse();
  const length = text.length;
  if (length < 1 || length > maxText8Bytes) refuse();
  bytes[at] = length;
  const end = ascii(text, at + 1, length);
  at = end < 0 ? wide(text, 1, maxText8Bytes) : end;
}

export function text16(text: string, min: number, max: number): void {
  if (typeof text !== "string") refuse();
  const length = text.length;
  if (length < min || length > max) refuse();
  bytes[at] = length >> 8;
  bytes[at + 1] = length;
  const end = ascii(text, at + 2, length);
  at = end < 0 ? wide(text, 2, max) : end;
}

export function rid(value: string): void {
  if (typeof value !== "string") refuse();
  const length = value.length;
  if (length < 1 || length > maxRidBytes) refuse();
  const out = bytes;
  const from = at + 1;
  out[at] = length;
  for (let index = 0; index < length; index++) {
    const byte = value.charCodeAt(index);
    if (byte > 0xff) refuse();
    out[from + index] = byte;
  }
  at = from + length;
}

export function bool(value: boolean): void {
  if (typeof value !== "boolean") refuse();
  bytes[at++] = value ? 1 : 0;
}

/** The length of a blob, for {@link begin}. */
export function blobLength(value: Uint8Array): number {
  return value instanceof Uint8Array ? value.length : refuse();
}

export function blob(value: Uint8Array, max: number): void {
  if (value.length > max) refuse();
  uint4(value.length);
  bytes.set(value, at);
  at += value.length;
}

/** A value that can only be this one, and the number that stands for it. */
export function only1<T>(value: T, expected: T, number: number): void {
  if (value !== expected) refuse();
  uint1(number);
}

export function only4<T>(value: T, expected: T, number: number): void {
  if (value !== expected) refuse();
  uint4(number);
}

/** The numbers of an enum by name. */
export function byName(numbers: Readonly<Record<string, number>>): ReadonlyMap<string, number> {
  return new Map(Object.entries(numbers));
}

export function number1(table: ReadonlyMap<string, number>, name: string): void {
  bytes[at++] = table.get(name) ?? refuse();
}

export function number4(table: ReadonlyMap<string, number>, name: string): void {
  uint4(table.get(name) ?? refuse());
}

/** A metadata frame has few entries; one with more is left to the plain encoder. */
const maxFastEntries = 8;
/** Room for one entry past the limit, so that the limit can be checked behind it. */
export const metadataBound = maxMetadataBytes + 256 + 2 + maxMetadataBytes;

export function metadata(entries: Metadata): void {
  if (!isArray(entries) || entries.length > maxFastEntries) refuse();
  const from = at;
  bytes[at++] = 1;
  bytes[at++] = entries.length;
  for (let index = 0; index < entries.length; index++) {
    const entry = entries[index]!;
    if (!isArray(entry) || entry.length !== 2) refuse();
    for (let before = 0; before < index; before++) if (entries[before]![0] === entry[0]) refuse();
    text8(entry[0]);
    text16(entry[1], 0, maxMetadataBytes);
    if (at - from > maxMetadataBytes) refuse();
  }
}

/** `Array.isArray` would turn what it is asked about into `any[]`. */
const isArray: (value: unknown) => boolean = Array.isArray;

/** Writes the text and returns the offset behind it, or returns -1 if it is not all ASCII without NUL. */
function ascii(text: string, from: number, length: number): number {
  const out = bytes;
  for (let index = 0; index < length; index++) {
    const unit = text.charCodeAt(index);
    // Both ends in one comparison: 0 becomes a very large number.
    if ((unit - 1) >>> 0 > 0x7e) return -1;
    out[from + index] = unit;
  }
  return from + length;
}

/** Writes a text that is not ASCII with its length, and returns the offset behind it. */
function wide(text: string, lengthBytes: 1 | 2, max: number): number {
  const length = utf8Length(text);
  if (length < 0 || length > max || length > maxU16 || text.includes("\0")) refuse();
  if (lengthBytes === 1) bytes[at] = length;
  else view.setUint16(at, length);
  return writeUtf8(text, bytes, at + lengthBytes);
}
