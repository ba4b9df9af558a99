const digits = "0123456789abcdef";
/** The code of the digit at each half byte. */
const digitCodes = Uint8Array.from(digits, (digit) => digit.charCodeAt(0));
/** A function takes only so many arguments, and `fromCharCode` gets the codes as arguments. */
const pieceBytes = 4096;
const notADigit = 0xff;
/** The value of each ASCII character as a digit; hex is lowercase (`wire.md` 7). */
const digitValues = new Uint8Array(128).fill(notADigit);
for (let value = 0; value < digits.length; value++) {
  digitValues[digits.charCodeAt(value)] = value;
}

/** Lowercase hex of `bytes`, fast enough for the largest blob and without a string per byte. */
export function hexFromBytes(bytes: Uint8Array): string {
  const pieces: string[] = [];
  const codes = new Uint8Array(2 * Math.min(bytes.length, pieceBytes));
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const piece = bytes.subarray(at, at + pieceBytes);
    for (let index = 0; index < piece.length; index++) {
      codes[2 * index] = digitCodes[piece[index]! >> 4]!;
      codes[2 * index + 1] = digitCodes[piece[index]! & 15]!;
    }
    // Not by spreading: that walks the codes with an iterator, five times as slowly.
    pieces.push(String.fromCharCode.apply(null, codes.subarray(0, 2 * piece.length) as unknown as number[]));
  }
  return pieces.join("");
}

/** The bytes of lowercase hex, or `undefined` if `hex` is anything else. */
export function bytesFromHex(hex: string): Uint8Array | undefined {
  if (hex.length % 2 !== 0) return undefined;
  const bytes = new Uint8Array(hex.length / 2);
  for (let index = 0; index < bytes.length; index++) {
    const high = digitValues[hex.charCodeAt(2 * index)] ?? notADigit;
    const low = digitValues[hex.charCodeAt(2 * index + 1)] ?? notADigit;
    if (high === notADigit || low === notADigit) return undefined;
    bytes[index] = (high << 4) | low;
  }
  return bytes;
}
