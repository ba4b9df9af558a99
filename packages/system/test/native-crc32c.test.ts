import { accelerateCrc32c, crc32c } from "@rehome/wire";
import { afterEach, describe, expect, it } from "vitest";
import { useNativeCrc32c } from "../src/index.ts";

afterEach(() => accelerateCrc32c(undefined));

describe("the native CRC32C", () => {
  it("gives what the portable one gives, whole and in pieces, at every length about the switch", async () => {
    const bytes = Uint8Array.from({ length: 4_096 }, (_, index) => (index * 31) ^ (index >> 3));
    const lengths = [0, 1, 319, 320, 321, 1_024, 4_096];
    const portable = lengths.map((length) => crc32c(bytes.subarray(0, length)));
    expect(await useNativeCrc32c()).toBe(true);
    expect(lengths.map((length) => crc32c(bytes.subarray(0, length)))).toEqual(portable);
    expect(crc32c(bytes.subarray(1_000), crc32c(bytes.subarray(0, 1_000)))).toBe(portable.at(-1));
  });
});
