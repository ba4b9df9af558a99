import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { linesOf, textOf } from "../src/lines.ts";
import { piecesOf } from "./support/io.ts";

async function linesIn(text: string, pieceBytes: number, maxBytes = 1000): Promise<(string | undefined)[]> {
  const lines: (string | undefined)[] = [];
  for await (const line of linesOf(piecesOf(new TextEncoder().encode(text), pieceBytes), maxBytes)) {
    lines.push("tooLong" in line ? undefined : textOf(line.bytes));
  }
  return lines;
}

describe("lines", () => {
  it.each([1, 2, 3, 7, 1000])("are the same however the bytes come in: pieces of %i", async (pieceBytes) => {
    expect(await linesIn("one\n\nzwei é\r\n{}", pieceBytes)).toEqual(["one", "", "zwei é\r", "{}"]);
    expect(await linesIn("one\n", pieceBytes)).toEqual(["one"]);
    expect(await linesIn("\n", pieceBytes)).toEqual([""]);
    expect(await linesIn("", pieceBytes)).toEqual([]);
  });

  it.each([1, 5, 1000])("that are too long are reported in their place: pieces of %i", async (pieceBytes) => {
    const text = `${"a".repeat(10)}\n${"b".repeat(11)}\nc\n${"d".repeat(500)}`;
    expect(await linesIn(text, pieceBytes, 10)).toEqual(["a".repeat(10), undefined, "c", undefined]);
  });

  it("that are too long are reported before they end: they may have none", async () => {
    const endless = function* (): Generator<Uint8Array> {
      for (;;) yield new Uint8Array(4);
    };
    for await (const line of linesOf(Readable.from(endless()), 10)) {
      expect(line).toEqual({ tooLong: true });
      break;
    }
  });

  it("may be much longer than a piece", async () => {
    const [line] = await linesIn(`${"x".repeat(300_000)}\n`, 11, 1_000_000);
    expect(line?.length).toBe(300_000);
  });

  it("own their bytes: a stream that reads into one buffer does not change a line already given", async () => {
    const buffer = new Uint8Array(4);
    async function* reusing(): AsyncGenerator<Uint8Array> {
      for (const text of ["one\n", "two\n"]) {
        await Promise.resolve();
        buffer.set(new TextEncoder().encode(text));
        yield buffer;
      }
    }
    const lines = [];
    for await (const line of linesOf(reusing(), 10)) lines.push(line);
    expect(lines.map((line) => textOf((line as { bytes: Uint8Array }).bytes))).toEqual(["one", "two"]);
  });

  it("are UTF-8 or nothing", () => {
    expect(textOf(Uint8Array.of(0xc3, 0xa9))).toBe("é");
    expect(textOf(Uint8Array.of(0xc0, 0x80))).toBeUndefined();
    expect(textOf(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61))).toBe("\ufeffa");
  });
});
