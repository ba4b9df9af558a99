import type { ArrivingUnit, DrainUnit } from "@rehome/core";
import type { Activation } from "../actors/activation.ts";
import type { Host } from "../host.ts";
import { placeOf, type Spot } from "../spots/spot.ts";

const MOVABLE = { type: "movable" } as const;

/** What a drain has to move: the entry spot's actors one by one, every spot with its members (`protocol.md` D1). */
export function unitsOf(host: Host): DrainUnit[] {
  const spots = host.spots.all();
  const inSpots = new Set(spots.flatMap((spot) => host.actors.in(placeOf(spot))));
  const alone = host.actors.all().filter((activation) => !inSpots.has(activation));
  return [...alone.map(actorUnit), ...spots.map((spot) => spotUnit(host, spot))];
}

/** What may come to be here yet, though the drain takes nothing new: it had been accepted before. */
export function arrivingAt({ actors, spots, mover }: Host): ArrivingUnit[] {
  return [
    ...mover.arrivals.units,
    ...actors.creating().map((id): ArrivingUnit => ({ kind: "actor", id })),
    ...spots.creating().map((id): ArrivingUnit => ({ kind: "spot", id })),
  ];
}

function actorUnit(activation: Activation): DrainUnit {
  const { actorId, actorType, queuedCount } = activation;
  return {
    kind: "actor",
    id: actorId,
    objects: 1,
    stableTypes: [actorType],
    waitingMessages: queuedCount,
    mobility: MOVABLE,
  };
}

function spotUnit(host: Host, spot: Spot): DrainUnit {
  const members = host.actors.in(placeOf(spot));
  const { type } = spot.definition;
  const message = `spot type "${type}" cannot move: give it capture and restore`;
  return {
    kind: "spot",
    id: spot.spotId,
    objects: 1 + members.length,
    stableTypes: [...new Set([type, ...members.map(({ actorType }) => actorType)])],
    waitingMessages: members.reduce((sum, { queuedCount }) => sum + queuedCount, 0),
    mobility: spot.definition.capture ? MOVABLE : { type: "fixed", failure: { reason: "relocationDisabled", message } },
  };
}
