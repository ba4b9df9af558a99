import type { RouteUpdate, SessionRelocationRoute } from "@rehome/wire";
import { ridFromText } from "@rehome/wire";
import { describe, expect, test } from "vitest";
import {
  ABORT,
  BINDING,
  COMMIT,
  FENCE,
  IDENTITY,
  Owner,
  SEAL,
  SESSION,
  SOURCE,
  STRANGER,
  TARGET,
  TARGET_FENCE,
  TO_TARGET,
  abortCommand,
  commitCommand,
  isQuiet,
  only,
  reading,
  types,
  unchanged,
} from "./fixture.ts";

/** The older form of a commit. */
const WITHOUT_LEASE: RouteUpdate = {
  action: "commit",
  previousAuthorityOwnerGeneration: 7n,
  targetAuthorityOwnerGeneration: 8n,
  targetNodeRid: TARGET.nodeRid,
  targetNodeGeneration: TARGET.nodeGeneration,
};

describe("a route is applied", () => {
  test("S11: a commit repoints the binding, then sends what was held to the target in order", () => {
    const owner = new Owner().sealed();
    owner.message("m1");
    owner.message("m2");
    const commit = owner.commit();
    expect(commit).toEqual([{ type: "RepointBinding", identity: IDENTITY, binding: BINDING, route: TO_TARGET }]);
    expect(owner.message("m3")).toBe("held");
    const applied = owner.applied(commit);
    expect(types(applied)).toEqual(["StopSealTimer", "ReleaseHeld"]);
    expect(only(applied, "ReleaseHeld")).toMatchObject({ to: "target", items: ["m1", "m2", "m3"] });
    expect(owner.message("m4")).toBe("feed");
  });

  test("S9: the deadline timer stops when the 44 has been applied, not before", () => {
    const owner = new Owner().sealed();
    const commit = owner.commit();
    expect(types(commit)).not.toContain("StopSealTimer");
    expect(types(owner.applied(commit))).toContain("StopSealTimer");
  });

  test("S12: an abort keeps the route, and sends what was held to the source in order", () => {
    const owner = new Owner().sealed();
    owner.message("m1");
    owner.message("m2");
    const effects = owner.abort();
    expect(types(effects)).toEqual(["StopSealTimer", "ReleaseHeld"]);
    expect(only(effects, "ReleaseHeld")).toMatchObject({ to: "source", items: ["m1", "m2"] });
  });

  test("S9: a 44 that comes while its seal is being set waits for it", () => {
    const owner = new Owner();
    owner.seal();
    owner.message("m1");
    expect(owner.abort()).toEqual([]);
    expect(owner.message("m2")).toBe("held");
    const effects = owner.installed();
    expect(types(effects)).toEqual(["SendSealed", "StopSealTimer", "ReleaseHeld"]);
    expect(only(effects, "ReleaseHeld").items).toEqual(["m1", "m2"]);
  });

  test("S9: the same for a commit; a repeat meanwhile changes nothing, another route is a protocol error", () => {
    const owner = new Owner();
    owner.seal();
    owner.commit();
    expect(types(owner.commit())).toEqual(["Report"]);
    expect(types(owner.abort())).toEqual(["ReportProtocolError"]);
    expect(types(owner.installed())).toEqual(["SendSealed", "RepointBinding"]);
  });

  test("S11: the lease is read from the store when the 44 does not carry it", () => {
    const owner = new Owner().sealed();
    owner.message("m1");
    const commit = owner.commit(commitCommand(WITHOUT_LEASE));
    expect(types(commit)).toEqual(["ReadAuthority"]);
    const read = owner.read(commit, reading());
    expect(only(read, "RepointBinding").route).toEqual(TO_TARGET);
    expect(only(owner.applied(read), "ReleaseHeld")).toMatchObject({ to: "target", items: ["m1"] });
  });

  test.each([
    ["unknown", { outcome: "unknown", reason: "timeout" } as const],
    ["the old owner", unchanged()],
    ["another node under that generation", reading({ owner: { ...ownerOf(), nodeRid: STRANGER.nodeRid } })],
  ])("S11: as long as the store does not say so (%s), the seal stands, and the same 44 may ask again", (_, answer) => {
    const owner = new Owner().sealed();
    owner.message("m1");
    const first = owner.read(owner.commit(commitCommand(WITHOUT_LEASE)), answer);
    expect(isQuiet(first)).toBe(true);
    expect(owner.message("m2")).toBe("held");
    const second = owner.read(owner.commit(commitCommand(WITHOUT_LEASE)), reading());
    expect(only(owner.applied(second), "ReleaseHeld").items).toEqual(["m1", "m2"]);
  });

  test("S11: the store says that the actor is gone: the binding ends", () => {
    const owner = new Owner().sealed();
    owner.message("m1");
    const effects = owner.read(owner.commit(commitCommand(WITHOUT_LEASE)), { outcome: "absent" });
    expect(types(effects)).toEqual(["StopSealTimer", "FailHeld", "EndBinding"]);
    expect(only(effects, "EndBinding").reason).toBe("ownerGone");
  });

  test("S11, S15: a binding that ended or changed while the store was read is left alone", () => {
    for (const binding of [undefined, { ...new Owner().binding!, route: TARGET_FENCE }]) {
      const owner = new Owner().sealed();
      owner.message("m1");
      const commit = owner.commit(commitCommand(WITHOUT_LEASE));
      owner.binding = binding;
      expect(types(owner.read(commit, reading()))).toEqual(["StopSealTimer", "FailHeld"]);
    }
  });

  test("S15: a commit behind what is known of the actor asks the store, whose values count", () => {
    const owner = new Owner().sealed();
    owner.handle({ type: "BindAccepted", actorId: BINDING.actorId, authorityOwnerGeneration: 9n });
    const commit = owner.commit();
    expect(types(commit)).toEqual(["ReadAuthority"]);
    // An answer from before that bind proves nothing.
    const again = owner.read(commit, reading());
    expect(types(again)).toEqual(["ReadAuthority"]);
    const late = owner.handle({
      type: "AuthorityRead",
      identity: IDENTITY,
      read: 1,
      answer: reading(),
      binding: owner.binding,
    });
    expect(late).toEqual([]);
    const newer = owner.read(again, reading({ authorityOwnerGeneration: 9n }));
    expect(only(newer, "RepointBinding").route.authorityOwnerGeneration).toBe(9n);
  });
});

function ownerOf() {
  const answer = reading();
  if (answer.outcome !== "found") throw new Error("no record");
  return answer.reading.record.owner;
}

describe("S10: a 44 must match the sealed fence", () => {
  const coordinator = (changes: Partial<SessionRelocationRoute["coordinator"]>): SessionRelocationRoute => ({
    ...abortCommand(),
    coordinator: { ...SEAL.coordinator, ...changes },
  });
  const session = (changes: Partial<SessionRelocationRoute["session"]>): SessionRelocationRoute => ({
    ...abortCommand(),
    session: { ...SESSION, ...changes },
  });
  const cases: readonly [string, SessionRelocationRoute][] = [
    ["coordinator.ownerId", coordinator({ ownerId: "other" })],
    ["coordinator.leaseGeneration", coordinator({ leaseGeneration: 11n })],
    ["coordinator.nodeRid", coordinator({ nodeRid: TARGET.nodeRid })],
    ["coordinator.nodeGeneration", coordinator({ nodeGeneration: 2n })],
    ["coordinator.expectedAuthorityStoreVersion", coordinator({ expectedAuthorityStoreVersion: "v9" })],
    ["session.ownerNodeRid", session({ ownerNodeRid: ridFromText("other") })],
    ["session.ownerNodeGeneration", session({ ownerNodeGeneration: 9n })],
    ["session.ownerId", session({ ownerId: "other" })],
    ["session.ownerLeaseGeneration", session({ ownerLeaseGeneration: 41n })],
    ["route.currentAuthorityOwnerGeneration", abortCommand({ ...ABORT, currentAuthorityOwnerGeneration: 6n })],
  ];

  test.each(cases)("S10: %s", (field, command) => {
    const owner = new Owner().sealed();
    owner.message("m1");
    const effects = owner.abort(command);
    expect(types(effects)).toEqual(["ReportProtocolError"]);
    expect(only(effects, "ReportProtocolError").fields["field"]).toBe(field);
    expect(owner.message("m2")).toBe("held");
    expect(only(owner.abort(), "ReleaseHeld").items).toEqual(["m1", "m2"]);
  });

  test("S10: a commit from another generation than the sealed one", () => {
    const owner = new Owner().sealed();
    const command = commitCommand({ ...COMMIT, previousAuthorityOwnerGeneration: 6n });
    expect(types(owner.commit(command))).toEqual(["ReportProtocolError"]);
  });

  test.each([
    ["a target's commit from the source", commitCommand(), SOURCE],
    ["a target's commit from a stranger", commitCommand(), STRANGER],
    ["a target's commit from an earlier run of the target", commitCommand(), { ...TARGET, nodeGeneration: 1n }],
    ["a source's abort from the target", abortCommand(), TARGET],
    ["a coordinator's commit from the target", { ...commitCommand(), senderRole: "coordinator" } as const, TARGET],
  ])("S10, M9: %s", (_, command, peer) => {
    const owner = new Owner().sealed();
    expect(types(owner.route(command, peer))).toEqual(["ReportProtocolError"]);
    expect(owner.barriers.isSealed(BINDING)).toBe(true);
  });

  test("S10, S20: the coordinator may commit as well", () => {
    const owner = new Owner().sealed();
    const effects = owner.route({ ...commitCommand(), senderRole: "coordinator" }, SOURCE);
    expect(types(effects)).toEqual(["RepointBinding"]);
  });

  test("S10: another relocation, session or binding is another identity (S8)", () => {
    const owner = new Owner().sealed();
    expect(isQuiet(owner.abort({ ...abortCommand(), relocation: { high: 9n, low: 9n } }))).toBe(true);
    expect(isQuiet(owner.abort(session({ sessionRid: ridFromText("session-9") })))).toBe(true);
    expect(isQuiet(owner.abort(session({ bindingGeneration: 9n })))).toBe(true);
    expect(owner.barriers.isSealed(BINDING)).toBe(true);
  });
});

describe("S5: the deadline passes", () => {
  test("S5: the store is read, and nothing is released before it answers", () => {
    const owner = new Owner().sealed();
    owner.message("m1");
    const effects = owner.deadline();
    expect(types(effects)).toEqual(["StartSealTimer", "ReadAuthority", "Report"]);
    expect(only(effects, "ReadAuthority").actorId).toBe(BINDING.actorId);
    expect(owner.message("m2")).toBe("held");
  });

  test("S5: a timer that comes early waits for the rest: the deadline is absolute", () => {
    const owner = new Owner().sealed();
    expect(owner.deadline(19_999)).toEqual([{ type: "StartSealTimer", identity: IDENTITY, delayMs: 1 }]);
    expect(types(owner.deadline(1))).toContain("ReadAuthority");
  });

  test("S5: an unchanged owner is as an abort", () => {
    const owner = new Owner().sealed();
    owner.message("m1");
    const effects = owner.read(owner.deadline(), unchanged());
    expect(types(effects)).toEqual(["StopSealTimer", "ReleaseHeld"]);
    expect(only(effects, "ReleaseHeld")).toMatchObject({ to: "source", items: ["m1"] });
    expect(isQuiet(owner.abort())).toBe(true);
    expect(only(owner.abort(), "Report").event).toBe("route.repeated");
  });

  test("S5: a newer owner is as a commit, with the store's values", () => {
    const owner = new Owner().sealed();
    owner.message("m1");
    const read = owner.read(owner.deadline(), reading({ authorityOwnerGeneration: 12n }));
    expect(only(read, "RepointBinding").route).toEqual({ ...TO_TARGET, authorityOwnerGeneration: 12n });
    expect(only(owner.applied(read), "ReleaseHeld")).toMatchObject({ to: "target", items: ["m1"] });
    expect(owner.barriers.newestGeneration(BINDING.actorId)).toBe(12n);
  });

  test("S5: the commit that comes late is the same route", () => {
    const owner = new Owner().sealed();
    owner.applied(owner.read(owner.deadline(), reading()));
    expect(only(owner.commit(), "Report").event).toBe("route.repeated");
  });

  test.each([
    ["absent", { outcome: "absent" } as const, "ownerGone"],
    ["destroyed", reading({ state: "destroyed" }), "ownerGone"],
    ["being made anew", reading({ state: "reserved" }), "ownerGone"],
    ["another object", reading({ objectGeneration: 4n }), "ownerGone"],
    ["unreadable", { outcome: "unknown", reason: "timeout" } as const, "ownerUnknown"],
    ["contradicting", reading({ authorityOwnerGeneration: 7n }), "ownerUnknown"],
    [
      "naming another node with the same run",
      reading({ authorityOwnerGeneration: 7n, owner: { ...ownerOf(), nodeGeneration: SOURCE.nodeGeneration } }),
      "ownerUnknown",
    ],
  ])("S5: %s: the binding ends, what was held is failed, the client is told", (_, answer, reason) => {
    const owner = new Owner().sealed();
    owner.message("m1");
    const effects = owner.read(owner.deadline(), answer);
    expect(types(effects)).toEqual(["StopSealTimer", "FailHeld", "EndBinding"]);
    expect(only(effects, "FailHeld")).toMatchObject({ reason, items: ["m1"] });
    expect(only(effects, "EndBinding")).toEqual({ type: "EndBinding", binding: BINDING, reason });
    expect(isQuiet(owner.commit())).toBe(true);
    expect(isQuiet(owner.seal())).toBe(false);
    expect(owner.barriers.inspect().active).toEqual([]);
  });

  test("S5: a store that never answers ends the binding too", () => {
    const owner = new Owner().sealed();
    const asked = owner.deadline();
    expect(only(owner.deadline(5_000), "EndBinding").reason).toBe("ownerUnknown");
    expect(owner.read(asked, reading())).toEqual([]);
  });

  test("S5: a 44 that comes while the store is being read is still accepted, and the answer changes nothing then", () => {
    const owner = new Owner().sealed();
    owner.message("m1");
    const asked = owner.deadline();
    expect(only(owner.abort(), "ReleaseHeld")).toMatchObject({ to: "source", items: ["m1"] });
    expect(owner.read(asked, reading())).toEqual([]);

    const other = new Owner().sealed();
    const askedToo = other.deadline();
    expect(only(other.commit(), "RepointBinding").route).toEqual(TO_TARGET);
    expect(other.read(askedToo, unchanged())).toEqual([]);
  });

  test("S5: a seal that could not be set in all that time was none: the source is told, and the store decides", () => {
    const owner = new Owner();
    owner.seal();
    owner.message("m1");
    const asked = owner.deadline();
    expect(types(asked)).toEqual(["SendRefusal", "StartSealTimer", "ReadAuthority", "Report"]);
    expect(owner.installed()).toEqual([]);
    expect(types(owner.seal())).toEqual(["SendRefusal"]);
    expect(only(owner.read(asked, unchanged()), "ReleaseHeld").items).toEqual(["m1"]);
  });

  test("S5: the answer to an earlier reading is not taken for this one's", () => {
    const owner = new Owner().sealed();
    owner.commit(commitCommand(WITHOUT_LEASE));
    owner.deadline();
    const facts = { identity: IDENTITY, answer: unchanged(), binding: owner.binding };
    expect(owner.handle({ type: "AuthorityRead", read: 1, ...facts })).toEqual([]);
    expect(types(owner.handle({ type: "AuthorityRead", read: 2, ...facts }))).toContain("ReleaseHeld");
  });

  test("S5, S15: an answer that is older than what is known is asked for again", () => {
    const owner = new Owner().sealed();
    const asked = owner.deadline();
    owner.handle({ type: "BindAccepted", actorId: BINDING.actorId, authorityOwnerGeneration: 8n });
    const again = owner.read(asked, unchanged());
    expect(types(again)).toEqual(["ReadAuthority"]);
    expect(types(owner.read(again, reading()))).toEqual(["StartSealTimer", "RepointBinding"]);
  });
});

describe("S7: a 44 whose identity has ended", () => {
  test("S7: the same route, whoever sent it, is a warning without effect", () => {
    const owner = new Owner().sealed();
    owner.applied(owner.commit());
    for (const [command, peer] of [
      [commitCommand(), TARGET],
      [{ ...commitCommand(), senderRole: "coordinator" }, SOURCE],
      [commitCommand(WITHOUT_LEASE), STRANGER],
    ] as const) {
      const effects = owner.route(command, peer);
      expect(types(effects)).toEqual(["Report"]);
      expect(only(effects, "Report").event).toBe("route.repeated");
    }
  });

  test("S7: a newer commit is applied when the store confirms it; the binding is held meanwhile", () => {
    const owner = new Owner().sealed();
    owner.abort();
    const commit = owner.commit();
    expect(types(commit)).toEqual(["StartSealTimer", "ReadAuthority"]);
    expect(owner.message("m1")).toBe("held");
    expect(owner.push("p1", TARGET_FENCE)).toEqual({ outcome: "held" });
    const read = owner.read(commit, reading());
    const applied = owner.applied(read);
    expect(only(applied, "ReleaseHeld")).toMatchObject({ to: "target", items: ["m1"] });
    expect(only(applied, "DeliverHeldPushes").items).toEqual(["p1"]);
    expect(only(owner.commit(), "Report").event).toBe("route.repeated");
  });

  test.each([
    ["the old owner", unchanged()],
    ["another node", reading({ owner: { ...ownerOf(), nodeRid: STRANGER.nodeRid } })],
    ["nothing", { outcome: "unknown", reason: "timeout" } as const],
  ])("S7: the store says %s: the binding goes on as it was", (_, answer) => {
    const owner = new Owner().sealed();
    owner.abort();
    const commit = owner.commit();
    owner.message("m1");
    const effects = owner.read(commit, answer);
    expect(types(effects)).toEqual(["StopSealTimer", "ReleaseHeld", "Report"]);
    expect(only(effects, "ReleaseHeld")).toMatchObject({ to: "source", items: ["m1"] });
    expect(only(owner.abort(), "Report").event).toBe("route.repeated");
  });

  test("S7: a store that never answers does not hold the binding for ever", () => {
    const owner = new Owner().sealed();
    owner.abort();
    owner.commit();
    owner.message("m1");
    expect(only(owner.deadline(5_000), "ReleaseHeld")).toMatchObject({ to: "source", items: ["m1"] });
  });

  test("S7: anything else is a protocol error", () => {
    const owner = new Owner().sealed();
    owner.applied(owner.commit());
    const older = { ...COMMIT, targetAuthorityOwnerGeneration: 8n, targetNodeRid: STRANGER.nodeRid };
    expect(types(owner.abort())).toEqual(["ReportProtocolError"]);
    expect(types(owner.commit(commitCommand({ ...older, targetNodeGeneration: 9n }), STRANGER))).toEqual([
      "ReportProtocolError",
    ]);
    expect(types(owner.abort(abortCommand({ ...ABORT, currentAuthorityOwnerGeneration: 9n })))).toEqual([
      "ReportProtocolError",
    ]);
    const elsewhere = { ...TARGET, nodeRid: STRANGER.nodeRid };
    expect(types(owner.commit(commitCommand({ ...COMMIT, targetNodeRid: elsewhere.nodeRid }), elsewhere))).toEqual([
      "ReportProtocolError",
    ]);
    expect(owner.binding?.route).toEqual(TARGET_FENCE);
  });

  test("S7: after an abort, one that speaks of another owner is a protocol error", () => {
    const owner = new Owner().sealed();
    owner.abort();
    expect(types(owner.abort(abortCommand({ ...ABORT, currentAuthorityOwnerGeneration: 6n })))).toEqual([
      "ReportProtocolError",
    ]);
  });

  test("S7: a commit that leads where the binding goes already is a warning", () => {
    const owner = new Owner().sealed();
    owner.abort();
    owner.binding = { ...owner.binding!, route: TARGET_FENCE };
    expect(only(owner.commit(), "Report").event).toBe("route.repeated");
  });

  test("S7, S5: an identity that ended without a route takes the first one it hears as its own", () => {
    const owner = new Owner().sealed();
    owner.read(owner.deadline(), { outcome: "absent" });
    expect(only(owner.abort(), "Report").event).toBe("route.late");
    expect(only(owner.abort(), "Report").event).toBe("route.repeated");
  });

  test("S7: a newer commit for another run of this node is not for this binding", () => {
    const owner = new Owner().sealed();
    owner.abort();
    const session = { ...SESSION, ownerLeaseGeneration: 41n };
    expect(only(owner.commit({ ...commitCommand(), session }), "Report").event).toBe("route.late");
  });

  test("S7, S15: a binding that ended or changed while the store was read is left alone", () => {
    for (const binding of [undefined, { ...new Owner().binding!, route: TARGET_FENCE }]) {
      const owner = new Owner().sealed();
      owner.abort();
      const commit = owner.commit();
      owner.binding = binding;
      expect(types(owner.read(commit, reading()))).toEqual(["StopSealTimer"]);
      expect(only(owner.abort(), "Report").event).toBe("route.repeated");
    }
  });

  test("S7: the answer to an earlier reading is not taken for this one's", () => {
    const owner = new Owner().sealed();
    owner.deadline();
    owner.abort();
    owner.commit();
    const facts = { identity: IDENTITY, answer: unchanged(), binding: owner.binding };
    expect(owner.handle({ type: "AuthorityRead", read: 1, ...facts })).toEqual([]);
    expect(owner.handle({ type: "AuthorityRead", read: 2, ...facts })).not.toEqual([]);
  });

  test("S16, S7: clearing while the store is read leaves the identity ended as it was", () => {
    const owner = new Owner().sealed();
    owner.abort();
    owner.commit();
    owner.handle({ type: "BindingEnded", binding: BINDING });
    expect(only(owner.abort(), "Report").event).toBe("route.repeated");
  });

  test("S7, M9: a newer commit of somebody else is a protocol error, and the store is not asked", () => {
    const owner = new Owner().sealed();
    owner.abort();
    expect(types(owner.commit(commitCommand(), STRANGER))).toEqual(["ReportProtocolError"]);
  });

  test("S7: a commit for a binding that is no more is nobody's fault", () => {
    const owner = new Owner().sealed();
    owner.abort();
    owner.binding = undefined;
    expect(only(owner.commit(), "Report").event).toBe("route.late");
  });

  test("S7, S19: a newer commit does not break into another seal of the binding", () => {
    const owner = new Owner().sealed();
    owner.abort();
    owner.seal({ ...SEAL, relocation: { high: 1n, low: 3n } });
    expect(isQuiet(owner.commit())).toBe(true);
    expect(owner.barriers.inspect().active).toHaveLength(1);
  });
});

describe("S13: applying fails", () => {
  test("S13: what was held is failed, the binding ends, the client is told; other bindings go on", () => {
    const owner = new Owner().sealed();
    const other = { ...SESSION, sessionRid: ridFromText("session-2"), bindingGeneration: 6n };
    const otherRef = { ...BINDING, sessionRid: other.sessionRid, bindingGeneration: 6n };
    const before = owner.binding;
    owner.binding = { sessionRid: other.sessionRid, bindingGeneration: 6n, route: FENCE };
    owner.seal({ ...SEAL, session: other });
    owner.barriers.offerMessage(otherRef, "other", 1);
    owner.binding = before;

    owner.message("m1");
    owner.commit();
    owner.message("m2");
    const effects = owner.handle({ type: "RouteApplyFailed", identity: IDENTITY, reason: "no" });
    expect(types(effects)).toEqual(["StopSealTimer", "FailHeld", "EndBinding", "Report"]);
    expect(only(effects, "FailHeld")).toMatchObject({ reason: "routeFailed", items: ["m1", "m2"] });
    expect(only(effects, "EndBinding")).toMatchObject({ binding: BINDING, reason: "routeFailed" });
    expect(only(owner.commit(), "Report").event).toBe("route.repeated");
    expect(owner.barriers.isSealed(otherRef)).toBe(true);
    expect(owner.barriers.newestGeneration(BINDING.actorId)).toBe(0n);
  });

  test("S13: repointing that takes longer than the seal has failed", () => {
    const owner = new Owner().sealed();
    const commit = owner.commit();
    expect(only(owner.deadline(), "EndBinding").reason).toBe("routeFailed");
    owner.binding = { sessionRid: SESSION.sessionRid, bindingGeneration: 5n, route: FENCE };
    expect(owner.applied(commit)).toEqual([]);
  });
});
