import type { Bytes } from "./bytes.ts";

/** Castagnoli's polynomial with its bits reversed. */
const polynomial = 0x82f6_3b78;

/** CRC32C bit by bit, as its definition has it. */
export function crc32cOf(of: Bytes): number {
  let register = 0xffff_ffff;
  for (const byte of of) {
    register = (register ^ byte) >>> 0;
    for (let bit = 0; bit < 8; bit++) {
      register = ((register & 1) === 1 ? (register >>> 1) ^ polynomial : register >>> 1) >>> 0;
    }
  }
  return (register ^ 0xffff_ffff) >>> 0;
}
