/** What scenarios are written with, and the cast that most of them share. */
import type { Json, JsonObject, Scenario, ScenarioStep, ScenarioVectors } from "../../../src/vectors/file.ts";
import { hexOf, layOut } from "../layout.ts";

export const step = (atMs: number, input: JsonObject, ...effects: readonly JsonObject[]): ScenarioStep => ({
  atMs,
  input,
  effects,
});

/** `rules`: separated by blanks; the id gets the first one in front. */
export function scenario(
  name: string,
  rules: string,
  note: string,
  { config, steps }: { readonly config: JsonObject; readonly steps: readonly ScenarioStep[] },
): Scenario {
  const list = rules.split(" ");
  return { id: `${list[0]}-${name}`, note, rules: list, config, steps };
}

export const fileOf = (machine: string, about: string, scenarios: readonly Scenario[]): ScenarioVectors => ({
  $schema: "../schema/scenarios.schema.json",
  format: 1,
  family: "scenarios",
  about,
  machine,
  scenarios,
});

/** Frame 0 of a record, as hex. */
export const frame0 = (command: JsonObject): string => hexOf(layOut(command))[0]!;

/** An object with other values at some of its names; `undefined` takes a name away. */
export function changed(value: JsonObject, changes: Readonly<Record<string, Json | undefined>>): JsonObject {
  const merged: Record<string, Json | undefined> = { ...value, ...changes };
  return Object.fromEntries(Object.entries(merged).filter(([, content]) => content !== undefined)) as JsonObject;
}

/** The node that the actor leaves, the one that it goes to, one that has nothing to do with it, and the session's. */
export const source = { nodeRid: "node-a", nodeGeneration: "1" };
export const target = { nodeRid: "node-b", nodeGeneration: "2" };
export const stranger = { nodeRid: "node-x", nodeGeneration: "9" };
export const gate = { nodeRid: "gate", nodeGeneration: "4", ownerId: "gate-owner", ownerLeaseGeneration: "40" };

export const sourceOwner = { meshName: "mesh", ...source, ownerId: "a-owner", ownerLeaseGeneration: "10" };
export const targetOwner = { meshName: "mesh", ...target, ownerId: "b-owner", ownerLeaseGeneration: "20" };

export const actor = { actorId: "user:42", objectGeneration: "3" };
export const relocation = { high: "1", low: "2" };

/** The actor at its source, and as the committed move leaves it. */
export const fence = { actor, ...source, authorityOwnerGeneration: "7", ownerLeaseGeneration: "10" };
export const targetFence = { actor, ...target, authorityOwnerGeneration: "8", ownerLeaseGeneration: "20" };

export const session = {
  ownerNodeRid: gate.nodeRid,
  ownerNodeGeneration: gate.nodeGeneration,
  ownerId: gate.ownerId,
  ownerLeaseGeneration: gate.ownerLeaseGeneration,
  sessionRid: "session-1",
  bindingGeneration: "5",
};

export const coordinator = {
  ownerId: sourceOwner.ownerId,
  leaseGeneration: sourceOwner.ownerLeaseGeneration,
  ...source,
  expectedAuthorityStoreVersion: "v1",
};

/** The store's record of the actor: before the move, or as the move commits it. */
export const baseRecord: JsonObject = {
  key: "zla1:a:7:user%3A42",
  storeVersion: "v1",
  state: "active",
  kind: "actor",
  stableType: "player",
  objectGeneration: actor.objectGeneration,
  authorityOwnerGeneration: "7",
  owner: sourceOwner,
  membershipDigest: "",
  payload: "",
};
export const movedRecord: JsonObject = changed(baseRecord, {
  storeVersion: "v2",
  authorityOwnerGeneration: "8",
  owner: targetOwner,
  relocation,
});

/** A read's answer. */
export const found = (record: JsonObject, ownerLeaseLive = true): JsonObject => ({
  outcome: "found",
  reading: { record, ownerLeaseLive },
});
export const absent: JsonObject = { outcome: "absent" };
export const unknown: JsonObject = { outcome: "unknown", reason: "the connection broke" };
