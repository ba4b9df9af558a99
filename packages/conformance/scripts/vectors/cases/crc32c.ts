import type { Crc32cVectors } from "../../../src/vectors/file.ts";
import { bytes, toHex, utf8, type Bytes } from "../bytes.ts";
import { crc32cOf } from "../crc32c.ts";

type Checksum = Crc32cVectors["checksums"][number];

/** Known facts, not computed here. */
const facts: readonly Checksum[] = [
  {
    id: "crc32c-check",
    note: "The check value: 123456789 gives E3069283. Plain CRC-32 gives CBF43926.",
    pieces: [toHex(utf8("123456789"))],
    crc32c: 0xe306_9283,
  },
  { id: "crc32c-none", note: "No piece at all.", pieces: [], crc32c: 0 },
  { id: "crc32c-empty", note: "A piece without a byte.", pieces: [""], crc32c: 0 },
  { id: "crc32c-zeros", note: "32 bytes of 0 give 8A9136AA.", pieces: ["00".repeat(32)], crc32c: 0x8a91_36aa },
  { id: "crc32c-ones", note: "32 bytes of FF give 62A8AB43.", pieces: ["ff".repeat(32)], crc32c: 0x62a8_ab43 },
];

/** Bytes without a pattern that a table could hide, the same in every run. */
function mixed(length: number, seed: number): Bytes {
  let state = seed;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  });
}

function checksum(id: string, note: string, ...pieces: readonly Bytes[]): Checksum {
  return {
    id: `crc32c-${id}`,
    note,
    pieces: pieces.map(toHex),
    crc32c: crc32cOf(bytes(...pieces.flatMap((piece) => [...piece]))),
  };
}

/** Around the strides in which implementations work: 4, 8, 16, 32, 64 bytes and pages. */
const lengths = [
  1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 1023, 1024, 1025, 4096,
  4099,
];
const whole = mixed(300, 7);

export const checksums: readonly Checksum[] = [
  ...facts,
  ...[0x00, 0x01, 0x7f, 0x80, 0xff].map((byte) =>
    checksum(`byte-${toHex(bytes(byte))}`, "A single byte.", bytes(byte)),
  ),
  ...lengths.map((length) => checksum(`length-${length}`, `${length} bytes.`, mixed(length, length))),
  checksum("whole", "300 bytes in one piece.", whole),
  ...[1, 2, 3, 4, 8, 63, 64, 150, 299].map((at) =>
    checksum(
      `cut-${at}`,
      `The same 300 bytes in two pieces, the first of ${at} bytes.`,
      whole.subarray(0, at),
      whole.subarray(at),
    ),
  ),
  checksum(
    "many-pieces",
    "The same in pieces of 7 bytes.",
    ...Array.from({ length: 43 }, (_, index) => whole.subarray(7 * index, 7 * index + 7)),
  ),
  checksum("single-bytes", "The same byte by byte.", ...Array.from(whole, (byte) => bytes(byte))),
  checksum(
    "empty-pieces",
    "The same with empty pieces before, between and behind.",
    bytes(),
    whole.subarray(0, 100),
    bytes(),
    bytes(),
    whole.subarray(100),
    bytes(),
  ),
];
