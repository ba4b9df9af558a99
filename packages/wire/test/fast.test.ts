import { readdir, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { generate } from "../scripts/generate.ts";
import { fastDecodeRecord, fastEncodeRecord } from "../src/codec/fast.ts";
import { decodeRecord, encodeRecord, type Command } from "../src/index.ts";
import { toHex } from "./support/bytes.ts";
import { samples } from "./support/samples.ts";

const generated = new URL("../src/fast/generated/", import.meta.url);
/** They hold lists of any length, and are sent once per connection: only the plain codec reads and writes them. */
const handshake = new Set(["hello", "admit", "update"]);

describe("the fast codec", () => {
  it("is what the generator makes of the schema: npm run generate after a change", async () => {
    const files = await generate();
    expect((await readdir(generated)).sort()).toEqual([...files.keys()].sort());
    for (const [name, source] of files) expect(await readFile(new URL(name, generated), "utf8")).toBe(source);
    // Loading prettier takes seconds on a busy machine, and Bun's own limit is five.
  }, 60_000);

  it.each(samples)("takes $id itself, and leaves the handshake to the plain one", (sample) => {
    const isFast = !handshake.has(sample.value.command);
    expect(fastEncodeRecord(sample.value)?.map(toHex)).toEqual(isFast ? sample.frames.map(toHex) : undefined);
    const decoded = fastDecodeRecord(sample.frames, () => sample.operation);
    expect(decoded).toStrictEqual(isFast ? sample.value : undefined);
  });

  it("reads on after the caller's own function has decoded something else", () => {
    const reply = samples.find(({ id }) => id === "reply-lookup")!;
    const other = samples.find(({ id }) => id === "send-full")!;
    const operationOf = () => {
      decodeRecord(other.frames);
      return reply.operation;
    };
    expect(decodeRecord(reply.frames, { operationOf })).toStrictEqual(reply.value);
    expect(fastDecodeRecord(reply.frames, operationOf)).toStrictEqual(reply.value);
  });

  it("writes frames larger than its slab, and small ones after them", () => {
    const state = samples.find(({ id }) => id === "state")!.value;
    const large = { ...state, chunkData: new Uint8Array(300_000).fill(7) } as Command;
    const small = samples.find(({ id }) => id === "seal")!;
    const [first] = encodeRecord(large);
    // The smallest record would fit behind the large one, and would then keep all of it alive.
    const [probe] = encodeRecord({ command: "livenessProbe", probeId: 1n });
    expect(probe!.buffer).not.toBe(first!.buffer);
    expect(toHex(encodeRecord(small.value)[0]!)).toBe(toHex(small.frames[0]!));
    expect(decodeRecord([first!])).toMatchObject({ chunkOrdinal: 4 });
    expect(first!.subarray(-300_000).every((byte) => byte === 7)).toBe(true);
  });

  it("never takes one recurring id for another that looks like it", () => {
    for (const base of ["abcdefghijkl", "a".repeat(32), "a".repeat(33), "ab", "a"]) {
      for (let place = 0; place < base.length; place++) {
        for (let round = 0; round < 2; round++) {
          for (const letter of ["x", "y", "z", "\u0001", "\u007f"]) {
            const actorId = base.slice(0, place) + letter + base.slice(place + 1);
            const lookup = { command: "actorLookup", correlation: 1n, actorId } as const;
            expect(fastDecodeRecord(fastEncodeRecord(lookup)!)).toStrictEqual(lookup);
          }
        }
      }
    }
  });

  it("a refused record leaves nothing behind in the next one", () => {
    const send = samples.find(({ id }) => id === "send-full")!;
    for (let round = 0; round < 3; round++) {
      expect(fastEncodeRecord({ ...send.value, metadata: [["k"]] } as unknown as Command)).toBeUndefined();
      expect(encodeRecord(send.value).map(toHex)).toEqual(send.frames.map(toHex));
    }
  });
});
