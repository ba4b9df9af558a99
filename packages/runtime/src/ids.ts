import type { Random } from "@rehome/core";
import type { Id128 } from "@rehome/wire";

const ID_BYTES = 16;

/** 128 random bits, never zero: relocation and operation ids. */
export function randomId128(random: Random): Id128 {
  const bytes = random.bytes(ID_BYTES);
  const view = new DataView(bytes.buffer, bytes.byteOffset, ID_BYTES);
  const high = view.getBigUint64(0);
  const low = view.getBigUint64(ID_BYTES / 2);
  return high === 0n && low === 0n ? { high, low: 1n } : { high, low };
}

/** For logs, events and error texts. */
export function id128Text(id: Id128): string {
  return `${id.high.toString(16)}:${id.low.toString(16)}`;
}

/** 16 bytes, big-endian. */
export function id128ToBytes(id: Id128): Uint8Array {
  const bytes = new Uint8Array(ID_BYTES);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, id.high);
  view.setBigUint64(ID_BYTES / 2, id.low);
  return bytes;
}

/** The other way round; `undefined` for bytes that are no id. */
export function id128FromBytes(bytes: Uint8Array): Id128 | undefined {
  if (bytes.length !== ID_BYTES) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, ID_BYTES);
  const high = view.getBigUint64(0);
  const low = view.getBigUint64(ID_BYTES / 2);
  return high === 0n && low === 0n ? undefined : { high, low };
}
