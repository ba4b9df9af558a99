import { describe, expect, it } from "vitest";
import {
  crc32c,
  decodeDurable,
  durableFromJson,
  durableToJson,
  encodeDurable,
  type DurableEnvelope,
  type StateManifest,
} from "../src/index.ts";
import { cat, long, t16, toHex, u16, u32, u64, type Piece } from "./support/bytes.ts";
import { refusal } from "./support/codec.ts";

function sealed(...pieces: Piece[]): Uint8Array {
  const bytes = cat(...pieces);
  return cat(bytes, u32(crc32c(bytes)));
}
function envelope(magic: string, ...body: Piece[]): Uint8Array {
  return sealed(Buffer.from(magic), [1], u16(0), long(...body));
}

const chunkBytes = envelope("ZLTC", u32(3), long([1, 2]));
const chunk: DurableEnvelope = { magic: "ZLTC", order: 3, data: Uint8Array.of(1, 2) };
const digest = new Uint8Array(32).fill(0xab);
const manifest: StateManifest = {
  magic: "ZLTM",
  logicalFormatVersion: 1,
  totalLength: 2n ** 64n - 1n,
  totalChecksumCrc32c: 0xffff_ffff,
  inventoryDigestSha256: digest,
  chunks: [
    { order: 0, reference: "chunk/0", length: 1n, checksumCrc32c: 7 },
    { order: 5, reference: "chunk/é", length: 2n, checksumCrc32c: 8 },
  ],
};
const manifestHead = cat([1], u64(2n ** 64n - 1n), u32(0xffff_ffff), digest);
const first = cat(u32(0), t16("chunk/0"), u64(1), u32(7));
const second = cat(u32(5), t16("chunk/é"), u64(2), u32(8));
const manifestBytes = envelope("ZLTM", manifestHead, u32(2), first, second);

describe("section 6: durable envelopes", () => {
  it.each<[string, DurableEnvelope, Uint8Array]>([
    ["ZLTC", chunk, chunkBytes],
    ["ZLTM", manifest, manifestBytes],
  ])("%s", (_magic, value, bytes) => {
    expect(toHex(encodeDurable(value))).toBe(toHex(bytes));
    expect(decodeDurable(bytes)).toStrictEqual(value);
    expect(durableFromJson(JSON.parse(JSON.stringify(durableToJson(value))))).toStrictEqual(value);
  });

  it("every flipped bit behind magic and header is a checksum-mismatch, never a guess", () => {
    for (const whole of [chunkBytes, manifestBytes]) {
      for (let bit = 8 * 11; bit < whole.length * 8; bit++) {
        const bytes = Uint8Array.from(whole);
        bytes[bit >> 3]! ^= 1 << (bit & 7);
        expect(refusal(() => decodeDurable(bytes)).code).toBe("checksum-mismatch");
      }
    }
  });

  it("cut at every byte is truncated-field", () => {
    for (const whole of [chunkBytes, manifestBytes]) {
      for (let length = 0; length < whole.length; length++) {
        expect(refusal(() => decodeDurable(whole.subarray(0, length))).code).toBe("truncated-field");
      }
    }
  });

  const body = long(u32(3), long([1, 2]));
  const faults: [string, Uint8Array, string, string][] = [
    ["another magic", sealed(Buffer.from("ZLTX"), [1], u16(0), body), "invalid-magic", "magic"],
    ["another version", sealed(Buffer.from("ZLTC"), [2], u16(0), body), "invalid-field", "version"],
    ["a flag", sealed(Buffer.from("ZLTC"), [1], u16(1), body), "invalid-field", "flags"],
    ["a byte behind it", cat(chunkBytes, [0]), "trailing-byte", "body"],
    [
      "a wrong checksum, before its body is read",
      cat(envelope("ZLTC").subarray(0, 11), u32(1)),
      "checksum-mismatch",
      "crc32c",
    ],
    ["an empty body", envelope("ZLTC"), "truncated-field", "order"],
    ["a body too long for its fields", envelope("ZLTC", u32(3), long(), [0]), "trailing-byte", "body"],
    ["a blob past 64 MiB", envelope("ZLTC", u32(3), u32(67_108_865)), "invalid-field", "data"],
    [
      "another format",
      envelope("ZLTM", [2], manifestHead.subarray(1), u32(0)),
      "invalid-field",
      "logicalFormatVersion",
    ],
    ["a chunk twice", envelope("ZLTM", manifestHead, u32(2), first, first), "invalid-field", "chunks[1]"],
    ["chunks out of order", envelope("ZLTM", manifestHead, u32(2), second, first), "invalid-field", "chunks[1]"],
    [
      "an empty chunk",
      envelope("ZLTM", manifestHead, u32(1), u32(0), t16("r"), u64(0), u32(0)),
      "invalid-field",
      "chunks[0].length",
    ],
    [
      "a count without its entries",
      envelope("ZLTM", manifestHead, u32(0xffff_ffff)),
      "truncated-field",
      "chunks[0].order",
    ],
  ];
  it.each(faults)("refuses %s", (_title, bytes, code, field) => {
    const error = refusal(() => decodeDurable(bytes));
    expect([error.code, error.field]).toEqual([code, field]);
  });

  it("encode refuses what decode would refuse", () => {
    const fields = (value: object): string => refusal(() => encodeDurable(value as DurableEnvelope)).field;
    expect(fields({ ...chunk, magic: "ZLTX" })).toBe("magic");
    expect(fields({ ...chunk, order: -1 })).toBe("order");
    expect(fields({ ...manifest, inventoryDigestSha256: new Uint8Array(31) })).toBe("inventoryDigestSha256");
    expect(fields({ ...manifest, chunks: [...manifest.chunks].reverse() })).toBe("chunks[1]");
    expect(fields({ ...manifest, totalLength: -1n })).toBe("totalLength");
  });
});
