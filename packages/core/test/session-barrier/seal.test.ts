import { ridFromText } from "@rehome/wire";
import type { ActorFence, Session, SessionRelocationSeal } from "@rehome/wire";
import { describe, expect, test } from "vitest";
import {
  ABORT,
  BINDING,
  FENCE,
  IDENTITY,
  OWNER,
  Owner,
  SEAL,
  SESSION,
  SOURCE,
  STRANGER,
  TARGET,
  abortCommand,
  commitCommand,
  isQuiet,
  only,
  types,
} from "./fixture.ts";

describe("a seal is set", () => {
  test("S4: the identity is registered and its deadline runs before the first asynchronous step", () => {
    const owner = new Owner();
    const effects = owner.seal();
    expect(types(effects)).toEqual(["StartSealTimer", "InstallSeal"]);
    expect(only(effects, "StartSealTimer").delayMs).toBe(20_000);
    expect(only(effects, "InstallSeal").binding).toEqual(BINDING);
    expect(owner.barriers.isSealed(BINDING)).toBe(true);
    expect(owner.message("m1")).toBe("held");
  });

  test("S1: the 43 carries the seal's identity and goes to the coordinator's node, after the seal is set", () => {
    const owner = new Owner();
    owner.seal();
    expect(owner.installed()).toEqual([
      {
        type: "SendSealed",
        peer: SOURCE.nodeRid,
        command: {
          command: "sessionRelocationSealed",
          relocation: SEAL.relocation,
          coordinator: SEAL.coordinator,
          actor: FENCE,
          session: SESSION,
        },
      },
    ]);
    expect(owner.installed()).toEqual([]);
  });

  test("S2: a repeat while the seal is being set joins that attempt", () => {
    const owner = new Owner();
    owner.seal();
    expect(owner.seal()).toEqual([]);
    expect(types(owner.installed())).toEqual(["SendSealed"]);
  });

  test("S2: a repeat of a set seal gets the same 43, and no second seal is installed", () => {
    const owner = new Owner();
    owner.seal();
    const first = owner.installed();
    expect(owner.seal()).toEqual(first);
    expect(owner.seal()).toEqual(first);
  });

  test("S2, I9: a repeat gets the same 43 in every state that follows, and changes nothing", () => {
    const owner = new Owner();
    owner.seal();
    const first = owner.installed();
    const commit = owner.commit();
    expect(owner.seal()).toEqual(first);
    owner.applied(commit);
    expect(owner.seal()).toEqual(first);
    expect(owner.barriers.isSealed(BINDING)).toBe(false);
  });

  test("S3: other bytes under the same identity are a protocol error, and the first seal stays in force", () => {
    const other: SessionRelocationSeal = {
      ...SEAL,
      coordinator: { ...SEAL.coordinator, expectedAuthorityStoreVersion: "v9" },
    };
    const owner = new Owner();
    owner.seal();
    expect(owner.seal(other)).toEqual([
      { type: "ReportProtocolError", peer: SOURCE.nodeRid, event: "seal.conflict", fields: { identity: IDENTITY } },
    ]);
    owner.installed();
    expect(types(owner.seal(other))).toEqual(["ReportProtocolError"]);
    expect(types(owner.seal())).toEqual(["SendSealed"]);
    owner.abort();
    expect(types(owner.seal(other))).toEqual(["ReportProtocolError"]);
  });
});

describe("S4: a 42 is refused unless everything matches", () => {
  const actor = (changes: Partial<ActorFence>): SessionRelocationSeal => ({ ...SEAL, actor: { ...FENCE, ...changes } });
  const session = (changes: Partial<Session>): SessionRelocationSeal => ({
    ...SEAL,
    session: { ...SESSION, ...changes },
  });
  const cases: readonly [string, SessionRelocationSeal][] = [
    ["actor.actor.actorId", actor({ actor: { actorId: "other", objectGeneration: 3n } })],
    ["actor.actor.objectGeneration", actor({ actor: { ...FENCE.actor, objectGeneration: 4n } })],
    ["actor.nodeRid", actor({ nodeRid: TARGET.nodeRid })],
    ["actor.nodeGeneration", actor({ nodeGeneration: 2n })],
    ["actor.authorityOwnerGeneration", actor({ authorityOwnerGeneration: 6n })],
    ["actor.ownerLeaseGeneration", actor({ ownerLeaseGeneration: 11n })],
    ["session.nodeRid", session({ ownerNodeRid: ridFromText("other") })],
    ["session.nodeGeneration", session({ ownerNodeGeneration: 3n })],
    ["session.ownerId", session({ ownerId: "other" })],
    ["session.ownerLeaseGeneration", session({ ownerLeaseGeneration: 41n })],
    ["session.sessionRid", session({ sessionRid: ridFromText("session-2") })],
    ["session.bindingGeneration", session({ bindingGeneration: 6n })],
    ["coordinator.nodeRid", { ...SEAL, coordinator: { ...SEAL.coordinator, nodeRid: STRANGER.nodeRid } }],
    ["coordinator.nodeGeneration", { ...SEAL, coordinator: { ...SEAL.coordinator, nodeGeneration: 2n } }],
  ];

  test.each(cases)("S4: %s", (field, command) => {
    const owner = new Owner();
    const effects = owner.seal(command);
    expect(types(effects)).toEqual(["SendRefusal", "Report"]);
    expect(only(effects, "Report").fields["field"]).toBe(field);
    expect(only(effects, "SendRefusal")).toEqual({
      type: "SendRefusal",
      peer: SOURCE.nodeRid,
      command: {
        command: "relocationFailed",
        relocation: SEAL.relocation,
        targetAttemptGeneration: 1n,
        coordinator: command.coordinator,
        target: OWNER,
        object: {
          kind: "actor",
          actorId: command.actor.actor.actorId,
          objectGeneration: command.actor.actor.objectGeneration,
          authorityOwnerGeneration: command.actor.authorityOwnerGeneration,
        },
        senderRole: "coordinator",
        failureCode: "actorLocationStale",
      },
    });
    expect(owner.barriers.inspect().active).toEqual([]);
    expect(owner.message("m1")).toBe("feed");
  });

  test("S4: no such binding", () => {
    const owner = new Owner();
    owner.binding = undefined;
    expect(only(owner.seal(), "SendRefusal").command.failureCode).toBe("actorLocationStale");
  });

  test("S4, M9: a peer that is not the coordinator's node is refused, and told so itself", () => {
    const owner = new Owner();
    const effects = owner.seal(SEAL, STRANGER);
    expect(only(effects, "SendRefusal").peer).toBe(STRANGER.nodeRid);
    expect(owner.barriers.inspect().active).toEqual([]);
    expect(types(owner.seal())).toEqual(["StartSealTimer", "InstallSeal"]);
  });

  test("S4, M9: a stranger that coordinates itself but claims to be the source is refused", () => {
    const coordinator = { ...SEAL.coordinator, ...STRANGER };
    const effects = new Owner().seal({ ...SEAL, coordinator }, STRANGER);
    expect(only(effects, "SendRefusal").command.failureCode).toBe("actorLocationStale");
  });

  test("S4: an earlier run of the coordinator's node is not the coordinator", () => {
    const effects = new Owner().seal(SEAL, { ...SOURCE, nodeGeneration: 2n });
    expect(only(effects, "SendRefusal").command.failureCode).toBe("actorLocationStale");
  });

  test("S4, M9: a stranger that repeats a standing seal gets no 43", () => {
    const owner = new Owner().sealed();
    expect(types(owner.seal(SEAL, STRANGER))).toEqual(["SendRefusal", "Report"]);
    owner.abort();
    expect(types(owner.seal(SEAL, STRANGER))).toEqual(["SendRefusal", "Report"]);
  });

  test("S4: a refused 42 leaves nothing that could keep the rightful one out", () => {
    const owner = new Owner();
    owner.seal(SEAL, STRANGER);
    owner.seal({ ...SEAL, actor: { ...FENCE, ownerLeaseGeneration: 11n } });
    owner.seal();
    expect(types(owner.installed())).toEqual(["SendSealed"]);
  });
});

describe("sealing fails", () => {
  test("S6: timer and registration go, what was held goes to the source in order, then the 53", () => {
    const owner = new Owner();
    owner.seal();
    owner.message("m1");
    owner.message("m2");
    const effects = owner.handle({ type: "SealInstallFailed", identity: IDENTITY, reason: "no" });
    expect(types(effects)).toEqual(["StopSealTimer", "ReleaseHeld", "SendRefusal", "Report"]);
    expect(only(effects, "ReleaseHeld")).toMatchObject({ to: "source", items: ["m1", "m2"] });
    expect(only(effects, "SendRefusal")).toMatchObject({
      peer: SOURCE.nodeRid,
      command: { failureCode: "requestRejected", target: OWNER, senderRole: "coordinator" },
    });
    expect(owner.message("m3")).toBe("feed");
    expect(owner.barriers.inspect().ended.size).toBe(0);
  });

  test("S6, S20: the abort that the source owes then ends the identity, so that a late 42 cannot seal (S8)", () => {
    const owner = new Owner();
    owner.seal();
    owner.handle({ type: "SealInstallFailed", identity: IDENTITY, reason: "no" });
    expect(types(owner.abort())).toEqual(["Report"]);
    expect(only(owner.seal(), "SendRefusal").command.failureCode).toBe("requestRejected");
  });

  test("S6, S9: a 44 that waited for a seal that failed ends the identity", () => {
    const owner = new Owner();
    owner.seal();
    owner.abort();
    owner.message("m1");
    const effects = owner.handle({ type: "SealInstallFailed", identity: IDENTITY, reason: "no" });
    expect(only(effects, "ReleaseHeld")).toMatchObject({ to: "source", items: ["m1"] });
    expect(owner.barriers.inspect().ended.size).toBe(1);
    expect(isQuiet(owner.abort())).toBe(true);
    expect(only(owner.seal(), "SendRefusal").command.failureCode).toBe("requestRejected");
  });
});

describe("S8: a 44 that comes before its 42", () => {
  test("S8: a warning and no effect, and the late 42 is refused, each time in the same way (I9)", () => {
    const owner = new Owner();
    expect(owner.abort()).toEqual([
      {
        type: "Report",
        event: "route.unknownIdentity",
        fields: { identity: IDENTITY, action: "abort", authorityOwnerGeneration: 7n, peer: SOURCE.nodeRid },
      },
    ]);
    const late = owner.seal();
    expect(types(late)).toEqual(["SendRefusal", "Report"]);
    expect(only(late, "SendRefusal").command.failureCode).toBe("requestRejected");
    expect(owner.message("m1")).toBe("feed");
    expect(only(owner.seal(), "SendRefusal")).toEqual(only(late, "SendRefusal"));
  });

  test("S8, S3: once the late 42 was answered, other bytes are a protocol error", () => {
    const owner = new Owner();
    owner.abort();
    owner.seal();
    const other = { ...SEAL, coordinator: { ...SEAL.coordinator, ownerId: "other" } };
    expect(types(owner.seal(other))).toEqual(["ReportProtocolError"]);
  });

  test("S8, M9: a stranger's late 42 is refused as a stranger's, and is not taken for the rightful one", () => {
    const owner = new Owner();
    owner.abort();
    expect(only(owner.seal(SEAL, STRANGER), "SendRefusal").command.failureCode).toBe("actorLocationStale");
    const { command } = only(owner.seal(), "SendRefusal");
    expect(command).toMatchObject({ failureCode: "requestRejected", coordinator: SEAL.coordinator });
  });

  test("S8, M9: somebody else's 44 does not end the identity", () => {
    const owner = new Owner();
    expect(types(owner.abort(abortCommand(), STRANGER))).toEqual(["ReportProtocolError"]);
    expect(types(owner.commit(commitCommand(), SOURCE))).toEqual(["ReportProtocolError"]);
    expect(types(owner.seal())).toEqual(["StartSealTimer", "InstallSeal"]);
  });
});

describe("S19: one active identity per binding", () => {
  const second: SessionRelocationSeal = { ...SEAL, relocation: { high: 1n, low: 3n } };

  test("S19: another one is refused until the first has ended", () => {
    const owner = new Owner();
    owner.seal();
    const effects = owner.seal(second);
    expect(types(effects)).toEqual(["SendRefusal", "Report"]);
    expect(only(effects, "SendRefusal").command).toMatchObject({
      relocation: second.relocation,
      failureCode: "requestRejected",
    });
    owner.installed();
    expect(only(owner.seal(second), "SendRefusal").command.failureCode).toBe("requestRejected");
    owner.abort(abortCommand(ABORT));
    expect(types(owner.seal(second))).toEqual(["StartSealTimer", "InstallSeal"]);
  });

  test("S19: bindings of other sessions to the same actor are sealed on their own", () => {
    const owner = new Owner();
    owner.seal();
    const session = { ...SESSION, sessionRid: ridFromText("session-2"), bindingGeneration: 6n };
    owner.binding = { sessionRid: session.sessionRid, bindingGeneration: 6n, route: FENCE };
    expect(types(owner.seal({ ...SEAL, session }))).toEqual(["StartSealTimer", "InstallSeal"]);
  });
});
