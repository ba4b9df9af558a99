import type { Rid } from "@rehome/wire";
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
    if (refusedBy.includes(node.nodeRid) || !canTake(node, unit, choice)) continue;
    const load = ((choice.sent.get(node.nodeRid) ?? 0) + unit.objects) / node.placementWeight;
    if (best === undefined || load < best.load) best = { nodeRid: node.nodeRid, load };
  }
  return best?.nodeRid;
}

function canTake(node: DrainNode, unit: DrainUnit, { config, moving }: Choice): boolean {
  if (node.state !== "serving" || node.nodeRid === config.self || node.placementWeight <= 0) return false;
  if (node.applicationVersion !== config.applicationVersion) return false;
  if (!unit.stableTypes.every((type) => node.stableTypes.includes(type))) return false;
  const onTheWay = moving.reduce(
    (sum, { unit: other, target }) => sum + (target === node.nodeRid ? other.objects : 0),
    0,
  );
  return onTheWay + unit.objects <= node.room;
}
