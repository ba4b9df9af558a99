import { ridToDisplay, type Rid } from "@rehome/wire";

/** A node that was no target, and why not. */
export interface PassedOver {
  readonly nodeRid: Rid;
  /** Begins with "it", as in `targetObstacle`. */
  readonly reason: string;
}

/** A mesh may have hundreds; whoever reads an error wants the pattern. */
const MAX_NAMED = 8;

/** Why each node was passed over, for people. The longest is a few KiB. */
export function passedOverText(nodes: readonly PassedOver[]): string {
  if (nodes.length === 0) return "the store lists no other node";
  const named = nodes.slice(0, MAX_NAMED).map(({ nodeRid, reason }) => `"${ridToDisplay(nodeRid)}": ${reason}`);
  const more = nodes.length - named.length;
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}
