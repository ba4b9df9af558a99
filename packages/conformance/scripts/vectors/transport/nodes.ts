import type { JsonObject } from "../../../src/vectors/file.ts";

/** What the node that dials says of itself. */
export const DIALLER: JsonObject = {
  topology: "routeMesh",
  meshName: "arena",
  securityIdentity: "plain",
  lifecycleGeneration: "3",
  descriptorRevision: "1",
  advertisedEndpoint: "tcp://192.0.2.7:7400",
  channels: [],
  runtimeState: "serving",
  applicationVersion: "33",
  protocolCapabilities: ["rehome-v1"],
  placementWeight: 50,
  nodeRid: "node-a",
  ownerId: "owner-a",
  ownerLeaseGeneration: "34",
};

/** What the node that accepts says of itself. */
export const ACCEPTOR: JsonObject = {
  ...DIALLER,
  lifecycleGeneration: "5",
  advertisedEndpoint: "tcp://192.0.2.8:7400",
  nodeRid: "node-b",
  ownerId: "owner-b",
  ownerLeaseGeneration: "35",
};

export const LINK_ID = "000102030405060708090a0b0c0d0e0f";
export const NONCE = "a0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebf";
export const CHALLENGE = "c0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedf";
export const SECRET = "e0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9fafbfcfdfeff";
export const OTHER_SECRET = "11".repeat(48);
