import { describe, expect, it } from "vitest";
import {
  MOVE_CLAIM_FIELDS,
  differencesFromMove,
  evidenceOf,
  isExactlyThisMove,
} from "../../src/authority-commit/evidence.ts";
import type { MoveClaimField } from "../../src/authority-commit/evidence.ts";
import { ridFromText } from "@rehome/wire";
import type { AuthorityRecord } from "../../src/ports/authority-store.ts";
import { baseRecord, claim, fencedRecord, found, movedRecord, supersededRecord, target } from "./fixture.ts";

/** The moved record with one field of T7 changed, and nothing else. */
const ONE_FIELD_OFF: Readonly<Record<MoveClaimField, AuthorityRecord>> = {
  state: { ...movedRecord, state: "destroyed" },
  kind: { ...movedRecord, kind: "userSpot" },
  stableType: { ...movedRecord, stableType: "monster" },
  objectGeneration: { ...movedRecord, objectGeneration: 70n },
  "owner.ownerId": { ...movedRecord, owner: { ...target, ownerId: "owner-x" } },
  "owner.ownerLeaseGeneration": { ...movedRecord, owner: { ...target, ownerLeaseGeneration: 60n } },
  "owner.meshName": { ...movedRecord, owner: { ...target, meshName: "other" } },
  "owner.nodeRid": { ...movedRecord, owner: { ...target, nodeRid: ridFromText("node-x") } },
  "owner.nodeGeneration": { ...movedRecord, owner: { ...target, nodeGeneration: 40n } },
  relocation: { ...movedRecord, relocation: { high: 1n, low: 3n } },
};

describe("T7: exactly this move", () => {
  it("T7: holds for what the commit of this move writes, whatever its version and generation", () => {
    expect(isExactlyThisMove(movedRecord, claim)).toBe(true);
    expect(isExactlyThisMove({ ...movedRecord, storeVersion: "v99", authorityOwnerGeneration: 50n }, claim)).toBe(true);
  });

  it("T7: compares every field that the rule lists", () => {
    expect([...MOVE_CLAIM_FIELDS].sort()).toEqual(Object.keys(ONE_FIELD_OFF).sort());
    expect(MOVE_CLAIM_FIELDS).toHaveLength(10);
  });

  for (const [field, record] of Object.entries(ONE_FIELD_OFF)) {
    it(`T7: is refused when only ${field} is off`, () => {
      expect(differencesFromMove(record, claim)).toEqual([field]);
      expect(isExactlyThisMove(record, claim)).toBe(false);
      expect(evidenceOf(found(record), claim).type).not.toBe("thisMove");
    });
  }

  it("T7: a record of no relocation is not this move, nor is one that agrees in half of the id", () => {
    expect(differencesFromMove({ ...movedRecord, relocation: undefined }, claim)).toEqual(["relocation"]);
    expect(differencesFromMove({ ...movedRecord, relocation: { high: 2n, low: 2n } }, claim)).toEqual(["relocation"]);
  });
});

describe("evidence in a reading (O4, O5, T6)", () => {
  const cases: readonly [string, Parameters<typeof evidenceOf>[0], string][] = [
    ["this move's record", found(movedRecord), "thisMove"],
    ["the base version", found(baseRecord), "base"],
    ["the source's record under another version", found(fencedRecord), "sameOwner"],
    ["another owner's record of a higher generation", found(supersededRecord), "newerOwner"],
    [
      "the source itself under a higher generation",
      found({ ...fencedRecord, authorityOwnerGeneration: 12n }),
      "newerOwner",
    ],
    ["a destroyed object", found({ ...fencedRecord, state: "destroyed" }), "gone"],
    ["an object that is being made anew", found({ ...supersededRecord, state: "reserved" }), "gone"],
    ["an object made anew", found({ ...supersededRecord, objectGeneration: 8n }), "gone"],
    ["no record", { outcome: "absent" }, "gone"],
    ["no answer", { outcome: "unknown", reason: "timeout" }, "none"],
    ["an older authority generation", found({ ...fencedRecord, authorityOwnerGeneration: 7n }), "none"],
    ["another owner under the base's generation", found({ ...fencedRecord, owner: target }), "none"],
    [
      "another run of the source under the base's generation",
      found({ ...fencedRecord, owner: { ...fencedRecord.owner, nodeGeneration: 99n } }),
      "none",
    ],
  ];
  for (const [name, answer, expected] of cases) {
    it(`O5: ${name} is ${expected}`, () => {
      expect(evidenceOf(answer, claim).type).toBe(expected);
    });
  }
});
