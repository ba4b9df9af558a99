/** Single values of the JSON form (`wire.md` section 7). */
import { WireError } from "../error.ts";
import { bytesFromHex, hexFromBytes } from "../hex.ts";
import type { Leaf } from "../schema/node.ts";
import { maxRidBytes } from "../limits.ts";
import { hasControlCharacter, ridFromBytes, ridFromText, ridToBytes, ridToText, type Rid } from "../values/rid.ts";

/** Digits of 2^64−1: no longer text is turned into a bigint. */
const maxDecimalDigits = 20;

export function leafToJson(leaf: Leaf, value: unknown, path: string): unknown {
  switch (leaf.type) {
    case "u64":
      if (typeof value === "bigint") return value.toString();
      break;
    case "rid":
      if (typeof value === "string") return ridToJson(value as Rid, path);
      break;
    case "blob":
    case "digest":
      if (value instanceof Uint8Array) return hexFromBytes(value);
      break;
    case "text":
    case "enum":
      if (typeof value === "string") return value;
      break;
    case "bool":
      if (typeof value === "boolean") return value;
      break;
    case "uint":
    case "constant":
      if (typeof value === "number") return value;
  }
  throw refused(path, `a value of type ${typeof value} does not belong here`);
}

export function leafFromJson(leaf: Leaf, json: unknown, path: string): unknown {
  switch (leaf.type) {
    case "u64":
      return u64FromJson(json, path);
    case "rid":
      return ridFromJson(json, path);
    case "blob":
    case "digest":
      return hexFromJson(json, path);
    case "text":
    case "enum":
      if (typeof json === "string") return json;
      throw refused(path, "it has to be a string");
    case "bool":
      if (typeof json === "boolean") return json;
      throw refused(path, "it has to be true or false");
    case "uint":
    case "constant":
      if (typeof json === "number") return json;
      throw refused(path, "it has to be a number");
  }
}

export function hexFromJson(json: unknown, path: string): Uint8Array {
  const bytes = typeof json === "string" ? bytesFromHex(json) : undefined;
  if (bytes === undefined) throw refused(path, "it has to be lowercase hex, two digits a byte");
  return bytes;
}

export function refused(path: string, reason: string): WireError {
  return new WireError("invalid-field", path, undefined, reason);
}

/** Any u64, or a number below or above that range, which encoding then refuses with its place in the frame. */
function u64FromJson(json: unknown, path: string): bigint {
  if (typeof json !== "string" || json.length > maxDecimalDigits || !/^(0|-?[1-9][0-9]*)$/.test(json)) {
    throw refused(path, "it has to be a decimal string without leading zeros");
  }
  return BigInt(json);
}

function ridToJson(rid: Rid, path: string): unknown {
  for (let index = 0; index < rid.length; index++) {
    if (rid.charCodeAt(index) > 0xff) throw refused(path, "not a byte string");
  }
  const text = ridToText(rid);
  if (text !== undefined && !hasControlCharacter(text)) return text;
  return { hex: hexFromBytes(ridToBytes(rid)) };
}

function ridFromJson(json: unknown, path: string): Rid {
  if (typeof json === "object" && json !== null && Object.keys(json).join() === "hex") {
    const bytes = hexFromJson((json as { readonly hex: unknown }).hex, path);
    if (bytes.length < 1 || bytes.length > maxRidBytes) throw refused(path, `a rid has 1 to ${maxRidBytes} bytes`);
    return ridFromBytes(bytes);
  }
  if (typeof json !== "string") throw refused(path, 'it has to be a string or {"hex": …}');
  try {
    return ridFromText(json);
  } catch (error) {
    if (error instanceof WireError) throw refused(path, "it is not 1 to 255 bytes of UTF-8");
    throw error;
  }
}
