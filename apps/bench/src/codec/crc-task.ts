// The package brings no types for this file.
// eslint-disable-next-line @typescript-eslint/triple-slash-reference
/// <reference path="./crc-32.d.ts" />
import { crc32c as native } from "@node-rs/crc32";
import { accelerateCrc32c, crc32c } from "@rehome/wire";
import portable from "crc-32/crc32c.js";
import type { Task, TaskName } from "../task.ts";

/** A whole buffer's CRC32C, signed or unsigned. */
type Checksum = (bytes: Uint8Array) => number;

/** Each is set up in the process that measures it. */
const implementations: Readonly<Record<string, () => Checksum>> = {
  wire: () => {
    accelerateCrc32c(native);
    return crc32c;
  },
  "wire portable": () => {
    accelerateCrc32c(undefined);
    return crc32c;
  },
  "crc-32": () => (bytes) => portable.buf(bytes),
  "@node-rs/crc32": () => (bytes) => native(bytes),
};
export const crcContenders = Object.keys(implementations);

const KIB = 1024;
const MIB = 1024 * KIB;
const sizes: Readonly<Record<string, number>> = { "64 B": 64, "1 KiB": KIB, "64 KiB": 64 * KIB, "16 MiB": 16 * MIB };
export const crcInputs = Object.keys(sizes);

/** RFC 3720 B.4 and the check value of the catalogues: an implementation that gives them is CRC32C. */
const known: readonly (readonly [bytes: Uint8Array, crc: number])[] = [
  [new TextEncoder().encode("123456789"), 0xe3069283],
  [new Uint8Array(32), 0x8a9136aa],
  [new Uint8Array(32).fill(0xff), 0x62a8ab43],
];

/** As for the same bytes in memory of their own: small buffers are often part of a larger one. */
function bytesOf(size: number): Uint8Array {
  const bytes = new Uint8Array(size + 8).subarray(8);
  for (let index = 0; index < size; index++) bytes[index] = (index * 167 + (index >> 8) * 13 + 1) & 0xff;
  return bytes;
}

export function crcTask({ contender, input }: TaskName): Task {
  const checksum = implementations[contender]?.();
  const size = sizes[input];
  if (checksum === undefined || size === undefined) throw new Error(`There is no CRC32C by ${contender} of ${input}`);
  const bytes = bytesOf(size);
  for (const [message, crc] of [...known, [bytes, portable.buf(bytes) >>> 0] as const])
    if (checksum(message) >>> 0 !== crc) throw new Error(`${contender} does not compute CRC32C`);
  const expected = checksum(bytes);
  let mixed = 0;
  let last = expected;
  return {
    bytes: size,
    run(count) {
      for (let index = 0; index < count; index++) {
        last = checksum(bytes);
        mixed = (mixed + last) | 0;
      }
    },
    check() {
      if (last !== expected || !Number.isInteger(mixed)) throw new Error(`${contender} gave another CRC32C`);
    },
  };
}
