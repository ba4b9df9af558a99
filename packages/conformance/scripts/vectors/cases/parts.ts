/** Values that many cases share. The ones of the fixed points are those of the records known to be right. */
import type { JsonObject } from "../../../src/vectors/file.ts";

/** A record written by hand, from which other cases are made. */
export interface Shape {
  readonly id: string;
  readonly note: string;
  readonly value: JsonObject;
  /** What the decoder of a reply is told. */
  readonly operation?: string;
  /** The fullest shape of its command: its lengths and numbers are taken to their greatest. */
  readonly fullest?: true;
  /** The barest shape of its command: its lengths and numbers are taken to their least. */
  readonly barest?: true;
}

export const relocation: JsonObject = { high: "7", low: "9" };

export const coordinator: JsonObject = {
  ownerId: "coordinator",
  leaseGeneration: "3",
  nodeRid: "source",
  nodeGeneration: "2",
  expectedAuthorityStoreVersion: "store-v17",
};

export const actorRef: JsonObject = { actorId: "actor-1", objectGeneration: "5" };
export const spotRef: JsonObject = { spotId: "spot-1", objectGeneration: "14" };

export const actorFence: JsonObject = {
  actor: actorRef,
  nodeRid: "source",
  nodeGeneration: "2",
  authorityOwnerGeneration: "11",
  ownerLeaseGeneration: "13",
};
export const spotFence: JsonObject = {
  spot: spotRef,
  nodeRid: "spot-node",
  nodeGeneration: "15",
  authorityOwnerGeneration: "16",
  ownerLeaseGeneration: "17",
};

export const session: JsonObject = {
  ownerNodeRid: "source",
  ownerNodeGeneration: "2",
  ownerId: "session-owner",
  ownerLeaseGeneration: "8",
  sessionRid: "session",
  bindingGeneration: "6",
};
export const sessionTail: JsonObject = { sessionRid: "session", bindingGeneration: "6", sessionSequence: "41" };

export const target: JsonObject = {
  nodeRid: "target",
  nodeGeneration: "4",
  ownerId: "target-owner",
  ownerLeaseGeneration: "18",
};

export const objects = {
  actor: { kind: "actor", actorId: "actor-1", objectGeneration: "5", authorityOwnerGeneration: "11" },
  userSpot: { kind: "userSpot", spotId: "spot-1", objectGeneration: "14", authorityOwnerGeneration: "16" },
  instanceSpot: { kind: "instanceSpot", stableType: "Arena", spotId: "spot-2", objectGeneration: "19" },
} as const satisfies Record<string, JsonObject>;

export const payload: JsonObject = { packetName: "move", contentType: "application/json", data: "7b2278223a317d" };
export const emptyPayload: JsonObject = { packetName: "p", contentType: "t", data: "" };

/** What opens 31, 34 and 52. */
export const moved: JsonObject = {
  relocation,
  targetAttemptGeneration: "21",
  coordinator,
  senderRole: "source",
  object: objects.actor,
};
/** What 30 and 53 hold. */
export const ready: JsonObject = {
  relocation,
  targetAttemptGeneration: "21",
  coordinator,
  target,
  object: objects.actor,
  senderRole: "target",
};
