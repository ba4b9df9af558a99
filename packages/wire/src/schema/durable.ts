/** The durable envelopes of `wire.md` section 6: what stands between their header and their checksum. */
import { maxBlobBytes } from "../limits.ts";
import { constant, field, struct, text16, u32, u64, type Part } from "./node.ts";

export interface DurableSchema {
  readonly magic: "ZLTC" | "ZLTM";
  readonly parts: readonly Part[];
}

const manifestChunk = struct("ManifestChunk", [
  field("order", u32()),
  field("reference", text16),
  field("length", u64(1n)),
  field("checksumCrc32c", u32()),
]);

export const durables: readonly DurableSchema[] = [
  { magic: "ZLTC", parts: [field("order", u32()), field("data", { type: "blob", max: maxBlobBytes })] },
  {
    magic: "ZLTM",
    parts: [
      field("logicalFormatVersion", constant("logicalFormatVersion", 1)),
      field("totalLength", u64()),
      field("totalChecksumCrc32c", u32()),
      field("inventoryDigestSha256", { type: "digest", bytes: 32 }),
      field("chunks", { type: "list", countBytes: 4, element: manifestChunk, ascending: true }),
    ],
  },
];
