import type { Rid } from "@rehome/wire";
import { passedOverText } from "../move/passed-over.ts";
import type { DrainConfig, DrainNode, DrainUnit, MovingUnit, WaitingUnit } from "./state.ts";

export interface Choice {
  readonly config: DrainConfig;
  readonly nodes: readonly DrainNode[];
  /** On their way: the list does not count them yet. */
  readonly moving: readonly MovingUnit[];
  readonly sent: ReadonlyMap<Rid, number>;
}

/**
 * D2: the exact application version, serving, not this node, hosts everything, has room; of those, the one whose share is
 * furthest below its weight. Weight 0 takes none. Nobody draws lots: the same facts give the same choice.
 */
export function chooseTarget({ unit, refusedBy }: WaitingUnit, choice: Choice): Rid | undefined {
  let best: { readonly nodeRid: Rid; readonly load: number } | undefined;
  for (const node of choice.nodes) {
    if (refusedBy.includes(node.nodeRid) || obstacleOf(node, unit, choice) !== undefined) continue;
    const load = ((choice.sent.get(node.nodeRid) ?? 0) + unit.objects) / node.placementWeight;
    if (best === undefined || load < best.load) best = { nodeRid: node.nodeRid, load };
  }
  return best?.nodeRid;
}

/** Why no node takes the unit now, for people. */
export function whyNoTarget({ unit, refusedBy }: WaitingUnit, choice: Choice): string {
  const others = choice.nodes.filter(({ nodeRid }) => nodeRid !== choice.config.self);
  return passedOverText(
    others.map((node) => {
      const refused = refusedBy.includes(node.nodeRid) ? "it did not take it" : undefined;
      return { nodeRid: node.nodeRid, reason: refused ?? obstacleOf(node, unit, choice) ?? "it could take it now" };
    }),
  );
}

function obstacleOf(node: DrainNode, unit: DrainUnit, { config, moving }: Choice): string | undefined {
  if (node.state !== "serving") return `it is ${node.state}`;
  if (node.nodeRid === config.self) return "it is this node";
  if (node.placementWeight <= 0) return "its placement weight is 0";
  if (node.applicationVersion !== config.applicationVersion) {
    return `its application version is ${node.applicationVersion}, not ${config.applicationVersion}`;
  }
  const missing = unit.stableTypes.find((type) => !node.stableTypes.includes(type));
  if (missing !== undefined) return `it does not host type "${missing}"`;
  const onTheWay = moving.reduce(
    (sum, { unit: other, target }) => sum + (target === node.nodeRid ? other.objects : 0),
    0,
  );
  const room = Math.max(0, node.room - onTheWay);
  return unit.objects <= room ? undefined : `it has no room for ${unit.objects} (${room} left of its capacity)`;
}
