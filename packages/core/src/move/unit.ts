import { actorAuthorityKey, spotAuthorityKey } from "@rehome/wire";
import type { ActorFence, RelocationObject, SpotFence } from "@rehome/wire";

/** An actor that moves, under the fence that its node holds. */
export interface UnitMember {
  readonly fence: ActorFence;
  readonly stableType: string;
}

/** What moves as one (`protocol.md` section 4): an actor, or a spot with all its members. */
export type MoveUnit =
  | ({ readonly kind: "actor" } & UnitMember)
  | {
      readonly kind: "userSpot";
      readonly fence: SpotFence;
      readonly stableType: string;
      readonly members: readonly UnitMember[];
    };

/** The objects that a unit can be named by. */
export type UnitObject = Exclude<RelocationObject, { readonly kind: "instanceSpot" }>;

/** One authority of a unit, as the node that moves it away holds it. */
export interface Holding {
  readonly key: string;
  readonly kind: UnitObject["kind"];
  readonly stableType: string;
  readonly objectGeneration: bigint;
  readonly authorityOwnerGeneration: bigint;
}

/** Every actor of the unit; an actor is its own and only member. */
export function membersOf(unit: MoveUnit): readonly UnitMember[] {
  return unit.kind === "actor" ? [unit] : unit.members;
}

/** The members that have an authority beside the unit's own. */
export function companionsOf(unit: MoveUnit): readonly UnitMember[] {
  return unit.kind === "actor" ? [] : unit.members;
}

/** The unit's name in records, under the authority generation that it moves away from. */
export function objectOf(unit: MoveUnit): UnitObject {
  const { authorityOwnerGeneration } = unit.fence;
  return unit.kind === "actor"
    ? { kind: "actor", ...unit.fence.actor, authorityOwnerGeneration }
    : { kind: "userSpot", ...unit.fence.spot, authorityOwnerGeneration };
}

/** The authority that decides about the whole unit: its key, and what this node holds it under. */
export function holdingOf(unit: MoveUnit): Holding {
  const { objectGeneration } = unit.kind === "actor" ? unit.fence.actor : unit.fence.spot;
  return {
    key: keyOfObject(objectOf(unit)),
    kind: unit.kind,
    stableType: unit.stableType,
    objectGeneration,
    authorityOwnerGeneration: unit.fence.authorityOwnerGeneration,
  };
}

export function holdingOfMember({ fence, stableType }: UnitMember): Holding {
  return holdingOf({ kind: "actor", fence, stableType });
}

/** Authority key of the object that a record names. */
export function keyOfObject(object: UnitObject): string {
  return object.kind === "actor" ? actorAuthorityKey(object.actorId) : spotAuthorityKey(object.spotId);
}
