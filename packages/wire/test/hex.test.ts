import { describe, expect, it } from "vitest";
import { bytesFromHex, hexFromBytes } from "../src/index.ts";

describe("hex", () => {
  it("round-trips every byte, and over the edge of a piece", () => {
    for (const length of [0, 1, 4095, 4096, 4097, 10_000]) {
      const bytes = Uint8Array.from({ length }, (_, index) => index * 7);
      const hex = hexFromBytes(bytes);
      expect(hex).toBe(Buffer.from(bytes).toString("hex"));
      expect(Buffer.compare(bytesFromHex(hex)!, bytes)).toBe(0);
      if (/[a-f]/.test(hex)) expect(bytesFromHex(hex.toUpperCase())).toBeUndefined();
    }
  });

  it.each(["a", "0x", "g0", "0G", " 0", "0\n", "é0", "0\ud83d"])("refuses %j", (hex) => {
    expect(bytesFromHex(hex)).toBeUndefined();
  });
});
