import type { NodeDescriptor } from "@rehome/core";
import type { Target } from "@rehome/wire";
import type { Host } from "../host.ts";
import type { ListedNode } from "../links/directory.ts";
import type { TargetCheck } from "./outbound-move.ts";

export function targetOf(descriptor: NodeDescriptor): Target {
  const { nodeRid, nodeGeneration, ownerId, ownerLeaseGeneration } = descriptor.owner;
  return { nodeRid, nodeGeneration, ownerId, ownerLeaseGeneration };
}

/** Why a node cannot take an actor of this type, or `undefined` (`protocol.md` section 4, step 1). */
export function obstacle(host: Host, node: ListedNode, stableType: string): string | undefined {
  const { descriptor, owned } = node;
  if (descriptor.state !== "serving") return `it is ${descriptor.state}`;
  if (!descriptor.stableTypes.includes(stableType)) return `it does not host type "${stableType}"`;
  if (descriptor.applicationVersion < host.config.applicationVersion) {
    return `its application version ${descriptor.applicationVersion} is older than this node's ${host.config.applicationVersion}`;
  }
  if (owned >= descriptor.capacity) return `it is full (${owned} of ${descriptor.capacity})`;
  return undefined;
}

/** The check of a plain relocation: the descriptor says yes and a link is up. */
export function checkNode(host: Host, node: ListedNode, stableType: string): TargetCheck {
  return async () => {
    const fault = obstacle(host, node, stableType);
    if (fault)
      return {
        type: "CheckFailed",
        failure: { code: "targetUnavailable", message: `the target cannot take the actor: ${fault}` },
      };
    try {
      await host.links.ready(node.descriptor.owner.nodeRid);
      return { type: "CheckPassed" };
    } catch (cause) {
      return { type: "CheckFailed", failure: { code: "targetUnavailable", message: "no link to the target", cause } };
    }
  };
}
