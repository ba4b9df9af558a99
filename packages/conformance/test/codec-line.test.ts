import { describe, expect, it } from "vitest";
import { answerLine, answerRequest, type CodecError } from "../src/codec-line/index.ts";

/** A 42, `docs/wire.md` section 3, laid out by hand. */
const seal =
  "5a4d012a00000000000000000700000000000000090b636f6f7264696e61746f72000000000000000306736f757263650000000000000002000973746f72652d76313701076163746f722d31000000000000000506736f757263650000000000000002000000000000000b000000000000000d06736f7572636500000000000000020d73657373696f6e2d6f776e657200000000000000080773657373696f6e0000000000000006";
const sealValue = {
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
};
/** A 20 that accepts an `actorJoin`. */
const joined = `5a4d011400${"0000000000000009"}${"00000000"}${"00000000"}00000000001a${"0573706f742d"}`;

function errorOf(request: unknown): CodecError {
  const answer = answerRequest(request) as { readonly error?: CodecError };
  expect(answer.error).toBeDefined();
  return answer.error!;
}

describe("the line protocol", () => {
  it("encodes and decodes the value of wire.md section 7, u64s as decimal strings", () => {
    expect(answerRequest({ op: "encode", value: sealValue })).toEqual({ frames: [seal] });
    expect(answerRequest({ op: "decode", frames: [seal] })).toEqual({ value: sealValue });
  });

  it("keeps the extremes of u64 exact", () => {
    for (const probeId of ["9007199254740991", "9007199254740993", "18446744073709551615"]) {
      const { frames } = answerRequest({ op: "encode", value: { command: "livenessProbe", probeId } }) as {
        frames: string[];
      };
      expect(answerRequest({ op: "decode", frames })).toEqual({ value: { command: "livenessProbe", probeId } });
    }
  });

  it("reads a reply's tail by the operation it is told", () => {
    const value = {
      command: "reply",
      correlation: "9",
      terminalResult: "ok",
      failureCode: "none",
      tail: { operation: "streamBind", bindingGeneration: "5", authorityOwnerGeneration: "6" },
    };
    const { frames } = answerRequest({ op: "encode", value }) as { frames: string[] };
    expect(answerRequest({ op: "decode", frames, operation: "streamBind" })).toEqual({ value });
    expect(errorOf({ op: "decode", frames }).code).toBe("trailing-byte");
    expect(errorOf({ op: "decode", frames: [joined], operation: "actorJoin" }).code).toBe("truncated-field");
  });

  it("gives keys and takes them apart", () => {
    expect(answerRequest({ op: "identityKey", value: sealValue })).toEqual({ key: "7:9:actor-1:5:session:6" });
    expect(answerRequest({ op: "authorityKey", kind: "actor", id: "user:42" })).toEqual({
      key: "zla1:a:7:user%3A42",
    });
    expect(answerRequest({ op: "authorityKey", kind: "spot", id: "é" })).toEqual({ key: "zla1:s:2:%C3%A9" });
    expect(answerRequest({ op: "parseAuthorityKey", key: "zla1:s:2:%C3%A9" })).toEqual({ kind: "spot", id: "é" });
    expect(errorOf({ op: "parseAuthorityKey", key: "zla1:s:2:%c3%a9" })).toMatchObject({
      code: "invalid-field",
      field: "key",
    });
  });

  it("gives no identity key for what is no record, and for records that have none", () => {
    const actor = { ...sealValue.actor, actor: { actorId: "actor-1", objectGeneration: "0" } };
    expect(errorOf({ op: "identityKey", value: { ...sealValue, actor } })).toMatchObject({
      code: "invalid-field",
      field: "actor.actor.objectGeneration",
    });
    const probe = { command: "livenessProbe", probeId: "1" };
    expect(errorOf({ op: "identityKey", value: probe })).toMatchObject({ code: "invalid-field", field: "command" });
  });

  it("continues CRC32C over pieces, and is never negative", () => {
    expect(answerRequest({ op: "crc32c", hex: ["3132", "", "33343536373839"] })).toEqual({ crc32c: 3808858755 });
    expect(answerRequest({ op: "crc32c", hex: [] })).toEqual({ crc32c: 0 });
  });

  it("answers a durable envelope by the envelope itself", () => {
    const chunk = "5a4c5443010000000000090000000700000001ff";
    const { crc32c } = answerRequest({ op: "crc32c", hex: [chunk] }) as { crc32c: number };
    const hex = chunk + crc32c.toString(16).padStart(8, "0");
    expect(answerRequest({ op: "durable", hex })).toEqual({ magic: "ZLTC", order: 7, data: "ff" });
    expect(errorOf({ op: "durable", hex: `${chunk}00000000` }).code).toBe("checksum-mismatch");
  });

  it("says where a frame is refused; what does not apply is absent, never null", () => {
    const { message, ...rest } = errorOf({ op: "decode", frames: [seal.slice(0, 300)] });
    expect(rest).toEqual({ code: "truncated-field", field: "session.ownerLeaseGeneration", offset: 144 });
    expect(message).toContain("session.ownerLeaseGeneration");
    const unplaced = errorOf({ op: "encode", value: { ...sealValue, senderRole: 1 } });
    expect(Object.keys(unplaced)).toEqual(["code", "field", "message"]);
    expect(answerLine('{"op":"encode"}')).not.toContain("null");
  });
});

describe("hostile requests", () => {
  it.each([
    ["null", null],
    ["an array", []],
    ["a number", 7],
    ["no op", {}],
    ["an unknown op", { op: "decode2" }],
    ["an op of the prototype", { op: "constructor" }],
    ["no value", { op: "encode" }],
    ["no frames", { op: "decode" }],
    ["frames that are none", { op: "decode", frames: seal }],
    ["a frame that is no text", { op: "decode", frames: [7] }],
    ["half a byte", { op: "decode", frames: ["5a4"] }],
    ["what is not hex", { op: "decode", frames: ["5a4g"] }],
    ["digits of another script", { op: "decode", frames: ["５a"] }],
    ["an unknown operation", { op: "decode", frames: [seal], operation: "toString" }],
    ["null as an operation", { op: "decode", frames: [seal], operation: null }],
    ["an unknown kind", { op: "authorityKey", kind: "session", id: "a" }],
    ["an id that is no text", { op: "authorityKey", kind: "actor", id: 7 }],
    ["a key that is no text", { op: "parseAuthorityKey", key: ["zla1:a:1:a"] }],
    ["pieces that are one text", { op: "crc32c", hex: "31" }],
    ["pieces that are none", { op: "durable", hex: ["31"] }],
  ])("%s: invalid-request", (_, request) => {
    expect(errorOf(request).code).toBe("invalid-request");
  });

  it.each(["", " ", "{", "nul", "{'op':1}", "\ufeff{}", "[".repeat(100_000)])("not JSON: %j", (line) => {
    expect(JSON.parse(answerLine(line))).toMatchObject({ error: { code: "invalid-json" } });
  });

  it("are answered however deep they are nested", () => {
    const depth = 100_000;
    const deep = `{"op":"encode","value":${'{"a":'.repeat(depth)}1${"}".repeat(depth)}}`;
    const { error } = JSON.parse(answerLine(deep)) as { error: CodecError };
    // A runtime may refuse to parse what is so deep.
    expect(["unknown-command", "invalid-json"]).toContain(error.code);
  });

  it("are repeated in answers only in part", () => {
    const name = "x".repeat(1_000_000);
    expect(answerLine(JSON.stringify({ op: "encode", value: { ...sealValue, [name]: 1 } })).length).toBeLessThan(1000);
    expect(answerLine(name).length).toBeLessThan(1000);
  });

  it("cannot reach a prototype", () => {
    const answer = answerLine(`{"op":"encode","value":{"command":"livenessProbe","probeId":"1","__proto__":{"x":1}}}`);
    expect(JSON.parse(answer)).toMatchObject({ error: { code: "invalid-field", field: "__proto__" } });
    expect(answerLine(`{"__proto__":{"op":"crc32c","hex":[]}}`)).toContain("invalid-request");
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  it("lone surrogates are refused, and errors about them are still JSON", () => {
    expect(JSON.parse(answerLine('{"op":"authorityKey","kind":"actor","id":"hi \\ud83d"}'))).toMatchObject({
      error: { code: "invalid-field" },
    });
    const line = answerLine('{"op":"encode","value":{"command":"\\udc00"}}');
    expect(JSON.parse(line)).toMatchObject({ error: { code: "unknown-command" } });
    expect(line).not.toMatch(/[\ud800-\udfff]/);
  });
});
