// The package brings no types for this file, and whoever compiles this source must see ours.
// eslint-disable-next-line @typescript-eslint/triple-slash-reference
/// <reference path="./crc-32.d.ts" />
import portable from "crc-32/crc32c.js";

/**
 * CRC32C (Castagnoli) of `bytes`, as an unsigned 32-bit number (`wire.md` section 6). To continue over pieces, pass the
 * result of the piece before as `previous`.
 */
export function crc32c(bytes: Uint8Array, previous = 0): number {
  if (!(bytes instanceof Uint8Array)) throw new TypeError("crc32c takes a Uint8Array: encode text first");
  return portable.buf(bytes, previous | 0) >>> 0;
}
