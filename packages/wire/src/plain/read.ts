/**
 * The plain decoder: it walks the schema, names what it reads, and so decides every error and its place. The fast
 * decoder hands over to it whatever it does not accept.
 */
import { leafToJson } from "../json/leaf.ts";
import { maxMetadataBytes } from "../limits.ts";
import type { Case, Composite, ExtensionField, Field, Leaf, Node, Part, Union } from "../schema/node.ts";
import { sessionTailFlags } from "../schema/commands.ts";
import { textFromUtf8 } from "../utf8.ts";
import { ridFromBytes } from "../values/rid.ts";
import { compareBytes, pathOf } from "./common.ts";
import type { Reader } from "./reader.ts";

type Target = Record<string, unknown>;

export function readParts(reader: Reader, parts: readonly Part[], into: Target, path: string): void {
  for (const part of parts) {
    if ("inline" in part) readInline(reader, part.inline, into, path);
    else readField(reader, part, into, path);
  }
}

function readInline(reader: Reader, node: Composite | (Leaf & { type: "constant" }), into: Target, path: string): void {
  if (node.type === "constant") readLeaf(reader, node, pathOf(path, node.name));
  else readComposite(reader, node, into, path);
}

function readField(reader: Reader, part: Field, into: Target, path: string): void {
  const fieldPath = pathOf(path, part.name);
  const start = reader.at;
  switch (part.presence) {
    case "bool": {
      if (readTag(reader, fieldPath)) into[part.name] = readNode(reader, part.node, fieldPath);
      return;
    }
    case "union": {
      const present = readTag(reader, fieldPath);
      const length = readLength(reader, 2, fieldPath, start);
      reader.within(length, fieldPath, start, () => {
        if (present) into[part.name] = readNode(reader, part.node, fieldPath);
      });
      return;
    }
    case "text": {
      if (reader.left > 0 && reader.bytes[reader.at] === 0) {
        reader.skip(1, fieldPath);
        reader.row(start, fieldPath, undefined);
        return;
      }
      break;
    }
    case "flags": {
      if ((reader.flags & sessionTailFlags) === 0) return;
      break;
    }
    case "eightLeft": {
      if (reader.left !== 8) return;
      break;
    }
    case "told": {
      readTold(reader, part.node as Union, into, fieldPath);
      return;
    }
    case "always":
  }
  into[part.name] = readNode(reader, part.node, fieldPath);
}

/** A reply's tail: there for some operations, and only when the result is `ok`. */
function readTold(reader: Reader, union: Union, into: Target, path: string): void {
  if (into["terminalResult"] !== "ok") return;
  const operation = reader.operationOf?.(into["correlation"] as bigint);
  const chosen = union.cases.find((candidate) => candidate.name === operation);
  if (chosen === undefined) return;
  const tail: Target = { [union.tag]: chosen.name };
  readParts(reader, chosen.parts, tail, path);
  into["tail"] = tail;
}

export function readNode(reader: Reader, node: Node, path: string): unknown {
  switch (node.type) {
    case "struct":
    case "delimited":
    case "union":
    case "extension": {
      const value: Target = {};
      readComposite(reader, node, value, path);
      return value;
    }
    case "id":
      return readId(reader, node.allowZero, path);
    case "list":
      return readList(reader, node, path);
    case "metadata":
      return readMetadata(reader, path);
    default:
      return readLeaf(reader, node, path);
  }
}

function readComposite(reader: Reader, node: Composite, into: Target, path: string): void {
  const start = reader.at;
  switch (node.type) {
    case "struct":
      readParts(reader, node.parts, into, path);
      return;
    case "delimited": {
      const bodyPath = pathOf(path, node.name);
      const length = readLength(reader, node.lengthBytes, bodyPath, start);
      reader.within(length, bodyPath, start, () => readParts(reader, node.parts, into, path));
      return;
    }
    case "union":
      readUnion(reader, node, into, path);
      return;
    case "extension":
      readExtension(reader, node, into, path);
  }
}

function readUnion(reader: Reader, union: Union, into: Target, path: string): void {
  const start = reader.at;
  const tagPath = pathOf(path, union.tag);
  const number = reader.uint(union.tagBytes as 1 | 4, tagPath);
  const chosen: Case | undefined = union.cases.find((candidate) => candidate.number === number);
  if (chosen === undefined) throw reader.invalid(tagPath, start, `${number} is none of its cases`);
  reader.row(start, tagPath, chosen.name);
  into[union.tag] = chosen.name;
  if (union.lengthBytes === 0) {
    readParts(reader, chosen.parts, into, path);
    return;
  }
  const length = readLength(reader, union.lengthBytes, path, start);
  reader.within(length, path, start, () => readParts(reader, chosen.parts, into, path));
}

function readExtension(reader: Reader, node: Composite & { type: "extension" }, into: Target, path: string): void {
  const start = reader.at;
  const unknown: [number, Uint8Array][] = [];
  let previous = -1;
  const length = readLength(reader, 4, pathOf(path, "extension"), start);
  reader.within(length, pathOf(path, "extension"), start, () => {
    while (reader.left > 0) {
      const offset = reader.at;
      const id = reader.uint(1, pathOf(path, "extension.id"));
      const known = node.fields.find((candidate) => candidate.id === id);
      const name = pathOf(path, known?.name ?? `unknown[${unknown.length}]`);
      if (id <= previous) throw reader.invalid(name, offset, `extension field ${id} comes after ${previous}`);
      previous = id;
      reader.row(offset, name, `extension field ${id}`);
      const size = readLength(reader, 4, name, offset);
      if (known === undefined) {
        const valueAt = reader.at;
        const bytes = reader.take(size, name, offset);
        reader.row(valueAt, name, bytes);
        unknown.push([id, bytes]);
      } else {
        readExtensionField(reader, known, { size, offset, name }, into);
      }
    }
  });
  if (unknown.length > 0) into["unknown"] = unknown;
  checkExtension(reader, node, into, { path, start });
}

function readExtensionField(
  reader: Reader,
  known: ExtensionField,
  claim: { readonly size: number; readonly offset: number; readonly name: string },
  into: Target,
): void {
  // A bare text or rid has its range from its own type, and that comes before the question whether the bytes are there.
  if (known.node.type === "text" || known.node.type === "rid") {
    const max = known.node.type === "text" ? known.node.max : 255;
    if (claim.size < 1 || claim.size > max) {
      throw reader.invalid(claim.name, claim.offset, `${claim.size} bytes, but it has 1 to ${max}`);
    }
  }
  reader.within(claim.size, claim.name, claim.offset, () => {
    into[known.name] = readNode(reader, known.node, claim.name);
  });
}

/** Rules across the fields of an extension: what is required, and what comes only together. */
function checkExtension(
  reader: Reader,
  node: Composite & { type: "extension" },
  into: Target,
  where: { readonly path: string; readonly start: number },
): void {
  for (const { name, required } of node.fields) {
    if (required && into[name] === undefined) {
      reader.breach(pathOf(where.path, name), where.start, "the extension field is required");
    }
  }
  const missing = node.together.filter((name) => into[name] === undefined);
  if (missing.length > 0 && missing.length < node.together.length) {
    reader.breach(pathOf(where.path, missing[0]!), where.start, `${node.together.join(" and ")} come only together`);
  }
}

function readId(reader: Reader, allowZero: boolean, path: string): { high: bigint; low: bigint } {
  const start = reader.at;
  const high = reader.u64(pathOf(path, "high"));
  reader.row(start, pathOf(path, "high"), high.toString());
  const low = reader.u64(pathOf(path, "low"));
  reader.row(start + 8, pathOf(path, "low"), low.toString());
  if (!allowZero && high === 0n && low === 0n) throw reader.invalid(path, start, "both halves are zero");
  return { high, low };
}

function readList(reader: Reader, node: Node & { type: "list" }, path: string): unknown[] {
  const start = reader.at;
  const count = reader.uint(node.countBytes, path);
  reader.row(start, path, count);
  // No room is made for the count that is claimed: the list grows with the bytes that are really there.
  const values: unknown[] = [];
  let previous: Uint8Array | undefined;
  for (let index = 0; index < count; index++) {
    const elementPath = `${path}[${index}]`;
    const offset = reader.at;
    values.push(readNode(reader, node.element, elementPath));
    if (!node.ascending) continue;
    const key = keyBytes(node.element, reader.bytes.subarray(offset, reader.at));
    if (previous !== undefined && compareBytes(previous, key) >= 0) {
      throw reader.invalid(elementPath, offset, "the list is not in ascending order, or has this twice");
    }
    previous = key;
  }
  return values;
}

/** The content of an element's first field, which a list is sorted by. */
function keyBytes(element: Node, bytes: Uint8Array): Uint8Array {
  const first = element.type === "struct" ? (element.parts[0] as Field).node : element;
  if (first.type === "text") return bytes.subarray(1, 1 + bytes[0]!);
  return bytes.subarray(0, 4);
}

export function readMetadata(reader: Reader, path: string): [string, string][] {
  const start = reader.at;
  readLeaf(reader, { type: "constant", name: "version", value: 1 }, pathOf(path, "version"));
  const countAt = reader.at;
  const count = reader.uint(1, pathOf(path, "count"));
  reader.row(countAt, pathOf(path, "count"), count);
  const entries: [string, string][] = [];
  const seen = new Set<string>();
  for (let index = 0; index < count; index++) {
    const keyPath = `${path}[${index}].key`;
    const valuePath = `${path}[${index}].value`;
    const keyAt = reader.at;
    const key = readLeaf(reader, { type: "text", lengthBytes: 1, min: 1, max: 255 }, keyPath) as string;
    if (seen.has(key)) throw reader.invalid(keyPath, keyAt, "the key is there twice");
    seen.add(key);
    const valueAt = reader.at;
    const value = readLeaf(
      reader,
      { type: "text", lengthBytes: 2, min: 0, max: maxMetadataBytes },
      valuePath,
    ) as string;
    if (reader.at - start > maxMetadataBytes) {
      throw reader.invalid(valuePath, valueAt, `the metadata is past ${maxMetadataBytes} bytes`);
    }
    entries.push([key, value]);
  }
  return entries;
}

function readLeaf(reader: Reader, leaf: Leaf, path: string): unknown {
  const start = reader.at;
  const value = readLeafValue(reader, leaf, path);
  if (reader.rows !== undefined) {
    reader.row(start, path, value instanceof Uint8Array ? value : leafToJson(leaf, value, path));
  }
  return value;
}

function readLeafValue(reader: Reader, leaf: Leaf, path: string): unknown {
  const start = reader.at;
  switch (leaf.type) {
    case "uint": {
      const value = reader.uint(leaf.bytes, path);
      if (value < leaf.min || value > leaf.max) throw reader.invalid(path, start, outOf(value, leaf.min, leaf.max));
      return value;
    }
    case "u64": {
      const value = reader.u64(path);
      if (value < leaf.min || value > leaf.max) throw reader.invalid(path, start, outOf(value, leaf.min, leaf.max));
      return value;
    }
    case "text": {
      const length = leaf.lengthBytes === 0 ? reader.left : reader.uint(leaf.lengthBytes, path);
      if (length < leaf.min || length > leaf.max) throw reader.invalid(path, start, outOf(length, leaf.min, leaf.max));
      const offset = reader.skip(length, path, start);
      const text = textFromUtf8(reader.bytes, offset, offset + length);
      if (text === undefined) throw reader.invalid(path, start, "not well-formed UTF-8");
      if (text.includes("\0")) throw reader.invalid(path, start, "NUL is not allowed");
      return text;
    }
    case "rid": {
      const length = leaf.lengthBytes === 0 ? reader.left : reader.uint(1, path);
      if (length === 0) throw reader.invalid(path, start, "a routing id has at least one byte");
      return ridFromBytes(reader.take(length, path, start));
    }
    case "bool": {
      const value = reader.uint(1, path);
      if (value > 1) throw reader.invalid(path, start, `${value} is neither 0 nor 1`);
      return value === 1;
    }
    case "blob": {
      const length = reader.uint(4, path);
      if (length > leaf.max) throw reader.invalid(path, start, outOf(length, 0, leaf.max));
      return reader.take(length, path, start);
    }
    case "digest":
      return reader.take(leaf.bytes, path, start);
    case "enum": {
      const number = reader.uint(leaf.bytes, path);
      for (const [name, candidate] of Object.entries(leaf.names)) if (candidate === number) return name;
      throw reader.invalid(path, start, `${number} is none of its values`);
    }
    case "constant": {
      const value = reader.uint(1, path);
      if (value !== leaf.value) throw reader.invalid(path, start, `${value}, but only ${leaf.value} is known`);
      return value;
    }
  }
}

function readTag(reader: Reader, path: string): boolean {
  return readLeaf(reader, { type: "bool" }, path) as boolean;
}

function readLength(reader: Reader, size: 2 | 4, path: string, start: number): number {
  const at = reader.at;
  if (reader.left < size) reader.skip(size, path, start);
  const length = reader.uint(size, path);
  reader.row(at, path, `${length} bytes`);
  return length;
}

function outOf(value: number | bigint, min: number | bigint, max: number | bigint): string {
  return `${value} is not within ${min} to ${max}`;
}
