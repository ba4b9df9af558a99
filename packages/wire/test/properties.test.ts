import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fastDecodeRecord, fastEncodeRecord } from "../src/codec/fast.ts";
import {
  decodeDurable,
  decodeRecord,
  encodeDurable,
  encodeRecord,
  fromJson,
  toJson,
  WireError,
  type Command,
  type DurableEnvelope,
  type OperationKind,
} from "../src/index.ts";
import { plainDecodeRecord, plainEncodeRecord } from "../src/plain/record.ts";
import { durables } from "../src/schema/durable.ts";
import { commands } from "../src/schema/commands.ts";
import { struct } from "../src/schema/node.ts";
import { command, commandOf, nodeOf } from "./support/arbitrary.ts";
import { toHex } from "./support/bytes.ts";
import { samples } from "./support/samples.ts";

const operationOf = (value: Command) => () => (value.command === "reply" ? value.tail?.operation : undefined);

/** The value, or `undefined` for a typed refusal. Any other error fails. */
function accepted<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
}

describe("every command, arbitrary values", () => {
  it.each(commands)("$name: what is encoded is decoded to the same value, also through JSON", (schema) => {
    fc.assert(
      fc.property(commandOf(schema), (value) => {
        const frames = encodeRecord(value);
        expect(decodeRecord(frames, { operationOf: operationOf(value) })).toStrictEqual(value);
        expect(fromJson(JSON.parse(JSON.stringify(toJson(value))))).toStrictEqual(value);
      }),
      { numRuns: 40 },
    );
  });

  it("the fast and the plain codec agree on every sound value", () => {
    fc.assert(
      fc.property(command, (value) => {
        const frames = plainEncodeRecord(value).map(toHex);
        const fast = fastEncodeRecord(value);
        if (fast !== undefined) expect(fast.map(toHex)).toEqual(frames);
        const bytes = frames.map((frame) => Uint8Array.from(Buffer.from(frame, "hex")));
        const decoded = fastDecodeRecord(bytes, operationOf(value));
        if (decoded !== undefined) expect(decoded).toStrictEqual(value);
        expect(plainDecodeRecord(bytes, operationOf(value))).toStrictEqual(value);
      }),
      { numRuns: 500 },
    );
  });

  it.each(durables)("$magic round-trips", ({ magic, parts }) => {
    fc.assert(
      fc.property(nodeOf(struct("", parts)), (body) => {
        const envelope = { magic, ...(body as object) } as DurableEnvelope;
        expect(decodeDurable(encodeDurable(envelope))).toStrictEqual(envelope);
      }),
    );
  });
});

/** Whatever these bytes are: a typed error, or a value that re-encodes to them; and both decoders say the same. */
function check(frames: readonly Uint8Array[], operationOf: () => OperationKind | undefined): void {
  const fast = fastDecodeRecord(frames, operationOf);
  const plain = accepted(() => plainDecodeRecord(frames, operationOf));
  if (fast !== undefined) expect(fast).toStrictEqual(plain);
  if (plain !== undefined) expect(encodeRecord(plain).map(toHex)).toEqual(frames.map(toHex));
}

describe("hostile bytes", () => {
  it.each(samples)("any bit of $id flipped: a value that re-encodes to these bytes, or a typed error", (sample) => {
    const frames = sample.frames.map((frame) => Uint8Array.from(frame));
    for (const frame of frames) {
      for (let bit = 0; bit < frame.length * 8; bit++) {
        const mask = 1 << (bit & 7);
        frame[bit >> 3]! ^= mask;
        check(frames, () => sample.operation);
        frame[bit >> 3]! ^= mask;
      }
    }
  });

  it("arbitrary changes of sound records are decoded as by the plain decoder", () => {
    const change = fc.record({
      at: fc.nat(),
      kind: fc.constantFrom("set", "cut", "insert", "delete"),
      byte: fc.oneof(fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), fc.nat(255)),
    });
    fc.assert(
      fc.property(fc.constantFrom(...samples), fc.array(change, { minLength: 1, maxLength: 4 }), (sample, changes) => {
        const frames = sample.frames.map((frame) => [...frame]);
        for (const { at, kind, byte } of changes) {
          const frame = frames[at % frames.length]!;
          const place = at % (frame.length + 1);
          if (kind === "set") frame[place] = byte;
          else if (kind === "cut") frame.length = place;
          else if (kind === "insert") frame.splice(place, 0, byte);
          else frame.splice(place, 1);
        }
        const bytes = frames.map((frame) => Uint8Array.from(frame));
        check(bytes, () => sample.operation);
      }),
      { numRuns: 3000 },
    );
  }, 60_000);
});
