import { ridFromBytes, ridFromText } from "@rehome/wire";
import { describe, expect, it } from "vitest";
import { identityUri, parseIdentityUri } from "../../src/sockets/identity-uri.ts";

const name = (meshName: string, rid: string) => ({ meshName, nodeRid: ridFromText(rid) });

describe("the name of a node in a certificate", () => {
  it("is written in one way", () => {
    expect(identityUri(name("game", "node-1"))).toBe("rehome://game/node-1");
    expect(identityUri(name("a b/é", "x~_.%"))).toBe("rehome://a%20b%2F%C3%A9/x~_.%25");
  });

  it("holds any rid: all bytes, and all lengths", () => {
    for (let byte = 0; byte < 256; byte += 1)
      for (const length of [1, 2, 255]) {
        const identity = { meshName: "m", nodeRid: ridFromBytes(new Uint8Array(length).fill(byte)) };
        expect(parseIdentityUri(identityUri(identity))).toEqual(identity);
      }
  });

  it("has no other spelling", () => {
    for (const uri of [
      "",
      "rehome://",
      "rehome://game",
      "rehome://game/",
      "rehome:///a",
      "rehome://game/a/b",
      "rehome://game/a?b",
      "rehome://game/a#b",
      "rehome://game/a b",
      "rehome://u@game/a",
      "rehome://game:1/a",
      "Rehome://game/a",
      "rehome://game/%61",
      "rehome://game/%2f",
      "rehome://game/%2",
      "rehome://game/%zz",
      "rehome://game/é",
      "rehome://%FF/a",
      "rehome://%EF%BB%BFm%C0%80/a",
      "http://game/a",
      "rehome://game/a\n",
      `rehome://game/${"a".repeat(256)}`,
      `rehome://${"m".repeat(256)}/a`,
    ])
      expect([uri, parseIdentityUri(uri)]).toEqual([uri, undefined]);
  });
});
