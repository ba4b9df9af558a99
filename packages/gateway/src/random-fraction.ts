import type { Random } from "@rehome/core";

/** A number from 0 up to 1. */
export function randomFraction(random: Random): number {
  const bytes = random.bytes(4);
  return new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0) / 2 ** 32;
}
