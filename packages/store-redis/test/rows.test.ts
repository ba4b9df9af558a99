import type { AuthorityRow, LeaseRow, OwnerIdentity } from "@rehome/core";
import { ridFromBytes } from "@rehome/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { leaseFrom, leaseId, leaseText, nextRevision, objectFrom, objectText, reservationMember } from "../src/rows.ts";

const TEXT = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1 }),
  fc.constantFrom("|", "1|2|{}", '"\\', "\n\t", "é🎲", "\uffff", "\u007f"),
);
const GENERATION = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });
const OWNER: fc.Arbitrary<OwnerIdentity> = fc.record({
  ownerId: TEXT,
  ownerLeaseGeneration: GENERATION,
  meshName: TEXT,
  nodeRid: fc.uint8Array({ minLength: 1, maxLength: 255 }).map(ridFromBytes),
  nodeGeneration: GENERATION,
});
const KIND = fc.constantFrom("actor" as const, "userSpot" as const);
const TIME = fc.double({ min: 0, max: 1e13, noNaN: true });
const BYTES = fc.uint8Array();
const ID = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const OBJECT: fc.Arbitrary<AuthorityRow> = fc.record({
  key: fc.constant("a"),
  version: fc.bigInt({ min: 1n, max: 2n ** 70n }),
  state: fc.constantFrom("active" as const, "destroyed" as const),
  kind: KIND,
  stableType: TEXT,
  objectGeneration: GENERATION,
  authorityOwnerGeneration: GENERATION,
  highestObjectGeneration: GENERATION,
  highestAuthorityOwnerGeneration: GENERATION,
  owner: OWNER,
  place: fc.option(fc.record({ spotId: TEXT, objectGeneration: GENERATION }), { nil: undefined }),
  relocation: fc.option(fc.record({ high: ID, low: ID }), { nil: undefined }),
  membershipDigest: fc.oneof(fc.constant(new Uint8Array(0)), fc.uint8Array({ minLength: 32, maxLength: 32 })),
  payload: BYTES,
  createdBy: TEXT,
  reservation: fc.option(
    fc.record({ reservationId: TEXT, kind: KIND, stableType: TEXT, owner: OWNER, endsAtMs: TIME }),
    { nil: undefined },
  ),
});
const LEASE: fc.Arbitrary<LeaseRow> = fc.record({ owner: OWNER, renewedAtMs: TIME, endsAtMs: TIME }).chain((lease) =>
  fc
    .option(
      fc.record({
        owner: fc.constant(lease.owner),
        endpoint: TEXT,
        state: fc.constantFrom("preparing" as const, "serving" as const, "draining" as const, "stopped" as const),
        applicationVersion: ID,
        stableTypes: fc.array(TEXT),
        placementWeight: fc.integer({ min: 0, max: 100 }),
        capacity: fc.maxSafeNat(),
      }),
      { nil: undefined },
    )
    .map((descriptor) => ({ ...lease, owned: 3, descriptor })),
);

describe("rows as Redis keeps them", () => {
  it("D1, D7: objects come back as they were, whatever bytes and numbers are in them", () => {
    fc.assert(
      fc.property(OBJECT, (row) => {
        expect(objectFrom(row.key, Buffer.from(objectText(row)), row.payload)).toEqual(row);
      }),
    );
  });

  it("leases come back as they were, with the revision that they were written under", () => {
    fc.assert(
      fc.property(LEASE, (row) => {
        expect(leaseFrom(Buffer.from(leaseText(row, "nonce.7")))).toEqual({
          revision: "nonce.7",
          row: { ...row, owned: 0 },
        });
      }),
    );
  });

  it("no lease's name begins with another's, so that nobody's reservations count as another's", () => {
    fc.assert(
      fc.property(OWNER, OWNER, fc.nat(5), (one, other, shared) => {
        const close = { ...other, ownerId: `${one.ownerId}${":;0.".slice(0, shared)}${other.ownerId}` };
        for (const lease of [other, close, { ...one, ownerLeaseGeneration: one.ownerLeaseGeneration * 10n }]) {
          if (leaseId(lease) === leaseId(one)) continue;
          expect(`${leaseId(lease)}:`.startsWith(`${leaseId(one)}:`)).toBe(false);
        }
      }),
    );
  });

  it("a lease's reservations are in the order of their ends, to the microsecond", () => {
    const owner = { ownerId: "x", ownerLeaseGeneration: 1n } as OwnerIdentity;
    const member = (endsAtMs: number) =>
      reservationMember("k", { reservationId: "r", kind: "actor", stableType: "t", owner, endsAtMs });
    const ends = [0, 0.0005, 0.001, 9, 10, 1_764_530_000_000.001, 1_764_530_000_000.002, 9_000_000_000_000];
    const members = ends.map(member);
    expect([...members].sort()).toEqual(members);
  });

  it("D1: revisions count on past 2^53", () => {
    expect(nextRevision(`ab.${2n ** 53n}`)).toBe(`ab.${2n ** 53n + 1n}`);
  });
});
