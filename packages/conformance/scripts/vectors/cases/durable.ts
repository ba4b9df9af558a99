/** `wire.md` section 6: durable envelopes. */
import type { DerivedCases, DurableVectors, JsonObject, RefusedValue } from "../../../src/vectors/file.ts";
import {
  bytes,
  fromHex,
  join,
  measured,
  number,
  text16,
  toHex,
  u16,
  u32,
  u64,
  u8,
  utf8,
  type Bytes,
} from "../bytes.ts";
import { crc32cOf } from "../crc32c.ts";
import { hexOf, layOutDurable } from "../layout.ts";

type Valid = DurableVectors["valid"][number];
type Invalid = DurableVectors["invalid"][number];

const digest = Array.from({ length: 32 }, (_, at) => (at * 7 + 1).toString(16).padStart(2, "0")).join("");
const maxU64 = "18446744073709551615";
const chunk = (order: number): JsonObject => ({
  order,
  reference: `move-7-9/${order}`,
  length: "262144",
  checksumCrc32c: 3808858755,
});
const manifest: JsonObject = {
  magic: "ZLTM",
  logicalFormatVersion: 1,
  totalLength: "600000",
  totalChecksumCrc32c: 2324772522,
  inventoryDigestSha256: digest,
  chunks: [chunk(0), chunk(1), { ...chunk(2), length: "75712" }],
};

function valid(id: string, note: string, value: JsonObject): Valid {
  return { id: `durable-${id}`, note, value, hex: hexOf(layOutDurable(value, crc32cOf))[0]! };
}

export const validEnvelopes: readonly Valid[] = [
  valid("chunk", "A state chunk.", { magic: "ZLTC", order: 2, data: "00ff10ef" }),
  valid("chunk-empty", "A chunk without a byte.", { magic: "ZLTC", order: 0, data: "" }),
  valid("chunk-last", "The greatest order.", { magic: "ZLTC", order: 4294967295, data: "01".repeat(200) }),
  valid("manifest", "A manifest of three chunks.", manifest),
  valid("manifest-empty", "A manifest without a chunk, every number at its least.", {
    ...manifest,
    totalLength: "0",
    totalChecksumCrc32c: 0,
    inventoryDigestSha256: "00".repeat(32),
    chunks: [],
  }),
  valid("manifest-most", "Every number at its greatest, orders that leave gaps, a reference of 4,096 bytes.", {
    ...manifest,
    totalLength: maxU64,
    totalChecksumCrc32c: 4294967295,
    inventoryDigestSha256: "ff".repeat(32),
    chunks: [
      { order: 0, reference: "r", length: "1", checksumCrc32c: 0 },
      { order: 7, reference: "é".repeat(2048), length: "9007199254740993", checksumCrc32c: 1 },
      { order: 4294967295, reference: "東京/🚢", length: maxU64, checksumCrc32c: 4294967295 },
    ],
  }),
];

/** An envelope with the right checksum over whatever it holds. */
function sealed(magic: string, body: Bytes, version = 1, flags = 0): Bytes {
  const before = join(utf8(magic), u8(version), u16(flags), measured(4, body));
  return join(before, u32(crc32cOf(before)));
}
function wrongly(envelope: Bytes): Bytes {
  return join(envelope.subarray(0, -1), u8(envelope.at(-1)! ^ 1));
}
const chunkBody = join(u32(2), measured(4, bytes(0, 0xff)));
const good = sealed("ZLTC", chunkBody);

function manifestBody(count: number, ...chunks: readonly Bytes[]): Bytes {
  return join(u8(1), u64(600000), u32(1), fromHex(digest), u32(count), ...chunks);
}
const entry = (order: number, reference = "r", length: bigint | number = 1): Bytes =>
  join(u32(order), text16(reference), u64(length), u32(0));

function invalid(id: string, note: string, envelope: Bytes, code: Invalid["code"], field?: string): Invalid {
  return { id: `durable-${id}`, note, hex: toHex(envelope), code, ...(field === undefined ? {} : { field }) };
}

export const invalidEnvelopes: readonly Invalid[] = [
  invalid("nothing", "No byte.", bytes(), "truncated-field"),
  invalid("magic", "Another magic, with a right checksum.", sealed("ZLTX", chunkBody), "invalid-magic"),
  invalid(
    "magic-of-record",
    "A record is no envelope.",
    bytes(0x5a, 0x4d, 1, 5, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0),
    "invalid-magic",
  ),
  ...[0, 2].map((version) =>
    invalid(`version-${version}`, `Version ${version}.`, sealed("ZLTC", chunkBody, version), "invalid-field"),
  ),
  invalid("flags", "A flag.", sealed("ZLTC", chunkBody, 1, 1), "invalid-field"),
  invalid("flags-high", "A flag in the upper byte.", sealed("ZLTM", manifestBody(0), 1, 0x8000), "invalid-field"),
  invalid("checksum", "The last byte of the checksum is another.", wrongly(good), "checksum-mismatch"),
  invalid(
    "checksum-plain-crc32",
    "The checksum is a CRC-32 of the other polynomial.",
    join(good.subarray(0, -4), number(4, plainCrc32(good.subarray(0, -4)))),
    "checksum-mismatch",
  ),
  invalid(
    "checksum-body-only",
    "The checksum is over the body alone.",
    join(good.subarray(0, -4), u32(crc32cOf(chunkBody))),
    "checksum-mismatch",
  ),
  invalid(
    "checksum-little-endian",
    "The checksum's bytes are in the other order.",
    join(good.subarray(0, -4), good.subarray(-4).toReversed()),
    "checksum-mismatch",
  ),
  invalid(
    "order-version-before-checksum",
    "A version and a checksum that are wrong: the header comes first.",
    wrongly(sealed("ZLTC", chunkBody, 2)),
    "invalid-field",
  ),
  invalid(
    "order-flags-before-checksum",
    "A flag and a wrong checksum.",
    wrongly(sealed("ZLTC", chunkBody, 1, 4)),
    "invalid-field",
  ),
  invalid(
    "order-trailing-before-checksum",
    "A byte too many, and the checksum is wrong: the length is not right.",
    join(wrongly(good), u8(0)),
    "trailing-byte",
  ),
  invalid(
    "order-cut-before-checksum",
    "Cut, with what is left of a wrong checksum.",
    wrongly(good).subarray(0, -1),
    "truncated-field",
  ),
  invalid(
    "order-checksum-before-body",
    "A body that ends in a field, under a wrong checksum: the body is not read.",
    wrongly(sealed("ZLTC", u16(0))),
    "checksum-mismatch",
  ),
  invalid(
    "order-checksum-before-field",
    "A bad field under a wrong checksum.",
    wrongly(sealed("ZLTM", join(u8(2), manifestBody(0).subarray(1)))),
    "checksum-mismatch",
  ),
  invalid(
    "order-checksum-before-body-trailing",
    "A byte too many in the body, under a wrong checksum.",
    wrongly(sealed("ZLTC", join(chunkBody, u8(0)))),
    "checksum-mismatch",
  ),
  invalid(
    "body-short",
    "A body that ends within a field, under a right checksum.",
    sealed("ZLTC", u16(0)),
    "truncated-field",
  ),
  invalid(
    "body-trailing",
    "A byte too many in the body, under a right checksum.",
    sealed("ZLTC", join(chunkBody, u8(0))),
    "trailing-byte",
  ),
  invalid(
    "body-4g",
    "A body of 4 GiB − 1 with next to nothing behind it.",
    join(utf8("ZLTC"), u8(1), u16(0), u32(0xffff_ffff), chunkBody, u32(0)),
    "truncated-field",
  ),
  invalid(
    "chunk-past-limit",
    "A chunk of 64 MiB and a byte more, whose bytes are missing: invalid at once.",
    sealed("ZLTC", join(u32(0), u32(67_108_865))),
    "invalid-field",
    "data",
  ),
  invalid(
    "chunk-at-limit",
    "A chunk of 64 MiB whose bytes are missing.",
    sealed("ZLTC", join(u32(0), u32(67_108_864))),
    "truncated-field",
  ),
  invalid("chunk-as-manifest", "A chunk under the other magic.", sealed("ZLTM", chunkBody), "invalid-field"),
  invalid(
    "format-version-0",
    "A logicalFormatVersion of 0.",
    sealed("ZLTM", join(u8(0), manifestBody(0).subarray(1))),
    "invalid-field",
    "logicalFormatVersion",
  ),
  invalid(
    "format-version-2",
    "A logicalFormatVersion of 2.",
    sealed("ZLTM", join(u8(2), manifestBody(0).subarray(1))),
    "invalid-field",
    "logicalFormatVersion",
  ),
  invalid(
    "manifest-count-4g",
    "2^32 − 1 chunks are counted, one is there.",
    sealed("ZLTM", manifestBody(0xffff_ffff, entry(0))),
    "truncated-field",
  ),
  invalid(
    "manifest-count-low",
    "One chunk is counted, two are there.",
    sealed("ZLTM", manifestBody(1, entry(0), entry(1))),
    "trailing-byte",
  ),
  invalid(
    "manifest-descending",
    "Chunks in descending order.",
    sealed("ZLTM", manifestBody(2, entry(1), entry(0))),
    "invalid-field",
  ),
  invalid("manifest-twice", "An order twice.", sealed("ZLTM", manifestBody(2, entry(1), entry(1))), "invalid-field"),
  invalid(
    "manifest-length-0",
    "A chunk of length 0.",
    sealed("ZLTM", manifestBody(1, entry(0, "r", 0))),
    "invalid-field",
  ),
  invalid(
    "manifest-reference-empty",
    "A reference of length 0.",
    sealed("ZLTM", manifestBody(1, join(u32(0), u16(0), u64(1), u32(0)))),
    "invalid-field",
  ),
  invalid(
    "manifest-reference-4097",
    "A reference of 4,097 bytes, none of them there.",
    sealed("ZLTM", manifestBody(1, join(u32(0), u16(4097)))),
    "invalid-field",
  ),
  invalid(
    "manifest-reference-nul",
    "NUL in a reference.",
    sealed("ZLTM", manifestBody(1, entry(0, "a\0"))),
    "invalid-field",
  ),
  invalid(
    "manifest-reference-ill-formed",
    "A reference that is not UTF-8.",
    sealed("ZLTM", manifestBody(1, join(u32(0), measured(2, bytes(0xed, 0xa0, 0x80)), u64(1), u32(0)))),
    "invalid-field",
  ),
];

/** CRC-32 of the polynomial that zip files use. */
function plainCrc32(of: Bytes): number {
  let register = 0xffff_ffff;
  for (const byte of of) {
    register ^= byte;
    for (let bit = 0; bit < 8; bit++) register = (register & 1) === 1 ? (register >>> 1) ^ 0xedb8_8320 : register >>> 1;
  }
  return (register ^ 0xffff_ffff) >>> 0;
}

function refused(id: string, note: string, value: JsonObject): RefusedValue {
  return { id: `durable-refused-${id}`, note, value, code: "invalid-field" };
}

export const refusedEnvelopes: readonly RefusedValue[] = [
  refused("descending", "Chunks in descending order.", { ...manifest, chunks: [chunk(1), chunk(0)] }),
  refused("twice", "An order twice.", { ...manifest, chunks: [chunk(1), chunk(1)] }),
  refused("length-0", "A chunk of length 0.", { ...manifest, chunks: [{ ...chunk(0), length: "0" }] }),
  refused("length-2p64", "A chunk of length 2^64.", {
    ...manifest,
    chunks: [{ ...chunk(0), length: "18446744073709551616" }],
  }),
  refused("format-version", "A logicalFormatVersion of 2.", { ...manifest, logicalFormatVersion: 2 }),
  refused("digest-short", "A digest of 31 bytes.", { ...manifest, inventoryDigestSha256: digest.slice(2) }),
  refused("digest-long", "A digest of 33 bytes.", { ...manifest, inventoryDigestSha256: `${digest}00` }),
  refused("order-negative", "An order below 0.", { magic: "ZLTC", order: -1, data: "" }),
  refused("order-2p32", "An order of 2^32.", { magic: "ZLTC", order: 4294967296, data: "" }),
];

const all = validEnvelopes.map(({ id }) => id);
/** The envelopes that are not long: their derived cases are many. */
const short = validEnvelopes.filter(({ hex }) => hex.length < 1000).map(({ id }) => id);

export const derivedEnvelopes: readonly DerivedCases[] = [
  { id: "durable-cut", note: "Cut at every byte.", rule: "cutAtEveryByte", of: short, code: "truncated-field" },
  {
    id: "durable-left-over",
    note: "A byte behind the checksum.",
    rule: "appendToEachFrame",
    of: all,
    bytes: "00",
    code: "trailing-byte",
  },
  ...validEnvelopes
    .filter(({ id }) => short.includes(id))
    .map(({ id, hex }): DerivedCases => {
      const places = Array.from({ length: hex.length / 2 - 11 }, (_, index) => index + 11);
      return {
        id: `${id}-changed`,
        note: "Every byte behind the header, of the body and of the checksum, changed.",
        rule: "overwrite",
        of: [id],
        places: places.filter((at) => hex.slice(2 * at, 2 * at + 2) !== "a5").map((at) => ({ frame: 0, at })),
        with: ["a5"],
        code: "checksum-mismatch",
      };
    }),
  {
    id: "durable-body-length",
    note: "A body that says it is shorter than it is: behind what is taken for the checksum there are bytes left.",
    rule: "claimLength",
    of: ["durable-chunk"],
    bodies: [{ frame: 0, at: 7, width: 4, from: 0, to: 11 }],
    code: "trailing-byte",
  },
  {
    id: "durable-body-length-long",
    note: "A body that says it is longer than it is.",
    rule: "claimLength",
    of: ["durable-chunk"],
    bodies: [{ frame: 0, at: 7, width: 4, from: 13, to: 40 }],
    code: "truncated-field",
  },
];
