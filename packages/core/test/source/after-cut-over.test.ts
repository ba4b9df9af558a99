import { describe, expect, it } from "vitest";
import type { SourceInput } from "../../src/source/inputs.ts";
import {
  abortRequested,
  afterCutOver,
  captured,
  committed,
  config,
  coordinator,
  cutOverRun,
  deadlineFired,
  elsewhere,
  failed,
  found,
  gateway,
  joined,
  linkLost,
  names,
  noAnswer,
  one,
  only,
  OBJECT,
  OWN,
  ownRecord,
  read,
  ready,
  retryFired,
  sealed,
  sealingRun,
  self,
  session,
  target,
  targetOwner,
  two,
  actorFence,
} from "./fixtures.ts";

const fenced: SourceInput = {
  type: "FenceSettled",
  answer: { outcome: "fenced", record: { ...ownRecord, storeVersion: "v2" } },
};

const reasons: Readonly<Record<string, SourceInput>> = {
  "a 37": joined,
  "a 53": failed,
  "a lost link": linkLost(target),
  "an abort request": abortRequested,
};

describe("O4: after the 34 only the store speaks", () => {
  for (const [name, input] of Object.entries(reasons)) {
    it(`${name} is a reason to read the store and nothing else`, () => {
      expect(cutOverRun().give(input).effects).toEqual([{ type: "ReadAuthority" }]);
    });
    for (const state of ["readingVerdict", "fencing"] as const) {
      it(`${name} changes nothing while the store is asked (${state})`, () => {
        const run = afterCutOver[state]!();
        expect(run.give(input).effects).toEqual([]);
        expect(run.state.type).toBe(state);
      });
    }
  }

  it("the deadline is a reason to read too, and starts the store's own deadline", () => {
    const run = cutOverRun().after(10_000).give(deadlineFired);
    expect(run.effects).toEqual([{ type: "StartTimer", timer: "deadline", delayMs: 5_000 }, { type: "ReadAuthority" }]);
    expect(cutOverRun().after(9_999).give(deadlineFired).effects).toEqual([
      { type: "StartTimer", timer: "deadline", delayMs: 1 },
    ]);
  });

  it("a lost link of anyone else is none", () => {
    expect(cutOverRun().give(linkLost(gateway)).effects).toEqual([]);
  });

  it("resumes once the fence write has succeeded, and tells the target only then (O11)", () => {
    const run = cutOverRun().give(failed, read(found()));
    expect(run.effects).toEqual([{ type: "FenceAuthority", baseVersion: "v1" }]);
    expect(names(run.all)).not.toContain("SendFailed");
    run.give(fenced);
    expect(names(run.effects)).toEqual([
      "SendFailed",
      "GiveBackHold",
      "SendRoute:abort",
      "SendRoute:abort",
      "OpenGate",
      "StopTimer",
      "Settle",
    ]);
    expect(run.state).toMatchObject({ outcome: { type: "aborted", failure: { code: "targetRefused" } } });
  });

  it("if the fence finds the target as owner, the move committed and the source departs", () => {
    const run = cutOverRun()
      .give(failed, read(found()), { type: "FenceSettled", answer: { outcome: "stale" } }, retryFired)
      .give(read(committed));
    expect(run.state).toMatchObject({ outcome: { type: "committed" } });
  });

  it("a fence write whose answer was lost and that did happen shows in the next reading", () => {
    const run = cutOverRun()
      .give(failed, read(found()), { type: "FenceSettled", answer: { outcome: "unknown", reason: "lost" } })
      .give(retryFired, read(found({ storeVersion: "v2" })));
    expect(run.state).toMatchObject({ outcome: { type: "aborted" } });
  });

  it("O7: tells the first reason, not a later one", () => {
    const run = cutOverRun().give(linkLost(target), abortRequested, read(found())).give(failed, fenced);
    expect(run.state).toMatchObject({ outcome: { failure: { code: "targetUnavailable" } } });
  });

  it("a reason to give up counts although a 37 came first", () => {
    const run = cutOverRun().give(joined, read(found()));
    expect(run.state.type).toBe("pausingVerdict");
    expect(names(run.give(failed).effects)).toEqual(["StopTimer", "ReadAuthority"]);
    expect(names(run.give(read(found())).effects)).toEqual(["FenceAuthority"]);
  });

  it("a 37 during a pause is a reason to read at once; a repeat of a known reason is not", () => {
    const run = cutOverRun().give(failed, read(noAnswer));
    expect(run.give(failed).effects).toEqual([]);
    expect(names(run.give(joined).effects)).toEqual(["StopTimer", "ReadAuthority"]);
    expect(run.state).toMatchObject({ situation: { type: "abortWanted" } });
  });
});

describe("O5: a lost or ambiguous answer is never guessed", () => {
  it("reads again until the deadline, then stays closed, reports once and reads more slowly", () => {
    const run = cutOverRun().after(10_000).give(deadlineFired, read(noAnswer), retryFired, read(noAnswer));
    run.after(5_000).give(deadlineFired);
    expect(run.effects[0]).toMatchObject({
      type: "Report",
      event: "source.owner.undecided",
      fields: { failure: { code: "ownerUndecided", cause: { code: "deadlineExceeded" } } },
    });
    expect(only(run.all, "Settle")).toEqual([]);
    expect(names(run.all)).not.toContain("OpenGate");
    run.give(read(noAnswer));
    expect(run.effects).toEqual([{ type: "StartTimer", timer: "retryRead", delayMs: 1_000 }]);
    run.after(5_000).give(deadlineFired);
    expect(run.effects).toEqual([]);
  });

  it("is not stuck a moment before the store's own deadline", () => {
    const run = cutOverRun().after(10_000).give(deadlineFired).after(4_999).give(deadlineFired);
    expect(run.effects).toEqual([{ type: "StartTimer", timer: "deadline", delayMs: 1 }]);
  });

  it("evidence counts however late it comes", () => {
    const stuck = () => cutOverRun().after(10_000).give(deadlineFired).after(5_000).give(deadlineFired);
    expect(stuck().give(read(committed)).state).toMatchObject({ outcome: { type: "committed" } });
    const back = stuck().give(read(found()), fenced);
    expect(back.state).toMatchObject({ outcome: { type: "aborted", failure: { code: "deadlineExceeded" } } });
  });

  it("becomes stuck even while a fence write is out, and takes its answer", () => {
    const run = cutOverRun().give(failed, read(found())).after(10_000).give(deadlineFired);
    expect(run.effects).toEqual([{ type: "StartTimer", timer: "deadline", delayMs: 5_000 }]);
    run.after(5_000).give(deadlineFired);
    expect(names(run.effects)).toEqual(["Report"]);
    run.give(fenced);
    expect(run.state).toMatchObject({ outcome: { type: "aborted", failure: { code: "targetRefused" } } });
  });

  it("answers that nobody asked for prove nothing", () => {
    const run = cutOverRun();
    expect(run.give(read(committed), fenced, read(found({ storeVersion: "v2" }))).state.type).toBe("awaitingWord");
    const fencing = cutOverRun().give(failed, read(found()));
    expect(fencing.give(read(committed)).state.type).toBe("fencing");
    const reading = cutOverRun().give(failed);
    expect(reading.give(fenced).state.type).toBe("readingVerdict");
  });

  it("departs to whoever the store names, with what was handed over in doubt", () => {
    const owner = { ...elsewhere, nodeGeneration: 8n, ownerLeaseGeneration: 80n };
    const run = cutOverRun().give(
      joined,
      read(found({ owner, authorityOwnerGeneration: OWN + 3n, storeVersion: "v5" })),
    );
    expect(run.effects[0]).toMatchObject({
      type: "StartFollow",
      handedOver: "unknown",
      target: {
        actor: actorFence.actor,
        nodeRid: owner.nodeRid,
        nodeGeneration: 8n,
        authorityOwnerGeneration: OWN + 3n,
        ownerLeaseGeneration: 80n,
      },
    });
    expect(run.state).toMatchObject({ outcome: { type: "superseded", failure: { code: "staleOwner" } } });
  });
});

describe("step 10: departing on committed evidence", () => {
  it("follows to the store's values, then drops the copy, then ends", () => {
    const run = cutOverRun().give(joined, read(committed));
    const fence = {
      actor: actorFence.actor,
      nodeRid: target,
      nodeGeneration: targetOwner.nodeGeneration,
      authorityOwnerGeneration: OWN + 1n,
      ownerLeaseGeneration: targetOwner.ownerLeaseGeneration,
    };
    expect(run.effects).toEqual([
      {
        type: "StartFollow",
        target: fence,
        handedOver: "delivered",
        relay: {
          command: "relocationData",
          relocation: config.relocation,
          targetAttemptGeneration: 1n,
          coordinator,
          senderRole: "source",
          object: { kind: "actor", actorId: "user:42", objectGeneration: OBJECT, authorityOwnerGeneration: OWN },
        },
      },
      { type: "DropCopy" },
      { type: "StopTimer", timer: "deadline" },
      { type: "Settle", outcome: { type: "committed", owner: targetOwner, authorityOwnerGeneration: OWN + 1n } },
    ]);
  });

  const commits = (run: ReturnType<typeof cutOverRun>) =>
    only(run.effects, "SendRoute").map(({ peer, command }) => [peer, command.senderRole, command.route]);
  const commit = {
    action: "commit",
    previousAuthorityOwnerGeneration: OWN,
    targetAuthorityOwnerGeneration: OWN + 1n,
    targetNodeRid: target,
    targetNodeGeneration: targetOwner.nodeGeneration,
    targetOwnerLeaseGeneration: targetOwner.ownerLeaseGeneration,
  };
  const asCoordinator = [
    [gateway, "coordinator", commit],
    [self.nodeRid, "coordinator", commit],
  ];

  it("S20: says the commit as coordinator when the target's link was lost before the evidence", () => {
    const run = cutOverRun().give(linkLost(target), read(committed));
    expect(commits(run)).toEqual(asCoordinator);
    expect(run.give(linkLost(target)).effects).toEqual([]);
  });

  it("S20: and when it is lost after it, once", () => {
    const run = cutOverRun().give(joined, read(committed));
    expect(run.give(linkLost(gateway)).effects).toEqual([]);
    expect(commits(run.give(linkLost(target)))).toEqual(asCoordinator);
    expect(run.give(linkLost(target)).effects).toEqual([]);
  });

  it("S20: a session whose owner is gone is not told", () => {
    const other = session("s3");
    const run = sealingRun([one, two, other])
      .give({ type: "SessionOwnerGone", ownerNodeRid: self.nodeRid })
      .give(sealed(one), sealed(other), captured, ready)
      .give(linkLost(target), read(committed));
    expect(only(run.effects, "SendRoute").map(({ command }) => command.session)).toEqual([one, other]);
  });

  it("H5: an actor that is no more: held messages are failed, every seal is ended, nothing is followed", () => {
    const run = cutOverRun([one]).give(joined, read({ outcome: "absent" }));
    expect(names(run.effects)).toEqual(["FailHold", "SendRoute:abort", "DropCopy", "StopTimer", "Settle"]);
  });
});
