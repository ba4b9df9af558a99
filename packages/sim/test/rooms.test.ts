import { beforeEach, describe, expect, it } from "vitest";
import { movingUnits } from "../src/check/at-rest.ts";
import { Rooms, type RoomState } from "../src/check/rooms.ts";

const a = { name: "a.1", alive: true };
const b = { name: "b.1", alive: true };
let owner: string;
let generation: bigint;
let broken: string[];
let rooms: Rooms;
let state: RoomState;

beforeEach(() => {
  owner = a.name;
  generation = 1n;
  broken = [];
  rooms = new Rooms((rule) => broken.push(rule), {
    faultOfOwner: ({ name }) => (name === owner ? undefined : `the store names ${owner}`),
    generationOf: () => generation,
  });
  state = rooms.opened("room");
});

const join = (actorId: string, on = a, of = state): void =>
  rooms.step(on, of, `join ${actorId}`, () => of.members.push(actorId));

describe("a room", () => {
  it("that moves with what it had breaks nothing", () => {
    join("t");
    owner = b.name;
    const copy = { ...state, members: [...state.members] };
    join("u", b, copy);
    rooms.checkMembers("room", ["u", "t"], ["t", "u"]);
    expect(broken).toEqual([]);
  });

  it("breaks I6 when it goes on from an older state", () => {
    const copy = { ...state, members: [] };
    join("t");
    join("u", a, copy);
    expect(broken).toEqual(["I6"]);
  });

  it("breaks I1 when it runs where the store does not know it", () => {
    join("t", b);
    expect(broken).toEqual(["I1"]);
  });

  it("breaks H7 when its own account, its node and the store do not agree on who is in it", () => {
    join("t");
    rooms.checkMembers("room", ["t"], []);
    rooms.checkMembers("room", [], ["t"]);
    rooms.checkMembers("room", [], []);
    expect(broken).toEqual(["H7", "H7", "H7"]);
  });

  it("that is made again after a loss has the members of its own time", () => {
    join("t");
    generation = 2n;
    rooms.checkMembers("room", [], []);
    join("u", a, rooms.opened("room"));
    rooms.checkMembers("room", ["u"], ["u"]);
    expect(broken).toEqual([]);
  });
});

describe("I8", () => {
  it("counts a spot that moves once, with all that is in it", () => {
    const actor = (actorId: string, spotId?: string) =>
      ({ actorType: "tally", actorId, spotId, phase: "moving" }) as const;
    const spot = { spotType: "room", spotId: "s", members: ["t", "u"], phase: "moving" } as const;
    const actors = [actor("t", "s"), actor("u", "s"), actor("v"), { ...actor("w"), phase: "running" } as const];
    const counts = { outboundMoves: 1 } as never;
    expect(movingUnits(actors, [spot], counts)).toBe(2);
    expect(movingUnits(actors, [{ ...spot, phase: "running" }], counts)).toBe(3);
    expect(movingUnits([], [], { outboundMoves: 4 } as never)).toBe(4);
  });
});
