import { describe, expect, it } from "vitest";
import {
  abortRequested,
  capturingRun,
  config,
  coordinator,
  failed,
  gateway,
  linkLost,
  names,
  noAnswer,
  one,
  only,
  read,
  readingBaseRun,
  Run,
  sealed,
  sealingRun,
  sealRefused,
  self,
  session,
  target,
  transferringRun,
  two,
  actorFence,
} from "./fixtures.ts";

const object = { kind: "actor", actorId: "user:42", objectGeneration: 3n, authorityOwnerGeneration: 10n };

describe("O7, O11, S20: the order of a rollback", () => {
  it("checking, relocate: nothing had stopped, nothing is given back", () => {
    const run = new Run().give({ type: "CheckFailed", failure: { code: "targetUnavailable", message: "gone" } });
    expect(names(run.effects)).toEqual(["StopTimer", "Settle"]);
  });

  it("H2, checking, join: the provisional hold is given back when the spot says no", () => {
    const failure = { code: "joinRejected", message: "full" } as const;
    const run = new Run({ ...config, kind: "join" }).give({ type: "CheckFailed", failure });
    expect(names(run.effects)).toEqual(["GiveBackHold", "OpenGate", "StopTimer", "Settle"]);
    expect(run.state).toMatchObject({ outcome: { failure } });
  });

  it("before the seal: hold, then gate", () => {
    expect(names(readingBaseRun().give(abortRequested).effects)).toEqual([
      "GiveBackHold",
      "OpenGate",
      "StopTimer",
      "Settle",
    ]);
    expect(names(readingBaseRun().give(read(noAnswer), abortRequested).effects)[0]).toBe("StopTimer");
  });

  it("S20: an abort is owed for every 42 that was handed over, confirmed or not, its owner gone or not", () => {
    const third = session("s3", gateway, 2n);
    const run = sealingRun([one, two, third])
      .give(sealed(one), { type: "SessionOwnerGone", ownerNodeRid: self.nodeRid })
      .give(abortRequested);
    expect(names(run.effects)).toEqual([
      "GiveBackHold",
      "SendRoute:abort",
      "SendRoute:abort",
      "SendRoute:abort",
      "OpenGate",
      "StopTimer",
      "Settle",
    ]);
    expect(only(run.effects, "SendRoute")).toEqual(
      [one, two, third].map((bound) => ({
        type: "SendRoute",
        peer: bound.ownerNodeRid,
        command: {
          command: "sessionRelocationRoute",
          relocation: config.relocation,
          coordinator,
          senderRole: "source",
          actor: actorFence.actor,
          session: bound,
          route: { action: "abort", currentAuthorityOwnerGeneration: 10n },
        },
      })),
    );
  });

  it("O11: once a 40 is out, the target is told first, under this move's fence", () => {
    const run = transferringRun().give(abortRequested);
    expect(names(run.effects)).toEqual([
      "SendFailed",
      "GiveBackHold",
      "SendRoute:abort",
      "SendRoute:abort",
      "OpenGate",
      "StopTimer",
      "Settle",
    ]);
    expect(run.effects[0]).toEqual({
      type: "SendFailed",
      peer: target,
      command: {
        command: "relocationFailed",
        relocation: config.relocation,
        targetAttemptGeneration: 1n,
        coordinator,
        target: config.target,
        object,
        senderRole: "source",
        failureCode: "requestRejected",
      },
    });
  });

  it("a 53 of the target ends the move as refused", () => {
    const run = transferringRun().give(failed);
    expect(run.state).toMatchObject({ type: "aborted", outcome: { failure: { code: "targetRefused" } } });
  });

  it("a 53 of a session owner ends the move as refused (S4, S6, S19)", () => {
    const run = sealingRun().give(sealRefused(one));
    expect(run.state).toMatchObject({ type: "aborted", outcome: { failure: { code: "sealRefused" } } });
    expect(only(run.effects, "SendRoute")).toHaveLength(2);
  });

  it("S4: a session owner that answers as a newer run of its node is heard", () => {
    const refusal = sealRefused(one);
    const newer = { ...refusal.command, target: { ...refusal.command.target, nodeGeneration: 7n } };
    expect(sealingRun().give({ ...refusal, command: newer }).state.type).toBe("aborted");
  });

  it("the lost link of an owner that has not answered ends the move; of one that has, it does not", () => {
    expect(sealingRun().give(linkLost(gateway)).state).toMatchObject({
      outcome: { failure: { code: "sessionOwnerUnavailable" } },
    });
    expect(sealingRun().give(sealed(one), linkLost(gateway)).state.type).toBe("sealing");
    expect(capturingRun().give(linkLost(gateway)).state.type).toBe("capturing");
  });

  it("a capture that fails gives back everything and is named", () => {
    const failure = { code: "captureFailed", message: "threw" } as const;
    const run = capturingRun().give({ type: "CaptureFailed", failure });
    expect(run.state).toMatchObject({ type: "aborted", outcome: { failure } });
    expect(names(run.effects)).not.toContain("SendFailed");
  });
});
