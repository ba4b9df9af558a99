import { ridFromText } from "@rehome/wire";
import { describe, expect, it } from "vitest";
import { targetObstacle, type UnitNeeds } from "../../src/move/target-check.ts";
import type { NodeDescriptor } from "../../src/ports/authority-store.ts";

const node: NodeDescriptor = {
  owner: { meshName: "m", nodeRid: ridFromText("b"), nodeGeneration: 1n, ownerId: "o", ownerLeaseGeneration: 1n },
  endpoint: "b",
  state: "serving",
  applicationVersion: 3n,
  stableTypes: ["hall", "player"],
  placementWeight: 0,
  capacity: 10,
};
const needs: UnitNeeds = { stableTypes: ["hall", "player"], objects: 4, applicationVersion: 3n };

describe("section 4, step 1: whether a node can take a unit", () => {
  it("yes, up to its last place, and whatever its weight: that is for new actors", () => {
    expect(targetObstacle(node, 6, needs)).toBeUndefined();
    expect(targetObstacle({ ...node, applicationVersion: 4n }, 0, needs)).toBeUndefined();
  });

  it.each<[string, Partial<NodeDescriptor>, number]>([
    ["it is draining", { state: "draining" }, 0],
    ["it is stopped", { state: "stopped" }, 0],
    ["it is preparing", { state: "preparing" }, 0],
    ['it does not host type "player"', { stableTypes: ["hall"] }, 0],
    ['it does not host type "hall"', { stableTypes: ["player"] }, 0],
    ["its application version 2 is older than this node's 3", { applicationVersion: 2n }, 0],
    ["it has no room for 4 (7 of 10)", {}, 7],
  ])("no: %s", (why, change, owned) => {
    expect(targetObstacle({ ...node, ...change }, owned, needs)).toBe(why);
  });
});
