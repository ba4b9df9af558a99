/** `wire.md` 3.1: what 1, 2 and 4 carry. */
import { maxText8Bytes, maxWeight } from "../limits.ts";
import { runtimeStates } from "../values/enums.ts";
import {
  field,
  gen,
  inline,
  names,
  ord,
  struct,
  text16,
  text8,
  u32,
  type Composite,
  type Node,
  type Union,
} from "./node.ts";

const channel = struct("Channel", [field("name", text8), field("weight", u32(0, maxWeight))]);

/** In an extension the field's own length says how long a text or a rid is. */
const bareText: Node = { type: "text", lengthBytes: 0, min: 1, max: maxText8Bytes };
const bareRid: Node = { type: "rid", lengthBytes: 0 };

const extension: Composite = {
  type: "extension",
  fields: [
    { id: 1, name: "runtimeState", node: names(1, runtimeStates), required: true },
    { id: 2, name: "applicationVersion", node: ord, required: true },
    {
      id: 6,
      name: "protocolCapabilities",
      node: { type: "list", countBytes: 2, element: text8, ascending: true },
      required: true,
    },
    { id: 8, name: "placementWeight", node: u32(0, maxWeight), required: true },
    { id: 32, name: "nodeRid", node: bareRid, required: true },
    { id: 33, name: "ownerId", node: bareText, required: false },
    { id: 34, name: "ownerLeaseGeneration", node: gen, required: false },
  ],
  together: ["ownerId", "ownerLeaseGeneration"],
};

export const admission: Union = {
  type: "union",
  typeName: "Admission",
  tag: "topology",
  tagBytes: 1,
  lengthBytes: 4,
  cases: [
    {
      name: "routeMesh",
      number: 1,
      parts: [
        field("meshName", text8),
        field("securityIdentity", text8),
        field("lifecycleGeneration", gen),
        field("descriptorRevision", gen),
        field("advertisedEndpoint", text16),
        field("channels", { type: "list", countBytes: 2, element: channel, ascending: true }),
        inline(extension),
      ],
    },
  ],
};
