import { targetObstacle, type NodeDescriptor } from "@rehome/core";
import type { Target } from "@rehome/wire";
import type { Host } from "../host.ts";
import type { ListedNode } from "../links/directory.ts";
import type { TargetCheck } from "./outbound-move.ts";
import type { OutboundUnit } from "./unit.ts";

export function targetOf(descriptor: NodeDescriptor): Target {
  const { nodeRid, nodeGeneration, ownerId, ownerLeaseGeneration } = descriptor.owner;
  return { nodeRid, nodeGeneration, ownerId, ownerLeaseGeneration };
}

/** Why a node cannot take a unit, or `undefined` (`protocol.md` section 4, step 1). */
export function obstacle(node: ListedNode, unit: OutboundUnit): string | undefined {
  const { applicationVersion } = unit.host.config;
  const objects = unit.members.length + (unit.spot ? 1 : 0);
  return targetObstacle(node.descriptor, node.owned, { stableTypes: unit.stableTypes, objects, applicationVersion });
}

/** The check of a plain relocation: the descriptor says yes and a link is up. */
export function checkNode(host: Host, node: ListedNode, unit: OutboundUnit): TargetCheck {
  return async () => {
    const fault = obstacle(node, unit);
    if (fault)
      return {
        type: "CheckFailed",
        failure: { code: "targetUnavailable", message: `the target cannot take ${unit.name}: ${fault}` },
      };
    try {
      await host.links.ready(node.descriptor.owner.nodeRid);
      return { type: "CheckPassed" };
    } catch (cause) {
      return { type: "CheckFailed", failure: { code: "targetUnavailable", message: "no link to the target", cause } };
    }
  };
}
