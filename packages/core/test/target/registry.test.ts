import type { RelocationPrepare } from "@rehome/wire";
import { describe, expect, it } from "vitest";
import { REMEMBERED_RELOCATIONS } from "../../src/target/config.ts";
import {
  DEADLINE_MS,
  START,
  allChunks,
  bytesOf,
  committed,
  coordinatorOf,
  cutoverReceived,
  failedReceived,
  headerOf,
  payload,
  peerOf,
  prepare,
  prepareOf,
  restored,
  restoredInput,
  self,
  source,
  stateReceived,
} from "./fixture.ts";
import { Harness, answerOf, moveOf, other, restoredInputOf, typesOf } from "./harness.ts";

describe("D1: a node that is being drained", () => {
  it("D1: declines new attempts, lets open ones go on, and takes new ones again", () => {
    const harness = new Harness();
    harness.prepare(prepare);
    const failure = { code: "targetUnavailable", message: "draining" } as const;
    harness.registry.declineNew(failure);
    expect(typesOf(harness.prepare(moveOf(7)))).toContain("SendFailed");
    expect(harness.registry.openCount).toBe(1);
    harness.step(prepare, ...allChunks());
    expect(harness.typeOf(prepare)).toBe("restoring");
    harness.registry.declineNew(undefined);
    expect(typesOf(harness.prepare(moveOf(8)))).toEqual(["StartTimer"]);
  });
});

describe("T1: which relocation ids are open, and which have ended", () => {
  it("T1: a 40 opens the attempt of its id, a repeat continues it", () => {
    const harness = new Harness();
    expect(typesOf(harness.prepare(prepare))).toEqual(["StartTimer"]);
    harness.step(prepare, allChunks()[0]!);
    expect(harness.prepare(prepare)).toEqual([]);
    harness.step(prepare, ...allChunks().slice(1));
    expect(harness.typeOf(prepare)).toBe("restoring");
    expect(harness.registry.openCount).toBe(1);
  });

  it("T1: an ended id opens nothing again", () => {
    const harness = new Harness();
    harness.prepare(prepare);
    harness.step(prepare, failedReceived());
    expect(harness.registry.openCount).toBe(0);
    expect(harness.prepare(prepare)).toEqual([]);
    expect(harness.prepare({ ...prepare, payloadTotalLength: 9n })).toHaveLength(1);
    expect(typesOf(harness.step(prepare, stateReceived(0, payload.slice(0, 4))))).toEqual(["Report"]);
    expect(harness.registry.openCount).toBe(0);
    expect(harness.typeOf(prepare)).toBe("failed");
  });

  it("T1, I8: 4,096 ended ids are remembered, the least recently used goes first", () => {
    expect(REMEMBERED_RELOCATIONS).toBe(4_096);
    const harness = new Harness();
    const endMove = (low: number): void => {
      harness.prepare(moveOf(low));
      harness.step(moveOf(low), failedReceived(headerOf(moveOf(low))));
    };
    for (let low = 1; low <= REMEMBERED_RELOCATIONS; low++) endMove(low);
    // The first is used once more, so that the second is the oldest now.
    harness.prepare(moveOf(1));
    endMove(REMEMBERED_RELOCATIONS + 1);
    expect(harness.typeOf(moveOf(1))).toBe("failed");
    expect(harness.typeOf(moveOf(2))).toBeUndefined();
    expect(harness.typeOf(moveOf(3))).toBe("failed");
  });

  it("T1: a record of an id that nobody opened changes nothing", () => {
    const harness = new Harness();
    expect(typesOf(harness.step(prepare, stateReceived(0, payload.slice(0, 4))))).toEqual(["Report"]);
    expect(harness.step(prepare, restoredInput)).toEqual([]);
    expect(harness.registry.openCount).toBe(0);
  });

  it("I9: a 40 that was declined gets the same 53 again, though there is room by now", () => {
    const harness = new Harness({ inboundMoves: 1 });
    harness.prepare(moveOf(1));
    const first = answerOf(harness.prepare(moveOf(2)));
    expect(first).toMatchObject({ command: { failureCode: "workerQueueFull" } });
    harness.step(moveOf(1), failedReceived(headerOf(moveOf(1))));
    expect(harness.registry.openCount).toBe(0);
    expect(answerOf(harness.prepare(moveOf(2)))).toEqual(first);
    expect(harness.registry.openCount).toBe(0);
  });
});

describe("M9: a 40 from a peer that is not the rightful sender", () => {
  const wrong: readonly [string, RelocationPrepare, Parameters<typeof peerOf>[0]][] = [
    ["sourceNodeRid", prepare, other],
    ["sourceNodeGeneration", prepare, { ...source, nodeGeneration: 4n }],
    ["sourceNodeRid", { ...prepare, sourceNodeRid: other.nodeRid }, source],
    ["sourceNodeGeneration", { ...prepare, sourceNodeGeneration: 4n }, source],
    ["coordinator.nodeRid", { ...prepare, coordinator: coordinatorOf({ ...source, nodeRid: other.nodeRid }) }, source],
    [
      "coordinator.nodeGeneration",
      { ...prepare, coordinator: coordinatorOf({ ...source, nodeGeneration: 4n }) },
      source,
    ],
    ["coordinator.ownerId", { ...prepare, coordinator: coordinatorOf({ ...source, ownerId: "owner-c" }) }, source],
    [
      "coordinator.leaseGeneration",
      { ...prepare, coordinator: coordinatorOf({ ...source, ownerLeaseGeneration: 6n }) },
      source,
    ],
    ["peer.meshName", prepare, { ...source, meshName: "other" }],
    ["initiatorRole", { ...prepare, initiatorRole: "target" }, source],
    ["targetAttemptGeneration", { ...prepare, targetAttemptGeneration: 2n }, source],
  ];
  for (const [field, command, from] of wrong) {
    it(`M9: is refused without an answer, and without a trace, for ${field}`, () => {
      const harness = new Harness();
      const work = harness.prepare(command, from);
      expect(work).toMatchObject([{ effects: [{ type: "Report", event: "target.refused", fields: { field } }] }]);
      expect(harness.typeOf(command)).toBeUndefined();
      // The rightful one is not hindered by it.
      harness.prepare(prepare);
      expect(harness.typeOf(prepare)).toBe("receiving");
    });
  }

  it("M9: a peer that proved no lease cannot move anything", () => {
    const harness = new Harness();
    harness.registry.prepare({ ...peerOf(source), lease: undefined }, prepare, bytesOf(prepare), START);
    expect(harness.registry.openCount).toBe(0);
  });
});

describe("40s that are answered with 53 at once", () => {
  const declined: readonly [string, RelocationPrepare, string, string][] = [
    [
      "another run of this node",
      { ...prepare, target: { ...prepare.target, nodeGeneration: 3n } },
      "actorLocationStale",
      "target.nodeGeneration",
    ],
    [
      "another lease of this node",
      { ...prepare, target: { ...prepare.target, ownerLeaseGeneration: 5n } },
      "actorLocationStale",
      "target.ownerLeaseGeneration",
    ],
    [
      "another owner id",
      { ...prepare, target: { ...prepare.target, ownerId: "x" } },
      "actorLocationStale",
      "target.ownerId",
    ],
    [
      "another node",
      { ...prepare, target: { ...prepare.target, nodeRid: other.nodeRid } },
      "actorLocationStale",
      "target.nodeRid",
    ],
    [
      "a kind of unit that does not move",
      { ...prepare, object: { kind: "instanceSpot", stableType: "room", spotId: "room", objectGeneration: 1n } },
      "actorTypeMismatch",
      "object.kind",
    ],
    [
      "a payload above the limit (T4)",
      { ...prepare, payloadTotalLength: 41n, payloadChunkCount: 11 },
      "workerQueueFull",
      "payloadTotalLength",
    ],
    ["sizes that do not fit (T2)", { ...prepare, payloadChunkCount: 2 }, "relocationDataLost", "payloadChunkCount"],
  ];
  for (const [name, command, failureCode, field] of declined) {
    it(`${name}: ${failureCode}`, () => {
      const harness = new Harness({ actorStateBytes: 40 });
      const work = harness.prepare(command);
      expect(typesOf(work)).toEqual(["SendFailed", "Report"]);
      const { relocation, targetAttemptGeneration, coordinator, target, object } = command;
      expect(answerOf(work)).toEqual({
        type: "SendFailed",
        peer: source.nodeRid,
        command: {
          command: "relocationFailed",
          relocation,
          targetAttemptGeneration,
          coordinator,
          target,
          object,
          senderRole: "target",
          failureCode,
        },
      });
      expect(work[0]?.effects[1]).toMatchObject({ event: "target.declined", fields: { field, failureCode } });
      expect(harness.registry.openCount).toBe(0);
    });
  }

  it("a node does not move an actor to itself", () => {
    const harness = new Harness();
    const command = prepareOf({ from: self });
    expect(answerOf(harness.prepare(command, self))).toMatchObject({ command: { failureCode: "requestRejected" } });
  });
});

describe("T4: limits", () => {
  it("T4: no more inbound moves than the limit, and an ended one makes room", () => {
    const harness = new Harness({ inboundMoves: 2 });
    harness.prepare(moveOf(1));
    harness.prepare(moveOf(2));
    expect(answerOf(harness.prepare(moveOf(3)))).toMatchObject({ command: { failureCode: "workerQueueFull" } });
    harness.step(moveOf(2), failedReceived(headerOf(moveOf(2))));
    harness.prepare(moveOf(4));
    expect(harness.typeOf(moveOf(4))).toBe("receiving");
  });

  it("T4: no more restores at once than the limit; the next payload has its turn when one ends, in order", () => {
    const harness = new Harness({ concurrentRestores: 2 });
    for (let low = 1; low <= 5; low++) {
      harness.prepare(moveOf(low));
      harness.step(moveOf(low), ...allChunks(moveOf(low)));
    }
    expect(harness.restores()).toEqual([1n, 2n]);
    harness.step(moveOf(2), restoredInputOf(moveOf(2)));
    expect(harness.restores()).toEqual([1n, 2n, 3n]);
    // One that waits and is dropped gives its turn to the one behind it.
    harness.step(moveOf(4), failedReceived(headerOf(moveOf(4))));
    expect(harness.restores()).toEqual([1n, 2n, 3n]);
    harness.step(moveOf(1), {
      type: "RestoreFailed",
      failure: { code: "targetRefused", message: "" },
      failureCode: "actorCreateFailed",
    });
    expect(harness.restores()).toEqual([1n, 2n, 3n, 5n]);
  });

  it("T4: a restore that hangs gives its place back at the deadline of its attempt", () => {
    const harness = new Harness({ concurrentRestores: 1 });
    harness.prepare(moveOf(1));
    harness.step(moveOf(1), ...allChunks(moveOf(1)));
    harness.now += 1;
    harness.prepare(moveOf(2));
    harness.step(moveOf(2), ...allChunks(moveOf(2)));
    expect(harness.restores()).toEqual([1n]);
    harness.now = START + DEADLINE_MS;
    harness.step(moveOf(1), { type: "TimerFired", timer: "deadline" });
    expect(harness.restores()).toEqual([1n, 2n]);
    // The late end of the hung one frees no second place.
    harness.prepare(moveOf(3));
    harness.step(moveOf(3), ...allChunks(moveOf(3)));
    harness.step(moveOf(1), restoredInputOf(moveOf(1)));
    expect(harness.restores()).toEqual([1n, 2n]);
  });

  it("T4: empty payloads wait for their restore like others", () => {
    const harness = new Harness({ concurrentRestores: 1 });
    const empty = { data: new Uint8Array() };
    harness.prepare(moveOf(1, empty));
    expect(typesOf(harness.prepare(moveOf(2, empty)))).toEqual(["StartTimer"]);
    expect(harness.restores()).toEqual([1n]);
    harness.step(moveOf(1), restoredInputOf(moveOf(1)));
    expect(harness.restores()).toEqual([1n, 2n]);
  });

  it("T4: no more payload bytes in flight than the limit, until they are restored or dropped", () => {
    const harness = new Harness({ payloadBytesInFlight: 25 });
    harness.prepare(moveOf(1));
    harness.prepare(moveOf(2));
    expect(harness.registry.bytesInFlight).toBe(20);
    expect(answerOf(harness.prepare(moveOf(3)))).toMatchObject({ command: { failureCode: "workerQueueFull" } });
    harness.step(moveOf(1), ...allChunks(moveOf(1)));
    expect(harness.registry.bytesInFlight).toBe(20);
    harness.step(moveOf(1), restoredInputOf(moveOf(1)));
    expect(harness.registry.bytesInFlight).toBe(10);
    harness.prepare(moveOf(4));
    expect(harness.typeOf(moveOf(4))).toBe("receiving");
    harness.step(moveOf(4), failedReceived(headerOf(moveOf(4))));
    expect(harness.registry.bytesInFlight).toBe(10);
  });

  it("T4: a single payload above what may be in flight runs alone", () => {
    const harness = new Harness({ payloadBytesInFlight: 5 });
    harness.prepare(moveOf(1));
    expect(harness.typeOf(moveOf(1))).toBe("receiving");
    harness.prepare(moveOf(2, { data: Uint8Array.of(1) }));
    expect(harness.typeOf(moveOf(2))).toBe("failed");
  });
});

describe("links and closing", () => {
  it("T5: a lost link drops every attempt of that source, and no other", () => {
    const harness = new Harness();
    harness.prepare(moveOf(1));
    harness.prepare(moveOf(2));
    harness.prepare(moveOf(3, { from: other }), other);
    const work = harness.registry.linkLost(source.nodeRid, START);
    expect(work.map(({ relocation }) => relocation.low)).toEqual([1n, 2n]);
    expect(harness.typeOf(moveOf(3))).toBe("receiving");
  });

  it("T6: giving all up leaves those whose commit is out to the store", () => {
    const harness = new Harness();
    harness.prepare(prepare);
    harness.step(prepare, ...allChunks(), { type: "Restored", restored }, cutoverReceived([]));
    harness.prepare(moveOf(9));
    harness.registry.abortAll({ code: "aborted", message: "closing" }, START);
    expect(harness.typeOf(prepare)).toBe("committing");
    expect(harness.typeOf(moveOf(9))).toBe("failed");
    harness.step(prepare, { type: "CommitSettled", answer: committed });
    expect(harness.typeOf(prepare)).toBe("adopted");
    expect(harness.registry.openStates()).toEqual([]);
  });
});
