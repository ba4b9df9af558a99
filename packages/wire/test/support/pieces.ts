/** Composite values beside their bytes, every field with a value of its own so that a swap shows. */
import {
  ridFromBytes,
  ridFromText,
  type ActorFence,
  type ActorRef,
  type Admission,
  type Coordinator,
  type Id128,
  type PayloadEnvelope,
  type RequestSource,
  type Reservation,
  type Session,
  type SessionTail,
  type SpotFence,
  type SpotRef,
  type Target,
} from "../../src/index.ts";
import { cat, envelope, long, t16, t8, u16, u32, u64, u8 } from "./bytes.ts";

/** A routing id that is not UTF-8. */
export const rawRid = Uint8Array.of(0xff, 0x00, 0xfe);

export const relocation: Id128 = { high: 0xfedc_ba98_7654_3210n, low: 9n };
export const relocationBytes = cat(u64(0xfedc_ba98_7654_3210n), u64(9));

export const coordinator: Coordinator = {
  ownerId: "coordinator",
  leaseGeneration: 3n,
  nodeRid: ridFromText("source"),
  nodeGeneration: 2n,
  expectedAuthorityStoreVersion: "store-v17",
};
export const coordinatorBytes = cat(t8("coordinator"), u64(3), t8("source"), u64(2), t16("store-v17"));

export const actorRef: ActorRef = { actorId: "actör-1", objectGeneration: 5n };
export const actorRefBytes = cat(t8("actör-1"), u64(5));

export const spotRef: SpotRef = { spotId: "spot-😀", objectGeneration: 6n };
export const spotRefBytes = cat(t8("spot-😀"), u64(6));

export const actorFence: ActorFence = {
  actor: actorRef,
  nodeRid: ridFromText("node-a"),
  nodeGeneration: 20n,
  authorityOwnerGeneration: 21n,
  ownerLeaseGeneration: 22n,
};
export const actorFenceBytes = cat(actorRefBytes, t8("node-a"), u64(20), u64(21), u64(22));

export const spotFence: SpotFence = {
  spot: spotRef,
  nodeRid: ridFromBytes(rawRid),
  nodeGeneration: 23n,
  authorityOwnerGeneration: 24n,
  ownerLeaseGeneration: 25n,
};
export const spotFenceBytes = cat(spotRefBytes, t8(rawRid), u64(23), u64(24), u64(25));

export const session: Session = {
  ownerNodeRid: ridFromText("gate"),
  ownerNodeGeneration: 30n,
  ownerId: "session-owner",
  ownerLeaseGeneration: 31n,
  sessionRid: ridFromBytes(rawRid),
  bindingGeneration: 32n,
};
export const sessionBytes = cat(t8("gate"), u64(30), t8("session-owner"), u64(31), t8(rawRid), u64(32));

export const target: Target = {
  nodeRid: ridFromText("target"),
  nodeGeneration: 40n,
  ownerId: "target-owner",
  ownerLeaseGeneration: 41n,
};
export const targetBytes = cat(t8("target"), u64(40), t8("target-owner"), u64(41));

export const requestSource: RequestSource = {
  ownerId: "asker",
  ownerLeaseGeneration: 50n,
  nodeRid: ridFromText("asker-node"),
  nodeGeneration: 51n,
};
export const requestSourceBytes = cat(t8("asker"), u64(50), t8("asker-node"), u64(51));

export const sessionTail: SessionTail = {
  sessionRid: ridFromText("session"),
  bindingGeneration: 60n,
  sessionSequence: 61n,
};
export const sessionTailBytes = cat(t8("session"), u64(60), u64(61));

export const reservation: Reservation = {
  reservationId: "reservation-1",
  expectedStoreVersion: "v9",
  objectGeneration: 70n,
  authorityOwnerGeneration: 71n,
  ...target,
  pendingCapacityDelta: 72,
};
export const reservationBytes = cat(t8("reservation-1"), t16("v9"), u64(70), u64(71), targetBytes, u32(72));

export const payload: PayloadEnvelope = {
  packetName: "move",
  contentType: "application/json",
  data: Uint8Array.of(0, 1, 254, 255),
};
export const payloadBytes = envelope("move", "application/json", [0, 1, 254, 255]);

export const metadata = [
  ["~q", "17"],
  ["__proto__", ""],
] as const;
export const metadataBytes = cat([1, 2], t8("~q"), t16("17"), t8("__proto__"), t16(""));

export const object = { kind: "actor", actorId: "a", objectGeneration: 80n, authorityOwnerGeneration: 81n } as const;
export const objectBytes = cat([1], u16(18), t8("a"), u64(80), u64(81));

export const admission: Admission = {
  topology: "routeMesh",
  meshName: "mesh",
  securityIdentity: "spiffe://mesh/a",
  lifecycleGeneration: 90n,
  descriptorRevision: 91n,
  advertisedEndpoint: "tcp://127.0.0.1:7801",
  channels: [
    { name: "a", weight: 0 },
    { name: "b", weight: 100 },
  ],
  runtimeState: "serving",
  applicationVersion: 0n,
  protocolCapabilities: ["rehome-v1", "x"],
  placementWeight: 50,
  nodeRid: ridFromBytes(rawRid),
  ownerId: "owner",
  ownerLeaseGeneration: 92n,
  unknown: [
    [0, Uint8Array.of(7)],
    [5, new Uint8Array(0)],
    [255, Uint8Array.of(8, 9)],
  ],
};

export const admissionFields: readonly Uint8Array[] = [
  cat(t8("mesh"), t8("spiffe://mesh/a"), u64(90), u64(91), t16("tcp://127.0.0.1:7801")),
  cat(u16(2), t8("a"), u32(0), t8("b"), u32(100)),
  long(
    cat([0], long([7])),
    cat([1], long([1])),
    cat([2], long(u64(0))),
    cat([5], long()),
    cat([6], long(u16(2), t8("rehome-v1"), t8("x"))),
    cat([8], long(u32(50))),
    cat([32], long(rawRid)),
    cat([33], long(Buffer.from("owner"))),
    cat([34], long(u64(92))),
    cat([255], long([8, 9])),
  ),
];
export const admissionBytes = cat(u8(1), long(...admissionFields));
