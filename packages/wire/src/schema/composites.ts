/** The composite types of `wire.md` section 2, in its order. */
import { maxU32 } from "../limits.ts";
import { operationKinds, recordKinds, roles } from "../values/enums.ts";
import {
  constant,
  delimited,
  field,
  gen,
  id128,
  inline,
  metadata,
  names,
  pair,
  rid,
  struct,
  text16,
  text8,
  u32,
  type Composite,
  type Part,
  type Union,
} from "./node.ts";

export const role = names(1, roles);

export const coordinator = struct("Coordinator", [
  field("ownerId", text8),
  field("leaseGeneration", gen),
  field("nodeRid", rid),
  field("nodeGeneration", gen),
  field("expectedAuthorityStoreVersion", text16),
]);

export const actorRef = struct("ActorRef", [field("actorId", text8), field("objectGeneration", gen)]);

export const spotRef = struct("SpotRef", [field("spotId", text8), field("objectGeneration", gen)]);

const ownerFence: readonly Part[] = [
  field("nodeRid", rid),
  field("nodeGeneration", gen),
  field("authorityOwnerGeneration", gen),
  field("ownerLeaseGeneration", gen),
];

export const actorFence = struct("ActorFence", [field("actor", actorRef), ...ownerFence]);

export const spotFence = struct("SpotFence", [field("spot", spotRef), ...ownerFence]);

export const session = struct("Session", [
  field("ownerNodeRid", rid),
  field("ownerNodeGeneration", gen),
  field("ownerId", text8),
  field("ownerLeaseGeneration", gen),
  field("sessionRid", rid),
  field("bindingGeneration", gen),
]);

const nodeAndLease: readonly Part[] = [
  field("nodeRid", rid),
  field("nodeGeneration", gen),
  field("ownerId", text8),
  field("ownerLeaseGeneration", gen),
];

export const target = struct("Target", nodeAndLease);

export const requestSource = struct("RequestSource", [
  field("ownerId", text8),
  field("ownerLeaseGeneration", gen),
  field("nodeRid", rid),
  field("nodeGeneration", gen),
]);

export const object: Union = {
  type: "union",
  typeName: "RelocationObject",
  tag: "kind",
  tagBytes: 1,
  lengthBytes: 2,
  cases: [
    {
      name: "actor",
      number: 1,
      parts: [field("actorId", text8), field("objectGeneration", gen), field("authorityOwnerGeneration", gen)],
    },
    {
      name: "userSpot",
      number: 2,
      parts: [field("spotId", text8), field("objectGeneration", gen), field("authorityOwnerGeneration", gen)],
    },
    {
      name: "instanceSpot",
      number: 3,
      parts: [field("stableType", text8), field("spotId", text8), field("objectGeneration", gen)],
    },
  ],
};

const sessionTailParts: readonly Part[] = [
  field("sessionRid", rid),
  field("bindingGeneration", gen),
  field("sessionSequence", gen),
];

export const sessionTail = struct("SessionTail", sessionTailParts);

export const reservation = struct("Reservation", [
  field("reservationId", text8),
  field("expectedStoreVersion", text16),
  field("objectGeneration", gen),
  field("authorityOwnerGeneration", gen),
  ...nodeAndLease,
  field("pendingCapacityDelta", u32(1)),
]);

export const payloadEnvelope = struct("PayloadEnvelope", [
  inline(constant("version", 1)),
  inline(
    delimited("body", 4, [
      field("packetName", text8),
      field("contentType", text8),
      // Not a `blob`: only the body around it limits it.
      field("data", { type: "blob", max: maxU32 }),
    ]),
  ),
]);

const frozenSource: Union = {
  type: "union",
  typeName: "FrozenSource",
  tag: "kind",
  tagBytes: 1,
  lengthBytes: 2,
  cases: [
    { name: "node", number: 1, parts: nodeAndLease },
    { name: "spot", number: 2, parts: [...nodeAndLease, field("spotId", text8)] },
    { name: "actor", number: 3, parts: [...nodeAndLease, field("actor", actorRef)] },
    { name: "boundSession", number: 4, parts: [...nodeAndLease, field("actor", actorRef), ...sessionTailParts] },
  ],
};

type FrozenKind = keyof typeof recordKinds;

/** One kind of frozen record: a request kind names its operation kind, a one-way kind does not. */
function frozenCase(name: FrozenKind, body: readonly Part[], request?: "withReply"): Union["cases"][number] {
  const operationKind: keyof typeof operationKinds = request ? (name as keyof typeof operationKinds) : "none";
  return {
    name,
    number: recordKinds[name],
    parts: [
      field("source", frozenSource),
      field("metadata", metadata, "bool"),
      field("operation", request ? id128 : pair),
      field("operationKind", names(4, { [operationKind]: operationKinds[operationKind] })),
      inline(delimited("replyRoute", 2, request ? [field("replyRouteId", gen)] : [])),
      ...body,
      field("payload", payloadEnvelope),
    ],
  };
}

const channelName = field("channelName", text8);

export const frozenRecord: Union = {
  type: "union",
  typeName: "FrozenRecord",
  tag: "recordKind",
  tagBytes: 1,
  lengthBytes: 0,
  cases: [
    frozenCase("nodeSend", []),
    frozenCase("nodeRequest", [], "withReply"),
    frozenCase("channelSend", [channelName]),
    frozenCase("channelRequest", [channelName], "withReply"),
    frozenCase("spotSend", [field("target", spotFence)]),
    frozenCase("spotRequest", [field("target", spotFence)], "withReply"),
    frozenCase("spotMulticast", [channelName, field("topic", text8)]),
    frozenCase("actorSend", [field("target", actorFence)]),
    frozenCase("actorRequest", [field("target", actorFence)], "withReply"),
  ],
};

/** What a command's own parts can be made of beside the leaves. */
export type { Composite };
