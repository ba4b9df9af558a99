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

describe("O2, H7: a spot and its members shut each other out", () => {
  const spot: MoveRequest = { ...request, key: "hall", kind: "relocate", joins: undefined, within: undefined };
  const member: MoveRequest = { ...request, key: "m1", kind: "relocate", joins: undefined, within: "hall" };

  it("no member begins a move of its own once its spot's has begun, and any may when it has ended", () => {
    const moves = new OutboundMoves();
    expect(moves.begin(spot)).toBe("start");
    expect(moves.begin(member)).toBe("operationInProgress");
    expect(moves.begin({ ...member, within: "another" })).toBe("start");
    moves.end("m1");
    moves.end("hall");
    expect(moves.begin(member)).toBe("start");
  });

  it("a spot that begins finds in the way who was leaving it or coming in, until they have ended", () => {
    const moves = new OutboundMoves();
    moves.begin(member);
    moves.begin({ ...request, key: "j1", joins: "hall", within: undefined });
    expect(moves.enter("j1", "hall")).toBe("entered");
    // It only asks for a place, somewhere: that does not keep a spot waiting.
    moves.begin({ ...request, key: "j2", joins: "hall", within: "another" });
    expect(moves.begin(spot)).toBe("start");
    expect(moves.inTheWay("hall")).toEqual(["m1", "j1"]);
    expect(moves.inTheWay("another")).toEqual(["j2"]);
    moves.end("m1");
    moves.end("j1");
    expect(moves.inTheWay("hall")).toEqual([]);
    moves.begin({ ...request, key: "j1", joins: "hall", within: undefined });
    expect(moves.inTheWay("hall")).toEqual([]);
  });

  it("a join out of a spot that has begun to move meanwhile gives way while it still looks for its own", () => {
    const moves = new OutboundMoves();
    moves.begin({ ...member, kind: "join", joins: "other hall" });
    expect(moves.givesWay("m1")).toBe(false);
    moves.begin(spot);
    expect(moves.givesWay("m1")).toBe(true);
    expect(moves.givesWay("hall")).toBe(false);
    expect(moves.givesWay("nobody")).toBe(false);
  });

  it("nobody comes into a spot that has begun to move", () => {
    const moves = new OutboundMoves();
    moves.begin(spot);
    moves.begin({ ...request, key: "j1", joins: "hall", within: undefined });
    expect(moves.enter("j1", "hall")).toBe("spotMoving");
    expect(moves.inTheWay("hall")).toEqual([]);
    moves.end("hall");
    expect(moves.enter("j1", "hall")).toBe("entered");
  });
});
