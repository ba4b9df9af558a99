import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { maxLineBytes } from "../src/codec.ts";
import { CliError, runCli } from "../src/index.ts";
import { memoryIo, run } from "./support/io.ts";
import { seal } from "./support/frames.ts";

function answersIn(out: string): unknown[] {
  expect(out.endsWith("\n")).toBe(true);
  return out
    .slice(0, -1)
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
}

describe("rehome codec", () => {
  it.each([1, 17, 100_000])("answers every line by one, in order: pieces of %i bytes", async (pieceBytes) => {
    const lines = [
      '{"op":"crc32c","hex":["313233343536373839"]}',
      "not json",
      "",
      `{"op":"decode","frames":["${seal}"]}\r`,
      '{"op":"authorityKey","kind":"actor","id":"user:42"}',
    ];
    const { code, out, err } = await run(["codec"], lines.join("\n"), pieceBytes);
    expect(answersIn(out)).toMatchObject([
      { crc32c: 3808858755 },
      { error: { code: "invalid-json" } },
      { error: { code: "invalid-json" } },
      { value: { command: "sessionRelocationSeal" } },
      { key: "zla1:a:7:user%3A42" },
    ]);
    expect([code, err]).toEqual([0, ""]);
  });

  it("goes on after bytes that are not UTF-8", async () => {
    const { out } = await run(["codec"], Uint8Array.of(0x22, 0xc0, 0x80, 0x22, 0x0a, 0x7b, 0x7d));
    expect(answersIn(out)).toMatchObject([{ error: { code: "invalid-json" } }, { error: { code: "invalid-request" } }]);
  });

  it("answers nothing to nothing", async () => {
    expect(await run(["codec"], "")).toEqual({ code: 0, out: "", err: "" });
  });

  it("refuses a line past its limit without keeping it, and goes on", async () => {
    const piece = new Uint8Array(1 << 20).fill(0x61);
    const input = function* (): Generator<Uint8Array> {
      for (let sent = 0; sent <= maxLineBytes; sent += piece.length) yield piece;
      yield new TextEncoder().encode('\n{"op":"crc32c","hex":[]}\n');
    };
    const { io, written } = memoryIo(Readable.from(input()));
    expect(await runCli(["codec"], io)).toBe(0);
    expect(answersIn(written().out)).toMatchObject([{ error: { code: "line-too-long" } }, { crc32c: 0 }]);
  });

  it("reads no further than its reader: one answer at a time is on its way", async () => {
    const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    let [read, written] = [0, 0];
    async function* input(): AsyncGenerator<Uint8Array> {
      for (; read < 50; read++) {
        await pause();
        expect(read - written).toBeLessThanOrEqual(1);
        yield new TextEncoder().encode('{"op":"crc32c","hex":[]}\n');
      }
    }
    const out = async (): Promise<void> => {
      await pause();
      written++;
    };
    await runCli(["codec"], { ...memoryIo(input()).io, out });
    expect(written).toBe(50);
  });

  it("ends without a word when nobody reads its answers any more", async () => {
    const { io, written } = memoryIo(Readable.from([new TextEncoder().encode("{}\n{}\n")]));
    const out = (): Promise<void> => Promise.reject(new CliError("output-closed", "EPIPE"));
    expect(await runCli(["codec"], { ...io, out })).toBe(0);
    expect(written().err).toBe("");
  });
});
