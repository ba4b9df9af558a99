import { describe, expect, it } from "vitest";
import { commandIds, decodeRecord, encodeRecord, fromJson, toJson, type Command } from "../src/index.ts";
import { hex, toHex } from "./support/bytes.ts";
import { decodeSample, refusal, refusalCode } from "./support/codec.ts";
import { samples } from "./support/samples.ts";

const sealHex =
  "5a4d012a00000000000000000700000000000000090b636f6f7264696e61746f72000000000000000306736f757263650000000000000002" +
  "000973746f72652d76313701076163746f722d31000000000000000506736f757263650000000000000002000000000000000b0000000000" +
  "00000d06736f7572636500000000000000020d73657373696f6e2d6f776e657200000000000000080773657373696f6e0000000000000006";
const sealedHex = sealHex.replace("5a4d012a", "5a4d012b").replace("76313701", "763137");
const routeHead =
  "5a4d012c00000000000000000700000000000000090b636f6f7264696e61746f72000000000000000306736f757263650000000000000002" +
  "000973746f72652d763137";
const routeSession =
  "076163746f722d31000000000000000506736f7572636500000000000000020d73657373696f6e2d6f776e65720000000000000008" +
  "0773657373696f6e0000000000000006";
const commitHex = `${routeHead}02${routeSession}01001f000000000000000b000000000000000c067461726765740000000000000004`;
const abortHex = `${routeHead}01${routeSession}020008000000000000000b`;

describe("wire.md section 3: every command", () => {
  it("is among the samples", () => {
    const seen = new Set<string>(samples.map((sample) => sample.value.command));
    expect([...seen].sort()).toEqual(Object.keys(commandIds).sort());
  });

  it.each(samples)("encodes $id to the bytes laid out by hand", (sample) => {
    expect(encodeRecord(sample.value).map(toHex)).toEqual(sample.frames.map(toHex));
  });

  it.each(samples)("decodes $id from the bytes laid out by hand", (sample) => {
    expect(decodeSample(sample)).toStrictEqual(sample.value);
  });

  it.each(samples)("shows $id as JSON and reads it back", (sample) => {
    const json: unknown = JSON.parse(JSON.stringify(toJson(sample.value)));
    expect(fromJson(json)).toStrictEqual(sample.value);
  });
});

describe("the fixed points", () => {
  const cases = { seal: sealHex, sealed: sealedHex, commit: commitHex, abort: abortHex };
  it.each(Object.entries(cases))("%s round-trips", (_name, text) => {
    expect(encodeRecord(decodeRecord([hex(text)])).map(toHex)).toEqual([text]);
  });

  it("42 is the value it is known to be", () => {
    const command: Command = decodeRecord([hex(sealHex)]);
    expect(toJson(command)).toEqual({
      command: "sessionRelocationSeal",
      relocation: { high: "7", low: "9" },
      coordinator: {
        ownerId: "coordinator",
        leaseGeneration: "3",
        nodeRid: "source",
        nodeGeneration: "2",
        expectedAuthorityStoreVersion: "store-v17",
      },
      senderRole: "source",
      actor: {
        actor: { actorId: "actor-1", objectGeneration: "5" },
        nodeRid: "source",
        nodeGeneration: "2",
        authorityOwnerGeneration: "11",
        ownerLeaseGeneration: "13",
      },
      session: {
        ownerNodeRid: "source",
        ownerNodeGeneration: "2",
        ownerId: "session-owner",
        ownerLeaseGeneration: "8",
        sessionRid: "session",
        bindingGeneration: "6",
      },
    });
  });

  it("44 carries its lease only when eight bytes are left, and re-encodes as it came (3.3)", () => {
    const longer = hex(commitHex.replace("01001f", "010027") + "000000000000000d");
    const value = decodeRecord([longer]);
    expect(value).toMatchObject({ route: { targetOwnerLeaseGeneration: 13n } });
    expect(encodeRecord(value).map(toHex)).toEqual([toHex(longer)]);
    const odd = hex(commitHex.replace("01001f", "010026") + "0000000000000d");
    expect(refusalCode(() => decodeRecord([odd]))).toBe("trailing-byte");
    const zero = hex(commitHex.replace("01001f", "010027") + "0000000000000000");
    expect(refusal(() => decodeRecord([zero])).field).toBe("route.targetOwnerLeaseGeneration");
  });
});
