import { RUNTIME, type Sabotage } from "./types.ts";

/** Bugs in moves of spots with their members. */
export const OF_SPOTS: readonly Sabotage[] = [
  {
    name: "leave-a-member-behind",
    rule: "I6, H7",
    what: "a spot moves without one of its members",
    edits: [
      {
        file: `${RUNTIME}/moves/departures.ts`,
        find: "return this.#host.actors.in({ spotId, objectGeneration: record.objectGeneration });",
        replace: "return this.#host.actors.in({ spotId, objectGeneration: record.objectGeneration }).slice(1);",
      },
    ],
  },
  {
    name: "enter-a-leaving-spot",
    rule: "H7",
    what: "a spot that is about to leave waits for nobody who is on the way into it",
    edits: [
      {
        file: `${RUNTIME}/moves/departures.ts`,
        find: "this.#moves.inTheWay(spot.record.key).length + arrivals.towards(spot.spotId).length;",
        replace: "arrivals.towards(spot.spotId).length & 0;",
      },
    ],
  },
  {
    name: "spot-forgets",
    rule: "section 4, step 4; I6",
    what: "a spot begins new where it has moved to",
    edits: [
      {
        file: `${RUNTIME}/moves/arriving-unit.ts`,
        find: "definition.restore!(valueOf(payload.state) as never, { version: payload.stateVersion }),",
        replace: "definition.create(spotId),",
      },
    ],
  },
];
