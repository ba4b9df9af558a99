import { describe, expect, it } from "vitest";
import { hmacSha256 } from "../../src/sockets/hmac.ts";

const hex = (text: string) => new Uint8Array(Buffer.from(text, "hex"));

describe("HMAC-SHA-256", () => {
  it("gives what RFC 4231 says", () => {
    const cases: [Uint8Array, Uint8Array, string][] = [
      [
        new Uint8Array(20).fill(0x0b),
        new TextEncoder().encode("Hi There"),
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
      ],
      [
        new TextEncoder().encode("Jefe"),
        new TextEncoder().encode("what do ya want for nothing?"),
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
      ],
      [
        new Uint8Array(131).fill(0xaa),
        new TextEncoder().encode("Test Using Larger Than Block-Size Key - Hash Key First"),
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
      ],
    ];
    for (const [key, message, expected] of cases) {
      const digest = hmacSha256(key, message);
      expect(Buffer.compare(digest, hex(expected))).toBe(0);
      expect([digest.constructor, digest.length]).toEqual([Uint8Array, 32]);
    }
  });
});
