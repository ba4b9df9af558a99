import { ridFromBytes, ridToBytes } from "@rehome/wire";
import type { Rid } from "@rehome/wire";
import { NONCE_BYTES } from "./authentication.ts";
import { ProtocolViolation } from "./errors.ts";
import { copyBytes } from "./record-pool.ts";
import {
  framesLength,
  NUMBER_BYTES,
  readFrames,
  readNumber,
  readU32,
  UNIT_HEADER_BYTES,
  unitKind,
  writeFrames,
  writeNumber,
  writeU32,
} from "./units.ts";
import type { UnitBody } from "./units.ts";

export const LINK_ID_BYTES = 16;

/** What both ends say about the link that a connection is for. */
export interface LinkTerms {
  /** {@link LINK_ID_BYTES} random bytes. The one in the admit is in force. */
  readonly linkId: Uint8Array;
  /** On a link that goes on, the last record of it that this end has received; `undefined` on a link that begins. */
  readonly receivedThrough: number | undefined;
  /** This run's newest connection attempt so far: the hello's own, or the last one before the admit. */
  readonly attempt: number;
  readonly maxRecordBytes: number;
}

/** A hello's terms also say whom it wants to reach. */
export interface HelloTerms extends LinkTerms {
  readonly targetRid: Rid;
  readonly targetGeneration: bigint;
  /** Fresh random bytes for the proofs, where ends prove a shared secret. */
  readonly nonce: Uint8Array | undefined;
}

/** What an `open` unit's record needs around it; `unknown` fields of later versions are skipped. */
export interface OpenBody {
  /** The whole body, as it came. */
  readonly bytes: Uint8Array;
  readonly fields: ReadonlyMap<number, Uint8Array>;
  readonly frames: readonly Uint8Array[];
}

/** Field ids. 8 to 15 are kept for authentication. */
export const openField = {
  linkId: 1,
  receivedThrough: 2,
  attempt: 3,
  maxRecordBytes: 4,
  targetRid: 5,
  targetGeneration: 6,
  nonce: 7,
} as const;

const FIELDS_LENGTH_BYTES = 2;
const FIELD_HEADER_BYTES = 3;

/** A whole `open` unit around a hello. */
export function encodeHelloUnit(terms: HelloTerms, frames: readonly Uint8Array[]): Uint8Array {
  return encodeOpenUnit(
    [
      ...linkFields(terms),
      [openField.targetRid, ridToBytes(terms.targetRid)],
      [openField.targetGeneration, generationBytes(terms.targetGeneration)],
      ...(terms.nonce === undefined ? [] : [[openField.nonce, terms.nonce] as const]),
    ],
    frames,
  );
}

/** A whole `open` unit around an admit. */
export function encodeAdmitUnit(terms: LinkTerms, frames: readonly Uint8Array[]): Uint8Array {
  return encodeOpenUnit(linkFields(terms), frames);
}

/** A whole `open` unit around a reject, which has no link to speak of. */
export function encodeRejectUnit(frames: readonly Uint8Array[]): Uint8Array {
  return encodeOpenUnit([], frames);
}

/** Throws {@link ProtocolViolation}. The result owns its bytes. */
export function decodeOpenBody(body: UnitBody, maxFrames: number): OpenBody {
  const bytes = copyBytes(body.bytes, body.start, body.end);
  if (bytes.length < FIELDS_LENGTH_BYTES) throw new ProtocolViolation("a handshake that ends before its fields");
  const end = FIELDS_LENGTH_BYTES + readU16(bytes, 0);
  if (end > bytes.length) throw new ProtocolViolation("a handshake that is shorter than its fields");
  const fields = new Map<number, Uint8Array>();
  let at = FIELDS_LENGTH_BYTES;
  let lastId = 0;
  while (at < end) {
    if (end - at < FIELD_HEADER_BYTES) throw new ProtocolViolation("a handshake that ends inside a field");
    const id = bytes[at]!;
    const length = readU16(bytes, at + 1);
    at += FIELD_HEADER_BYTES;
    if (id <= lastId) throw new ProtocolViolation("handshake fields that do not ascend");
    if (length > end - at) throw new ProtocolViolation("a handshake field that is longer than the rest");
    fields.set(id, bytes.subarray(at, at + length));
    lastId = id;
    at += length;
  }
  return { bytes, fields, frames: readFrames(bytes, end, bytes.length, maxFrames) };
}

/** Throws {@link ProtocolViolation} if a field that must be there is missing, or one is of the wrong length. */
export function linkTermsOf(open: OpenBody): LinkTerms {
  const goesOn = open.fields.has(openField.receivedThrough);
  return {
    linkId: fieldOf(open, openField.linkId, LINK_ID_BYTES),
    receivedThrough: goesOn ? readNumber(fieldOf(open, openField.receivedThrough, NUMBER_BYTES), 0) : undefined,
    attempt: readNumber(fieldOf(open, openField.attempt, NUMBER_BYTES), 0),
    maxRecordBytes: readU32(fieldOf(open, openField.maxRecordBytes, 4), 0),
  };
}

/** Throws {@link ProtocolViolation} likewise. */
export function helloTermsOf(open: OpenBody): HelloTerms {
  const rid = open.fields.get(openField.targetRid);
  if (rid === undefined || rid.length < 1 || rid.length > 255)
    throw new ProtocolViolation("a hello that does not say whom it wants");
  const generation = fieldOf(open, openField.targetGeneration, NUMBER_BYTES);
  return {
    ...linkTermsOf(open),
    targetRid: ridFromBytes(rid),
    targetGeneration: (BigInt(readU32(generation, 0)) << 32n) | BigInt(readU32(generation, 4)),
    nonce: open.fields.has(openField.nonce) ? fieldOf(open, openField.nonce, NONCE_BYTES) : undefined,
  };
}

function fieldOf(open: OpenBody, id: number, length: number): Uint8Array {
  const value = open.fields.get(id);
  if (value?.length !== length) throw new ProtocolViolation(`a handshake without a proper field ${id}`);
  return value;
}

function linkFields(terms: LinkTerms): [number, Uint8Array][] {
  const attempt = new Uint8Array(NUMBER_BYTES);
  writeNumber(attempt, 0, terms.attempt);
  const maxRecordBytes = new Uint8Array(4);
  writeU32(maxRecordBytes, 0, terms.maxRecordBytes);
  const goesOn: [number, Uint8Array][] = [];
  if (terms.receivedThrough !== undefined) {
    const receivedThrough = new Uint8Array(NUMBER_BYTES);
    writeNumber(receivedThrough, 0, terms.receivedThrough);
    goesOn.push([openField.receivedThrough, receivedThrough]);
  }
  return [
    [openField.linkId, terms.linkId],
    ...goesOn,
    [openField.attempt, attempt],
    [openField.maxRecordBytes, maxRecordBytes],
  ];
}

function generationBytes(value: bigint): Uint8Array {
  const bytes = new Uint8Array(NUMBER_BYTES);
  writeU32(bytes, 0, Number(value >> 32n));
  writeU32(bytes, 4, Number(value & 0xffffffffn));
  return bytes;
}

/** `fields` in ascending order of id. */
function encodeOpenUnit(fields: readonly (readonly [number, Uint8Array])[], frames: readonly Uint8Array[]): Uint8Array {
  let fieldsLength = 0;
  for (const [, value] of fields) fieldsLength += FIELD_HEADER_BYTES + value.length;
  const length = FIELDS_LENGTH_BYTES + fieldsLength + framesLength(frames);
  const bytes = new Uint8Array(UNIT_HEADER_BYTES + length);
  bytes[0] = unitKind.open;
  writeU32(bytes, 1, length);
  let at = UNIT_HEADER_BYTES;
  writeU16(bytes, at, fieldsLength);
  at += FIELDS_LENGTH_BYTES;
  for (const [id, value] of fields) {
    bytes[at] = id;
    writeU16(bytes, at + 1, value.length);
    bytes.set(value, at + FIELD_HEADER_BYTES);
    at += FIELD_HEADER_BYTES + value.length;
  }
  writeFrames(bytes, at, frames);
  return bytes;
}

function readU16(bytes: Uint8Array, at: number): number {
  return bytes[at]! * 256 + bytes[at + 1]!;
}

function writeU16(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 8;
  bytes[at + 1] = value;
}
