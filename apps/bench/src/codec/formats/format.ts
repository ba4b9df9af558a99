import type { BenchCommand } from "../records.ts";

/** One way of turning one kind of command into bytes and back. */
export interface Format<Encoded = unknown> {
  encode(value: BenchCommand): Encoded;
  /** The value owns its bytes: it may not share memory with what it was decoded from. */
  decode(encoded: Encoded): BenchCommand;
  /** The same bytes in memory of their own, as if they had been received. */
  received(encoded: Encoded): Encoded;
  /** Length in bytes. */
  size(encoded: Encoded): number;
}

export const singleBuffer = {
  received: (encoded: Uint8Array): Uint8Array => new Uint8Array(encoded),
  size: (encoded: Uint8Array): number => encoded.length,
};
