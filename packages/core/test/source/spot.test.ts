import { actorAuthorityKey } from "@rehome/wire";
import { describe, expect, it } from "vitest";
import type { ReadAnswer } from "../../src/ports/authority-store.ts";
import { READ_AGAIN_MS } from "../../src/source/config.ts";
import {
  MEMBER_AFTER_VERDICT,
  MEMBER_AT_BASE,
  type MemberBaseAction,
  type MemberOwnerAction,
} from "../../src/source/members.ts";
import { READINGS, type Reading } from "../../src/source/resolution.ts";
import { authorityFrozen } from "../../src/source/state.ts";
import { startSource } from "../../src/source/step.ts";
import {
  abortRequested,
  deadlineFired,
  elsewhere,
  linkLost,
  names,
  noAnswer,
  only,
  RELOCATION,
  retryFired,
  Run,
  sealRefused,
  target,
  targetOwner,
} from "./fixtures.ts";
import {
  bound,
  found,
  joinedOf,
  memberFence,
  memberIds,
  memberRecord,
  membersRead,
  movedMember,
  movedSpot,
  sealedFor,
  spotConfig,
  spotFailed,
  spotFence,
  spotObject,
  spotRead,
  spotReady,
  spotRecord,
  spotRun,
  STEPS,
} from "./spot-fixtures.ts";

const keys = memberIds.map(actorAuthorityKey);

/** The fence that the store gave a member. */
function newFence(actorId: string) {
  return {
    actor: { actorId, objectGeneration: 2n },
    nodeRid: target,
    nodeGeneration: targetOwner.nodeGeneration,
    ownerLeaseGeneration: targetOwner.ownerLeaseGeneration,
    authorityOwnerGeneration: movedMember(actorId).authorityOwnerGeneration,
  };
}

describe("section 4: a spot's move at its source is the move of an actor, with more members", () => {
  it("step 3: reads the spot's base version, then its members', then seals every member's sessions under its fence", () => {
    const run = spotRun(2);
    expect(run.effects).toEqual([{ type: "ReadAuthority" }]);
    expect(run.give(spotRead(spotRecord)).effects).toEqual([{ type: "ReadMembers", keys }]);
    run.give(membersRead(memberRecord));
    expect(only(run.effects, "SendSeal").map(({ peer, command }) => [peer, command.actor, command.session])).toEqual(
      bound.map(({ actorId, session }) => [session.ownerNodeRid, memberFence(actorId), session]),
    );
    expect(
      new Set(only(run.effects, "SendSeal").map(({ command }) => command.coordinator.expectedAuthorityStoreVersion)),
    ).toEqual(new Set([spotRecord.storeVersion]));
  });

  it("T8: the capture is told each member's base version, in their order, for the commit", () => {
    expect(spotRun(STEPS.capturing).effects).toEqual([
      {
        type: "CaptureState",
        chunkBytes: 1_024,
        maxPayloadBytes: 1_000_000,
        memberVersions: memberIds.map((id) => `base-${id}`),
      },
    ]);
  });

  it("steps 5 and 6: 40, 52, 31 and 34 name the spot", () => {
    const run = spotRun(STEPS.transferring);
    expect(only(run.effects, "SendPrepare")[0]?.command.object).toEqual(spotObject);
    expect(only(run.effects, "SendState")[0]?.header.object).toEqual(spotObject);
    const [cutOver] = only(run.give(spotReady).effects, "RelayAndCutOver");
    expect([cutOver?.relay.object, cutOver?.cutover.object]).toEqual([spotObject, spotObject]);
  });

  it("step 10, T9: follows every member to its own generation, which the store gave, then drops all at once", () => {
    const run = spotRun(STEPS.verdict);
    expect(run.effects).toEqual([{ type: "ReadAuthority" }]);
    run.give(spotRead(movedSpot));
    expect(run.effects).toEqual([
      { type: "StartTimer", timer: "deadline", delayMs: 5_000 },
      { type: "ReadMembers", keys },
    ]);
    run.give(membersRead(movedMember));
    expect(names(run.effects)).toEqual([
      "StartFollow",
      "StartFollow",
      "StartFollow",
      "DropCopy",
      "StopTimer",
      "Settle",
    ]);
    expect(only(run.effects, "StartFollow").map(({ target: to, handedOver }) => [to, handedOver])).toEqual(
      memberIds.map((id) => [newFence(id), "delivered"]),
    );
    expect(only(run.effects, "Settle")[0]?.outcome).toEqual({
      type: "committed",
      owner: targetOwner,
      authorityOwnerGeneration: movedSpot.authorityOwnerGeneration,
    });
  });

  it("a unit without members has nobody for a 37 to name: the source looks at the store by itself, at its pace", () => {
    const empty = new Run(spotConfig([])).give(
      { type: "CheckPassed" },
      { type: "TurnsStopped", bindings: [] },
      spotRead(spotRecord),
      { type: "StateCaptured", payload: { totalLength: 5n, chunkCount: 1, checksumCrc32c: 5 } },
      spotReady,
    );
    expect(names(empty.effects)).toEqual(["RelayAndCutOver", "StartTimer"]);
    expect(empty.effects[1]).toEqual({ type: "StartTimer", timer: "retryRead", delayMs: READ_AGAIN_MS });
    expect(names(empty.give(retryFired).effects)).toEqual(["ReadAuthority"]);
    expect(empty.give(spotRead(spotRecord)).effects).toEqual([
      { type: "StartTimer", timer: "retryRead", delayMs: READ_AGAIN_MS },
    ]);
    empty.give(retryFired, spotRead(movedSpot));
    expect(names(empty.effects)).toEqual(["DropCopy", "StopTimer", "Settle"]);
  });

  it("O6: all authorities of the unit are frozen until the end, while owners are being learned too", () => {
    for (const steps of [STEPS.readingMembers, STEPS.sealing, STEPS.cutOver, STEPS.owners])
      expect(authorityFrozen(spotRun(steps).state)).toBe(true);
    expect(authorityFrozen(spotRun(STEPS.owners + 1).state)).toBe(false);
  });
});

describe("O1: the fences of a unit", () => {
  it.each(memberIds)("a stale fence of %s alone keeps the move from beginning", (id) => {
    const given = spotConfig();
    if (given.unit.kind !== "userSpot") throw new Error("a spot");
    const members = given.unit.members.map((member) =>
      member.fence.actor.actorId === id ? { ...member, fence: { ...member.fence, ownerLeaseGeneration: 19n } } : member,
    );
    const step = startSource({ ...given, unit: { ...given.unit, members } }, 0);
    expect(step.effects).toMatchObject([{ type: "Settle", outcome: { type: "aborted" } }]);
  });

  it("a stale fence of the spot does too", () => {
    const given = spotConfig();
    const fence = { ...spotFence, authorityOwnerGeneration: 0n };
    const unit = { ...given.unit, kind: "userSpot" as const, fence, members: [] };
    expect(startSource({ ...given, unit }, 0).effects).toMatchObject([{ type: "Settle" }]);
  });
});

/** Every answer that says the same of `m2` before the seal. */
const AT_BASE: Readonly<Record<Reading, readonly ReadAnswer[]>> = {
  ownAtBase: [found(memberRecord("m2")), found({ ...memberRecord("m2"), storeVersion: "another" })],
  ownPastBase: [],
  ownLeaseEnded: [found(memberRecord("m2"), false)],
  thisMove: [found(movedMember("m2"))],
  newerOwner: [found({ ...movedMember("m2"), owner: elsewhere })],
  gone: [{ outcome: "absent" }, found({ ...memberRecord("m2"), state: "destroyed" })],
  contradiction: [
    found({ ...memberRecord("m2"), owner: elsewhere }),
    found({ ...memberRecord("m2"), stableType: "x" }),
    found(memberRecord("m1")),
  ],
  noAnswer: [noAnswer],
};

describe("O1: what the reading of one member before the seal means, row by row", () => {
  const DONE: Readonly<Record<MemberBaseAction, (run: Run) => void>> = {
    take: (run) => expect(names(run.effects)).toEqual(["SendSeal", "SendSeal", "SendSeal"]),
    abort: (run) => {
      expect(run.state).toMatchObject({
        type: "aborted",
        outcome: { failure: { code: "staleOwner", actorId: "m2" } },
      });
      expect(names(run.effects)).toEqual(["GiveBackHold", "OpenGate", "StopTimer", "Settle"]);
    },
    readAgain: (run) => {
      expect(run.effects).toEqual([{ type: "StartTimer", timer: "retryRead", delayMs: READ_AGAIN_MS }]);
      expect(names(run.give(retryFired).effects)).toEqual(["ReadAuthority"]);
      expect(names(run.give(spotRead(spotRecord)).effects)).toEqual(["ReadMembers"]);
    },
  };
  for (const reading of READINGS) {
    const { action, because } = MEMBER_AT_BASE[reading];
    it(`${reading} → ${action} (${because})`, () => {
      for (const answer of AT_BASE[reading])
        DONE[action](spotRun(STEPS.readingMembers).give(membersRead(memberRecord, { m2: answer })));
    });
  }

  it("I6: goes on only when every member is this node's own, and what stands against one comes before silence", () => {
    for (const reading of READINGS) expect(MEMBER_AT_BASE[reading].action === "take").toBe(reading === "ownAtBase");
    const run = spotRun(STEPS.readingMembers).give(
      membersRead(memberRecord, { m1: noAnswer, m3: found({ ...memberRecord("m3"), owner: elsewhere }) }),
    );
    expect(run.state).toMatchObject({ outcome: { failure: { actorId: "m3" } } });
  });

  it("an answer that is missing is none", () => {
    const run = spotRun(STEPS.readingMembers).give({ type: "MembersRead", answers: [found(memberRecord("m1"))] });
    expect(run.state.type).toBe("pausingBase");
  });
});

describe("O5: what the reading of one member after the verdict means, row by row", () => {
  const answers: Readonly<Record<Reading, readonly ReadAnswer[]>> = AT_BASE;
  const last = (run: Run): Run => run.give(membersRead(movedMember, {}, ["m2"]));
  const DONE: Readonly<Record<MemberOwnerAction, (run: Run) => void>> = {
    follow: (run) => expect(names(run.effects).slice(0, 3)).toEqual(["StartFollow", "StartFollow", "StartFollow"]),
    fail: (run) => expect(names(run.effects).slice(0, 3)).toEqual(["StartFollow", "FailHold", "StartFollow"]),
    readAgain: (run) => {
      expect(run.effects).toEqual([{ type: "StartTimer", timer: "retryRead", delayMs: READ_AGAIN_MS }]);
      // Whoever is known is not asked for again.
      expect(run.give(retryFired).effects).toEqual([{ type: "ReadMembers", keys: [keys[1]] }]);
      expect(last(run).state.type).toBe("departed");
    },
  };
  for (const reading of READINGS) {
    const { action, because } = MEMBER_AFTER_VERDICT[reading];
    it(`${reading} → ${action} (${because})`, () => {
      for (const answer of answers[reading])
        DONE[action](spotRun(STEPS.owners).give(membersRead(movedMember, { m2: answer })));
    });
  }

  it("F1: only evidence of a newer owner is followed", () => {
    const follows = READINGS.filter((reading) => MEMBER_AFTER_VERDICT[reading].action === "follow");
    expect(follows).toEqual(["thisMove", "newerOwner"]);
    const run = spotRun(STEPS.owners).give(
      membersRead(movedMember, {
        m2: found({ ...movedMember("m2"), owner: elsewhere, authorityOwnerGeneration: 99n }),
      }),
    );
    expect(only(run.effects, "StartFollow")[1]?.target).toMatchObject({
      nodeRid: elsewhere.nodeRid,
      authorityOwnerGeneration: 99n,
    });
  });

  it("I7, H5: when the store is silent for too long, what is known is followed, and the rest is told to look again", () => {
    const run = spotRun(STEPS.owners).give(membersRead(movedMember, { m1: noAnswer, m3: noAnswer }));
    expect(run.state.type).toBe("pausingOwners");
    run.after(5_000).give(deadlineFired);
    expect(names(run.effects)).toEqual([
      "StopTimer",
      "FailHold",
      "StartFollow",
      "FailHold",
      "DropCopy",
      "StopTimer",
      "Settle",
    ]);
    expect(only(run.effects, "FailHold")[0]).toMatchObject({
      actorId: "m1",
      handedOver: "delivered",
      failure: { code: "storeUnavailable" },
    });
    expect(run.state).toMatchObject({ outcome: { type: "committed" } });
  });

  it("a timer that comes early waits for the rest", () => {
    const run = spotRun(STEPS.owners).after(1_000).give(deadlineFired);
    expect(run.effects).toEqual([{ type: "StartTimer", timer: "deadline", delayMs: 4_000 }]);
  });

  it("I7: nothing brings the unit back while owners are being learned, and records come too late", () => {
    const run = spotRun(STEPS.owners);
    for (const input of [abortRequested, spotFailed, spotReady, joinedOf("m2"), sealedFor(bound[0]!)]) run.give(input);
    expect(run.state.type).toBe("readingOwners");
    expect(run.effects).toMatchObject([{ type: "Report", event: "source.record.late" }]);
  });
});

describe("S20: what session owners are told of every member", () => {
  it("one abort for each seal, under its own member's generation", () => {
    const run = spotRun(STEPS.sealing).give(abortRequested);
    expect(
      only(run.effects, "SendRoute").map(({ peer, command }) => [peer, command.actor.actorId, command.route]),
    ).toEqual(
      bound.map(({ actorId, session }) => [
        session.ownerNodeRid,
        actorId,
        { action: "abort", currentAuthorityOwnerGeneration: memberFence(actorId).authorityOwnerGeneration },
      ]),
    );
    expect(names(run.effects).slice(-3)).toEqual(["OpenGate", "StopTimer", "Settle"]);
  });

  const commits = (run: Run) =>
    only(run.effects, "SendRoute").map(({ command }) => [
      command.actor.actorId,
      command.route.action,
      command.route.action === "commit" ? command.route.targetAuthorityOwnerGeneration : undefined,
    ]);
  const expected = bound.map(({ actorId }) => [actorId, "commit", movedMember(actorId).authorityOwnerGeneration]);

  it("the commits in the target's place when its link is lost: before the verdict, while owners are learned, or after", () => {
    const before = spotRun(STEPS.cutOver).give(linkLost(target), spotRead(movedSpot), membersRead(movedMember));
    expect(commits(before)).toEqual(expected);
    const meanwhile = spotRun(STEPS.owners).give(linkLost(target), membersRead(movedMember));
    expect(commits(meanwhile)).toEqual(expected);
    const after = spotRun(STEPS.owners + 1);
    expect(commits(after)).toEqual([]);
    expect(commits(after.give(linkLost(target)))).toEqual(expected);
    expect(commits(after.give(linkLost(target)))).toEqual([]);
  });

  it("an abort for a member that is no more, nothing for one that nobody knows of", () => {
    const run = spotRun(STEPS.owners)
      .give(linkLost(target), membersRead(movedMember, { m1: { outcome: "absent" }, m2: noAnswer }))
      .after(5_000)
      .give(deadlineFired);
    expect(commits(run).map(([id, action]) => [id, action])).toEqual([
      ["m1", "abort"],
      ["m1", "abort"],
    ]);
  });
});

describe("I9: records of a spot's move prove themselves", () => {
  const refused = (run: Run, field: string) =>
    expect(run.effects).toMatchObject([{ type: "Report", event: "source.record.refused", fields: { field } }]);

  it("a 43 counts for its own member only", () => {
    const run = spotRun(STEPS.sealing);
    const [first] = bound;
    const wrong = sealedFor({ ...first!, actorId: "m2" });
    refused(run.give(wrong), "session.sessionRid");
    for (const each of bound) run.give(sealedFor(each));
    expect(run.state.type).toBe("capturing");
  });

  it("S4, S6: a session owner's 53 names the actor that its 42 named, and ends the move of all", () => {
    const { session } = bound[2]!;
    const input = sealRefused(session);
    const object = { kind: "actor", ...memberFence("m2").actor, authorityOwnerGeneration: 7n } as const;
    const about = (change: object) => ({ ...input, command: { ...input.command, object: { ...object, ...change } } });
    refused(spotRun(STEPS.sealing).give(about({ actorId: "m3" })), "object.id");
    const run = spotRun(STEPS.sealing).give(about({}));
    expect(run.state).toMatchObject({ type: "aborted", outcome: { failure: { code: "sealRefused" } } });
  });

  it("a 37 names a member, from the target, under a newer generation", () => {
    const run = spotRun(STEPS.cutOver);
    const { command } = joinedOf("m2");
    refused(
      run.give({ ...joinedOf("m2"), command: { ...command, actor: { actorId: "m9", objectGeneration: 2n } } }),
      "actor.actorId",
    );
    refused(
      run.give({ ...joinedOf("m2"), command: { ...command, authorityOwnerGeneration: 7n } }),
      "authorityOwnerGeneration",
    );
    refused(run.give({ ...joinedOf("m2"), peer: elsewhere.nodeRid }), "peer");
    expect(names(run.give(joinedOf("m2")).effects)).toEqual(["ReadAuthority"]);
  });

  it("bindings of an actor that is no member are nobody's to seal", () => {
    const run = spotRun(1).give(
      { type: "TurnsStopped", bindings: [...bound, { actorId: "stranger", session: bound[0]!.session }] },
      spotRead(spotRecord),
      membersRead(memberRecord),
    );
    expect(only(run.effects, "SendSeal")).toHaveLength(bound.length);
  });

  it("O1: a session owner that is gone while members are read leaves its sessions out", () => {
    const run = spotRun(STEPS.readingMembers).give(
      { type: "SessionOwnerGone", ownerNodeRid: bound[2]!.session.ownerNodeRid },
      membersRead(memberRecord),
    );
    expect(only(run.effects, "SendSeal").map(({ command }) => command.actor.actor.actorId)).toEqual(["m1", "m1"]);
  });
});

describe("O5: units that are not this node's any more when their base version is read", () => {
  it("a spot with another owner: its members are followed, and what came for them goes along", () => {
    const run = spotRun(2).give(spotRead({ ...movedSpot, owner: elsewhere, relocation: undefined }));
    expect(names(run.effects)).toEqual(["StartTimer", "ReadMembers"]);
    run.give(membersRead((id) => ({ ...movedMember(id), owner: elsewhere, relocation: undefined })));
    expect(
      only(run.effects, "StartFollow").map(({ handedOver, relay }) => [
        handedOver,
        relay.coordinator.expectedAuthorityStoreVersion,
      ]),
    ).toEqual(memberIds.map((id) => ["nothing", `moved-${id}`]));
    expect(run.state).toMatchObject({ outcome: { type: "superseded" } });
  });

  it("I2: after the 34, what was handed over to somebody who is not the owner is of unknown outcome", () => {
    const run = spotRun(STEPS.verdict).give(
      { type: "AuthorityRead", answer: { outcome: "absent" } },
      membersRead(movedMember, { m2: { outcome: "absent" } }),
    );
    expect(run.effects.slice(0, 3)).toMatchObject([
      { type: "StartFollow", handedOver: "unknown" },
      { type: "FailHold", actorId: "m2", handedOver: "unknown" },
      { type: "StartFollow", handedOver: "unknown" },
    ]);
  });
});

it("T7: exactly this move is looked for in the spot's own record, whatever the members' say", () => {
  const run = spotRun(STEPS.verdict).give(spotRead({ ...movedSpot, relocation: { ...RELOCATION, low: 1n } }));
  run.give(membersRead(movedMember));
  expect(run.state).toMatchObject({ type: "departed", outcome: { type: "superseded" } });
});
