import { crc32c } from "@rehome/wire";
import { describe, expect, it } from "vitest";
import type { TargetInput } from "../../src/target/inputs.ts";
import { startTarget } from "../../src/target/step.ts";
import {
  Driver,
  START,
  allChunks,
  chunksOf,
  config,
  expectNoEffect,
  payload,
  prepareOf,
  prepareReceived,
  source,
  stateReceived,
} from "./fixture.ts";

describe("T2: chunks", () => {
  it("T2: the payload is what the chunks say in ordinal order, and nothing is restored before the last", () => {
    const driver = new Driver();
    const [first, second, third] = allChunks();
    driver.take(first!, second!);
    expect(driver.types()).not.toContain("RestoreUnit");
    const effects = driver.take(third!);
    expect(effects).toHaveLength(1);
    const [restore] = effects;
    expect(restore?.type === "RestoreUnit" && [...restore.payload]).toEqual([...payload]);
  });

  it("T2: an empty payload has no chunk, and is restored at once", () => {
    const driver = new Driver(prepareReceived(prepareOf({ data: new Uint8Array() })));
    expect(driver.state.type).toBe("restoring");
    expect(driver.effects[1]).toEqual({ type: "RestoreUnit", payload: new Uint8Array(0) });
  });

  it("T2: a repeated chunk has no effect, one with other data is refused", () => {
    const driver = new Driver();
    driver.take(...allChunks().slice(0, 2));
    expectNoEffect(driver, allChunks()[0]!);
    expectNoEffect(driver, stateReceived(0, Uint8Array.of(1, 2, 3, 9)), "target.refused", { field: "chunkData" });
    driver.take(allChunks()[2]!);
    expect(driver.state.type).toBe("restoring");
    expectNoEffect(driver, allChunks()[2]!, "target.ignored", { record: "relocationState" });
  });

  const bad: readonly [string, TargetInput[]][] = [
    ["a gap in the ordinals", [stateReceived(1, payload.slice(4, 8))]],
    [
      "a chunk that is shorter than the first",
      [stateReceived(0, payload.slice(0, 4)), stateReceived(1, payload.slice(4, 7))],
    ],
    [
      "a chunk that is longer than the first",
      [stateReceived(0, payload.slice(0, 4)), stateReceived(1, payload.slice(4, 9))],
    ],
    ["an empty chunk", [stateReceived(0, new Uint8Array())]],
    ["a first chunk above the agreed size", [stateReceived(0, payload.slice(0, 5))]],
    ["a first chunk that leaves the others too much", [stateReceived(0, payload.slice(0, 3))]],
    ["a last chunk that is too short", [...allChunks().slice(0, 2), stateReceived(2, payload.slice(8, 9))]],
    ["a last chunk that is too long", [...allChunks().slice(0, 2), stateReceived(2, Uint8Array.of(9, 10, 11))]],
    ["a wrong checksum", [...allChunks().slice(0, 2), stateReceived(2, Uint8Array.of(9, 11))]],
  ];
  for (const [name, inputs] of bad) {
    it(`T2: ${name} ends the attempt, and nothing is restored`, () => {
      const driver = new Driver();
      driver.take(...inputs);
      expect(driver.state.type).toBe("failed");
      expect(driver.types()).not.toContain("RestoreUnit");
      expect(driver.effects).toContainEqual(
        expect.objectContaining({
          type: "SendFailed",
          peer: source.nodeRid,
          command: expect.objectContaining({ failureCode: "relocationDataLost" }) as unknown,
        }),
      );
    });
  }

  it("T2: a smaller size that the join's answer agreed on is as good", () => {
    const driver = new Driver(prepareReceived(prepareOf({ payloadChunkCount: 5 })));
    driver.take(...chunksOf(payload, 2).map((chunk, ordinal) => stateReceived(ordinal, chunk)));
    expect(driver.state.type).toBe("restoring");
  });

  it("T2: two chunks that are whole together, but not cut to the agreed size, are refused", () => {
    const data = payload.slice(0, 8);
    const driver = new Driver(prepareReceived(prepareOf({ data })));
    driver.take(stateReceived(0, data.slice(0, 5)));
    expect(driver.state.type).toBe("failed");
  });

  it("T2: a length that is off is refused, though the checksum fits what came", () => {
    const short = payload.slice(0, 9);
    const driver = new Driver(prepareReceived(prepareOf({ payloadChecksumCrc32c: crc32c(short) })));
    driver.take(...chunksOf(short).map((chunk, ordinal) => stateReceived(ordinal, chunk)));
    expect(driver.state.type).toBe("failed");
  });

  it("T2: one chunk may be as long as the agreed size and no longer", () => {
    const one = (length: number): Driver => {
      const data = payload.slice(0, length);
      const driver = new Driver(prepareReceived(prepareOf({ data, payloadChunkCount: 1 })));
      driver.take(stateReceived(0, data));
      return driver;
    };
    expect(one(4).state.type).toBe("restoring");
    expect(() => one(5)).toThrow("payloadChunkCount");
  });

  const sizes: readonly [string, Parameters<typeof prepareOf>[0]][] = [
    ["an empty payload with a chunk", { data: new Uint8Array(), payloadChunkCount: 1 }],
    ["an empty payload with a checksum", { data: new Uint8Array(), payloadChecksumCrc32c: 1 }],
    ["no chunk for ten bytes", { payloadChunkCount: 0 }],
    ["too few chunks for the agreed size", { payloadChunkCount: 2 }],
    ["more chunks than bytes", { payloadChunkCount: 11 }],
    ["more bytes than a state may have", { payloadTotalLength: 64n * 1024n * 1024n + 1n, payloadChunkCount: 4096 }],
  ];
  for (const [name, change] of sizes) {
    it(`T2, T4: ${name} opens nothing`, () => {
      expect(() => startTarget(config, prepareReceived(prepareOf(change)), START)).toThrow("cannot open");
    });
  }
});
