/** The fault cases of the wire, by their ids. W5 is in `keys.test.ts`, the cuts of W6 in `errors.test.ts`. */
import { describe, expect, it } from "vitest";
import {
  decodeRecord,
  encodeMetadata,
  encodeRecord,
  fromJson,
  toJson,
  traceRecord,
  type Command,
  type Metadata,
} from "../src/index.ts";
import { cat, frame, long, t16, t8, toHex, u16, u32, u64, type Piece } from "./support/bytes.ts";
import { decodeSample, refusal, refusalCode } from "./support/codec.ts";
import * as p from "./support/pieces.ts";
import { samples } from "./support/samples.ts";

type Fields = Record<string, unknown>;

/** Paths of all properties of this type, with `change` to set one in a copy. */
function leaves(value: unknown, type: string, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value === type) return [path];
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return [];
  return Object.entries(value).flatMap(([name, inner]) => leaves(inner, type, [...path, name]));
}

function changed(value: Command, path: readonly string[], leaf: unknown): Command {
  const copy = deepCopy(value) as Fields;
  const owner = path.slice(0, -1).reduce((object, name) => object[name] as Fields, copy);
  owner[path.at(-1)!] = leaf;
  return copy as unknown as Command;
}

/** Unlike `structuredClone`, every object that stands in two places becomes two. */
function deepCopy(value: unknown): unknown {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return value.map(deepCopy);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, deepCopy(inner)]));
}

const boundaries = [2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n];
const wholeRange = new Set(["high", "low", "probeId"]);

describe("W1: 64-bit values", () => {
  it.each(samples)("every one in $id", (sample) => {
    for (const path of leaves(sample.value, "bigint")) {
      const name = path.at(-1)!;
      const isWhole = wholeRange.has(name) || (name === "replyRouteId" && sample.value.command === "messageFollow");
      // A commit's generations have a rule of their own, and a payload's length a smaller limit.
      if (name === "previousAuthorityOwnerGeneration" || name === "payloadTotalLength") continue;
      for (const boundary of isWhole ? [...boundaries, 2n ** 64n - 1n] : boundaries) {
        const value = changed(sample.value, path, boundary);
        const decoded = decodeSample({ ...sample, frames: encodeRecord(value) });
        expect(decoded).toStrictEqual(value);
        expect(fromJson(JSON.parse(JSON.stringify(toJson(value))))).toStrictEqual(value);
      }
      for (const wrong of [-1n, 2n ** 64n, 2n ** 64n + 5n, isWhole ? 5 : 2n ** 63n]) {
        const error = refusal(() => encodeRecord(changed(sample.value, path, wrong)));
        expect([error.code, error.field]).toEqual(["invalid-field", pathText(path)]);
      }
    }
  });
});

function pathText(path: readonly string[]): string {
  return path.join(".").replace(/\.(\d+)/g, "[$1]");
}

describe("W2: text", () => {
  const send = (actorId: string): Uint8Array[] => encodeRecord({ command: "actorLookup", correlation: 1n, actorId });

  it("lone surrogates are refused on encode, the same at every length", () => {
    for (const text of ["hi \ud83d", "\udc00x", "\ud83d\ud83d", "\udc00\ud83d"]) {
      for (const length of [0, 64, 65, 66, 255]) {
        for (const padded of [text.padEnd(length, "a"), text.padStart(length, "a")]) {
          expect(refusalCode(() => send(padded))).toBe("invalid-field");
          expect(refusalCode(() => encodeMetadata([["k", padded]]))).toBe("invalid-field");
          expect(refusalCode(() => encodeMetadata([[padded, "v"]]))).toBe("invalid-field");
        }
      }
    }
  });

  it("a leading U+FEFF and every plane survive", () => {
    for (const actorId of [
      "\ufeffbom",
      "\ufeff",
      "\u0001\u007f\u0080\u07ff\u0800\uffff\u{10000}\u{10ffff}",
      "é".repeat(127),
    ]) {
      expect(decodeRecord(send(actorId))).toStrictEqual({ command: "actorLookup", correlation: 1n, actorId });
    }
  });

  it("what is not UTF-8 is refused, never replaced, wherever it stands", () => {
    const bad = ["c080", "eda080", "e282", "f4908080", "80", "ff", "c3", "c328", "f0808080", "e08080", "fe"];
    for (const hex of bad) {
      const bytes = Buffer.from(hex, "hex");
      for (const text of [bytes, cat(Buffer.from("a".repeat(20)), bytes), cat(bytes, Buffer.from("a".repeat(20)))]) {
        const error = refusal(() => decodeRecord([frame(26, 0, u64(1), t8(text))]));
        expect([error.code, error.field]).toEqual(["invalid-field", "actorId"]);
      }
    }
  });
});

describe("W3: claims", () => {
  const sendHead = frame(24, 1, u64(0), u64(0), [0, 0], p.actorFenceBytes);
  const admission = (...rest: Piece[]): Uint8Array =>
    frame(1, 0, [1], long(t8("m"), t8("s"), u64(1), u64(1), t16("e"), ...rest));
  const oneByteFields = (): Uint8Array => {
    const bytes = new Uint8Array(2 ** 20);
    for (let at = 0; at + 6 <= bytes.length; at += 6) bytes.set([100, 0, 0, 0, 1, 7], at);
    return bytes;
  };
  const cases: [string, () => Uint8Array[], string][] = [
    [
      "a payload of 4 GiB",
      () => [sendHead, cat([1, 0]), cat([1], long(t8("n"), t8("t"), u32(0xffff_ffff), new Uint8Array(10)))],
      "truncated-field",
    ],
    [
      "an envelope of 4 GiB",
      () => [sendHead, cat([1, 0]), cat([1], u32(0xffff_ffff), new Uint8Array(10))],
      "truncated-field",
    ],
    [
      "255 metadata entries and one there",
      () => [sendHead, cat([1, 255], t8("k"), t16("v")), p.payloadBytes],
      "truncated-field",
    ],
    ["65,535 channels", () => [admission(u16(65_535), t8("a"), u32(1))], "truncated-field"],
    ["1 MiB of one-byte extension fields", () => [admission(u16(0), long(oneByteFields()))], "invalid-field"],
    [
      "a chunk of 64 MiB",
      () => [frame(52, 0, p.relocationBytes, u64(1), p.coordinatorBytes, [1], p.objectBytes, u32(0), u32(67_108_864))],
      "truncated-field",
    ],
  ];
  it.each(cases)("%s: refused without making room for it", (_title, make, code) => {
    const frames = make();
    const before = process.memoryUsage();
    for (let round = 0; round < 20; round++) expect(refusalCode(() => decodeRecord(frames))).toBe(code);
    const after = process.memoryUsage();
    // Twenty times: one claim that is believed would show even if it were given back at once.
    expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(8 * 2 ** 20);
    expect(after.rss - before.rss).toBeLessThan(64 * 2 ** 20);
  });
});

describe("W4: hostile keys", () => {
  const metadata: Metadata = [
    ["__proto__", '{"isAdmin":true}'],
    ["constructor", "1"],
    ["prototype", "2"],
    ["hasOwnProperty", "3"],
    ["isAdmin", "4"],
  ];
  const send = { ...samples.find(({ id }) => id === "send-full")!.value, metadata } as Command;

  it("are keys like any other, in bytes and in JSON both ways", () => {
    expect(decodeRecord(encodeRecord(send))).toStrictEqual(send);
    const json: unknown = JSON.parse(JSON.stringify(toJson(send)));
    expect(fromJson(json)).toStrictEqual(send);
    expect(toJson(fromJson(json))["metadata"]).toEqual(metadata);
    expect(({} as Fields)["isAdmin"]).toBeUndefined();
  });

  it("are refused where the JSON form has no such field", () => {
    const json = JSON.stringify(toJson(send)).replace('"hopCount"', '"__proto__":{"isAdmin":true},"hopCount"');
    const error = refusal(() => fromJson(JSON.parse(json)));
    expect([error.code, error.field]).toEqual(["invalid-field", "__proto__"]);
    expect(({} as Fields)["isAdmin"]).toBeUndefined();
  });
});

describe("W6: cut", () => {
  it.each(samples)("the reader of $id never goes past the end", (sample) => {
    for (const [index, whole] of sample.frames.entries()) {
      for (let length = 0; length < whole.length; length++) {
        const frames = sample.frames.map((other, at) => (at === index ? whole.subarray(0, length) : other));
        const { rows, error } = traceRecord(frames, { operationOf: () => sample.operation });
        expect(error?.code).toBe("truncated-field");
        const beyond = rows.filter((row) => row.frame === index && row.offset + row.length > length);
        expect(beyond).toEqual([]);
      }
    }
  });
});

describe("W7: reuse", () => {
  it("encoded frames stay as they are, whatever happens to the values' buffers and later records", () => {
    const data = new Uint8Array(64);
    const chunkData = new Uint8Array(3);
    const kept: { readonly frames: Uint8Array[]; readonly hex: string[] }[] = [];
    for (let round = 0; round < 1000; round++) {
      data.fill(round & 0xff);
      const sample = samples[round % samples.length]!;
      const value = structuredClone(sample.value) as unknown as Fields;
      if (value["payload"] !== undefined) value["payload"] = { packetName: "n", contentType: "t", data };
      if (value["chunkData"] !== undefined) value["chunkData"] = chunkData;
      const frames = encodeRecord(value as unknown as Command);
      kept.push({ frames, hex: frames.map(toHex) });
      data.fill(0xee);
      chunkData.fill(round & 0xff);
    }
    for (const { frames, hex } of kept) expect(frames.map(toHex)).toEqual(hex);
  });

  it.each(samples)("$id, decoded, does not change with the receive buffer", (sample) => {
    // As a slice of Node's pooled Buffer, whose own `slice` would share memory.
    const frames = sample.frames.map((bytes) => Buffer.from(bytes));
    const value = decodeSample({ ...sample, frames });
    for (const bytes of frames) bytes.fill(0xee);
    expect(value).toStrictEqual(sample.value);
  });
});
