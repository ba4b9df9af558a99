import type { Command } from "../values/commands.ts";
import type { FrozenRecord, PayloadEnvelope, Metadata, DurableEnvelope } from "../values/composites.ts";
import type { OperationKind } from "../values/enums.ts";

export interface DecodeOptions {
  /** The operation that a reply's correlation belongs to; it selects the tail (`wire.md` 3.2). Unknown: no tail. */
  readonly operationOf?: (correlation: bigint) => OperationKind | undefined;
}

export function encodeRecord(value: Command): Uint8Array[] {
  throw new Error(`not there yet: ${value.command}`);
}
export function decodeRecord(frames: readonly Uint8Array[], options?: DecodeOptions): Command {
  throw new Error(`not there yet: ${frames.length} ${String(options?.operationOf)}`);
}
export function encodeFrozenRecord(record: FrozenRecord): Uint8Array {
  throw new Error(`not there yet: ${record.recordKind}`);
}
export function decodeFrozenRecord(bytes: Uint8Array): FrozenRecord {
  throw new Error(`not there yet: ${bytes.length}`);
}
export function encodePayloadEnvelope(payload: PayloadEnvelope): Uint8Array {
  throw new Error(`not there yet: ${payload.packetName}`);
}
export function decodePayloadEnvelope(bytes: Uint8Array): PayloadEnvelope {
  throw new Error(`not there yet: ${bytes.length}`);
}
export function encodeMetadata(metadata: Metadata): Uint8Array {
  throw new Error(`not there yet: ${metadata.length}`);
}
export function decodeMetadata(bytes: Uint8Array): Metadata {
  throw new Error(`not there yet: ${bytes.length}`);
}
export function encodeDurable(envelope: DurableEnvelope): Uint8Array {
  throw new Error(`not there yet: ${envelope.magic}`);
}
export function decodeDurable(bytes: Uint8Array): DurableEnvelope {
  throw new Error(`not there yet: ${bytes.length}`);
}
export function toJson(command: Command): unknown {
  throw new Error(`not there yet: ${command.command}`);
}
export function fromJson(json: unknown): Command {
  throw new Error(`not there yet: ${String(json)}`);
}
