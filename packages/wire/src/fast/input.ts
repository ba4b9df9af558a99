/**
 * The fast decoder's view of the frame it reads. One frame is read at a time and nothing here awaits, so the state lives
 * in the module: no object per frame, no argument per field. Bytes that are not accepted end in `refuse()`.
 */
import { maxMetadataBytes } from "../limits.ts";
import { textFromUtf8 } from "../utf8.ts";
import type { OperationOf } from "../plain/reader.ts";
import type { OperationKind } from "../values/enums.ts";
import type { Rid } from "../values/rid.ts";
import { asciiText, byteString } from "./short-text.ts";
import { refuse } from "./refuse.ts";

let frames: readonly Uint8Array[] = [];
let frameIndex = 0;
let bytes: Uint8Array = new Uint8Array(0);
let at = 0;
/** Where the enclosing delimited body ends. */
let end = 0;
let flags = 0;
let operationOf: OperationOf | undefined;

/** A u64 is put together byte by byte here: no DataView per frame. */
const word = new BigUint64Array(1);
const wordBytes = new Uint8Array(word.buffer);
/** The scratch word is laid out for little-endian machines; on others only the plain codec works. */
export const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

export function openRecord(record: readonly Uint8Array[], operations: OperationOf | undefined): void {
  frames = record;
  frameIndex = 0;
  operationOf = operations;
  openFrame(record[0] ?? refuse());
}

export function openFrame(frame: Uint8Array): void {
  bytes = frame;
  at = 0;
  end = frame.length;
}

/** The frame that comes next, if there is one. */
export function nextFrame(): boolean {
  const frame = frames[frameIndex + 1];
  if (frame === undefined) return false;
  frameIndex++;
  openFrame(frame);
  return true;
}

/** The last step of a record: this frame is read whole, and no other follows. */
export function lastFrame(): void {
  if (at !== end || frameIndex + 1 !== frames.length) refuse();
}

/** Lets go of the caller's bytes. */
export function closeRecord(): void {
  frames = [];
  bytes = nothing;
  operationOf = undefined;
}
const nothing: Uint8Array = new Uint8Array(0);

/** The command's id, once the prefix is right. */
export function prefix(): number {
  if (end < 5 || bytes[0] !== 0x5a || bytes[1] !== 0x4d || bytes[2] !== 1) refuse();
  flags = bytes[4]!;
  at = 5;
  return bytes[3]!;
}

export function hasFlag(flag: number): boolean {
  return (flags & flag) !== 0;
}

/** Only these flags may be set, and those of the session tail together or not at all. */
export function allowFlags(allowed: number, tail: number): void {
  if ((flags & ~allowed) !== 0 || (hasFlag(tail) && (flags & tail) !== tail)) refuse();
}

export function finish(): void {
  if (at !== end) refuse();
}

export function left(): number {
  return end - at;
}

/** Narrows to a body behind a u16 length; {@link leave} takes what this returns. */
export function enter2(): number {
  return enter(uint2());
}

export function enter4(): number {
  return enter(uint4());
}

function enter(length: number): number {
  const outer = end;
  if (length > end - at) refuse();
  end = at + length;
  return outer;
}

export function leave(outer: number): void {
  if (at !== end) refuse();
  end = outer;
}

export function uint1(): number {
  if (at >= end) refuse();
  return bytes[at++]!;
}

function uint2(): number {
  if (end - at < 2) refuse();
  const value = (bytes[at]! << 8) | bytes[at + 1]!;
  at += 2;
  return value;
}

export function uint4(): number {
  if (end - at < 4) refuse();
  const value = ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
  at += 4;
  return value;
}

export function within(value: number, min: number, max: number): number {
  return value < min || value > max ? refuse() : value;
}

/**
 * Most numbers on this wire are small (generations, hops, first sequences), and making a bigint is most of the cost of
 * reading one: these are made once.
 */
const smallNumbers: readonly bigint[] = Array.from({ length: 1024 }, (_, value) => BigInt(value));

export function u64(): bigint {
  const from = at;
  at = from + 8;
  if (at > end) refuse();
  const short = shortAt(from);
  return short < smallNumbers.length ? smallNumbers[short]! : bigU64(from);
}

/** The number there if it has no more than two bytes, otherwise one that is too large for {@link smallNumbers}. */
function shortAt(from: number): number {
  const upper =
    bytes[from]! | bytes[from + 1]! | bytes[from + 2]! | bytes[from + 3]! | bytes[from + 4]! | bytes[from + 5]!;
  return upper === 0 ? (bytes[from + 6]! << 8) | bytes[from + 7]! : smallNumbers.length;
}

function bigU64(from: number): bigint {
  wordBytes[7] = bytes[from]!;
  wordBytes[6] = bytes[from + 1]!;
  wordBytes[5] = bytes[from + 2]!;
  wordBytes[4] = bytes[from + 3]!;
  wordBytes[3] = bytes[from + 4]!;
  wordBytes[2] = bytes[from + 5]!;
  wordBytes[1] = bytes[from + 6]!;
  wordBytes[0] = bytes[from + 7]!;
  return word[0]!;
}

/** As {@link u64} with a range; written out, since it is the field that there is most of. */
export function gen(): bigint {
  const from = at;
  at = from + 8;
  if (at > end) refuse();
  const short = shortAt(from);
  if (short < smallNumbers.length) return short === 0 ? refuse() : smallNumbers[short]!;
  return bytes[from]! > 0x7f ? refuse() : bigU64(from);
}

export function ord(): bigint {
  if (at < end && bytes[at]! > 0x7f) refuse();
  return u64();
}

export function u64Within(min: bigint, max: bigint): bigint {
  const value = u64();
  return value < min || value > max ? refuse() : value;
}

export function pair(): { high: bigint; low: bigint } {
  const high = u64();
  return { high, low: u64() };
}

export function id128(): { high: bigint; low: bigint } {
  const high = u64();
  const low = u64();
  if (high === 0n && low === 0n) refuse();
  return { high, low };
}

export function text8(): string {
  const length = uint1();
  if (length === 0) refuse();
  return text(length);
}

export function text16(min: number, max: number): string {
  const length = uint2();
  if (length < min || length > max) refuse();
  return text(length);
}

/** Whether an optional `text8` is absent; then its length byte has been read. */
export function isAbsentText(): boolean {
  if (at >= end || bytes[at] !== 0) return false;
  at++;
  return true;
}

function text(length: number): string {
  const from = at;
  at = from + length;
  if (at > end) refuse();
  const ascii = asciiText(bytes, from, length);
  if (ascii !== undefined) return ascii;
  const decoded = textFromUtf8(bytes, from, at);
  return decoded === undefined || decoded.includes("\0") ? refuse() : decoded;
}

export function rid(): Rid {
  const length = uint1();
  const from = at;
  at = from + length;
  if (length === 0 || at > end) refuse();
  return (asciiText(bytes, from, length) ?? byteString(bytes, from, length)) as Rid;
}

export function bool(): boolean {
  const value = uint1();
  if (value > 1) refuse();
  return value === 1;
}

/** A copy: a decoded value owns its bytes. */
export function blob(max: number): Uint8Array {
  const length = uint4();
  if (length > max || length > end - at) refuse();
  const copy = new Uint8Array(bytes.subarray(at, at + length));
  at += length;
  return copy;
}

export function constant1(expected: number): void {
  if (uint1() !== expected) refuse();
}

/** A number that can only be this one, and what it stands for. */
export function only1<T>(number: number, value: T): T {
  return uint1() === number ? value : refuse();
}

export function only4<T>(number: number, value: T): T {
  return uint4() === number ? value : refuse();
}

/** A union16 on a bool: what `read` gives, or nothing. */
export function optionalUnion<T>(read: () => T): T | undefined {
  const present = bool();
  const outer = enter2();
  const value = present ? read() : undefined;
  leave(outer);
  return value;
}

/** The names of an enum by number. */
export function byNumber<N extends string>(numbers: Readonly<Record<N, number>>): readonly (N | undefined)[] {
  const table: (N | undefined)[] = [];
  for (const [name, number] of Object.entries(numbers) as [N, number][]) {
    while (table.length <= number) table.push(undefined);
    table[number] = name;
  }
  return table;
}

export function name1<N extends string>(table: readonly (N | undefined)[]): N {
  return table[uint1()] ?? refuse();
}

export function name4<N extends string>(table: readonly (N | undefined)[]): N {
  return table[uint4()] ?? refuse();
}

/** Asks what a reply answers. The caller's function may itself decode: what is being read here outlives that. */
export function toldOperation(correlation: bigint): OperationKind | undefined {
  if (operationOf === undefined) return undefined;
  const ask = operationOf;
  const saved = { frames, frameIndex, bytes, at, end, flags };
  const operation = ask(correlation);
  ({ frames, frameIndex, bytes, at, end, flags } = saved);
  return operation;
}

/** A metadata frame has few entries; one with more is left to the plain decoder. */
const maxFastEntries = 8;

export function metadata(): [string, string][] {
  const start = at;
  constant1(1);
  const count = uint1();
  if (count > maxFastEntries) refuse();
  const entries: [string, string][] = [];
  for (let index = 0; index < count; index++) {
    const key = text8();
    for (const [other] of entries) if (other === key) refuse();
    entries.push([key, text16(0, maxMetadataBytes)]);
  }
  if (at - start > maxMetadataBytes) refuse();
  return entries;
}

/** The metadata frame, which comes next. */
export function metadataFrame(): [string, string][] {
  if (!nextFrame()) refuse();
  const entries = metadata();
  finish();
  return entries;
}
