/** Bytes laid out by hand. Numbers are big-endian; nothing here knows a limit. */

export type Bytes = Uint8Array;

export function bytes(...values: readonly number[]): Bytes {
  return Uint8Array.from(values);
}

export function join(...parts: readonly Bytes[]): Bytes {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** A number of `width` bytes. */
export function number(width: number, value: bigint | number | string): Bytes {
  const digits = BigInt.asUintN(8 * width, BigInt(value))
    .toString(16)
    .padStart(2 * width, "0");
  return fromHex(digits);
}
export const u8 = (value: number): Bytes => number(1, value);
export const u16 = (value: number): Bytes => number(2, value);
export const u32 = (value: number): Bytes => number(4, value);
export const u64 = (value: bigint | number | string): Bytes => number(8, value);

export function utf8(text: string): Bytes {
  return new TextEncoder().encode(text);
}

/** Bytes behind their length. */
export function measured(width: number, ...parts: readonly Bytes[]): Bytes {
  const body = join(...parts);
  return join(number(width, body.length), body);
}
export const text8 = (text: string): Bytes => measured(1, utf8(text));
export const text16 = (text: string): Bytes => measured(2, utf8(text));
export const rid = text8;
/** A discriminator of one byte, and its body behind a length of two. */
export const union16 = (tag: number, ...body: readonly Bytes[]): Bytes => join(u8(tag), measured(2, ...body));

/** Frame 0: the prefix, then the body. */
export function frame(command: number, flags: number, ...body: readonly Bytes[]): Bytes {
  return join(bytes(0x5a, 0x4d, 1, command, flags), ...body);
}

export function envelope(packetName: string, contentType: string, data: Bytes): Bytes {
  return join(u8(1), measured(4, text8(packetName), text8(contentType), measured(4, data)));
}

export function metadata(...entries: readonly (readonly [key: string, value: string])[]): Bytes {
  return join(u8(1), u8(entries.length), ...entries.flatMap(([key, value]) => [text8(key), text16(value)]));
}

export function toHex(of: Bytes): string {
  return Array.from(of, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function fromHex(hex: string): Bytes {
  return Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
}
