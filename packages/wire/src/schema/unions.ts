/** The unions of single commands: `wire.md` section 3 and 3.2, 3.3. */
import { operationKinds } from "../values/enums.ts";
import { actorFence, actorRef, coordinator, spotFence, spotRef } from "./composites.ts";
import { field, gen, id128, inline, rid, text8, u32, type Union } from "./node.ts";

/** 33. Discriminator 1 belongs to a feature that this version does not have. */
export const relayContext: Union = {
  type: "union",
  typeName: "ReplyRelayContext",
  tag: "kind",
  tagBytes: 1,
  lengthBytes: 2,
  cases: [
    {
      name: "maintenanceRelocation",
      number: 2,
      parts: [
        field("relocation", id128),
        field("targetAttemptGeneration", gen),
        field("coordinator", coordinator),
        field("participantId", gen),
        field("sequence", gen),
      ],
    },
  ],
};

/** 38. */
export const sessionBinding: Union = {
  type: "union",
  typeName: "SessionBinding",
  tag: "state",
  tagBytes: 1,
  lengthBytes: 2,
  cases: [
    { name: "active", number: 1, parts: [field("bindingGeneration", gen)] },
    { name: "tombstone", number: 2, parts: [field("retiredBindingGeneration", gen)] },
  ],
};

/** 44, `wire.md` 3.3. */
export const routeUpdate: Union = {
  type: "union",
  typeName: "RouteUpdate",
  tag: "action",
  tagBytes: 1,
  lengthBytes: 2,
  cases: [
    {
      name: "commit",
      number: 1,
      parts: [
        field("previousAuthorityOwnerGeneration", gen),
        field("targetAuthorityOwnerGeneration", gen),
        field("targetNodeRid", rid),
        field("targetNodeGeneration", gen),
        field("targetOwnerLeaseGeneration", gen, "eightLeft"),
      ],
    },
    { name: "abort", number: 2, parts: [field("currentAuthorityOwnerGeneration", gen)] },
  ],
};

/** 50. */
export const followRoute: Union = {
  type: "union",
  typeName: "FollowRoute",
  tag: "kind",
  tagBytes: 1,
  lengthBytes: 2,
  cases: [
    { name: "actor", number: 1, parts: [field("actor", actorFence)] },
    { name: "spot", number: 2, parts: [field("spot", spotFence)] },
  ],
};

const joinResult: Union = {
  type: "union",
  typeName: "JoinTail",
  tag: "joinResult",
  tagBytes: 4,
  lengthBytes: 2,
  cases: [
    {
      name: "accepted",
      number: 0,
      parts: [field("spot", spotRef), field("membershipEpoch", gen), field("receiveChunkLimitBytes", u32())],
    },
    { name: "rejected", number: 1, parts: [field("spot", spotRef, "union")] },
  ],
};

const createResult: Union = {
  type: "union",
  typeName: "CreateTail",
  tag: "createResult",
  tagBytes: 1,
  lengthBytes: 2,
  cases: [
    { name: "existing", number: 1, parts: [field("actor", actorRef)] },
    { name: "created", number: 2, parts: [field("actor", actorRef)] },
    { name: "rejected", number: 3, parts: [] },
  ],
};

/** 20, `wire.md` 3.2. The operation is not in the bytes. */
export const replyTail: Union = {
  type: "union",
  typeName: "ReplyTail",
  tag: "operation",
  tagBytes: 0,
  lengthBytes: 0,
  cases: [
    {
      name: "actorLookup",
      number: operationKinds.actorLookup,
      parts: [
        field("actor", actorRef),
        field("spotId", text8),
        field("spotGeneration", gen),
        field("authorityOwnerGeneration", gen),
      ],
    },
    { name: "actorJoin", number: operationKinds.actorJoin, parts: [inline(joinResult)] },
    { name: "actorCreate", number: operationKinds.actorCreate, parts: [inline(createResult)] },
    {
      name: "streamBind",
      number: operationKinds.streamBind,
      parts: [field("bindingGeneration", gen), field("authorityOwnerGeneration", gen)],
    },
  ],
};
