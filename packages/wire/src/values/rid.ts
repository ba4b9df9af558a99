import { WireError } from "../error.ts";
import { hexFromBytes } from "../hex.ts";
import { maxRidBytes } from "../limits.ts";
import { textFromUtf8, utf8FromText } from "../utf8.ts";

/**
 * A routing id: 1 to 255 opaque bytes, held as a **byte string**, one character of 0–255 per byte. So it compares with
 * `===`, works as a key of a `Map`, and round-trips any bytes.
 */
export type Rid = string & { readonly __rid: unique symbol };

/** The routing id whose bytes are the UTF-8 form of `text`. Throws {@link WireError} `invalid-field`. */
export function ridFromText(text: string): Rid {
  const bytes = utf8FromText(text);
  if (bytes === undefined) throw new WireError("invalid-field", "rid", undefined, "a lone surrogate");
  return ridFromBytes(bytes);
}

/** The routing id of these bytes. Throws {@link WireError} `invalid-field` unless there are 1 to 255 of them. */
export function ridFromBytes(bytes: Uint8Array): Rid {
  if (bytes.length < 1 || bytes.length > maxRidBytes) {
    throw new WireError("invalid-field", "rid", undefined, `${bytes.length} bytes, but a rid has 1 to ${maxRidBytes}`);
  }
  return String.fromCharCode(...bytes) as Rid;
}

/** The bytes of a routing id, in an array of their own. */
export function ridToBytes(rid: Rid): Uint8Array {
  const bytes = new Uint8Array(rid.length);
  for (let index = 0; index < rid.length; index++) bytes[index] = rid.charCodeAt(index);
  return bytes;
}

/** The text whose UTF-8 form these bytes are, or `undefined` if they are not UTF-8. */
export function ridToText(rid: Rid): string | undefined {
  return textFromUtf8(ridToBytes(rid));
}

/** For people: the text when there is one without control characters, otherwise `0x` and lowercase hex. */
export function ridToDisplay(rid: Rid): string {
  const text = ridToText(rid);
  if (text !== undefined && !hasControlCharacter(text)) return text;
  return `0x${hexFromBytes(ridToBytes(rid))}`;
}

/** U+0000–001F and U+007F–009F, the characters that section 7 of `wire.md` shows in hex. */
export function hasControlCharacter(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x20 || (unit >= 0x7f && unit <= 0x9f)) return true;
  }
  return false;
}
