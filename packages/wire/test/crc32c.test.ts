import { crc32c as native } from "@node-rs/crc32";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { accelerateCrc32c, crc32c, type Crc32c } from "../src/index.ts";

const ascii = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text));
const counting = (length: number): Uint8Array => Uint8Array.from({ length }, (_, index) => (index * 31) & 0xff);

/** Every implementation that a process can have, each from the first byte on. */
const implementations: [string, Crc32c | undefined][] = [
  ["portable", undefined],
  ["native", native],
];

afterEach(() => accelerateCrc32c(undefined));

describe.each(implementations)("section 6: CRC32C (W5), %s", (_, implementation) => {
  beforeEach(() => accelerateCrc32c(implementation, 0));

  it("has the known values, unsigned", () => {
    expect(crc32c(ascii("123456789"))).toBe(3_808_858_755);
    expect(crc32c(new Uint8Array(32))).toBe(2_324_772_522);
    expect(crc32c(new Uint8Array(32).fill(0xff))).toBe(0x62a8ab43);
    expect(crc32c(counting(100_003))).toBe(bitwise(counting(100_003)));
    expect(crc32c(new Uint8Array(0))).toBe(0);
  });

  it("can be continued over pieces, wherever they are cut", () => {
    const whole = counting(1000);
    const expected = bitwise(whole);
    for (let cut = 0; cut <= whole.length; cut++) {
      expect(crc32c(whole.subarray(cut), crc32c(whole.subarray(0, cut)))).toBe(expected);
    }
    expect(crc32c(new Uint8Array(0), expected)).toBe(expected);
  });

  it("takes a signed previous value for what it stands for", () => {
    const [head, tail] = [ascii("1234"), ascii("56789")];
    expect(crc32c(tail, crc32c(head) | 0)).toBe(0xe3069283);
  });

  it("sees the bytes of a view only", () => {
    const bytes = counting(64);
    expect(crc32c(new Uint8Array(bytes.buffer, 3, 40))).toBe(bitwise(bytes.slice(3, 43)));
    expect(crc32c(Buffer.from(bytes.buffer, 3, 40))).toBe(bitwise(bytes.slice(3, 43)));
  });

  it("takes bytes only", () => {
    expect(() => crc32c("123456789" as unknown as Uint8Array)).toThrow(TypeError);
  });
});

describe("accelerateCrc32c", () => {
  it("gives long buffers to the implementation, and short ones to the portable one", () => {
    const lengths: number[] = [];
    const spy: Crc32c = (bytes, previous) => {
      lengths.push(bytes.length);
      return native(bytes, previous);
    };
    accelerateCrc32c(spy);
    lengths.length = 0;
    expect(crc32c(counting(64))).toBe(bitwise(counting(64)));
    expect(lengths).toEqual([]);
    expect(crc32c(counting(1024))).toBe(bitwise(counting(1024)));
    expect(lengths).toEqual([1024]);
    accelerateCrc32c(undefined);
    expect(crc32c(counting(1024))).toBe(bitwise(counting(1024)));
    expect(lengths).toEqual([1024]);
  });

  it("makes a signed result unsigned", () => {
    accelerateCrc32c((bytes, previous) => native(bytes, previous) | 0, 0);
    expect(crc32c(ascii("123456789"))).toBe(3_808_858_755);
  });

  it.each<[string, Crc32c]>([
    ["is another checksum", () => 0],
    ["cannot be continued", (bytes) => native(bytes)],
  ])("refuses one that %s, and keeps the one that is there", (_, wrong) => {
    accelerateCrc32c(native, 0);
    expect(() => accelerateCrc32c(wrong)).toThrow("CRC32C");
    expect(crc32c(ascii("123456789"))).toBe(3_808_858_755);
  });
});

/** Straight from the definition: the reflected polynomial 0x82F63B78, a bit at a time. */
function bitwise(bytes: Uint8Array): number {
  let crc = 0xffff_ffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f6_3b78 : 0);
  }
  return (crc ^ 0xffff_ffff) >>> 0;
}
