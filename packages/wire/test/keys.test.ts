import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  actorAuthorityKey,
  operationKey,
  parseAuthorityKey,
  ridFromBytes,
  ridFromText,
  sessionRelocationKey,
  spotAuthorityKey,
  type Session,
} from "../src/index.ts";
import { refusal, refusalCode } from "./support/codec.ts";
import { samples } from "./support/samples.ts";

describe("section 5: authority keys", () => {
  it("are those of the page", () => {
    expect(actorAuthorityKey("user:42")).toBe("zla1:a:7:user%3A42");
    expect(actorAuthorityKey("\u00e9")).toBe("zla1:a:2:%C3%A9");
    expect(actorAuthorityKey("e\u0301")).toBe("zla1:a:3:e%CC%81");
    expect(spotAuthorityKey("-._~aZ09")).toBe("zla1:s:8:-._~aZ09");
    expect(spotAuthorityKey("a".repeat(255))).toBe(`zla1:s:255:${"a".repeat(255)}`);
  });

  it("name what they were made of, and two ids never share one", () => {
    const id = fc.string({ unit: "binary", minLength: 1, maxLength: 40 }).map((text) => text.replaceAll("\0", "0"));
    fc.assert(
      fc.property(id, fc.boolean(), (text, isActor) => {
        const key = isActor ? actorAuthorityKey(text) : spotAuthorityKey(text);
        expect(parseAuthorityKey(key)).toEqual({ kind: isActor ? "actor" : "spot", id: text });
      }),
    );
  });

  it.each([
    "",
    "zla1:a:7:user%3a42",
    "zla1:a:8:user%3A42",
    "zla1:a:07:user%3A42",
    "zla1:a:1:%61",
    "zla1:a:7:user:42",
    "zla1:x:1:a",
    "zla2:a:1:a",
    "zla1:a:0:",
    "zla1:a:1:a\n",
    "zla1:a:1:%",
    "zla1:a:1:%4",
    "zla1:a:2:%C3%28",
    "zla1:a:3:%ED%A0%80",
    "zla1:a:1:%00",
    `zla1:a:256:${"a".repeat(256)}`,
    " zla1:a:1:a",
  ])("refuse any other spelling: %j", (key) => {
    const error = refusal(() => parseAuthorityKey(key));
    expect([error.code, error.offset]).toEqual(["invalid-field", undefined]);
  });

  it.each(["", "a".repeat(256), "é".repeat(128), "a\0", "\ud83d", "\udc00x"])("refuse the id %j", (id) => {
    expect(refusalCode(() => actorAuthorityKey(id))).toBe("invalid-field");
    expect(refusalCode(() => spotAuthorityKey(id))).toBe("invalid-field");
  });
});

describe("section 5: session relocation identity key", () => {
  const session = (sessionRid: Session["sessionRid"]) => ({ sessionRid, bindingGeneration: 6n });
  const key = (actorId: string, sessionRid: Session["sessionRid"]): string =>
    sessionRelocationKey({
      relocation: { high: 7n, low: 9n },
      actor: { actorId, objectGeneration: 5n },
      session: session(sessionRid),
    });

  it("is readable, in decimal", () => {
    expect(key("actor-1", ridFromText("session"))).toBe("7:9:actor-1:5:session:6");
  });

  it("is the same for a seal, its sealed reply and its route", () => {
    const keys = ["seal", "sealed", "route-commit", "route-abort"].map((id) => {
      const value = samples.find((sample) => sample.id === id)!.value;
      if (!("session" in value)) throw new Error("no session");
      return sessionRelocationKey(value);
    });
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toContain(":%xff00fe:32");
  });

  it("never mixes up two identities", () => {
    expect(key("a:1", ridFromText("s"))).toBe("7:9:a%3A1:5:s:6");
    expect(key("a%3A1", ridFromText("s"))).toBe("7:9:a%253A1:5:s:6");
    expect(key("a", ridFromText("%xff"))).toBe("7:9:a:5:%25xff:6");
    expect(key("a", ridFromBytes(Uint8Array.of(0xff)))).toBe("7:9:a:5:%xff:6");
    expect(key("a", ridFromText("ÿ"))).toBe("7:9:a:5:ÿ:6");
  });
});

describe("section 5: operation key", () => {
  it("is lowercase hex without leading zeros", () => {
    expect(operationKey({ high: 0n, low: 0xabn })).toBe("0:ab");
    expect(operationKey({ high: 2n ** 64n - 1n, low: 0n })).toBe("ffffffffffffffff:0");
  });
});
