/**
 * Short strings out of bytes without the runtime's decoder: for the ids and names of this protocol, one `fromCharCode`
 * with all characters is several times as fast as a call of `TextDecoder` or a character at a time.
 */

const code = String.fromCharCode;
/** The longest string that {@link short} makes in one call. */
const chunk = 16;

/**
 * The last strings that were read twice, each in the place that its bytes choose. The same ids come again and again
 * (nodes, owners, actors, packet names): to compare their bytes costs less than to make the string once more, and records
 * that are kept share it. What does not match is overwritten, so this never grows.
 */
const places = 1024;
/** Longer strings are rarely the same again, and would make this large. */
const maxRecentLength = 32;
const recent: string[] = Array.from({ length: places }, () => "");
const recentBytes = new Uint8Array(places * maxRecentLength);
/** A mark of the last string that was not found there: to keep every one costs more than it saves where none recurs. */
const seen = new Int32Array(places);

/** The text of these bytes if all are ASCII and none is NUL. */
export function asciiText(bytes: Uint8Array, from: number, length: number): string | undefined {
  if (length === 0) return "";
  if (length > maxRecentLength) return isAscii(bytes, from, length) ? byteString(bytes, from, length) : undefined;
  const place = placeOf(bytes, from, length);
  const known = recent[place]!;
  if (known.length === length) {
    const base = place * maxRecentLength;
    let same = 0;
    while (same < length && recentBytes[base + same] === bytes[from + same]) same++;
    if (same === length) return known;
  }
  return newText(bytes, from, length, place);
}

/** Apart from the above, which is the usual way and has to stay short. */
function newText(bytes: Uint8Array, from: number, length: number, place: number): string | undefined {
  if (!isAscii(bytes, from, length)) return undefined;
  const text = byteString(bytes, from, length);
  const mark = markOf(bytes, from, length);
  if (seen[place] !== mark) {
    seen[place] = mark;
    return text;
  }
  const base = place * maxRecentLength;
  for (let index = 0; index < length; index++) recentBytes[base + index] = bytes[from + index]!;
  recent[place] = text;
  return text;
}

/** Four of the bytes choose: ids mostly differ at their end. */
function placeOf(bytes: Uint8Array, from: number, length: number): number {
  const last = from + length - 1;
  const middle = from + (length >> 1);
  const mixed = length * 31 + bytes[from]! * 7 + bytes[middle]! * 17 + bytes[last]! * 131;
  return (mixed + (length > 1 ? bytes[last - 1]! * 1031 : 0)) & (places - 1);
}

/** Two strings with the same mark may differ: then one is kept too early, and that is all. */
function markOf(bytes: Uint8Array, from: number, length: number): number {
  const ends = (bytes[from]! << 24) | (bytes[from + length - 1]! << 16);
  return (ends | (bytes[from + (length >> 1)]! << 8) | bytes[from + (length >> 2)]!) ^ (length << 5);
}

function isAscii(bytes: Uint8Array, from: number, length: number): boolean {
  const to = from + length;
  for (let index = from; index < to; index++) {
    const byte = bytes[index]!;
    if (byte === 0 || byte > 0x7f) return false;
  }
  return true;
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
