/**
 * UTF-8 without the runtime's encoder: this package knows no runtime, and the runtimes' own replace what is ill-formed
 * where the protocol has to refuse it.
 */

/** Bytes that `text` takes in UTF-8, or -1 if it has a lone surrogate. */
export function utf8Length(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    if (unit < 0x800) length += 1;
    else if (unit < 0xd800 || unit > 0xdfff) length += 2;
    else if (unit < 0xdc00 && isLowSurrogate(text.charCodeAt(index + 1))) {
      length += 2;
      index++;
    } else return -1;
  }
  return length;
}

/** Writes `text`, which must be free of lone surrogates, and returns the offset behind it. `out` must have the room. */
export function writeUtf8(text: string, out: Uint8Array, offset: number): number {
  let at = offset;
  for (let index = 0; index < text.length; index++) {
    let point = text.charCodeAt(index);
    if (point < 0x80) {
      out[at++] = point;
    } else if (point < 0x800) {
      out[at++] = 0xc0 | (point >> 6);
      out[at++] = 0x80 | (point & 0x3f);
    } else if (point < 0xd800 || point > 0xdfff) {
      out[at++] = 0xe0 | (point >> 12);
      out[at++] = 0x80 | ((point >> 6) & 0x3f);
      out[at++] = 0x80 | (point & 0x3f);
    } else {
      point = 0x10000 + ((point & 0x3ff) << 10) + (text.charCodeAt(++index) & 0x3ff);
      out[at++] = 0xf0 | (point >> 18);
      out[at++] = 0x80 | ((point >> 12) & 0x3f);
      out[at++] = 0x80 | ((point >> 6) & 0x3f);
      out[at++] = 0x80 | (point & 0x3f);
    }
  }
  return at;
}

/** The UTF-8 bytes of `text`, or `undefined` if it has a lone surrogate. */
export function utf8FromText(text: string): Uint8Array | undefined {
  const length = utf8Length(text);
  if (length < 0) return undefined;
  const bytes = new Uint8Array(length);
  writeUtf8(text, bytes, 0);
  return bytes;
}

/**
 * The text that `bytes` from `start` up to `end` spell, or `undefined` if they are not well-formed UTF-8: an overlong
 * form, a surrogate, a code point past U+10FFFF, a cut or stray byte. A leading U+FEFF is text like any other.
 */
export function textFromUtf8(bytes: Uint8Array, start = 0, end = bytes.length): string | undefined {
  let text = "";
  let units: number[] = [];
  for (let at = start; at < end;) {
    const point = codePointAt(bytes, at, end);
    if (point < 0) return undefined;
    at += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (point < 0x10000) units.push(point);
    else units.push(0xd7c0 + (point >> 10), 0xdc00 | (point & 0x3ff));
    if (units.length >= chunkUnits) {
      text += String.fromCharCode(...units);
      units = [];
    }
  }
  return text + String.fromCharCode(...units);
}

/** Arguments of one `fromCharCode` call: far below what any engine takes. */
const chunkUnits = 1024;

/** The code point at `at`, or -1 if the bytes there are not well-formed UTF-8. */
function codePointAt(bytes: Uint8Array, at: number, end: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return first;
  if (first < 0xc2 || first > 0xf4) return -1;
  const second = at + 1 < end ? continuation(bytes[at + 1]!) : -1;
  if (second < 0) return -1;
  if (first < 0xe0) return ((first & 0x1f) << 6) | second;
  const third = at + 2 < end ? continuation(bytes[at + 2]!) : -1;
  if (third < 0) return -1;
  if (first < 0xf0) {
    const point = ((first & 0x0f) << 12) | (second << 6) | third;
    return point < 0x800 || (point >= 0xd800 && point <= 0xdfff) ? -1 : point;
  }
  const fourth = at + 3 < end ? continuation(bytes[at + 3]!) : -1;
  if (fourth < 0) return -1;
  const point = ((first & 0x07) << 18) | (second << 12) | (third << 6) | fourth;
  return point < 0x10000 || point > 0x10ffff ? -1 : point;
}

function continuation(byte: number): number {
  return (byte & 0xc0) === 0x80 ? byte & 0x3f : -1;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
