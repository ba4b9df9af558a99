/**
 * Short strings out of bytes without the runtime's decoder: for the ids and names of this protocol, one `fromCharCode`
 * with all characters is several times as fast as a call of `TextDecoder` or a character at a time.
 */

const code = String.fromCharCode;
/** The longest string that {@link short} makes in one call. */
const chunk = 16;

/** The text of these bytes if all are ASCII and none is NUL. */
export function asciiText(bytes: Uint8Array, from: number, length: number): string | undefined {
  const to = from + length;
  for (let index = from; index < to; index++) {
    const byte = bytes[index]!;
    if (byte === 0 || byte > 0x7f) return undefined;
  }
  return byteString(bytes, from, length);
}

/** One character of 0–255 for each byte. */
export function byteString(bytes: Uint8Array, from: number, length: number): string {
  if (length <= chunk) return short(bytes, from, length);
  let text = "";
  let at = from;
  for (let rest = length; rest > 0; rest -= chunk) {
    text += short(bytes, at, rest < chunk ? rest : chunk);
    at += chunk;
  }
  return text;
}

function short(bytes: Uint8Array, from: number, length: number): string {
  switch (length) {
    case 1:
      return code(bytes[from]!);
    case 2:
      return code(bytes[from]!, bytes[from + 1]!);
    case 3:
      return code(bytes[from]!, bytes[from + 1]!, bytes[from + 2]!);
    case 4:
      return code(bytes[from]!, bytes[from + 1]!, bytes[from + 2]!, bytes[from + 3]!);
    case 5:
      return code(bytes[from]!, bytes[from + 1]!, bytes[from + 2]!, bytes[from + 3]!, bytes[from + 4]!);
    case 6:
      return code(
        bytes[from]!,
        bytes[from + 1]!,
        bytes[from + 2]!,
        bytes[from + 3]!,
        bytes[from + 4]!,
        bytes[from + 5]!,
      );
    case 7:
      return code(
        bytes[from]!,
        bytes[from + 1]!,
        bytes[from + 2]!,
        bytes[from + 3]!,
        bytes[from + 4]!,
        bytes[from + 5]!,
        bytes[from + 6]!,
      );
    case 8:
      return code(
        bytes[from]!,
        bytes[from + 1]!,
        bytes[from + 2]!,
        bytes[from + 3]!,
        bytes[from + 4]!,
        bytes[from + 5]!,
        bytes[from + 6]!,
        bytes[from + 7]!,
      );
    case 9:
      return code(
        bytes[from]!,
        bytes[from + 1]!,
        bytes[from + 2]!,
        bytes[from + 3]!,
        bytes[from + 4]!,
        bytes[from + 5]!,
        bytes[from + 6]!,
        bytes[from + 7]!,
        bytes[from + 8]!,
      );
    case 10:
      return code(
        bytes[from]!,
        bytes[from + 1]!,
        bytes[from + 2]!,
        bytes[from + 3]!,
        bytes[from + 4]!,
        bytes[from + 5]!,
        bytes[from + 6]!,
        bytes[from + 7]!,
        bytes[from + 8]!,
        bytes[from + 9]!,
      );
    case 11:
      return code(
        bytes[from]!,
        bytes[from + 1]!,
        bytes[from + 2]!,
        bytes[from + 3]!,
        bytes[from + 4]!,
        bytes[from + 5]!,
        bytes[from + 6]!,
        bytes[from + 7]!,
        bytes[from + 8]!,
        bytes[from + 9]!,
        bytes[from + 10]!,
      );
    case 12:
      return code(
        bytes[from]!,
        bytes[from + 1]!,
        bytes[from + 2]!,
        bytes[from + 3]!,
        bytes[from + 4]!,
        bytes[from + 5]!,
        bytes[from + 6]!,
        bytes[from + 7]!,
        bytes[from + 8]!,
        bytes[from + 9]!,
        bytes[from + 10]!,
        bytes[from + 11]!,
      );
    case 13:
      return code(
        bytes[from]!,
        bytes[from + 1]!,
        bytes[from + 2]!,
        bytes[from + 3]!,
        bytes[from + 4]!,
        bytes[from + 5]!,
        bytes[from + 6]!,
        bytes[from + 7]!,
        bytes[from + 8]!,
        bytes[from + 9]!,
        bytes[from + 10]!,
        bytes[from + 11]!,
        bytes[from + 12]!,
      );
    case 14:
      return code(
        bytes[from]!,
        bytes[from + 1]!,
        bytes[from + 2]!,
        bytes[from + 3]!,
        bytes[from + 4]!,
        bytes[from + 5]!,
        bytes[from + 6]!,
        bytes[from + 7]!,
        bytes[from + 8]!,
        bytes[from + 9]!,
        bytes[from + 10]!,
        bytes[from + 11]!,
        bytes[from + 12]!,
        bytes[from + 13]!,
      );
    case 15:
      return code(
        bytes[from]!,
        bytes[from + 1]!,
        bytes[from + 2]!,
        bytes[from + 3]!,
        bytes[from + 4]!,
        bytes[from + 5]!,
        bytes[from + 6]!,
        bytes[from + 7]!,
        bytes[from + 8]!,
        bytes[from + 9]!,
        bytes[from + 10]!,
        bytes[from + 11]!,
        bytes[from + 12]!,
        bytes[from + 13]!,
        bytes[from + 14]!,
      );
    case 16:
      return code(
        bytes[from]!,
        bytes[from + 1]!,
        bytes[from + 2]!,
        bytes[from + 3]!,
        bytes[from + 4]!,
        bytes[from + 5]!,
        bytes[from + 6]!,
        bytes[from + 7]!,
        bytes[from + 8]!,
        bytes[from + 9]!,
        bytes[from + 10]!,
        bytes[from + 11]!,
        bytes[from + 12]!,
        bytes[from + 13]!,
        bytes[from + 14]!,
        bytes[from + 15]!,
      );
    default:
      return "";
  }
}
