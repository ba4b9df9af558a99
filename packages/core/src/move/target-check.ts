import type { NodeDescriptor } from "../ports/authority-store.ts";

/** What a unit asks of the node that it moves to. */
export interface UnitNeeds {
  /** Of the spot and every member. */
  readonly stableTypes: readonly string[];
  /** How many objects the node will own more. */
  readonly objects: number;
  /** Of the build that captures it: an older one may not read what it wrote. */
  readonly applicationVersion: bigint;
}

/** Why a node cannot take a unit, or `undefined` (`protocol.md` section 4, step 1). `owned` is what it owns now. */
export function targetObstacle(descriptor: NodeDescriptor, owned: number, needs: UnitNeeds): string | undefined {
  if (descriptor.state !== "serving") return `it is ${descriptor.state}`;
  const missing = needs.stableTypes.find((type) => !descriptor.stableTypes.includes(type));
  if (missing !== undefined) return `it does not host type "${missing}"`;
  if (descriptor.applicationVersion < needs.applicationVersion) {
    return `its application version ${descriptor.applicationVersion} is older than this node's ${needs.applicationVersion}`;
  }
  if (owned + needs.objects > descriptor.capacity) {
    return `it has no room for ${needs.objects} (${owned} of ${descriptor.capacity})`;
  }
  return undefined;
}
