import { describe, expect, it } from "vitest";
import { decodeRecord, encodeRecord, fromJson, toJson, type Hello, type WireErrorCode } from "../src/index.ts";
import { cat, frame, long, t16, t8, toHex, u16, u32, u64, type Piece } from "./support/bytes.ts";
import { refusal } from "./support/codec.ts";
import * as p from "./support/pieces.ts";

const head = cat(t8("mesh"), t8("id"), u64(1), u64(1), t16("tcp://h:1"));
const required: readonly (readonly [number, Piece])[] = [
  [1, [1]],
  [2, u64(0)],
  [6, u16(0)],
  [8, u32(50)],
  [32, p.rawRid],
];

function hello(fields: readonly (readonly [number, Piece])[], channels: Piece = u16(0), ...more: Piece[]): Uint8Array {
  const extension = long(...fields.map(([id, value]) => cat([id], long(value))));
  return frame(1, 0, [1], long(head, channels, extension, ...more));
}

function withField(id: number, value: Piece): (readonly [number, Piece])[] {
  return [...required.filter(([other]) => other !== id), [id, value] as const].sort(([a], [b]) => a - b);
}

describe("3.1: admission", () => {
  it("keeps fields that it does not know, and encodes them again in their place", () => {
    const bytes = hello([[0, [9]], ...required, [33, Buffer.from("o")], [34, u64(1)], [200, []]]);
    const value = decodeRecord([bytes]) as Hello;
    expect(value.admission.unknown).toEqual([
      [0, Uint8Array.of(9)],
      [200, new Uint8Array(0)],
    ]);
    expect(encodeRecord(value).map(toHex)).toEqual([toHex(bytes)]);
    expect(toJson(value)).toMatchObject({
      admission: {
        topology: "routeMesh",
        unknown: [
          [0, "09"],
          [200, ""],
        ],
        nodeRid: { hex: "ff00fe" },
      },
    });
    expect(encodeRecord(fromJson(toJson(value))).map(toHex)).toEqual([toHex(bytes)]);
  });

  it("needs neither owner nor lease, but not one without the other", () => {
    const value = decodeRecord([hello(required)]) as Hello;
    expect("ownerId" in value.admission || "unknown" in value.admission).toBe(false);
    const owner = refusal(() => decodeRecord([hello([...required, [33, [0x6f]]])]));
    expect([owner.code, owner.field]).toEqual(["invalid-field", "admission.ownerLeaseGeneration"]);
    const lease = refusal(() => decodeRecord([hello([...required, [34, u64(1)]])]));
    expect([lease.code, lease.field]).toEqual(["invalid-field", "admission.ownerId"]);
  });

  it.each(required)("extension field %i is required", (id) => {
    const error = refusal(() => decodeRecord([hello(required.filter(([other]) => other !== id))]));
    expect(error.code).toBe("invalid-field");
  });

  it("a rule across fields comes after what is left over", () => {
    expect(refusal(() => decodeRecord([hello([], u16(0), [0])])).code).toBe("trailing-byte");
    expect(refusal(() => decodeRecord([cat(hello([]), [0])])).code).toBe("trailing-byte");
    expect(refusal(() => decodeRecord([hello([]), p.payloadBytes])).code).toBe("invalid-field");
  });

  const faults: [string, Uint8Array, WireErrorCode, string][] = [
    ["a field twice", hello([...required, [32, [1]]]), "invalid-field", "admission.nodeRid"],
    ["unknown fields out of order", hello([...required, [35, []], [35, []]]), "invalid-field", "admission.unknown[1]"],
    ["a state that is none", hello(withField(1, [5])), "invalid-field", "admission.runtimeState"],
    ["a state of two bytes", hello(withField(1, [1, 1])), "trailing-byte", "admission.runtimeState"],
    ["a state of no bytes", hello(withField(1, [])), "truncated-field", "admission.runtimeState"],
    ["a version of 2^63", hello(withField(2, u64(2n ** 63n))), "invalid-field", "admission.applicationVersion"],
    ["a weight of 101", hello(withField(8, u32(101))), "invalid-field", "admission.placementWeight"],
    ["a rid of no bytes", hello(withField(32, [])), "invalid-field", "admission.nodeRid"],
    ["a rid of 256 bytes", hello(withField(32, new Uint8Array(256))), "invalid-field", "admission.nodeRid"],
    ["an owner with NUL", hello([...required, [33, [0]], [34, u64(1)]]), "invalid-field", "admission.ownerId"],
    [
      "a lease of zero",
      hello([...required, [33, [0x6f]], [34, u64(0)]]),
      "invalid-field",
      "admission.ownerLeaseGeneration",
    ],
    [
      "capabilities out of order",
      hello(withField(6, cat(u16(2), t8("b"), t8("a")))),
      "invalid-field",
      "admission.protocolCapabilities[1]",
    ],
    [
      "a capability twice",
      hello(withField(6, cat(u16(2), t8("a"), t8("a")))),
      "invalid-field",
      "admission.protocolCapabilities[1]",
    ],
    [
      "more capabilities than there are",
      hello(withField(6, cat(u16(3), t8("a")))),
      "truncated-field",
      "admission.protocolCapabilities[1]",
    ],
    [
      "channels out of order",
      hello(required, cat(u16(2), t8("b"), u32(1), t8("a"), u32(1))),
      "invalid-field",
      "admission.channels[1]",
    ],
    [
      "a channel twice",
      hello(required, cat(u16(2), t8("a"), u32(1), t8("a"), u32(1))),
      "invalid-field",
      "admission.channels[1]",
    ],
    [
      "a channel's weight of 101",
      hello(required, cat(u16(1), t8("a"), u32(101))),
      "invalid-field",
      "admission.channels[0].weight",
    ],
    ["another topology", frame(1, 0, [2], long()), "invalid-field", "admission.topology"],
    ["a body longer than the frame", frame(1, 0, [1], u32(0xffff_ffff)), "truncated-field", "admission"],
    [
      "an extension longer than its body",
      frame(1, 0, [1], long(head, u16(0), u32(1))),
      "truncated-field",
      "admission.extension",
    ],
    [
      "a field longer than the extension",
      frame(1, 0, [1], long(head, u16(0), long([200], u32(9)))),
      "truncated-field",
      "admission.unknown[0]",
    ],
  ];
  it.each(faults)("refuses %s", (_title, bytes, code, field) => {
    const error = refusal(() => decodeRecord([bytes]));
    expect([error.code, error.field.startsWith(field)]).toEqual([code, true]);
  });

  it("sorts by bytes, not by UTF-16 units", () => {
    // U+FFFD is EF BF BD, U+1F600 is F0 9F 98 80 but begins with the unit D83D.
    const channels = cat(u16(2), t8("\ufffd"), u32(1), t8("\u{1F600}"), u32(1));
    const bytes = hello(required, channels);
    expect(encodeRecord(decodeRecord([bytes])).map(toHex)).toEqual([toHex(bytes)]);
  });

  it("a longer name comes after its own beginning", () => {
    const bytes = hello(required, cat(u16(2), t8("a"), u32(1), t8("ab"), u32(1)));
    expect(decodeRecord([bytes])).toMatchObject({ admission: { channels: [{ name: "a" }, { name: "ab" }] } });
  });
});
