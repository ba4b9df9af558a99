import { seeded } from "./fake-network.ts";

/** Bytes that a seed chooses. */
export function someBytes(length: number, seed = length): Uint8Array {
  const random = seeded(seed + 1);
  return Uint8Array.from({ length }, () => Math.floor(random() * 256));
}

export function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}

export function sameRecords(
  left: readonly (readonly Uint8Array[])[],
  right: readonly (readonly Uint8Array[])[],
): boolean {
  return (
    left.length === right.length &&
    left.every((frames, index) => {
      const others = right[index]!;
      return frames.length === others.length && frames.every((frame, at) => sameBytes(frame, others[at]!));
    })
  );
}

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}
