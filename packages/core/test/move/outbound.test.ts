import { ridFromText } from "@rehome/wire";
import { describe, expect, it } from "vitest";
import { CoreError } from "../../src/errors.ts";
import { OutboundMoves, type MoveRequest } from "../../src/move/outbound.ts";

const request: MoveRequest = {
  key: "user:42",
  objectGeneration: 3n,
  kind: "join",
  targetNodeRid: ridFromText("b"),
  joins: "room:1",
  within: "hall:1",
};

describe("O2: one move per actor at a time", () => {
  it("the same request joins it, another is refused, and the next may start when it has ended", () => {
    const moves = new OutboundMoves();
    expect(moves.begin(request)).toBe("start");
    expect(moves.begin({ ...request })).toBe("join");
    for (const other of [
      { ...request, kind: "relocate" as const },
      { ...request, targetNodeRid: ridFromText("c") },
      { ...request, joins: "room:2" },
      { ...request, joins: undefined },
      { ...request, within: undefined },
      { ...request, objectGeneration: 4n },
    ]) {
      expect(moves.begin(other)).toBe("operationInProgress");
    }
    expect(moves.begin({ ...request, key: "user:43" })).toBe("start");
    moves.end("user:42");
    expect(moves.begin({ ...request, joins: "room:2" })).toBe("start");
  });

  it("a move that never began cannot end", () => {
    expect(() => new OutboundMoves().end("user:42")).toThrow(CoreError);
  });
});

describe("T4: 64 outbound moves at once", () => {
  it("one more is refused until one has ended, and joining takes no room", () => {
    const moves = new OutboundMoves();
    for (let index = 0; index < 64; index++) expect(moves.begin({ ...request, key: `user:${index}` })).toBe("start");
    expect(moves.begin({ ...request, key: "user:64" })).toBe("limitReached");
    expect(moves.begin({ ...request, key: "user:3" })).toBe("join");
    moves.end("user:3");
    expect(moves.begin({ ...request, key: "user:64" })).toBe("start");
    expect(moves.size).toBe(64);
  });
});
