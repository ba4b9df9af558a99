import { ridFromText, type Coordinator, type RelocationObject, type Session } from "@rehome/wire";
import { describe, expect, it } from "vitest";
import * as fences from "../../src/move/fences.ts";

const rid = ridFromText("a");
const ACTOR = { actorId: "user:42", objectGeneration: 3n };
const FENCE = {
  actor: ACTOR,
  nodeRid: rid,
  nodeGeneration: 2n,
  authorityOwnerGeneration: 10n,
  ownerLeaseGeneration: 20n,
};
const RUN = { nodeRid: rid, nodeGeneration: 2n, ownerId: "owner", ownerLeaseGeneration: 20n };
const COORDINATOR: Coordinator = {
  ownerId: "owner",
  leaseGeneration: 20n,
  nodeRid: rid,
  nodeGeneration: 2n,
  expectedAuthorityStoreVersion: "v1",
};
const SESSION: Session = {
  ownerNodeRid: rid,
  ownerNodeGeneration: 6n,
  ownerId: "owner",
  ownerLeaseGeneration: 60n,
  sessionRid: ridFromText("s"),
  bindingGeneration: 1n,
};

/** Each fence changed in one field; `difference` must name it. */
function expectEveryField<T extends object>(value: T, difference: (one: T, other: T) => string | undefined): void {
  expect(difference(value, structuredClone(value))).toBeUndefined();
  for (const [key, inner] of Object.entries(value) as [keyof T & string, unknown][]) {
    if (typeof inner === "object") continue;
    const changed = { ...value, [key]: typeof inner === "bigint" ? inner + 1n : `${inner as string}x` };
    expect([key, difference(value, changed)]).toEqual([key, `f.${key}`]);
  }
}

describe("fences are compared in every field, and the first difference is named", () => {
  it("actorRef, actorFence", () => {
    expectEveryField(ACTOR, (one, other) => fences.actorRefDifference("f", one, other));
    expectEveryField(FENCE, (one, other) => fences.actorFenceDifference("f", one, other));
    const other = { ...FENCE, actor: { ...ACTOR, objectGeneration: 4n }, nodeGeneration: 9n };
    expect(fences.actorFenceDifference("f", FENCE, other)).toBe("f.actor.objectGeneration");
  });

  it("coordinator, session, target and requestSource, owner", () => {
    expectEveryField(COORDINATOR, (one, other) => fences.coordinatorDifference("f", one, other));
    expectEveryField(SESSION, (one, other) => fences.sessionDifference("f", one, other));
    expectEveryField(RUN, (one, other) => fences.nodeRunDifference("f", one, other));
    expectEveryField({ ...RUN, meshName: "mesh" }, (one, other) => fences.ownerDifference("f", one, other));
  });

  it("id128", () => {
    const id = { high: 1n, low: 2n };
    expect(fences.id128Difference("f", id, { ...id })).toBeUndefined();
    expect(fences.id128Difference("f", id, { high: 2n, low: 2n })).toBe("f");
    expect(fences.id128Difference("f", id, { high: 1n, low: 1n })).toBe("f");
  });

  it("object, of each kind", () => {
    const actor: RelocationObject = { kind: "actor", ...ACTOR, authorityOwnerGeneration: 10n };
    const user: RelocationObject = {
      kind: "userSpot",
      spotId: "user:42",
      objectGeneration: 3n,
      authorityOwnerGeneration: 10n,
    };
    const instance: RelocationObject = {
      kind: "instanceSpot",
      stableType: "room",
      spotId: "user:42",
      objectGeneration: 3n,
    };
    const difference = (one: RelocationObject, other: RelocationObject) => fences.objectDifference("f", one, other);
    for (const object of [actor, user, instance]) expect(difference(object, { ...object })).toBeUndefined();
    expect(difference(actor, user)).toBe("f.kind");
    expect(difference(actor, { ...actor, actorId: "x" })).toBe("f.id");
    expect(difference(actor, { ...actor, objectGeneration: 4n })).toBe("f.objectGeneration");
    expect(difference(actor, { ...actor, authorityOwnerGeneration: 11n })).toBe("f.authorityOwnerGeneration");
    expect(difference(user, { ...user, authorityOwnerGeneration: 11n })).toBe("f.authorityOwnerGeneration");
    expect(difference(user, { ...user, spotId: "x" })).toBe("f.id");
    expect(difference(instance, { ...instance, stableType: "hall" })).toBe("f.stableType");
  });
});
