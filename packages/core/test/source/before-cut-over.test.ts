import { describe, expect, it } from "vitest";
import { CoreError } from "../../src/errors.ts";
import { MAX_CHUNK_COUNT } from "../../src/source/config.ts";
import type { SourceInput } from "../../src/source/inputs.ts";
import { authorityFrozen, sourceEnded } from "../../src/source/state.ts";
import { startSource } from "../../src/source/step.ts";
import {
  abortRequested,
  afterCutOver,
  beforeCutOver,
  BASE,
  captured,
  capturingRun,
  config,
  coordinator,
  cutOverRun,
  deadlineFired,
  ended,
  found,
  gateway,
  linkLost,
  names,
  noAnswer,
  one,
  only,
  read,
  readingBaseRun,
  ready,
  retryFired,
  Run,
  sealed,
  sealingRun,
  self,
  session,
  stoppingRun,
  target,
  two,
  turnsStopped,
  actorFence,
} from "./fixtures.ts";

const object = { kind: "actor", actorId: "user:42", objectGeneration: 3n, authorityOwnerGeneration: 10n };

describe("section 4: the order of a move at its source", () => {
  it("step 1: asks the target before anything stops", () => {
    expect(names(new Run().effects)).toEqual(["StartTimer", "CheckTarget"]);
    expect(names(new Run().give({ type: "CheckPassed" }).effects)).toEqual(["HoldIngress", "StopTurns"]);
  });

  it("H2: a join holds provisionally before it asks, and promotes when the spot says yes", () => {
    const run = new Run({ ...config, kind: "join" });
    expect(run.effects.slice(1)).toEqual([{ type: "HoldIngress", mode: "provisional" }, { type: "CheckTarget" }]);
    expect(names(run.give({ type: "CheckPassed" }).effects)).toEqual(["PromoteHold", "StopTurns"]);
  });

  it("step 3: reads the base version once no turn runs, then seals every session at its owner", () => {
    const run = stoppingRun().give(turnsStopped([one, two]));
    expect(run.effects).toEqual([{ type: "ReadAuthority" }]);
    run.give(read(found()));
    expect(run.effects).toEqual(
      [one, two].map((bound) => ({
        type: "SendSeal",
        peer: bound.ownerNodeRid,
        command: {
          command: "sessionRelocationSeal",
          relocation: config.relocation,
          coordinator,
          senderRole: "source",
          actor: actorFence,
          session: bound,
        },
      })),
    );
  });

  it("step 4: captures when every session is sealed, not before", () => {
    const run = sealingRun();
    expect(run.give(sealed(one)).effects).toEqual([]);
    expect(run.give(sealed(two)).effects).toEqual([
      { type: "CaptureState", chunkBytes: 1_024, maxPayloadBytes: 1_000_000, memberVersions: [] },
    ]);
  });

  it("captures at once when no session is bound", () => {
    expect(names(sealingRun([]).effects)).toEqual(["CaptureState"]);
  });

  it("step 5: sends 40 and then the payload", () => {
    const run = capturingRun().give(captured);
    const header = {
      relocation: config.relocation,
      targetAttemptGeneration: 1n,
      coordinator,
      senderRole: "source",
      object,
    };
    expect(run.effects).toEqual([
      {
        type: "SendPrepare",
        peer: target,
        command: {
          command: "relocationPrepare",
          relocation: config.relocation,
          targetAttemptGeneration: 1n,
          coordinator,
          target: config.target,
          initiatorRole: "source",
          object,
          sourceNodeRid: self.nodeRid,
          sourceNodeGeneration: self.nodeGeneration,
          payloadTotalLength: 2_049n,
          payloadChunkCount: 3,
          payloadChecksumCrc32c: 77,
          applicationVersion: 1n,
        },
      },
      { type: "SendState", peer: target, chunkBytes: 1_024, header: { command: "relocationState", ...header } },
    ]);
    expect(run.give(ready).effects).toEqual([
      {
        type: "RelayAndCutOver",
        peer: target,
        relay: { command: "relocationData", ...header },
        cutover: { command: "relocationCutover", ...header },
      },
    ]);
  });
});

describe("O1: the exact fence", () => {
  it.each([
    ["another node", { nodeRid: target }],
    ["another run of this node", { nodeGeneration: 1n }],
    ["another lease", { ownerLeaseGeneration: 19n }],
    ["no authority generation", { authorityOwnerGeneration: 0n }],
    ["no object generation", { actor: { actorId: "user:42", objectGeneration: 0n } }],
  ])("does not begin under %s", (_what, change) => {
    const step = startSource(
      { ...config, unit: { kind: "actor", stableType: "user", fence: { ...actorFence, ...change } } },
      0,
    );
    expect(step.effects).toMatchObject([{ type: "Settle", outcome: { type: "aborted" } }]);
    expect(step.state).toMatchObject({ outcome: { failure: { code: "staleOwner" } } });
  });

  it.each([
    ["binding", { bindingGeneration: 0n }],
    ["owner's lease", { ownerLeaseGeneration: 0n }],
    ["owner's node", { ownerNodeGeneration: 0n }],
  ])("fails before the seal when the %s generation is not positive", (_what, change) => {
    const run = stoppingRun().give(turnsStopped([one, { ...two, ...change }]));
    expect(names(run.effects)).toEqual(["GiveBackHold", "OpenGate", "StopTimer", "Settle"]);
    expect(run.state).toMatchObject({ outcome: { failure: { code: "staleOwner" } } });
  });

  it.each([
    ["node", { owner: { ...self, nodeRid: target } }],
    ["run", { owner: { ...self, nodeGeneration: 1n } }],
    ["lease", { owner: { ...self, ownerLeaseGeneration: 21n } }],
    ["mesh", { owner: { ...self, meshName: "other" } }],
    ["type", { stableType: "other" }],
    ["key", { key: "zla1:a:1:x" }],
  ])("fails before the seal when the store names another %s", (_what, change) => {
    const run = readingBaseRun().give(read(found(change)));
    expect(only(run.effects, "SendSeal")).toEqual([]);
    expect(run.state).toMatchObject({ type: "aborted", outcome: { failure: { code: "staleOwner" } } });
  });

  it("goes on without a session whose owner is gone, wherever the move is", () => {
    const gone: SourceInput = { type: "SessionOwnerGone", ownerNodeRid: gateway };
    expect(only(readingBaseRun().give(gone, read(found())).effects, "SendSeal")).toHaveLength(1);
    const pausing = readingBaseRun().give(read(noAnswer), gone, retryFired, read(found()));
    expect(only(pausing.effects, "SendSeal")).toHaveLength(1);
    expect(names(sealingRun().give(sealed(two), gone).effects)).toEqual(["CaptureState"]);
  });

  it("a session of another run of that owner stays", () => {
    const gone: SourceInput = { type: "SessionOwnerGone", ownerNodeRid: gateway, ownerNodeGeneration: 5n };
    expect(sealingRun([one]).give(gone).state.type).toBe("sealing");
    expect(names(sealingRun([one]).give({ ...gone, ownerNodeGeneration: 6n }).effects)).toEqual(["CaptureState"]);
  });

  it("asserts what only a bug can break", () => {
    expect(() => startSource({ ...config, relocation: { high: 0n, low: 0n } }, 0)).toThrow(CoreError);
    expect(() => startSource({ ...config, target: { ...config.target, nodeRid: self.nodeRid } }, 0)).toThrow(CoreError);
  });
});

describe("O3: before the 34 an abort needs no store write", () => {
  const reasons: Readonly<Record<string, SourceInput>> = {
    "an abort request": abortRequested,
    "the target's lost link": linkLost(target),
  };
  for (const [state, run] of Object.entries(beforeCutOver)) {
    for (const [reason, input] of Object.entries(reasons)) {
      it(`${state}: ${reason} ends the move at once`, () => {
        const stopped = run().give(input);
        expect(stopped.state.type).toBe("aborted");
        expect(names(stopped.all)).not.toContain("FenceAuthority");
        expect(only(stopped.effects, "Settle")).toHaveLength(1);
      });
    }
    it(`M4, ${state}: the deadline ends the move, not a moment earlier`, () => {
      const early = run().after(9_999.5).give(deadlineFired);
      expect(early.effects).toEqual([{ type: "StartTimer", timer: "deadline", delayMs: 0.5 }]);
      const late = run().after(10_000).give(deadlineFired);
      expect(late.state.type).toBe("aborted");
      expect(only(late.effects, "Settle")).toHaveLength(1);
    });
  }

  it("names the reason", () => {
    const codes = Object.entries(beforeCutOver).map(([name, run]) => {
      const { state } = run().after(10_000).give(deadlineFired);
      return [name, state.type === "aborted" ? state.outcome.failure.code : undefined];
    });
    expect(Object.fromEntries(codes)).toEqual({
      checking: "deadlineExceeded",
      stopping: "deadlineExceeded",
      readingBase: "storeUnavailable",
      pausingBase: "storeUnavailable",
      sealing: "deadlineExceeded",
      capturing: "deadlineExceeded",
      transferring: "deadlineExceeded",
    });
  });

  it("M4: a turn that ends after the abort stops nothing any more", () => {
    const run = stoppingRun().after(10_000).give(deadlineFired);
    expect(run.give(turnsStopped([one])).effects).toEqual([]);
  });
});

describe("T2, T4: the payload's numbers", () => {
  const give = (totalLength: bigint, chunkCount: number, checksumCrc32c = 1) =>
    capturingRun().give({ type: "StateCaptured", payload: { totalLength, chunkCount, checksumCrc32c } });

  it.each([
    [1n, 1],
    [1_023n, 1],
    [1_024n, 1],
    [1_025n, 2],
    [1_000_000n, 977],
  ])("%d bytes are %d chunks", (totalLength, chunkCount) => {
    expect(give(totalLength, chunkCount).state.type).toBe("transferring");
    for (const wrong of [chunkCount - 1, chunkCount + 1]) {
      expect(give(totalLength, wrong).state).toMatchObject({ outcome: { failure: { code: "captureFailed" } } });
    }
  });

  it("an empty payload has no chunk and CRC 0", () => {
    expect(give(0n, 0, 0).state.type).toBe("transferring");
    expect(give(0n, 0, 1).state.type).toBe("aborted");
    expect(give(0n, 1, 0).state.type).toBe("aborted");
  });

  it("T4: a payload past the limit is too large, and nothing of it is sent", () => {
    const run = give(1_000_001n, 977);
    expect(run.state).toMatchObject({ outcome: { failure: { code: "stateTooLarge" } } });
    expect(names(run.all)).not.toContain("SendPrepare");
  });

  it("T2: what a join's answer said makes chunks smaller, never larger", () => {
    const chunksOf = (receiveChunkLimitBytes: number) => {
      const run = new Run().give(
        { type: "CheckPassed", receiveChunkLimitBytes },
        { type: "TurnsStopped", bindings: [] },
        read(found()),
      );
      return only(run.effects, "CaptureState")[0]?.chunkBytes;
    };
    expect(chunksOf(100)).toBe(100);
    expect(chunksOf(1_000_000)).toBe(1_024);
  });

  it("a 40 can announce no more than 4,096 chunks", () => {
    const run = new Run().give(
      { type: "CheckPassed", receiveChunkLimitBytes: 10 },
      { type: "TurnsStopped", bindings: [] },
      read(found()),
    );
    const payload = { totalLength: 40_961n, chunkCount: MAX_CHUNK_COUNT + 1, checksumCrc32c: 1 };
    expect(run.give({ type: "StateCaptured", payload }).state).toMatchObject({
      outcome: { failure: { code: "stateTooLarge" } },
    });
  });
});

describe("O6: the authority is left alone while a move stands on its version", () => {
  it("from the reading of the base version to the verdict", () => {
    const frozen = Object.entries({ ...beforeCutOver, ...afterCutOver, ...ended })
      .filter(([, run]) => authorityFrozen(run().state))
      .map(([name]) => name);
    expect(frozen).toEqual([
      "readingBase",
      "pausingBase",
      "sealing",
      "capturing",
      "transferring",
      "awaitingWord",
      "readingVerdict",
      "fencing",
      "pausingVerdict",
    ]);
    expect(Object.values(ended).map((run) => sourceEnded(run().state))).toEqual([true, true]);
  });
});

describe("S1: one seal for one identity", () => {
  it("a binding that is listed twice is sealed once", () => {
    expect(only(sealingRun([one, one, two]).effects, "SendSeal")).toHaveLength(2);
  });

  it("two bindings of one session are two identities", () => {
    expect(only(sealingRun([one, session("s1", gateway, 2n)]).effects, "SendSeal")).toHaveLength(2);
  });
});

describe("the base version", () => {
  it("is the version that was read last, and the whole move stands on it", () => {
    const run = readingBaseRun([]).give(read(noAnswer), retryFired, read(found({ storeVersion: "v9" })), captured);
    expect(only(run.effects, "SendPrepare")[0]?.command.coordinator.expectedAuthorityStoreVersion).toBe("v9");
    expect(cutOverRun().state).toMatchObject({ coordinator: { expectedAuthorityStoreVersion: BASE } });
  });
});
