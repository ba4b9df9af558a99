import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decodeFrozenRecord,
  decodeMetadata,
  decodePayloadEnvelope,
  encodeFrozenRecord,
  encodeMetadata,
  encodePayloadEnvelope,
  fromJson,
  frozenRecordFromJson,
  frozenRecordToJson,
  ridFromBytes,
  ridFromText,
  ridToBytes,
  ridToDisplay,
  ridToText,
  toJson,
  traceRecord,
  type Command,
} from "../src/index.ts";
import { textFromUtf8, utf8FromText } from "../src/utf8.ts";
import { cat, t16, t8, toHex } from "./support/bytes.ts";
import { refusal, refusalCode } from "./support/codec.ts";
import * as p from "./support/pieces.ts";
import { frozenRequest, frozenRequestBytes, frozenSend, frozenSendBytes, samples } from "./support/samples.ts";

describe("routing ids", () => {
  it("hold any bytes and give them back", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 255 }), (bytes) => {
        const rid = ridFromBytes(bytes);
        expect(toHex(ridToBytes(rid))).toBe(toHex(bytes));
        expect(ridFromBytes(Uint8Array.from(bytes))).toBe(rid);
      }),
    );
  });

  it("are text when their bytes are UTF-8", () => {
    expect(ridToText(ridFromText("nöde"))).toBe("nöde");
    expect(ridFromText("nöde")).toBe("nÃ¶de");
    expect(ridToText(ridFromBytes(p.rawRid))).toBeUndefined();
    expect(ridToDisplay(ridFromBytes(p.rawRid))).toBe("0xff00fe");
    expect(ridToDisplay(ridFromText("a\n"))).toBe("0x610a");
    expect(ridToDisplay(ridFromText("nöde"))).toBe("nöde");
  });

  it("have 1 to 255 bytes", () => {
    for (const text of ["", "a".repeat(256), "é".repeat(128), "\ud800"]) {
      expect(refusalCode(() => ridFromText(text))).toBe("invalid-field");
    }
    expect(refusalCode(() => ridFromBytes(new Uint8Array(256)))).toBe("invalid-field");
  });
});

describe("UTF-8", () => {
  it("is what the runtime's own encoder writes and its strict decoder reads", () => {
    const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 3000 }), (text) => {
        expect(toHex(utf8FromText(text)!)).toBe(Buffer.from(text).toString("hex"));
        expect(textFromUtf8(Buffer.from(text))).toBe(text);
      }),
    );
    const piece = fc.oneof(
      fc.constantFrom("c3a9", "e282ac", "f09f9880", "61"),
      fc.constantFrom("80", "c0", "ed", "f4", "ff", "e2"),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const bytes = Buffer.from(pieces.join(""), "hex");
        let expected: string | undefined;
        try {
          expected = strict.decode(bytes);
        } catch {
          expected = undefined;
        }
        expect(textFromUtf8(bytes)).toBe(expected);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("parts on their own", () => {
  it("frozen records", () => {
    for (const [value, bytes] of [
      [frozenSend, frozenSendBytes],
      [frozenRequest, frozenRequestBytes],
    ] as const) {
      expect(toHex(encodeFrozenRecord(value))).toBe(toHex(bytes));
      expect(decodeFrozenRecord(bytes)).toStrictEqual(value);
      expect(frozenRecordFromJson(JSON.parse(JSON.stringify(frozenRecordToJson(value))))).toStrictEqual(value);
      for (let length = 0; length < bytes.length; length++) {
        expect(refusalCode(() => decodeFrozenRecord(bytes.subarray(0, length)))).toBe("truncated-field");
      }
      expect(refusalCode(() => decodeFrozenRecord(cat(bytes, [0])))).toBe("trailing-byte");
    }
    expect(
      refusal(() => encodeFrozenRecord({ ...frozenRequest, replyRouteId: 0n } as typeof frozenRequest)).field,
    ).toBe("replyRouteId");
  });

  it("payload envelopes", () => {
    expect(toHex(encodePayloadEnvelope(p.payload))).toBe(toHex(p.payloadBytes));
    expect(decodePayloadEnvelope(p.payloadBytes)).toStrictEqual(p.payload);
    expect(refusal(() => decodePayloadEnvelope(p.payloadBytes.subarray(1))).field).toBe("payload.version");
    expect(refusal(() => encodePayloadEnvelope({ ...p.payload, packetName: "" })).field).toBe("payload.packetName");
  });

  it("metadata, from none to as many entries as fit", () => {
    expect(toHex(encodeMetadata(p.metadata))).toBe(toHex(p.metadataBytes));
    expect(decodeMetadata(p.metadataBytes)).toStrictEqual(p.metadata);
    expect(decodeMetadata(encodeMetadata([]))).toEqual([]);
    const many = Array.from({ length: 200 }, (_, index): [string, string] => [String.fromCharCode(0x100 + index), ""]);
    expect(decodeMetadata(encodeMetadata(many))).toEqual(many);
    const full: [string, string][] = [["k", "v".repeat(1018)]];
    expect(encodeMetadata(full).length).toBe(1024);
    expect(decodeMetadata(encodeMetadata(full))).toEqual(full);
    expect(refusalCode(() => encodeMetadata([["k", "v".repeat(1019)]]))).toBe("invalid-field");
    const repeated = cat([1, 9], ...many.slice(0, 8).map(([key]) => cat(t8(key), t16(""))), t8(many[0]![0]), t16(""));
    expect(refusal(() => decodeMetadata(repeated)).field).toBe("metadata[8].key");
  });
});

describe("section 7: the JSON form", () => {
  const json = (id: string): Record<string, unknown> => toJson(samples.find((sample) => sample.id === id)!.value);

  it("shows routing ids as text, or as hex", () => {
    expect(json("seal")).toMatchObject({ session: { sessionRid: { hex: "ff00fe" }, ownerNodeRid: "gate" } });
    const control = {
      ...samples.find(({ id }) => id === "bind")!.value,
      sessionRid: ridFromText("a\u0085"),
    } as Command;
    expect(toJson(control)).toMatchObject({ sessionRid: { hex: "61c285" } });
    expect(fromJson(toJson(control))).toStrictEqual(control);
  });

  it("leaves out what is absent, and flattens what is beside a discriminator", () => {
    expect(json("send-smallest")).not.toHaveProperty("sourceActor");
    expect(json("reply-join-accepted")).toMatchObject({
      tail: { operation: "actorJoin", joinResult: "accepted", membershipEpoch: "8", receiveChunkLimitBytes: 65536 },
      payload: { packetName: "move", contentType: "application/json", data: "0001feff" },
    });
    expect(json("data-request")).toMatchObject({
      record: {
        recordKind: "actorRequest",
        source: { kind: "node" },
        operation: { high: "0", low: "4" },
        replyRouteId: "7",
      },
    });
  });

  const wrong: [string, (value: Record<string, unknown>) => unknown, string][] = [
    ["a number for a u64", (value) => ({ ...value, correlation: 9 }), "correlation"],
    ["a leading zero", (value) => ({ ...value, correlation: "09" }), "correlation"],
    ["a sign", (value) => ({ ...value, correlation: "+9" }), "correlation"],
    ["hex in a u64", (value) => ({ ...value, correlation: "0x9" }), "correlation"],
    ["minus zero", (value) => ({ ...value, correlation: "-0" }), "correlation"],
    ["a very long number", (value) => ({ ...value, correlation: "9".repeat(1e6) }), "correlation"],
    ["a field that is not there", (value) => ({ ...value, correlations: "9" }), "correlations"],
    ["a missing field", (value) => ({ ...value, actor: undefined }), "actor"],
    ["an array for an object", (value) => ({ ...value, actor: [] }), "actor"],
    ["uppercase hex", (value) => ({ ...value, sessionRid: { hex: "FF" } }), "sessionRid"],
    ["half a byte", (value) => ({ ...value, sessionRid: { hex: "f" } }), "sessionRid"],
    ["an empty rid", (value) => ({ ...value, sessionRid: "" }), "sessionRid"],
    ["a lone surrogate in a rid", (value) => ({ ...value, sessionRid: "\ud800" }), "sessionRid"],
    ["a rid of another form", (value) => ({ ...value, sessionRid: { hex: "ff", text: "" } }), "sessionRid"],
    ["no case of a union", (value) => ({ ...value, binding: { state: "closed" } }), "binding.state"],
    [
      "another case's field",
      (value) => ({ ...value, binding: { state: "active", bindingGeneration: "1", x: 1 } }),
      "binding.x",
    ],
  ];
  it.each(wrong)("refuses %s", (_title, change, field) => {
    const error = refusal(() => fromJson(change(json("bind"))));
    expect([error.code, error.field]).toEqual(["invalid-field", field]);
  });

  it("knows no other command, and no value that is not an object", () => {
    for (const value of [undefined, null, 5, "x", [], {}, { command: "nothing" }, { command: "__proto__" }]) {
      expect(refusalCode(() => fromJson(value))).toBe("unknown-command");
    }
  });
});

describe("trace", () => {
  it.each(samples)("$id: the rows cover every byte once, in order", (sample) => {
    const { rows, error } = traceRecord(sample.frames, { operationOf: () => sample.operation });
    expect(error).toBeUndefined();
    for (const [index, bytes] of sample.frames.entries()) {
      let covered = 0;
      for (const row of rows.filter(({ frame }) => frame === index)) {
        expect(row.offset).toBe(covered);
        covered += row.length;
      }
      expect(covered).toBe(bytes.length);
    }
  });

  it("shows what could be read before the fault", () => {
    const seal = samples.find(({ id }) => id === "seal")!.frames[0]!;
    const { rows, error } = traceRecord([seal.subarray(0, 40)]);
    expect(rows.slice(0, 5).map(({ field, value }) => [field, value])).toEqual([
      ["magic", "ZM"],
      ["major", 1],
      ["command", "sessionRelocationSeal"],
      ["flags", 0],
      ["relocation.high", "18364758544493064720"],
    ]);
    expect(error?.field).toBe("coordinator.leaseGeneration");
  });
});
