/** Durable envelopes (`wire.md` section 6): a header, a body, and a CRC32C over both. */
import { crc32c } from "./crc32c.ts";
import { WireError } from "./error.ts";
import { readParts } from "./plain/read.ts";
import { Reader } from "./plain/reader.ts";
import { writeParts } from "./plain/write.ts";
import { Writer } from "./plain/writer.ts";
import { durables } from "./schema/durable.ts";
import type { DurableEnvelope } from "./values/composites.ts";

const version = 1;
const checksumBytes = 4;

/** The bytes of a durable envelope, in an array of their own. Throws {@link WireError} `invalid-field`. */
export function encodeDurable(envelope: DurableEnvelope): Uint8Array {
  const writer = new Writer();
  const { magic } = (envelope ?? {}) as Partial<DurableEnvelope>;
  const schema = durables.find((candidate) => candidate.magic === magic);
  if (schema === undefined) throw writer.fail("invalid-magic", "magic", "it is neither ZLTC nor ZLTM");
  for (const character of schema.magic) writer.uint(1, character.charCodeAt(0));
  writer.uint(1, version);
  writer.uint(2, 0);
  writer.measured(4, () => writeParts(writer, schema.parts, envelope as unknown as Record<string, unknown>, ""));
  writer.uint(4, crc32c(writer.since(0)));
  return writer.close();
}

/**
 * Decodes a durable envelope. Throws {@link WireError}: `checksum-mismatch` once header and length are right, which to
 * the reader is data loss; otherwise the codes of `wire.md` section 4.
 */
export function decodeDurable(bytes: Uint8Array): DurableEnvelope {
  const reader = new Reader(bytes);
  const magic = String.fromCharCode(...[0, 1, 2, 3].map(() => reader.uint(1, "magic")));
  const schema = durables.find((candidate) => candidate.magic === magic);
  if (schema === undefined) throw reader.fail("invalid-magic", "magic", 0, "it is neither ZLTC nor ZLTM");
  if (reader.uint(1, "version") !== version) throw reader.invalid("version", 4, `only version ${version} is known`);
  if (reader.uint(2, "flags") !== 0) throw reader.invalid("flags", 5, "no flag is known");
  const length = reader.uint(4, "bodyLength");
  const bodyAt = reader.skip(length, "body");
  const expected = reader.uint(4, "crc32c");
  reader.finish("body");
  if (crc32c(bytes.subarray(0, reader.at - checksumBytes)) !== expected) {
    throw new WireError("checksum-mismatch", "crc32c", reader.at - checksumBytes, "the bytes are not those written");
  }
  const value: Record<string, unknown> = { magic };
  reader.at = bodyAt;
  reader.within(length, "body", bodyAt, () => readParts(reader, schema.parts, value, ""));
  return value as unknown as DurableEnvelope;
}
