import { defineSpot, type SpotType } from "@rehome/runtime";
import type { RoomState } from "../check/rooms.ts";
import { troubled, type Surroundings } from "./actor.ts";

export const SPOT_TYPE = "room";

/** A spot type that keeps an account of who is in, turns some away, and moves if it may. */
export function roomType(around: Surroundings, movable: boolean, refusals: () => number): SpotType {
  const { process, trace, dice, ledger } = around;
  const step = (state: RoomState, what: string, change?: () => void): void => {
    if (process.alive) ledger.rooms.step(process, state, what, change);
  };
  return defineSpot<RoomState>({
    type: SPOT_TYPE,
    create: (spotId) => ledger.rooms.opened(String(spotId)),
    admit(state, { actorId }) {
      step(state, `admit ${actorId}`);
      return dice.chance(refusals()) ? { accept: false, reason: "full" } : { accept: true, reply: "welcome" };
    },
    onJoin(state, { actorId }) {
      trace.note(process.name, `${actorId} is in a room`);
      step(state, `join ${actorId}`, () => state.members.push(actorId));
    },
    onLeave(state, { actorId }) {
      trace.note(process.name, `${actorId} left a room`);
      step(state, `leave ${actorId}`, () => (state.members = state.members.filter((member) => member !== actorId)));
    },
    ...(movable ? { capture: copied(around, "capture"), restore: copied(around, "restore") } : {}),
  });
}

function copied(around: Surroundings, what: "capture" | "restore") {
  return ({ room, steps, members }: RoomState): RoomState | Promise<RoomState> =>
    troubled(around, what, () => ({ room, steps, members: [...members] }));
}
