/** `wire.md` section 2 and 3.1: the composites, field by field. */
import {
  gen,
  group,
  ord,
  rid,
  text16,
  text8,
  u32From,
  union16,
  type Fields,
  type Type,
  type UnionType,
} from "./types.ts";
import { runtimeState } from "./table-names.ts";

export const coordinator = group([
  ["ownerId", text8],
  ["leaseGeneration", gen],
  ["nodeRid", rid],
  ["nodeGeneration", gen],
  ["expectedAuthorityStoreVersion", text16],
]);
export const actorRef = group([
  ["actorId", text8],
  ["objectGeneration", gen],
]);
export const spotRef = group([
  ["spotId", text8],
  ["objectGeneration", gen],
]);
export const fourOfFence: Fields = [
  ["nodeRid", rid],
  ["nodeGeneration", gen],
  ["authorityOwnerGeneration", gen],
  ["ownerLeaseGeneration", gen],
];
export const actorFence = group([["actor", actorRef], ...fourOfFence]);
export const spotFence = group([["spot", spotRef], ...fourOfFence]);
export const session = group([
  ["ownerNodeRid", rid],
  ["ownerNodeGeneration", gen],
  ["ownerId", text8],
  ["ownerLeaseGeneration", gen],
  ["sessionRid", rid],
  ["bindingGeneration", gen],
]);
export const fourOfNode: Fields = [
  ["nodeRid", rid],
  ["nodeGeneration", gen],
  ["ownerId", text8],
  ["ownerLeaseGeneration", gen],
];
export const target = group(fourOfNode);
export const requestSource = group([
  ["ownerId", text8],
  ["ownerLeaseGeneration", gen],
  ["nodeRid", rid],
  ["nodeGeneration", gen],
]);
export const object = union16("object", "kind", {
  actor: [
    1,
    [
      ["actorId", text8],
      ["objectGeneration", gen],
      ["authorityOwnerGeneration", gen],
    ],
  ],
  userSpot: [
    2,
    [
      ["spotId", text8],
      ["objectGeneration", gen],
      ["authorityOwnerGeneration", gen],
    ],
  ],
  instanceSpot: [
    3,
    [
      ["stableType", text8],
      ["spotId", text8],
      ["objectGeneration", gen],
    ],
  ],
});
export const threeOfTail: Fields = [
  ["sessionRid", rid],
  ["bindingGeneration", gen],
  ["sessionSequence", gen],
];
export const sessionTail = group(threeOfTail);
export const reservation = group([
  ["reservationId", text8],
  ["expectedStoreVersion", text16],
  ["objectGeneration", gen],
  ["authorityOwnerGeneration", gen],
  ...fourOfNode,
  ["pendingCapacityDelta", u32From(1n, 0xffff_ffffn)],
]);

/** The composites by the page's names. */
export const composites = {
  coordinator,
  actorRef,
  spotRef,
  actorFence,
  spotFence,
  session,
  target,
  requestSource,
  object,
  sessionTail,
  reservation,
} as const satisfies Readonly<Record<string, Type>>;

/** Who sent what a frozen record holds. */
export const frozenSource = union16("frozen source", "kind", {
  node: [1, fourOfNode],
  spot: [2, [...fourOfNode, ["spotId", text8]]],
  actor: [3, [...fourOfNode, ["actor", actorRef]]],
  boundSession: [4, [...fourOfNode, ["actor", actorRef], ...threeOfTail]],
});
/** A frozen record's own body, before its payload envelope. */
export const frozenBodies: Readonly<Record<string, Fields>> = {
  nodeSend: [],
  nodeRequest: [],
  channelSend: [["channelName", text8]],
  channelRequest: [["channelName", text8]],
  spotSend: [["target", spotFence]],
  spotRequest: [["target", spotFence]],
  spotMulticast: [
    ["channelName", text8],
    ["topic", text8],
  ],
  actorSend: [["target", actorFence]],
  actorRequest: [["target", actorFence]],
};

// Section 3.1.
export const admission: UnionType = {
  is: "union",
  called: "topology",
  tag: "topology",
  tagWidth: 1,
  lengthWidth: 4,
  cases: {
    routeMesh: {
      number: 1,
      fields: [
        ["meshName", text8],
        ["securityIdentity", text8],
        ["lifecycleGeneration", gen],
        ["descriptorRevision", gen],
        ["advertisedEndpoint", text16],
        [
          "channels",
          {
            is: "list",
            countWidth: 2,
            item: group([
              ["name", text8],
              ["weight", u32From(0n, 100n)],
            ]),
          },
        ],
        { special: "extension" },
      ],
    },
  },
};
/** `bare`: the field's length says how long the text or rid is. */
export const extensionFields: readonly {
  readonly id: number;
  readonly name: string;
  readonly type: Type;
  readonly bare?: true;
}[] = [
  { id: 1, name: "runtimeState", type: runtimeState },
  { id: 2, name: "applicationVersion", type: ord },
  { id: 6, name: "protocolCapabilities", type: { is: "list", countWidth: 2, item: text8 } },
  { id: 8, name: "placementWeight", type: u32From(0n, 100n) },
  { id: 32, name: "nodeRid", type: rid, bare: true },
  { id: 33, name: "ownerId", type: text8, bare: true },
  { id: 34, name: "ownerLeaseGeneration", type: gen },
];
