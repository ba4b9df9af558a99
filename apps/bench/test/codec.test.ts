import { encodeRecord } from "@rehome/wire";
import { describe, expect, it } from "vitest";
import { crcContenders, crcInputs, crcTask } from "../src/codec/crc-task.ts";
import { encodedAndVerified, recordContenders, recordTask } from "../src/codec/record-task.ts";
import { data, recordCase, recordNames, route, seal, sealed } from "../src/codec/records.ts";
import type { Format } from "../src/codec/formats/format.ts";

const hex = (frames: readonly Uint8Array[]): string[] => frames.map((frame) => Buffer.from(frame).toString("hex"));

/** From the protocol's fixed points. */
const sealHead =
  "00000000000000000700000000000000090b636f6f7264696e61746f72000000000000000306736f757263650000000000000002000973746f72652d763137";
const fence = "076163746f722d31000000000000000506736f757263650000000000000002000000000000000b000000000000000d";
const binding =
  "06736f7572636500000000000000020d73657373696f6e2d6f776e657200000000000000080773657373696f6e0000000000000006";

describe("the records of the comparison", () => {
  it("are the protocol's fixed points", () => {
    expect(hex(encodeRecord(seal))).toEqual([`5a4d012a${sealHead}01${fence}${binding}`]);
    expect(hex(encodeRecord(sealed))).toEqual([`5a4d012b${sealHead}${fence}${binding}`]);
    expect(hex(encodeRecord(route))).toEqual([
      `5a4d012c${sealHead}02076163746f722d310000000000000005${binding}01001f000000000000000b000000000000000c067461726765740000000000000004`,
    ]);
  });

  it("hold 1 KiB of payload in the 31", () => {
    expect(data.record.payload.data.length).toBe(1024);
  });

  it.each(recordNames)("%s: a power of two of them, so that a mask takes them in turn", (name) => {
    const { values } = recordCase(name);
    expect(values.length & (values.length - 1)).toBe(0);
  });

  it("are all different where they should be", () => {
    const { values } = recordCase("42 fresh");
    expect(new Set(values.map((value) => value.coordinator.ownerId)).size).toBe(values.length);
    expect(hex(encodeRecord(values[0]!))[0]).toHaveLength(2 * 168);
  });
});

describe.each(recordContenders)("%s", (contender) => {
  it.each(recordNames)("brings %s back as it was, while the time is taken too", async (input) => {
    for (const operation of ["encode", "decode"]) {
      const task = recordTask({ bench: "codec", input, operation, contender });
      await task.run(3);
      task.check();
      expect(task.bytes).toBeGreaterThan(100);
    }
  });
});

describe("a contender that is wrong", () => {
  it("is not measured", () => {
    const format: Format = {
      encode: () => new Uint8Array(1),
      decode: () => ({ ...seal, senderRole: "coordinator" }),
      received: (encoded) => encoded,
      size: () => 1,
    };
    expect(() => encodedAndVerified(format, recordCase("42"))).toThrow("does not survive");
  });

  it("is not known", () => {
    expect(() => recordTask({ bench: "codec", input: "42", operation: "encode", contender: "none" })).toThrow("none");
    expect(() => recordTask({ bench: "codec", input: "99", operation: "encode", contender: "wire" })).toThrow("99");
  });
});

describe.each(crcContenders)("CRC32C by %s", (contender) => {
  it.each(crcInputs)("is right for %s", async (input) => {
    const task = crcTask({ bench: "codec", input, operation: "crc32c", contender });
    await task.run(1);
    task.check();
    expect(task.bytes).toBeGreaterThanOrEqual(64);
  });
});
