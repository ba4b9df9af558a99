import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeSpotMessage, toHalves, type SpotPayloadMessage } from "../../src/moves/payload-schema.ts";
import { decodeSpotPayload, encodeSpotPayload, type SpotPayload } from "../../src/moves/spot-payload.ts";
import { RuntimeError } from "../../src/index.ts";

const payload: SpotPayload = {
  spotId: "hall",
  stableType: "hall",
  objectGeneration: 2n ** 63n - 1n,
  authorityOwnerGeneration: 7n,
  applicationVersion: 3n,
  stateVersion: 2,
  state: { packetName: "state", contentType: "application/json", data: Uint8Array.of(1, 2) },
  membershipEpoch: 12n,
  members: [
    { baseVersion: "v1", payload: Uint8Array.of(9) },
    { baseVersion: "v2", payload: new Uint8Array() },
  ],
};

const message: SpotPayloadMessage = {
  format: 1,
  spotId: "hall",
  stableType: "hall",
  objectGeneration: toHalves(1n),
  authorityOwnerGeneration: toHalves(1n),
  applicationVersion: toHalves(1n),
  state: { version: 1, contentType: "application/json", data: new Uint8Array() },
  membershipEpoch: toHalves(0n),
  members: [],
};

function codeOf(bytes: Uint8Array): string {
  try {
    decodeSpotPayload(bytes);
  } catch (error) {
    if (error instanceof RuntimeError) return error.code;
    throw error;
  }
  return "decoded";
}

describe("a spot's payload", () => {
  it("comes out as it went in, members in their order", () => {
    const plain = ({ state, members, ...rest }: SpotPayload) => ({
      ...rest,
      state: { ...state, data: [...state.data] },
      members: members.map((member) => ({ ...member, payload: [...member.payload] })),
    });
    expect(plain(decodeSpotPayload(encodeSpotPayload(payload)))).toEqual(plain(payload));
  });

  it("is refused by code when its format is newer, or it has no state", () => {
    expect(codeOf(encodeSpotMessage(message))).toBe("decoded");
    expect(codeOf(encodeSpotMessage({ ...message, format: 2 }))).toBe("typeMismatch");
    expect(codeOf(encodeSpotMessage({ ...message, format: 0 }))).toBe("typeMismatch");
    expect(codeOf(encodeSpotMessage({ ...message, state: null }))).toBe("protocolError");
  });

  it("ends as one of the errors of this package, whatever the bytes", () => {
    const codes = ["decoded", "protocolError", "typeMismatch"];
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void expect(codes).toContain(codeOf(bytes))));
    const good = encodeSpotPayload(payload);
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.nat(255), (at, byte) => {
        const changed = good.slice();
        changed[at] = byte;
        expect(codes).toContain(codeOf(changed));
        expect(codes).toContain(codeOf(good.subarray(0, at)));
      }),
    );
  });
});
