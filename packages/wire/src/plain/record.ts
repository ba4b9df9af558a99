/** Whole records in the plain codec: the prefix, the frames and their order (`wire.md` section 1). */
import { WireError } from "../error.ts";
import { maxMetadataBytes } from "../limits.ts";
import { commands, flagBits, sessionTailFlags, type CommandSchema } from "../schema/commands.ts";
import { payloadEnvelope } from "../schema/composites.ts";
import type { Node } from "../schema/node.ts";
import { ruleBreach } from "../schema/rules.ts";
import type { Command } from "../values/commands.ts";
import type { Metadata, PayloadEnvelope } from "../values/composites.ts";
import { readMetadata, readNode, readParts } from "./read.ts";
import { Reader, type OperationOf, type TraceRow } from "./reader.ts";
import { writeMetadata, writeNode, writeParts } from "./write.ts";
import { Writer } from "./writer.ts";

/** `ZM`. */
const magic = 0x5a4d;
const major = 1;

const byId = new Map(commands.map((schema) => [schema.id, schema]));
const byName = new Map<unknown, CommandSchema>(commands.map((schema) => [schema.name, schema]));

export function plainDecodeRecord(
  frames: readonly Uint8Array[],
  operationOf?: OperationOf,
  rows?: TraceRow[],
): Command {
  const first = frames[0];
  if (first === undefined) throw new WireError("frame-count", "frames", 0, "a record has at least one frame");
  const reader = new Reader(first, 0, rows);
  reader.operationOf = operationOf;
  const schema = readPrefix(reader);
  const value: Record<string, unknown> = { command: schema.name };
  readParts(reader, schema.parts, value, "");
  reader.close("body");
  const breach = schema.hasRule ? ruleBreach(value as unknown as Command) : undefined;
  if (breach !== undefined) {
    throw reader.invalid(breach.field, offsetOf(first, operationOf, breach.field), breach.reason);
  }
  let due = 1;
  if (reader.flags & flagBits.metadata) {
    const frame = frames[due];
    if (frame !== undefined) value["metadata"] = plainDecodeMetadata(frame, due, rows);
    due++;
  }
  const payload = frames[due];
  if (schema.payload !== "forbidden" && payload !== undefined) {
    value["payload"] = plainDecodePayload(payload, due, rows);
    due++;
  } else if (schema.payload === "required") due++;
  if (frames.length !== due) {
    throw new WireError("frame-count", "frames", 0, `${frames.length} frames, but this record has ${due}`);
  }
  return value as unknown as Command;
}

function readPrefix(reader: Reader): CommandSchema {
  const found = reader.uint(2, "magic");
  if (found !== magic) throw reader.fail("invalid-magic", "magic", 0, "the frame does not begin with ZM");
  reader.row(0, "magic", "ZM");
  const version = reader.uint(1, "major");
  if (version !== major) throw reader.fail("unsupported-major", "major", 2, `${version}, but only ${major} is known`);
  reader.row(2, "major", version);
  const id = reader.uint(1, "command");
  const schema = byId.get(id);
  if (schema === undefined) throw reader.fail("unknown-command", "command", 3, `there is no command ${id}`);
  reader.row(3, "command", schema.name);
  const flags = reader.uint(1, "flags");
  const tail = flags & sessionTailFlags;
  if ((flags & ~schema.flags) !== 0 || (tail !== 0 && tail !== sessionTailFlags)) {
    throw reader.fail("forbidden-flag", "flags", 4, `${schema.name} does not allow the flags ${flags}`);
  }
  reader.row(4, "flags", flags);
  reader.flags = flags;
  return schema;
}

export function plainDecodeMetadata(bytes: Uint8Array, frame = 0, rows?: TraceRow[]): Metadata {
  const reader = new Reader(bytes, frame, rows);
  if (bytes.length > maxMetadataBytes) {
    throw reader.invalid("metadata", 0, `${bytes.length} bytes, but it has at most ${maxMetadataBytes}`);
  }
  const value = readMetadata(reader, "metadata");
  reader.close("metadata");
  return value;
}

export function plainDecodePayload(bytes: Uint8Array, frame = 0, rows?: TraceRow[]): PayloadEnvelope {
  return plainDecodeNode(new Reader(bytes, frame, rows), payloadEnvelope, "payload") as PayloadEnvelope;
}

/** Decodes bytes that hold one node and nothing else. */
export function plainDecodeNode(reader: Reader, node: Node, path: string): unknown {
  const value = readNode(reader, node, path);
  reader.close(path === "" ? "body" : path);
  return value;
}

export function plainEncodeRecord(command: Command): Uint8Array[] {
  const writer = new Writer();
  if (typeof command !== "object" || command === null) throw writer.fail("unknown-command", "command", "no value", 3);
  const value = command as unknown as Readonly<Record<string, unknown>>;
  const schema = byName.get(value["command"]);
  if (schema === undefined) throw writer.fail("unknown-command", "command", "there is no such command", 3);
  const { metadata, payload, sessionTail } = value;
  const flags = (metadata === undefined ? 0 : flagBits.metadata) | (sessionTail === undefined ? 0 : sessionTailFlags);
  if ((flags & ~schema.flags) !== 0) {
    throw writer.fail("forbidden-flag", "flags", `${schema.name} has no metadata and no sessionTail`, 4);
  }
  writer.uint(2, magic);
  writer.uint(1, major);
  writer.uint(1, schema.id);
  writer.uint(1, flags);
  writeParts(writer, schema.parts, value, "");
  const frames = [writer.close()];
  const breach = schema.hasRule ? ruleBreach(command) : undefined;
  if (breach !== undefined) {
    throw writer.fail("invalid-field", breach.field, breach.reason, offsetOf(frames[0]!, undefined, breach.field));
  }
  if (metadata !== undefined) frames.push(plainEncodeMetadata(metadata as Metadata));
  if (payload !== undefined && schema.payload !== "forbidden") frames.push(plainEncodePayload(payload));
  if (schema.payload === (payload === undefined ? "required" : "forbidden")) {
    throw new WireError("frame-count", "frames", 0, `a payload is ${schema.payload} in ${schema.name}`);
  }
  return frames;
}

export function plainEncodeMetadata(metadata: Metadata): Uint8Array {
  const writer = new Writer();
  writeMetadata(writer, metadata, "metadata");
  return writer.close();
}

export function plainEncodePayload(payload: unknown): Uint8Array {
  return plainEncodeNode(payloadEnvelope, payload, "payload");
}

export function plainEncodeNode(node: Node, value: unknown, path: string): Uint8Array {
  const writer = new Writer();
  writeNode(writer, node, value, path);
  return writer.close();
}

/** Where `field` begins in a frame whose every single field is sound. */
function offsetOf(frame: Uint8Array, operationOf: OperationOf | undefined, field: string): number {
  const rows: TraceRow[] = [];
  const reader = new Reader(frame, 0, rows);
  reader.operationOf = operationOf;
  readParts(reader, readPrefix(reader).parts, {}, "");
  return rows.find((row) => row.field === field)?.offset ?? 0;
}
