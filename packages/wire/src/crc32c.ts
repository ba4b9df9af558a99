// The package brings no types for this file, and whoever compiles this source must see ours.
// eslint-disable-next-line @typescript-eslint/triple-slash-reference
/// <reference path="./crc-32.d.ts" />
import portable from "crc-32/crc32c.js";

/** Computes what {@link crc32c} does. `previous` and the result are unsigned. */
export type Crc32c = (bytes: Uint8Array, previous: number) => number;

/**
 * Below this, calling native code costs more than it saves: the portable implementation is slower from 200 bytes on Node
 * and from 450 on Bun.
 */
const acceleratedFromBytes = 320;

let accelerated: Crc32c | undefined;
let fromBytes = acceleratedFromBytes;

/**
 * CRC32C (Castagnoli) of `bytes`, as an unsigned 32-bit number (`wire.md` section 6). To continue over pieces, pass the
 * result of the piece before as `previous`.
 */
export function crc32c(bytes: Uint8Array, previous = 0): number {
  if (!(bytes instanceof Uint8Array)) throw new TypeError("crc32c takes a Uint8Array: encode text first");
  if (bytes.length >= fromBytes && accelerated !== undefined) return accelerated(bytes, previous >>> 0) >>> 0;
  return portable.buf(bytes, previous | 0) >>> 0;
}

/**
 * Lets {@link crc32c} hand long buffers to a faster implementation, in the whole process: this package knows no runtime and
 * cannot look for one itself. `undefined` takes it away again. Throws an `Error`, and changes nothing, if the
 * implementation gets a known checksum wrong.
 *
 * @param leastBytes shorter buffers stay with the portable implementation
 */
export function accelerateCrc32c(implementation: Crc32c | undefined, leastBytes = acceleratedFromBytes): void {
  if (implementation !== undefined) {
    const nine = Uint8Array.of(0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39);
    const whole = implementation(nine, 0) >>> 0;
    const inPieces = implementation(nine.subarray(4), implementation(nine.subarray(0, 4), 0) >>> 0) >>> 0;
    if (whole !== checkValue || inPieces !== checkValue) throw new Error("this is not an implementation of CRC32C");
  }
  accelerated = implementation;
  fromBytes = leastBytes;
}

/** The CRC32C of the nine bytes `123456789`. */
const checkValue = 0xe3069283;
