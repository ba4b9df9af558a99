const digits = "0123456789abcdef";

/** Lowercase hex of `bytes`. */
export function hexFromBytes(bytes: Uint8Array): string {
  let hex = "";
  for (const byte of bytes) hex += digits[byte >> 4]! + digits[byte & 15]!;
  return hex;
}

/** The bytes of lowercase hex, or `undefined` if `hex` is anything else. */
export function bytesFromHex(hex: string): Uint8Array | undefined {
  if (hex.length % 2 !== 0) return undefined;
  const bytes = new Uint8Array(hex.length / 2);
  for (let index = 0; index < bytes.length; index++) {
    const high = digitValue(hex.charCodeAt(2 * index));
    const low = digitValue(hex.charCodeAt(2 * index + 1));
    if (high < 0 || low < 0) return undefined;
    bytes[index] = (high << 4) | low;
  }
  return bytes;
}

function digitValue(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  return unit >= 0x61 && unit <= 0x66 ? unit - 0x57 : -1;
}
