import { describe, expect, it } from "vitest";
import { ridFromText } from "@rehome/wire";
import { MAX_OPTIMISTIC_TRIES, OptimisticCall } from "../../src/authority-rules/optimistic-call.ts";
import type { OptimisticStep } from "../../src/authority-rules/optimistic-call.ts";
import { nodeNameText, rowNeeds } from "../../src/authority-rules/row-exchange.ts";
import type { RowSnapshot, SeenLease } from "../../src/authority-rules/row-exchange.ts";
import type { TransactionBody } from "../../src/authority-rules/store.ts";
import type { AuthorityRow } from "../../src/authority-rules/tables.ts";

const LONGEST_MS = 1000;
const NOW_MS = 5000;
const OWNER = {
  ownerId: "x",
  ownerLeaseGeneration: 3n,
  meshName: "m",
  nodeRid: ridFromText("n"),
  nodeGeneration: 1n,
};
const NODE = { meshName: "m", nodeRid: ridFromText("n") };
const ROW: AuthorityRow = {
  key: "a",
  version: 7n,
  state: "active",
  kind: "actor",
  stableType: "t",
  objectGeneration: 1n,
  authorityOwnerGeneration: 1n,
  highestObjectGeneration: 1n,
  highestAuthorityOwnerGeneration: 1n,
  owner: OWNER,
  place: undefined,
  relocation: undefined,
  membershipDigest: new Uint8Array(0),
  payload: new Uint8Array([1]),
  createdBy: "r",
  reservation: undefined,
};

function leaseEndingAt(endsAtMs: number, owned = 0): SeenLease {
  return {
    row: { owner: OWNER, renewedAtMs: 0, endsAtMs, owned, descriptor: undefined },
    revision: "v1",
    reservations: 2,
  };
}

function snapshot(some: Partial<RowSnapshot> = {}): RowSnapshot {
  return {
    nowMs: NOW_MS,
    objects: new Map([["a", ROW]]),
    leases: new Map([["x", leaseEndingAt(NOW_MS + 400)]]),
    terms: new Map(),
    nodes: new Map(),
    lastLeaseGeneration: undefined,
    mesh: undefined,
    page: undefined,
    ...some,
  };
}

function callOf<A>(body: TransactionBody<A>, needs = rowNeeds({ objects: ["a"] })) {
  return new OptimisticCall(body, needs, LONGEST_MS);
}

function expectStep<A, D extends OptimisticStep<A>["do"]>(step: OptimisticStep<A>, expected: D) {
  expect(step.do).toBe(expected);
  return step as Extract<OptimisticStep<A>, { do: D }>;
}

/** Writes the object and tells its version. */
const TOUCH: TransactionBody<bigint> = (tables) => {
  const row = tables.object("a")!;
  tables.putObject({ ...row, version: row.version + 1n }, row);
  return row.version;
};

describe("OptimisticCall", () => {
  it("fetches what is expected, and what the body looked for besides, all anew", () => {
    const call = callOf((tables) => [tables.object("b"), tables.lease("y"), tables.nodeGeneration("m", OWNER.nodeRid)]);
    expect(expectStep(call.begin(), "fetch").needs.objects).toEqual(["a"]);
    const more = expectStep(call.fetched(snapshot()), "fetch").needs;
    expect(more).toEqual(rowNeeds({ objects: ["a", "b"], leases: ["y"], nodes: [NODE] }));
    const all = snapshot({
      objects: new Map([["b", undefined]]),
      leases: new Map([["y", undefined]]),
      nodes: new Map([[nodeNameText("m", OWNER.nodeRid), 9n]]),
    });
    expect(expectStep(call.fetched(all), "settle").answer).toEqual([undefined, undefined, 9n]);
  });

  it("asks for the leases of a mesh, a page and the last lease generation where the body looks at them", () => {
    const bounds = { rows: 1, payloadBytes: 1 };
    const call = callOf(
      (tables) => [tables.leases("m"), tables.activeObjects("p", "q", bounds), tables.lastLeaseGeneration()],
      rowNeeds({}),
    );
    const page = { prefix: "p", after: "q", bounds };
    const needs = rowNeeds({ mesh: "m", page, lastLeaseGeneration: true });
    expect(expectStep(call.fetched(snapshot()), "fetch").needs).toEqual(needs);
  });

  it("settles without a write what wrote nothing", () => {
    expect(callOf((tables) => tables.object("a")?.version).fetched(snapshot())).toEqual({ do: "settle", answer: 7n });
  });

  it("guards every row that was looked at, those that are absent too", () => {
    const call = callOf((tables, nowMs) => {
      tables.object("a");
      tables.object("none");
      tables.lease("x");
      tables.lease("nobody");
      tables.nodeGeneration("m", OWNER.nodeRid);
      tables.lastLeaseGeneration();
      tables.removeEndedLeases(nowMs);
    });
    const { guards, writes } = expectStep(
      call.fetched(
        snapshot({
          objects: new Map([
            ["a", ROW],
            ["none", undefined],
          ]),
          leases: new Map([
            ["x", leaseEndingAt(NOW_MS + 400)],
            ["nobody", undefined],
          ]),
          nodes: new Map([[nodeNameText("m", OWNER.nodeRid), 4n]]),
          lastLeaseGeneration: 8n,
        }),
      ),
      "apply",
    ).bundle;
    expect(guards.objects).toEqual([
      { key: "a", version: 7n },
      { key: "none", version: undefined },
    ]);
    expect(guards.leases).toEqual([
      { ownerId: "x", revision: "v1" },
      { ownerId: "nobody", revision: undefined },
    ]);
    expect(guards.nodes).toEqual([{ ...NODE, generation: 4n }]);
    expect(guards.lastLeaseGeneration).toBe(8n);
    expect(writes.removeLeasesEndedAtMs).toBe(NOW_MS);
  });

  it.each([
    ["the lease that was looked at", NOW_MS + 400, undefined, NOW_MS + 400],
    ["the reservation that was looked at", NOW_MS + 400, NOW_MS + 300, NOW_MS + 300],
    ["the longest wait, where all last longer", NOW_MS + 2000, NOW_MS + 3000, NOW_MS + LONGEST_MS],
    ["the longest wait, where all had ended already", NOW_MS, NOW_MS - 1, NOW_MS + LONGEST_MS],
  ])("lets the write take effect until the end of %s", (_, leaseEndMs, reservationEndMs, untilMs) => {
    const reservation = { reservationId: "r", kind: "actor", stableType: "t", owner: OWNER } as const;
    const row =
      reservationEndMs === undefined ? ROW : { ...ROW, reservation: { ...reservation, endsAtMs: reservationEndMs } };
    const call = callOf((tables) => {
      tables.lease("x");
      return TOUCH(tables, NOW_MS);
    });
    const rows = { objects: new Map([["a", row]]), leases: new Map([["x", leaseEndingAt(leaseEndMs)]]) };
    const { guards } = expectStep(call.fetched(snapshot(rows)), "apply").bundle;
    expect([guards.fromMs, guards.untilMs]).toEqual([NOW_MS, untilMs]);
  });

  it("L1: guards the term of a lease like the lease, until it ends, and asks for the lease where more is needed", () => {
    const endsAtMs = NOW_MS + 1;
    const given = snapshot({ leases: new Map(), terms: new Map([["x", { owner: OWNER, endsAtMs, revision: "v7" }]]) });
    const touch = callOf((tables) => {
      const term = tables.leaseTerm("x");
      TOUCH(tables, NOW_MS);
      return term?.endsAtMs;
    });
    const { bundle, answer } = expectStep(touch.fetched(given), "apply");
    expect(answer).toBe(endsAtMs);
    expect(bundle.guards).toMatchObject({ leases: [{ ownerId: "x", revision: "v7" }], untilMs: endsAtMs });
    const whole = callOf((tables) => tables.lease("x"));
    expect(expectStep(whole.fetched(given), "fetch").needs.leases).toEqual(["x"]);
  });

  it("guards room as a bound and not as a number", () => {
    const asked: boolean[] = [];
    const call = callOf((tables, nowMs) => {
      const lease = tables.lease("x")!;
      asked.push(tables.ownsAtMost(lease, 4, nowMs), tables.ownsAtMost(lease, 5, nowMs));
      if (asked[1] === true) tables.changeOwned(OWNER, 1);
    });
    const full = snapshot({ leases: new Map([["x", leaseEndingAt(NOW_MS + 400, 3)]]) });
    // A decision that there is no room is for answers without a write: no guard covers it.
    expect(() => call.fetched(full)).toThrow(/must not stand on/);
    expect(asked).toEqual([false, true]);
    const room = callOf((tables, nowMs) => {
      if (tables.ownsAtMost(tables.lease("x")!, 5, nowMs)) tables.changeOwned(OWNER, 1);
    });
    const { guards, writes } = expectStep(room.fetched(full), "apply").bundle;
    expect(guards.loads).toEqual([{ lease: OWNER, limit: 5 }]);
    expect(writes.owned).toEqual([{ lease: OWNER, by: 1 }]);
  });

  it("decides anew over the rows that a conflict brought, and fetches them where it brought none", () => {
    const call = callOf(TOUCH);
    expectStep(call.fetched(snapshot()), "apply");
    const changed = snapshot({ objects: new Map([["a", { ...ROW, version: 8n }]]) });
    const again = expectStep(call.conflicted(changed), "apply");
    expect(again.answer).toBe(8n);
    expect(again.bundle.guards.objects).toEqual([{ key: "a", version: 8n }]);
    expectStep(call.conflicted(undefined), "fetch");
  });

  it("gives up after so many conflicts", () => {
    const call = callOf(TOUCH);
    let step = call.fetched(snapshot());
    for (let tries = 1; tries < MAX_OPTIMISTIC_TRIES; tries++) {
      expectStep(step, "apply");
      step = call.conflicted(snapshot());
    }
    expectStep(step, "apply");
    expectStep(call.conflicted(snapshot()), "giveUp");
  });

  it("a body that looks at something after it has written is a mistake in the body", () => {
    const call = callOf((tables, nowMs) => {
      TOUCH(tables, nowMs);
      return tables.object("a");
    });
    expect(() => call.fetched(snapshot())).toThrow(/looks at everything before/);
  });
});

describe("an OptimisticCall that begins with remembered rows", () => {
  it("writes at once what is right for them", () => {
    const step = expectStep(callOf(TOUCH).begin(snapshot()), "apply");
    expect(step.bundle.guards).toMatchObject({ fromMs: NOW_MS, objects: [{ key: "a", version: 7n }] });
  });

  it.each<[string, TransactionBody<unknown>]>([
    ["nothing is written", (tables) => tables.object("a")],
    ["rows are missing", (tables, nowMs) => [tables.object("b"), TOUCH(tables, nowMs)]],
    ["a lease is written", (tables) => tables.putLease(tables.lease("x")!)],
    ["leases are swept away", (tables, nowMs) => tables.removeEndedLeases(nowMs)],
    [
      "a reservation is written",
      (tables, nowMs) => {
        const row = tables.object("a")!;
        const reservation = { reservationId: "r", kind: "actor", stableType: "t", owner: OWNER } as const;
        tables.putObject({ ...row, reservation: { ...reservation, endsAtMs: nowMs + 1 } }, row);
      },
    ],
  ])("decides nothing by them where %s", (_, body) => {
    expectStep(callOf(body).begin(snapshot()), "fetch");
  });
});
