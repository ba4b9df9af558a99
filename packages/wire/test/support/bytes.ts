/**
 * Bytes laid out by hand from `docs/wire.md`, with nothing of the codec's own code: what the codec writes has to agree.
 */
export type Piece = Uint8Array | readonly number[];

export function cat(...pieces: readonly Piece[]): Uint8Array {
  return Uint8Array.from(pieces.flatMap((piece) => [...piece]));
}

export function hex(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, "hex"));
}

export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

export function u8(value: number): Uint8Array {
  return Uint8Array.of(value);
}

export function u16(value: number): Uint8Array {
  return Uint8Array.of(value >> 8, value & 0xff);
}

export function u32(value: number): Uint8Array {
  return hex(value.toString(16).padStart(8, "0"));
}

export function u64(value: number | bigint): Uint8Array {
  return hex(value.toString(16).padStart(16, "0"));
}

/** Text or a routing id behind a length of one byte. */
export function t8(text: string | Uint8Array): Uint8Array {
  const bytes = Buffer.from(text);
  return cat(u8(bytes.length), bytes);
}

export function t16(text: string): Uint8Array {
  const bytes = Buffer.from(text);
  return cat(u16(bytes.length), bytes);
}

/** A union16: discriminator, length, body. */
export function union16(tag: Piece, ...body: readonly Piece[]): Uint8Array {
  const bytes = cat(...body);
  return cat(tag, u16(bytes.length), bytes);
}

/** A body behind a u32 length. */
export function long(...body: readonly Piece[]): Uint8Array {
  const bytes = cat(...body);
  return cat(u32(bytes.length), bytes);
}

/** A frame 0: prefix, then the body. */
export function frame(id: number, flags: number, ...body: readonly Piece[]): Uint8Array {
  return cat([0x5a, 0x4d, 1, id, flags], ...body);
}

export function envelope(packetName: string, contentType: string, data: Piece): Uint8Array {
  return cat([1], long(t8(packetName), t8(contentType), long(data)));
}
