import { metadataFrame, payloadFrame } from "../fast/frames.ts";
import { readFrozenRecord, readPayloadEnvelope } from "../fast/generated/frozen-readers.ts";
import { frozenRecordBound, writeFrozenRecord } from "../fast/generated/frozen-writers.ts";
import { metadata } from "../fast/input.ts";
import { begin, blobLength, done } from "../fast/output.ts";
import {
  plainDecodeMetadata,
  plainDecodeNode,
  plainDecodePayload,
  plainDecodeRecord,
  plainEncodeMetadata,
  plainEncodeNode,
  plainEncodePayload,
  plainEncodeRecord,
} from "../plain/record.ts";
import { Reader, type OperationOf } from "../plain/reader.ts";
import { frozenRecord } from "../schema/composites.ts";
import type { Command } from "../values/commands.ts";
import type { FrozenRecord, Metadata, PayloadEnvelope } from "../values/composites.ts";
import { fastDecode, fastDecodeRecord, fastEncode, fastEncodeRecord } from "./fast.ts";

export interface DecodeOptions {
  /**
   * The operation that a reply's correlation belongs to; it selects the tail (`wire.md` 3.2). Unknown: no tail. For
   * bytes that are refused it may be asked twice.
   */
  readonly operationOf?: OperationOf;
}

/**
 * The frames of a record (`wire.md` section 1 and 3). They share no byte with the value or with each other, and nothing
 * writes to them again; but several may be views of one buffer, so copy a frame before transferring its buffer.
 *
 * Throws `WireError` for every value that {@link decodeRecord} would refuse, with the code that it would have.
 */
export function encodeRecord(value: Command): Uint8Array[] {
  return fastEncodeRecord(value) ?? plainEncodeRecord(value);
}

/**
 * The record that these frames hold. It owns its bytes: the frames' buffers may be used again at once. Throws `WireError`
 * and nothing else, whatever the bytes are (`wire.md` section 4).
 */
export function decodeRecord(frames: readonly Uint8Array[], options?: DecodeOptions): Command {
  return fastDecodeRecord(frames, options?.operationOf) ?? plainDecodeRecord(frames, options?.operationOf);
}

/** The bytes of a frozen record, as they stand in a 31 and in its checksum. Throws `WireError` as {@link encodeRecord}. */
export function encodeFrozenRecord(record: FrozenRecord): Uint8Array {
  return fastEncode(record, writeFrozen) ?? plainEncodeNode(frozenRecord, record, "");
}

/** Throws `WireError` as {@link decodeRecord}. */
export function decodeFrozenRecord(bytes: Uint8Array): FrozenRecord {
  return fastDecode(bytes, readFrozenRecord) ?? (plainDecodeNode(new Reader(bytes), frozenRecord, "") as FrozenRecord);
}

/** A payload frame. Throws `WireError` as {@link encodeRecord}. */
export function encodePayloadEnvelope(payload: PayloadEnvelope): Uint8Array {
  return fastEncode(payload, payloadFrame) ?? plainEncodePayload(payload);
}

/** Throws `WireError` as {@link decodeRecord}. */
export function decodePayloadEnvelope(bytes: Uint8Array): PayloadEnvelope {
  return fastDecode(bytes, readPayloadEnvelope) ?? plainDecodePayload(bytes);
}

/** A metadata frame. Throws `WireError` as {@link encodeRecord}. */
export function encodeMetadata(entries: Metadata): Uint8Array {
  return fastEncode(entries, metadataFrame) ?? plainEncodeMetadata(entries);
}

/** Throws `WireError` as {@link decodeRecord}. */
export function decodeMetadata(bytes: Uint8Array): Metadata {
  return fastDecode(bytes, metadata) ?? plainDecodeMetadata(bytes);
}

function writeFrozen(record: FrozenRecord): Uint8Array {
  begin(frozenRecordBound + blobLength(record.payload.data));
  writeFrozenRecord(record);
  return done();
}
