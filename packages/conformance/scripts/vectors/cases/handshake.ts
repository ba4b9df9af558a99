/** 1 to 6. */
import type { JsonObject } from "../../../src/vectors/file.ts";
import { rejectReason, runtimeState } from "../table-names.ts";
import type { Shape } from "./parts.ts";

export const admission: JsonObject = {
  topology: "routeMesh",
  meshName: "arena",
  securityIdentity: "node-a.arena.example",
  lifecycleGeneration: "31",
  descriptorRevision: "32",
  advertisedEndpoint: "tcp://192.0.2.7:7400",
  channels: [{ name: "match", weight: 100 }],
  runtimeState: "serving",
  applicationVersion: "33",
  protocolCapabilities: ["rehome-v1"],
  placementWeight: 50,
  nodeRid: "node-a",
  ownerId: "owner-a",
  ownerLeaseGeneration: "34",
};

function without(value: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

const noOwner = without(admission, "ownerId", "ownerLeaseGeneration");

function hello(id: string, note: string, changes: JsonObject, from = admission): Shape {
  return { id: `hello-${id}`, note, value: { command: "hello", admission: { ...from, ...changes } } };
}

export const handshakeShapes: readonly Shape[] = [
  { ...hello("typical", "A node that serves, with an owner and its lease.", {}), fullest: true },
  { ...hello("no-owner", "A node without an owner: 33 and 34 are both absent.", {}, noOwner), barest: true },
  {
    id: "admit-typical",
    note: "The answer to a hello: another node's admission.",
    value: { command: "admit", admission: { ...admission, nodeRid: "node-b", meshName: "arena" } },
    fullest: true,
  },
  {
    id: "admit-no-owner",
    note: "An answer without an owner.",
    value: { command: "admit", admission: { ...noOwner, nodeRid: "node-b" } },
    barest: true,
  },
  {
    id: "update-typical",
    note: "A node that begins to drain.",
    value: { command: "update", admission: { ...admission, descriptorRevision: "35", runtimeState: "draining" } },
    fullest: true,
  },
  {
    id: "update-no-owner",
    note: "An update without an owner.",
    value: { command: "update", admission: { ...noOwner, descriptorRevision: "35" } },
    barest: true,
  },
  {
    id: "livenessProbe-typical",
    note: "A probe.",
    value: { command: "livenessProbe", probeId: "36" },
    fullest: true,
    barest: true,
  },
  {
    id: "livenessAck-typical",
    note: "An answer to a probe: the same id.",
    value: { command: "livenessAck", probeId: "36" },
    fullest: true,
    barest: true,
  },
  ...Object.keys(rejectReason.numbers).map((reason, index): Shape => ({
    id: `reject-${reason}`,
    note: `A refusal for the reason ${reason}.`,
    value: { command: "reject", reason },
    ...(index === 0 ? { fullest: true } : {}),
  })),
];

/** Cases of admission that are not made into variants. */
export const handshakeCases: readonly Shape[] = [
  ...Object.keys(runtimeState.numbers).map((state) =>
    hello(`state-${state}`, `runtimeState ${state}.`, { runtimeState: state }),
  ),
  hello("no-channel", "A node that carries no channel.", { channels: [] }),
  hello("weights", "Channel weights at both ends of their range, and a placement weight of 0.", {
    channels: [
      { name: "a", weight: 0 },
      { name: "b", weight: 100 },
    ],
    placementWeight: 0,
  }),
  hello("placement-100", "The greatest placement weight.", { placementWeight: 100 }),
  hello(
    "channels-by-bytes",
    "Channels are sorted by the bytes of their names: capitals first, U+FF61 before U+1F600 (UTF-16 has it the other way round), and a name before the longer one that it begins.",
    {
      channels: ["Z", "a", "aa", "e\u0301", "z", "é", "\uff61", "\u{1f600}"].map((name, weight) => ({ name, weight })),
    },
  ),
  hello("capabilities-by-bytes", "Capabilities are sorted by bytes in the same way.", {
    protocolCapabilities: ["Rehome", "rehome-v1", "rehome-v10", "\uff61", "\u{1f600}"],
  }),
  hello(
    "no-capability",
    "A list of no capability: the field is there, its count is 0. Whether to admit the peer is not the decoder's matter.",
    {
      protocolCapabilities: [],
    },
  ),
  hello("capability-255", "A capability of the greatest length.", { protocolCapabilities: ["c".repeat(255)] }),
  hello(
    "unknown-fields",
    "Unknown extension fields before, between and behind the known ones, one of them empty: kept, and encoded again in their place.",
    {
      unknown: [
        [0, "00"],
        [3, ""],
        [7, "deadbeef"],
        [31, "ff"],
        [35, "0102"],
        [255, "ffffffffffffffffff"],
      ],
    },
  ),
  hello(
    "unknown-fields-no-owner",
    "Unknown fields on both sides of where the owner would stand.",
    {
      unknown: [
        [31, "aa"],
        [35, "bb"],
      ],
    },
    noOwner,
  ),
];
