import { describe, expect, it } from "vitest";
import { commandIds, decodeRecord, encodeRecord, type Command } from "../src/index.ts";
import { cat, envelope, frame, long, t16, t8, u16, u32, u64, union16, type Piece } from "./support/bytes.ts";
import { decodeSample, refusal, refusalCode } from "./support/codec.ts";
import * as p from "./support/pieces.ts";
import { samples } from "./support/samples.ts";

const decode = (...frames: Uint8Array[]) => refusal(() => decodeRecord(frames));
const place = (error: { field: string; offset: number | undefined }) => [error.field, error.offset];

describe("section 4: truncated-field", () => {
  it.each(samples)("W6: $id cut at every byte", (sample) => {
    for (const [index, whole] of sample.frames.entries()) {
      for (let length = 0; length < whole.length; length++) {
        const frames = sample.frames.map((other, at) => (at === index ? whole.subarray(0, length) : other));
        const error = refusal(() => decodeSample({ ...sample, frames }));
        expect(error.code).toBe("truncated-field");
        expect(error.offset).toBeLessThanOrEqual(length);
      }
    }
  });

  it("names the field and where it begins", () => {
    const seal = samples.find(({ id }) => id === "seal")!.frames[0]!;
    const error = decode(seal.subarray(0, seal.length - 9));
    expect([error.code, ...place(error)]).toEqual(["truncated-field", "session.sessionRid", seal.length - 12]);
  });

  it("is for a delimited body that is longer than what is left, or too short for its fields", () => {
    const head = cat(u64(9), p.actorFenceBytes, t8("s"), [1]);
    expect(place(decode(frame(38, 0, head, u16(9), u64(2))))).toEqual(["binding", 4 + head.length]);
    const short = decode(frame(38, 0, head, u16(7), u64(2)));
    expect([short.code, ...place(short)]).toEqual(["truncated-field", "binding.bindingGeneration", 7 + head.length]);
  });
});

describe("section 4: the prefix, in that order", () => {
  const cases: readonly (readonly [string, Uint8Array, string, number])[] = [
    ["invalid-magic", Uint8Array.of(0x5a, 0x4e, 9, 9, 255), "magic", 0],
    ["unsupported-major", Uint8Array.of(0x5a, 0x4d, 2, 9, 255), "major", 2],
    ["unknown-command", Uint8Array.of(0x5a, 0x4d, 1, 9, 255), "command", 3],
    ["forbidden-flag", Uint8Array.of(0x5a, 0x4d, 1, 5, 1), "flags", 4],
  ];
  it.each(cases)("%s", (code, bytes, field, offset) => {
    const error = decode(bytes);
    expect([error.code, ...place(error)]).toEqual([code, field, offset]);
  });

  it("every id that is not a command is unknown-command", () => {
    const known = new Set<number>(Object.values(commandIds));
    for (let id = 0; id < 256; id++) {
      const { code } = decode(frame(id, 0));
      expect(code).toBe(known.has(id) ? "truncated-field" : "unknown-command");
    }
  });

  it("every command refuses every set of flags but its own", () => {
    const isMessage = (command: string) => command === "actorSend" || command === "actorRequest";
    for (const [command, id] of Object.entries(commandIds)) {
      for (let flags = 1; flags < 256; flags++) {
        const allowed = isMessage(command) && [1, 6, 7].includes(flags);
        expect(decode(frame(id, flags)).code).toBe(allowed ? "truncated-field" : "forbidden-flag");
      }
    }
  });

  it("reads left to right: the magic before what is missing behind it", () => {
    expect(decode(Uint8Array.of(0x5a, 0)).code).toBe("invalid-magic");
    expect(decode(Uint8Array.of(0)).code).toBe("truncated-field");
    expect(decode(Uint8Array.of(0x5a, 0x4d, 2)).code).toBe("unsupported-major");
  });
});

const fence = p.actorFenceBytes;
const node = union16([1], p.targetBytes);
const longMetadata = cat([1, 2], t8("a"), t16("v".repeat(1000)), t8("b"), t16("v".repeat(20)));

/** Bytes with one thing wrong, the field that the error has to name, and where that begins in the frame. */
type BadBytes = [title: string, frames: Uint8Array[], field: string, offset?: number];
const invalid: BadBytes[] = [
  ["probe zero", [frame(5, 0, u64(0))], "probeId", 5],
  ["gen zero", [frame(26, 0, u64(0), t8("x"))], "correlation", 5],
  ["gen 2^63", [frame(26, 0, u64(2n ** 63n), t8("x"))], "correlation", 5],
  ["text8 of length 0, and nothing behind it", [frame(26, 0, u64(1), [0])], "actorId", 13],
  ["NUL", [frame(26, 0, u64(1), t8("a\0b"))], "actorId", 13],
  ["overlong UTF-8", [frame(26, 0, u64(1), t8(Uint8Array.of(0xc0, 0x80)))], "actorId", 13],
  ["a surrogate in UTF-8", [frame(26, 0, u64(1), t8(Uint8Array.of(0xed, 0xa0, 0x80)))], "actorId", 13],
  ["cut UTF-8", [frame(26, 0, u64(1), t8(Uint8Array.of(0xe2, 0x82)))], "actorId", 13],
  ["past U+10FFFF", [frame(26, 0, u64(1), t8(Uint8Array.of(0xf4, 0x90, 0x80, 0x80)))], "actorId", 13],
  ["bool 2", [frame(28, 0, u64(1), fence, [2], p.spotFenceBytes)], "entry", 13 + fence.length],
  [
    "a bad bool as discriminator",
    [frame(37, 0, p.actorRefBytes, [2], u16(0))],
    "previousSpot",
    5 + p.actorRefBytes.length,
  ],
  ["reject reason 0", [frame(3, 0, u32(0))], "reason", 5],
  ["reject reason 13", [frame(3, 0, u32(13))], "reason", 5],
  ["a reserved failure code", [frame(20, 0, u64(1), u32(0), u32(23))], "failureCode", 17],
  ["a reserved failure code, the last", [frame(20, 0, u64(1), u32(0), u32(32))], "failureCode", 17],
  ["a terminal result that is none", [frame(20, 0, u64(1), u32(1), u32(0))], "terminalResult", 13],
  ["a terminal result past all tables", [frame(20, 0, u64(1), u32(0xffff_ffff), u32(0))], "terminalResult", 13],
  ["id128 zero", [frame(200, 0, u64(0), u64(0), u32(0), u32(0))], "operation", 5],
  ["hopCount 9", [frame(24, 0, u64(0), u64(0), [9])], "hopCount", 21],
  ["42 from a target", [frame(42, 0, p.relocationBytes, p.coordinatorBytes, [2], fence, p.sessionBytes)], "senderRole"],
  ["role 0", [frame(44, 0, p.relocationBytes, p.coordinatorBytes, [0])], "senderRole"],
  ["an object of no kind", [frame(31, 0, p.relocationBytes, u64(1), p.coordinatorBytes, [1], [4])], "object.kind"],
  ["context 1, which belongs to another version", [frame(33, 0, u64(0), u64(1), u64(1), [1], u16(0))], "context.kind"],
  [
    "a text16 of 4097, and the bytes are missing",
    [frame(46, 0, p.relocationBytes, t8("o"), u64(1), t8("r"), u64(1), u16(4097))],
    "coordinator.expectedAuthorityStoreVersion",
  ],
  [
    "a text16 of 0",
    [frame(46, 0, p.relocationBytes, t8("o"), u64(1), t8("r"), u64(1), u16(0))],
    "coordinator.expectedAuthorityStoreVersion",
  ],
  ["a rid of length 0", [frame(46, 0, p.relocationBytes, t8("o"), u64(1), [0])], "coordinator.nodeRid"],
  ["a blob past 64 MiB, and the bytes are missing", [stateFrame(u32(67_108_865))], "chunkData"],
  ["50 of version 2", [frame(50, 0, [2], u32(0))], "version", 5],
  ["50 with hopCount 0", [followFrame([0], u32(0), u32(0))], "hopCount"],
  ["50 with 1025 messages", [followFrame([1], u32(1025), u32(0))], "queuedMessages"],
  ["50 with too many bytes", [followFrame([1], u32(0), u32(16_777_217))], "queuedBytes"],
  ["40 with 2^38 + 1 bytes", [prepareFrame(u64(2n ** 38n + 1n), u32(0), u64(0))], "payloadTotalLength"],
  ["40 with 4097 chunks", [prepareFrame(u64(0), u32(4097), u64(0))], "payloadChunkCount"],
  ["40 with ord 2^63", [prepareFrame(u64(0), u32(0), u64(2n ** 63n))], "applicationVersion"],
  ["49 with no room asked for", [createFrame(u32(0))], "reservation.pendingCapacityDelta"],
  ["metadata version 2", [sendFrame(1), Uint8Array.of(2, 0), p.payloadBytes], "metadata.version", 0],
  [
    "a metadata key twice",
    [sendFrame(1), cat([1, 2], t8("k"), t16("1"), t8("k"), t16("2")), p.payloadBytes],
    "metadata[1].key",
    7,
  ],
  ["an empty metadata key", [sendFrame(1), cat([1, 1], [0], t16("1")), p.payloadBytes], "metadata[0].key", 2],
  ["NUL in a metadata value", [sendFrame(1), cat([1, 1], t8("k"), t16("\0")), p.payloadBytes], "metadata[0].value", 4],
  [
    "a metadata value past 1024, missing",
    [sendFrame(1), cat([1, 1], t8("k"), u16(1025)), p.payloadBytes],
    "metadata[0].value",
    4,
  ],
  [
    "a metadata frame of 1025 bytes",
    [sendFrame(1), cat([1, 1], t8("k"), t16("v".repeat(1019))), p.payloadBytes],
    "metadata",
    0,
  ],
  ["payload version 0", [sendFrame(0), cat([0], p.payloadBytes.subarray(1))], "payload.version", 0],
  ["a packet name of 0 bytes", [sendFrame(0), envelope("", "t", [])], "payload.packetName", 5],
  ["a frozen record of kind 8", [dataFrame([8])], "record.recordKind"],
  [
    "an operation kind that is not its record's",
    [dataFrame([2], node, [0], u64(0), u64(1), u32(4))],
    "record.operationKind",
  ],
  ["a request without operation", [dataFrame([2], node, [0], u64(0), u64(0))], "record.operation"],
  [
    "a one-way record with an operation kind",
    [dataFrame([1], node, [0], u64(0), u64(0), u32(1))],
    "record.operationKind",
  ],
  ["a frozen source of kind 5", [dataFrame([1], [5])], "record.source.kind"],
  [
    "metadata past 1,024 bytes inside a frozen record",
    [dataFrame([1], node, [1], longMetadata)],
    "record.metadata[1].value",
  ],
];

function stateFrame(...rest: Piece[]): Uint8Array {
  return frame(52, 0, p.relocationBytes, u64(1), p.coordinatorBytes, [1], p.objectBytes, u32(0), ...rest);
}
function dataFrame(...record: Piece[]): Uint8Array {
  return frame(31, 0, p.relocationBytes, u64(1), p.coordinatorBytes, [1], p.objectBytes, ...record);
}
function sendFrame(flags: number): Uint8Array {
  return frame(24, flags, u64(0), u64(0), [0, 0], fence);
}
function followFrame(...middle: Piece[]): Uint8Array {
  const route = union16([1], fence);
  return frame(50, 0, [1], long(route, route, ...middle, u64(0), u64(0), u64(0)));
}
function prepareFrame(length: Piece, chunks: Piece, version: Piece): Uint8Array {
  const head = cat(p.relocationBytes, u64(1), p.coordinatorBytes, p.targetBytes, [1], p.objectBytes, t8("r"), u64(1));
  return frame(40, 0, head, length, chunks, u32(0), version);
}
function createFrame(delta: Piece): Uint8Array {
  const reservation = cat(p.reservationBytes.subarray(0, p.reservationBytes.length - 4), delta);
  return frame(49, 0, u64(1), u64(0), u64(1), t8("r"), u64(1), t8("a"), t8("T"), reservation, u64(1));
}

describe("section 4: invalid-field", () => {
  it.each(invalid.map(([title, ...rest]) => ({ title, rest })))("$title", ({ rest: [frames, field, offset] }) => {
    const error = decode(...frames);
    expect([error.code, error.field]).toEqual(["invalid-field", field]);
    if (offset !== undefined) expect(error.offset).toBe(offset);
  });
});

describe("section 4: trailing-byte", () => {
  it.each(samples)("$id with a byte too many in any frame", (sample) => {
    for (const index of sample.frames.keys()) {
      const frames = sample.frames.map((bytes, at) => (at === index ? cat(bytes, [0]) : bytes));
      const error = refusal(() => decodeSample({ ...sample, frames }));
      expect([error.code, error.offset]).toEqual(["trailing-byte", sample.frames[index]!.length]);
    }
  });

  const bodies: readonly (readonly [string, Uint8Array[], string])[] = [
    ["a binding", [frame(38, 0, u64(1), fence, t8("s"), union16([1], u64(1), [0]))], "binding"],
    [
      "an object",
      [
        frame(
          30,
          0,
          p.relocationBytes,
          u64(1),
          p.coordinatorBytes,
          p.targetBytes,
          union16([1], t8("a"), u64(1), u64(1), [0]),
          [1],
        ),
      ],
      "object",
    ],
    ["no previous spot", [frame(37, 0, p.actorRefBytes, union16([0], [0]), p.spotRefBytes, u64(1))], "previousSpot"],
    [
      "a previous spot",
      [frame(37, 0, p.actorRefBytes, union16([1], p.spotRefBytes, [0]), p.spotRefBytes, u64(1))],
      "previousSpot",
    ],
    [
      "a follow",
      [
        frame(
          50,
          0,
          [1],
          long(union16([1], fence), union16([1], fence), [1], u32(0), u32(0), u64(0), u64(0), u64(0), [0]),
        ),
      ],
      "rest",
    ],
    ["a payload", [sendFrame(0), cat([1], long(t8("n"), t8("t"), long(), [0]))], "payload.body"],
    ["a frozen source", [dataFrame([1], union16([1], p.targetBytes, [0]))], "record.source"],
    [
      "a reply route of a one-way record",
      [dataFrame([1], node, [0], u64(0), u64(0), u32(0), u16(8), u64(1))],
      "record.replyRoute",
    ],
    ["a reply route", [dataFrame([2], node, [0], u64(0), u64(1), u32(1), u16(9), u64(1), [0])], "record.replyRoute"],
    [
      "an abort",
      [
        frame(
          44,
          0,
          p.relocationBytes,
          p.coordinatorBytes,
          [1],
          p.actorRefBytes,
          p.sessionBytes,
          union16([2], u64(1), [0]),
        ),
      ],
      "route",
    ],
  ];
  it.each(bodies)("inside the body of %s", (_title, frames, field) => {
    const error = decode(...frames);
    expect([error.code, error.field]).toEqual(["trailing-byte", field]);
  });

  it("a reply whose operation is not known, or not ok, has no tail", () => {
    const reply = frame(20, 0, u64(9), u32(0), u32(0), u64(5), u64(6));
    expect(decode(reply).code).toBe("trailing-byte");
    const failed = frame(20, 0, u64(9), u32(106), u32(0), u64(5), u64(6));
    expect(refusalCode(() => decodeRecord([failed], { operationOf: () => "streamBind" }))).toBe("trailing-byte");
    expect(refusalCode(() => decodeRecord([reply], { operationOf: () => "actorDestroy" }))).toBe("trailing-byte");
    const asked: bigint[] = [];
    decodeRecord([reply], { operationOf: (correlation) => (asked.push(correlation), "streamBind") });
    expect(asked).toEqual([9n]);
  });
});

describe("section 4: frame-count comes last", () => {
  it("no frame at all is checked first", () => {
    expect(refusalCode(() => decodeRecord([]))).toBe("frame-count");
  });

  it.each(samples)("$id with a frame too many", (sample) => {
    const takesPayload = ["reply", "actorJoin", "replyRelay"].includes(sample.value.command);
    const extra = takesPayload && sample.frames.length === 1 ? [p.payloadBytes, p.payloadBytes] : [p.payloadBytes];
    const frames = [...sample.frames, ...extra];
    expect(refusalCode(() => decodeSample({ ...sample, frames }))).toBe("frame-count");
    expect(refusalCode(() => decodeSample({ ...sample, frames: [...frames, new Uint8Array(0)] }))).toBe("frame-count");
  });

  it.each(["send-smallest", "send-full", "request", "push"])("%s without its payload", (id) => {
    const sample = samples.find((candidate) => candidate.id === id)!;
    expect(refusalCode(() => decodeSample({ ...sample, frames: sample.frames.slice(0, -1) }))).toBe("frame-count");
    expect(refusalCode(() => decodeSample({ ...sample, frames: sample.frames.slice(0, 1) }))).toBe("frame-count");
  });

  it("every other fault comes before it", () => {
    expect(decode(cat(sendFrame(0), [0])).code).toBe("trailing-byte");
    expect(decode(sendFrame(1), Uint8Array.of(1)).code).toBe("truncated-field");
    expect(decode(frame(5, 0, u64(0)), p.payloadBytes).code).toBe("invalid-field");
  });
});

describe("3.3: rules across fields come when the frame has been read whole", () => {
  const route = (role: number, ...update: Piece[]): Uint8Array =>
    frame(44, 0, p.relocationBytes, p.coordinatorBytes, [role], p.actorRefBytes, p.sessionBytes, ...update);
  const commit = (previous: number, next: number): Uint8Array =>
    union16([1], u64(previous), u64(next), t8("t"), u64(1));
  const abort = union16([2], u64(1));
  const roleAt = 5 + p.relocationBytes.length + p.coordinatorBytes.length;

  it("a commit comes from target or coordinator, an abort from source or coordinator", () => {
    const commitFromSource = decode(route(1, commit(1, 2)));
    expect([commitFromSource.code, ...place(commitFromSource)]).toEqual(["invalid-field", "senderRole", roleAt]);
    expect(place(decode(route(2, abort)))).toEqual(["senderRole", roleAt]);
    for (const good of [route(2, commit(1, 2)), route(3, commit(1, 2)), route(1, abort), route(3, abort)]) {
      expect(decodeRecord([good]).command).toBe("sessionRelocationRoute");
    }
  });

  it("a commit's target generation is greater than its previous one", () => {
    for (const bytes of [route(2, commit(2, 2)), route(2, commit(3, 2))]) {
      const error = decode(bytes);
      expect([error.code, error.field]).toEqual(["invalid-field", "route.targetAuthorityOwnerGeneration"]);
      expect(error.offset).toBe(bytes.length - commit(1, 2).length + 3 + 8);
    }
  });

  it("but not before a trailing byte, and before the frames are counted", () => {
    expect(decode(route(1, commit(1, 2), [0])).code).toBe("trailing-byte");
    expect(decode(route(1, commit(1, 2)), p.payloadBytes).code).toBe("invalid-field");
  });

  it("encode refuses the same", () => {
    const good = decodeRecord([route(2, commit(1, 2))]) as Command & { command: "sessionRelocationRoute" };
    const error = refusal(() => encodeRecord({ ...good, senderRole: "source" }));
    expect([error.code, ...place(error)]).toEqual(["invalid-field", "senderRole", roleAt]);
    const backwards = { ...good.route, targetAuthorityOwnerGeneration: 1n } as typeof good.route;
    expect(refusal(() => encodeRecord({ ...good, route: backwards })).field).toBe(
      "route.targetAuthorityOwnerGeneration",
    );
  });
});

type BadValue = [id: string, path: string, value: unknown, code: string, field?: string];

/** A value with one property changed, which no type allows. */
function broken(id: string, path: string, value: unknown): Command {
  const copy = structuredClone(samples.find((sample) => sample.id === id)!.value) as unknown as Record<string, unknown>;
  const names = path.split(".");
  const last = names.pop()!;
  const owner = names.reduce((object, name) => object[name] as Record<string, unknown>, copy);
  if (value === undefined) delete owner[last];
  else owner[last] = value;
  return copy as unknown as Command;
}

describe("section 4: encode refuses what decode would refuse", () => {
  const cases: BadValue[] = [
    ["seal", "command", "sealed", "unknown-command"],
    ["seal", "command", undefined, "unknown-command"],
    ["seal", "relocation", { high: 0n, low: 0n }, "invalid-field"],
    ["seal", "relocation", undefined, "invalid-field"],
    ["seal", "relocation.high", -1n, "invalid-field"],
    ["seal", "relocation.low", 2n ** 64n, "invalid-field"],
    ["seal", "relocation.low", 5, "invalid-field"],
    ["seal", "senderRole", "target", "invalid-field"],
    ["seal", "senderRole", "toString", "invalid-field"],
    ["seal", "actor", null, "invalid-field"],
    ["seal", "actor.actor.actorId", "", "invalid-field"],
    ["seal", "actor.actor.actorId", "a".repeat(256), "invalid-field"],
    ["seal", "actor.actor.actorId", "é".repeat(128), "invalid-field"],
    ["seal", "actor.actor.actorId", "a\0", "invalid-field"],
    ["seal", "actor.actor.actorId", 7, "invalid-field"],
    ["seal", "coordinator.expectedAuthorityStoreVersion", "v".repeat(4097), "invalid-field"],
    ["seal", "actor.nodeRid", "", "invalid-field"],
    ["seal", "actor.nodeRid", "Ā", "invalid-field"],
    ["seal", "actor.nodeRid", "r".repeat(256), "invalid-field"],
    ["seal", "session.bindingGeneration", 0n, "invalid-field"],
    ["seal", "session.bindingGeneration", 2n ** 63n, "invalid-field"],
    ["seal", "session.bindingGeneration", 1, "invalid-field"],
    ["seal", "session.bindingGeneration", undefined, "invalid-field"],
    ["seal", "metadata", [], "forbidden-flag", "flags"],
    ["seal", "sessionTail", {}, "forbidden-flag", "flags"],
    ["seal", "payload", p.payload, "frame-count", "frames"],
    ["send-smallest", "payload", undefined, "frame-count", "frames"],
    ["send-smallest", "hopCount", 9, "invalid-field"],
    ["send-smallest", "hopCount", 1.5, "invalid-field"],
    ["send-smallest", "payload.data", [1], "invalid-field"],
    [
      "send-full",
      "metadata",
      [
        ["k", "1"],
        ["k", "2"],
      ],
      "invalid-field",
      "metadata[1].key",
    ],
    ["send-full", "metadata", [["k"]], "invalid-field", "metadata[0].value"],
    ["send-full", "metadata", [["k", "v".repeat(1025)]], "invalid-field", "metadata[0].value"],
    [
      "send-full",
      "metadata",
      [
        ["a", "v".repeat(1000)],
        ["b", "v".repeat(20)],
      ],
      "invalid-field",
      "metadata[1].value",
    ],
    ["send-full", "metadata", "k", "invalid-field", "metadata"],
    ["reply-bind", "terminalResult", "busy", "invalid-field", "tail"],
    ["reply-bind", "tail.operation", "actorDestroy", "invalid-field", "tail.operation"],
    ["joined-from", "previousSpot.spotId", "", "invalid-field"],
    ["join", "entry", 1, "invalid-field"],
    ["cutover", "boundaryChecksumCrc32c", 2 ** 32, "invalid-field"],
    ["cutover", "boundaryChecksumCrc32c", -1, "invalid-field"],
    ["state", "chunkData", "00", "invalid-field"],
    ["follow", "version", 2, "invalid-field"],
    ["follow", "source.kind", "object", "invalid-field"],
    ["data-request", "record.operation", { high: 0n, low: 0n }, "invalid-field"],
    ["data-request", "record.operationKind", "spotRequest", "invalid-field"],
    ["data-request", "record.replyRouteId", undefined, "invalid-field"],
    ["data-request", "record.recordKind", "streamSend", "invalid-field"],
    ["hello", "admission.placementWeight", undefined, "invalid-field"],
    ["hello", "admission.ownerId", undefined, "invalid-field"],
    ["hello", "admission.unknown", [[1, new Uint8Array(0)]], "invalid-field", "admission.unknown[0]"],
    [
      "hello",
      "admission.channels",
      [
        { name: "b", weight: 1 },
        { name: "a", weight: 1 },
      ],
      "invalid-field",
      "admission.channels[1]",
    ],
    ["hello", "admission.protocolCapabilities", ["a", "a"], "invalid-field", "admission.protocolCapabilities[1]"],
  ];
  it.each(cases.map((bad) => ({ title: `${bad[0]} with another ${bad[1]}`, bad })))("$title", ({ bad }) => {
    const [id, path, value, code, field] = bad;
    const error = refusal(() => encodeRecord(broken(id, path, value)));
    expect([error.code, error.field]).toEqual([code, field ?? path]);
  });

  it("names the offset at which decoding would have found it", () => {
    const seal = samples.find(({ id }) => id === "seal")!;
    const bytes = Uint8Array.from(seal.frames[0]!);
    bytes.fill(0, bytes.length - 8);
    const error = refusal(() => encodeRecord(broken("seal", "session.bindingGeneration", 0n)));
    expect(place(error)).toEqual(place(decode(bytes)));
  });
});
