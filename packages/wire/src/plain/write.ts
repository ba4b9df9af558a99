/**
 * The plain encoder, the mirror of `read.ts`: it refuses what that would refuse, with the same code and field. The fast
 * encoder hands over to it whatever it does not accept.
 */
import { maxMetadataBytes, maxMetadataEntries, maxRidBytes, maxU16, maxU8 } from "../limits.ts";
import type { Composite, Field, Leaf, Node, Part, Union } from "../schema/node.ts";
import { utf8FromText } from "../utf8.ts";
import { compareBytes, pathOf } from "./common.ts";
import type { Writer } from "./writer.ts";

type Source = Readonly<Record<string, unknown>>;

export function writeParts(writer: Writer, parts: readonly Part[], from: Source, path: string): void {
  for (const part of parts) {
    if (!("inline" in part)) writeField(writer, part, from, path);
    else if (part.inline.type === "constant") writer.uint(1, part.inline.value);
    else writeComposite(writer, part.inline, from, path);
  }
}

function writeField(writer: Writer, part: Field, from: Source, path: string): void {
  const fieldPath = pathOf(path, part.name);
  const value = from[part.name];
  const present = value !== undefined;
  switch (part.presence) {
    case "bool":
      writer.uint(1, present ? 1 : 0);
      break;
    case "union":
      writer.uint(1, present ? 1 : 0);
      writer.measured(2, () => {
        if (present) writeNode(writer, part.node, value, fieldPath);
      });
      return;
    case "text":
      if (!present) writer.uint(1, 0);
      break;
    case "told":
      if (present && from["terminalResult"] !== "ok") {
        throw writer.invalid(fieldPath, "only a reply whose terminalResult is ok has a tail");
      }
      break;
    case "flags":
    case "eightLeft":
      break;
    case "always":
      writeNode(writer, part.node, value, fieldPath);
      return;
  }
  if (present) writeNode(writer, part.node, value, fieldPath);
}

export function writeNode(writer: Writer, node: Node, value: unknown, path: string): void {
  switch (node.type) {
    case "struct":
    case "delimited":
    case "union":
    case "extension":
      writeComposite(writer, node, objectOf(writer, value, path), path);
      return;
    case "id":
      writeId(writer, node.allowZero, objectOf(writer, value, path), path);
      return;
    case "list":
      writeList(writer, node, arrayOf(writer, value, path), path);
      return;
    case "metadata":
      writeMetadata(writer, value, path);
      return;
    default:
      writeLeaf(writer, node, value, path);
  }
}

function writeComposite(writer: Writer, node: Composite, from: Source, path: string): void {
  switch (node.type) {
    case "struct":
      writeParts(writer, node.parts, from, path);
      return;
    case "delimited":
      writer.measured(node.lengthBytes, () => writeParts(writer, node.parts, from, path));
      return;
    case "union":
      writeUnion(writer, node, from, path);
      return;
    case "extension":
      writeExtension(writer, node, from, path);
  }
}

function writeUnion(writer: Writer, union: Union, from: Source, path: string): void {
  const tag = from[union.tag];
  const chosen = union.cases.find((candidate) => candidate.name === tag);
  if (chosen === undefined) throw writer.invalid(pathOf(path, union.tag), `${shown(tag)} is none of its cases`);
  if (union.tagBytes !== 0) writer.uint(union.tagBytes, chosen.number);
  if (union.lengthBytes === 0) writeParts(writer, chosen.parts, from, path);
  else writer.measured(union.lengthBytes, () => writeParts(writer, chosen.parts, from, path));
}

function writeExtension(writer: Writer, node: Composite & { type: "extension" }, from: Source, path: string): void {
  const unknown = from["unknown"] === undefined ? [] : arrayOf(writer, from["unknown"], pathOf(path, "unknown"));
  const pieces: { readonly id: number; readonly write: () => void }[] = [];
  for (const known of node.fields) {
    const value = from[known.name];
    if (value !== undefined) {
      const write = (): void => writeNode(writer, known.node, value, pathOf(path, known.name));
      pieces.push({ id: known.id, write });
    }
  }
  let previous = -1;
  for (const [index, entry] of unknown.entries()) {
    const entryPath = pathOf(path, `unknown[${index}]`);
    const [id, bytes] = arrayOf(writer, entry, entryPath) as readonly [unknown, unknown];
    if (typeof id !== "number" || !Number.isInteger(id) || id < 0 || id > maxU8 || !(bytes instanceof Uint8Array)) {
      throw writer.invalid(entryPath, "it is not an id of one byte and its bytes");
    }
    if (id <= previous || node.fields.some((known) => known.id === id)) {
      throw writer.invalid(entryPath, `extension field ${id} is out of order, there twice, or has a name`);
    }
    previous = id;
    pieces.push({ id, write: () => writer.raw(bytes) });
  }
  pieces.sort((left, right) => left.id - right.id);
  checkExtension(writer, node, from, path);
  writer.measured(4, () => {
    for (const piece of pieces) {
      writer.uint(1, piece.id);
      writer.measured(4, piece.write);
    }
  });
}

function checkExtension(writer: Writer, node: Composite & { type: "extension" }, from: Source, path: string): void {
  for (const { name, required } of node.fields) {
    if (required && from[name] === undefined) writer.breach(pathOf(path, name), "the extension field is required");
  }
  const missing = node.together.filter((name) => from[name] === undefined);
  if (missing.length > 0 && missing.length < node.together.length) {
    writer.breach(pathOf(path, missing[0]!), `${node.together.join(" and ")} come only together`);
  }
}

function writeId(writer: Writer, allowZero: boolean, from: Source, path: string): void {
  const start = writer.at;
  for (const half of ["high", "low"]) {
    const leaf: Leaf = { type: "u64", min: 0n, max: 0xffff_ffff_ffff_ffffn };
    writeLeaf(writer, leaf, from[half], pathOf(path, half));
  }
  if (!allowZero && from["high"] === 0n && from["low"] === 0n) {
    throw writer.fail("invalid-field", path, "both halves are zero", start);
  }
}

function writeList(writer: Writer, node: Node & { type: "list" }, values: readonly unknown[], path: string): void {
  if (node.countBytes < 4 && values.length > maxU16) {
    throw writer.invalid(path, `${values.length} elements, but the count has two bytes`);
  }
  writer.uint(node.countBytes, values.length);
  let previous: Uint8Array | undefined;
  for (const [index, value] of values.entries()) {
    const elementPath = `${path}[${index}]`;
    const start = writer.at;
    writeNode(writer, node.element, value, elementPath);
    if (!node.ascending) continue;
    const key = keyBytes(node.element, writer.since(start));
    if (previous !== undefined && compareBytes(previous, key) >= 0) {
      const reason = "the list is not in ascending order, or has this twice";
      throw writer.fail("invalid-field", elementPath, reason, start);
    }
    previous = key;
  }
}

/** The content of an element's first field, which a list is sorted by. */
function keyBytes(element: Node, bytes: Uint8Array): Uint8Array {
  const first = element.type === "struct" ? (element.parts[0] as Field).node : element;
  if (first.type === "text") return bytes.subarray(1, 1 + bytes[0]!);
  return bytes.subarray(0, 4);
}

export function writeMetadata(writer: Writer, value: unknown, path: string): void {
  const entries = arrayOf(writer, value, path);
  if (entries.length > maxMetadataEntries) {
    throw writer.invalid(path, `${entries.length} entries, but there is room for ${maxMetadataEntries}`);
  }
  const start = writer.at;
  writer.uint(1, 1);
  writer.uint(1, entries.length);
  const seen = new Set<unknown>();
  for (const [index, entry] of entries.entries()) {
    const [key, text, ...more] = arrayOf(writer, entry, `${path}[${index}]`);
    if (more.length > 0) throw writer.invalid(`${path}[${index}]`, "it is not a pair");
    const keyPath = `${path}[${index}].key`;
    const valuePath = `${path}[${index}].value`;
    if (seen.has(key)) throw writer.invalid(keyPath, "the key is there twice");
    seen.add(key);
    writeLeaf(writer, { type: "text", lengthBytes: 1, min: 1, max: 255 }, key, keyPath);
    const valueAt = writer.at;
    writeLeaf(writer, { type: "text", lengthBytes: 2, min: 0, max: maxMetadataBytes }, text, valuePath);
    if (writer.at - start > maxMetadataBytes) {
      throw writer.fail("invalid-field", valuePath, `the metadata is past ${maxMetadataBytes} bytes`, valueAt);
    }
  }
}

function writeLeaf(writer: Writer, leaf: Leaf, value: unknown, path: string): void {
  switch (leaf.type) {
    case "uint":
      if (typeof value !== "number" || !Number.isInteger(value) || value < leaf.min || value > leaf.max) {
        throw writer.invalid(path, `${shown(value)} is not an integer from ${leaf.min} to ${leaf.max}`);
      }
      writer.uint(leaf.bytes, value);
      return;
    case "u64":
      if (typeof value !== "bigint" || value < leaf.min || value > leaf.max) {
        throw writer.invalid(path, `${shown(value)} is not a bigint from ${leaf.min} to ${leaf.max}`);
      }
      writer.u64(value);
      return;
    case "text": {
      const bytes = textBytes(writer, leaf, value, path);
      if (leaf.lengthBytes !== 0) writer.uint(leaf.lengthBytes, bytes.length);
      writer.raw(bytes);
      return;
    }
    case "rid": {
      const bytes = ridBytes(writer, value, path);
      if (leaf.lengthBytes !== 0) writer.uint(1, bytes.length);
      writer.raw(bytes);
      return;
    }
    case "bool":
      if (typeof value !== "boolean") throw writer.invalid(path, `${shown(value)} is neither true nor false`);
      writer.uint(1, value ? 1 : 0);
      return;
    case "blob":
      if (!(value instanceof Uint8Array) || value.length > leaf.max) {
        throw writer.invalid(path, `not a Uint8Array of at most ${leaf.max} bytes`);
      }
      writer.uint(4, value.length);
      writer.raw(value);
      return;
    case "digest":
      if (!(value instanceof Uint8Array) || value.length !== leaf.bytes) {
        throw writer.invalid(path, `not a Uint8Array of ${leaf.bytes} bytes`);
      }
      writer.raw(value);
      return;
    case "enum":
      if (typeof value !== "string" || !Object.hasOwn(leaf.names, value)) {
        throw writer.invalid(path, `${shown(value)} is none of its values`);
      }
      writer.uint(leaf.bytes, leaf.names[value]!);
      return;
    case "constant":
      if (value !== leaf.value) throw writer.invalid(path, `${shown(value)}, but only ${leaf.value} is known`);
      writer.uint(1, leaf.value);
  }
}

function textBytes(writer: Writer, leaf: Leaf & { type: "text" }, value: unknown, path: string): Uint8Array {
  if (typeof value !== "string") throw writer.invalid(path, `${shown(value)} is not a string`);
  // The bytes are at least as many as the characters: no work is done for a text that is far too long.
  const bytes = value.length > leaf.max ? undefined : utf8FromText(value);
  const length = bytes?.length ?? value.length;
  if (length < leaf.min || length > leaf.max) {
    throw writer.invalid(path, `${length} bytes are not within ${leaf.min} to ${leaf.max}`);
  }
  if (bytes === undefined) throw writer.invalid(path, "a lone surrogate");
  if (bytes.includes(0)) throw writer.invalid(path, "NUL is not allowed");
  return bytes;
}

function ridBytes(writer: Writer, value: unknown, path: string): Uint8Array {
  if (typeof value !== "string" || value.length < 1 || value.length > maxRidBytes) {
    throw writer.invalid(path, `${shown(value)} is not a routing id of 1 to ${maxRidBytes} bytes`);
  }
  const bytes = new Uint8Array(value.length);
  for (let index = 0; index < value.length; index++) {
    const byte = value.charCodeAt(index);
    if (byte > maxU8) throw writer.invalid(path, "not a byte string: make it with ridFromText or ridFromBytes");
    bytes[index] = byte;
  }
  return bytes;
}

function objectOf(writer: Writer, value: unknown, path: string): Source {
  if (typeof value !== "object" || value === null) throw writer.invalid(path, `${shown(value)} is not an object`);
  return value as Source;
}

function arrayOf(writer: Writer, value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw writer.invalid(path, `${shown(value)} is not an array`);
  return value;
}

/** Short and safe in a message, whatever it is. */
function shown(value: unknown): string {
  if (typeof value === "string") return value.length > 40 ? `a string of ${value.length} characters` : `"${value}"`;
  if (typeof value === "bigint" || typeof value === "number" || typeof value === "boolean") return String(value);
  return value === undefined ? "nothing" : `a value of type ${typeof value}`;
}
