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

export interface DecodeOptions {
  /** The operation that a reply's correlation belongs to; it selects the tail (`wire.md` 3.2). Unknown: no tail. */
  readonly operationOf?: OperationOf;
}

export function encodeRecord(value: Command): Uint8Array[] {
  return plainEncodeRecord(value);
}
export function decodeRecord(frames: readonly Uint8Array[], options?: DecodeOptions): Command {
  return plainDecodeRecord(frames, options?.operationOf);
}
export function encodeFrozenRecord(record: FrozenRecord): Uint8Array {
  return plainEncodeNode(frozenRecord, record, "");
}
export function decodeFrozenRecord(bytes: Uint8Array): FrozenRecord {
  return plainDecodeNode(new Reader(bytes), frozenRecord, "") as FrozenRecord;
}
export function encodePayloadEnvelope(payload: PayloadEnvelope): Uint8Array {
  return plainEncodePayload(payload);
}
export function decodePayloadEnvelope(bytes: Uint8Array): PayloadEnvelope {
  return plainDecodePayload(bytes);
}
export function encodeMetadata(metadata: Metadata): Uint8Array {
  return plainEncodeMetadata(metadata);
}
export function decodeMetadata(bytes: Uint8Array): Metadata {
  return plainDecodeMetadata(bytes);
}
