import { describe, expect, it } from "vitest";
import { crc32c, ridFromText } from "@rehome/wire";
import type { TargetEffect } from "../../src/target/effects.ts";
import type { TargetInput } from "../../src/target/inputs.ts";
import type { TargetState } from "../../src/target/state.ts";
import { startTarget } from "../../src/target/step.ts";
import {
  DEADLINE_MS,
  Driver,
  START,
  allChunks,
  bytesOf,
  chunksOf,
  committed,
  config,
  configWith,
  coordinatorOf,
  cutoverReceived,
  driverIn,
  failedReceived,
  key,
  movedRecord,
  payload,
  prepare,
  prepareOf,
  prepareReceived,
  relayReceived,
  relayed,
  restored,
  restoredInput,
  self,
  sessionOf,
  source,
  stateReceived,
  stranger,
  unknown,
} from "./fixture.ts";

const OPEN: readonly TargetState["type"][] = ["receiving", "restoring", "ready", "committing"];
const UNCOMMITTED: readonly TargetState["type"][] = ["receiving", "restoring", "ready"];
const ENDED: readonly TargetState["type"][] = ["adopted", "failed"];

const deadline: TargetInput = { type: "TimerFired", timer: "deadline" };
const settled = (answer: Extract<TargetInput, { type: "CommitSettled" }>["answer"]): TargetInput => ({
  type: "CommitSettled",
  answer,
});

function report(event: string, fields: Record<string, unknown>): unknown {
  return { type: "Report", event, fields: expect.objectContaining(fields) as unknown };
}

/** Nothing changes, and at most a report comes of it. */
function expectNoEffect(
  driver: Driver,
  input: TargetInput,
  event?: string,
  fields: Record<string, unknown> = {},
): void {
  const before = driver.state;
  const effects = driver.take(input);
  expect(driver.state).toBe(before);
  expect(effects).toEqual(event === undefined ? [] : [report(event, fields)]);
}

describe("section 4: one move at its target", () => {
  it("runs from the 40 to the 37 in the order of the steps", () => {
    const driver = driverIn("adopted");
    expect(driver.types()).toEqual([
      "StartTimer",
      "RestoreActor",
      "OpenTemporaryQueue",
      "SendReady",
      "CommitAuthority",
      "StopTimer",
      "Adopt",
      "OpenDispatch",
      "SendRoute",
      "SendRoute",
      "SendJoined",
      "Settle",
    ]);
    expect(driver.state.type).toBe("adopted");
    expect(driver.effects[0]).toEqual({ type: "StartTimer", timer: "deadline", delayMs: DEADLINE_MS });
  });

  it("answers 30 to the source, with the fields of its 40", () => {
    const ready = driverIn("ready").effects.find((effect) => effect.type === "SendReady");
    const { relocation, targetAttemptGeneration, coordinator, target, object } = prepare;
    expect(ready).toEqual({
      type: "SendReady",
      peer: source.nodeRid,
      command: {
        command: "relocationReady",
        relocation,
        targetAttemptGeneration,
        coordinator,
        target,
        object,
        senderRole: "target",
      },
    });
  });

  it("F5: stops following and opens the temporary queue before it says that it is ready", () => {
    const types = driverIn("ready").types();
    expect(types.indexOf("OpenTemporaryQueue")).toBeLessThan(types.indexOf("SendReady"));
  });

  it("step 8: dispatch opens with the relayed records in the order in which they came", () => {
    const open = driverIn("adopted").effects.find((effect) => effect.type === "OpenDispatch");
    expect(open).toEqual({ type: "OpenDispatch", relayed });
  });
});

describe("T1: repeats and conflicts", () => {
  it("T1: the same 40 again continues the attempt, and is answered as before", () => {
    for (const type of ["receiving", "restoring", "adopted"] as const)
      expectNoEffect(driverIn(type), prepareReceived());
    for (const type of ["ready", "committing"] as const) {
      const driver = driverIn(type);
      const before = driver.state;
      expect(driver.take(prepareReceived()).map((effect) => effect.type)).toEqual(["SendReady"]);
      expect(driver.state).toBe(before);
    }
  });

  it("I9: a failed attempt answers the same 40 with the same 53", () => {
    const driver = new Driver();
    driver.take({ type: "AbortRequested", failure: { code: "aborted", message: "closing" } });
    const first = driver.effects.filter((effect) => effect.type === "SendFailed");
    expect(first).toHaveLength(1);
    expect(driver.take(prepareReceived())).toEqual(first);
    // A 53 that the source sent itself has no answer to give again.
    expectNoEffect(driverIn("failed"), prepareReceived());
  });

  for (const type of [...OPEN, ...ENDED]) {
    it(`T1: a 40 with other bytes under the same id changes nothing while ${type}`, () => {
      const other = { ...prepareReceived(), bytes: bytesOf(prepareOf({ data: Uint8Array.of(1) })) };
      expectNoEffect(driverIn(type), other, "target.refused", { record: "relocationPrepare", field: "bytes" });
      const longer = { ...prepareReceived(), bytes: Uint8Array.of(...bytesOf(prepare), 0) };
      expectNoEffect(driverIn(type), longer, "target.refused", { field: "bytes" });
    });
  }

  for (const type of ENDED) {
    it(`T1: no record of an ended id changes anything (${type})`, () => {
      const driver = driverIn(type);
      expectNoEffect(driver, stateReceived(0, payload.slice(0, 4)), "target.ignored", { record: "relocationState" });
      expectNoEffect(driver, relayReceived(relayed[0]!), "target.ignored", { record: "relocationData" });
      expectNoEffect(driver, cutoverReceived(relayed), "target.ignored", { record: "relocationCutover" });
      expectNoEffect(driver, failedReceived(), "target.ignored", { record: "relocationFailed" });
      expectNoEffect(driver, restoredInput);
      expectNoEffect(driver, settled(committed));
      expectNoEffect(driver, deadline);
      expectNoEffect(driver, { type: "LinkLost", peer: source.nodeRid });
      expectNoEffect(driver, { type: "AbortRequested", failure: { code: "aborted", message: "" } });
    });
  }

  it("M8: every record of a move handed over three times has one effect", () => {
    const once = driverIn("adopted").effects;
    const thrice = new Driver();
    for (const input of [
      ...allChunks(),
      restoredInput,
      ...relayed.map((bytes) => relayReceived(bytes)),
      cutoverReceived(relayed),
      settled(committed),
    ]) {
      // Relayed records are data, numbered by their place: only a link could repeat them, and N1 forbids that.
      const times = input.type === "RelayReceived" ? 1 : 3;
      for (let time = 0; time < times; time++) thrice.take(input);
    }
    expect(thrice.effects.filter((effect) => effect.type !== "Report")).toEqual(once);
  });
});

describe("T2: chunks", () => {
  it("T2: the payload is what the chunks say in ordinal order, and nothing is restored before the last", () => {
    const driver = new Driver();
    const [first, second, third] = allChunks();
    driver.take(first!, second!);
    expect(driver.types()).not.toContain("RestoreActor");
    const effects = driver.take(third!);
    expect(effects).toHaveLength(1);
    const [restore] = effects;
    expect(restore?.type === "RestoreActor" && [...restore.payload]).toEqual([...payload]);
  });

  it("T2: an empty payload has no chunk, and is restored at once", () => {
    const driver = new Driver(prepareReceived(prepareOf({ data: new Uint8Array() })));
    expect(driver.state.type).toBe("restoring");
    expect(driver.effects[1]).toEqual({ type: "RestoreActor", payload: new Uint8Array(0) });
  });

  it("T2: a repeated chunk has no effect, one with other data is refused", () => {
    const driver = new Driver();
    driver.take(...allChunks().slice(0, 2));
    expectNoEffect(driver, allChunks()[0]!);
    expectNoEffect(driver, stateReceived(0, Uint8Array.of(1, 2, 3, 9)), "target.refused", { field: "chunkData" });
    driver.take(allChunks()[2]!);
    expect(driver.state.type).toBe("restoring");
    expectNoEffect(driver, allChunks()[2]!, "target.ignored", { record: "relocationState" });
  });

  const bad: readonly [string, TargetInput[]][] = [
    ["a gap in the ordinals", [stateReceived(1, payload.slice(4, 8))]],
    [
      "a chunk that is shorter than the first",
      [stateReceived(0, payload.slice(0, 4)), stateReceived(1, payload.slice(4, 7))],
    ],
    [
      "a chunk that is longer than the first",
      [stateReceived(0, payload.slice(0, 4)), stateReceived(1, payload.slice(4, 9))],
    ],
    ["an empty chunk", [stateReceived(0, new Uint8Array())]],
    ["a first chunk above the agreed size", [stateReceived(0, payload.slice(0, 5))]],
    ["a first chunk that leaves the others too much", [stateReceived(0, payload.slice(0, 3))]],
    ["a last chunk that is too short", [...allChunks().slice(0, 2), stateReceived(2, payload.slice(8, 9))]],
    ["a last chunk that is too long", [...allChunks().slice(0, 2), stateReceived(2, Uint8Array.of(9, 10, 11))]],
    ["a wrong checksum", [...allChunks().slice(0, 2), stateReceived(2, Uint8Array.of(9, 11))]],
  ];
  for (const [name, inputs] of bad) {
    it(`T2: ${name} ends the attempt, and nothing is restored`, () => {
      const driver = new Driver();
      driver.take(...inputs);
      expect(driver.state.type).toBe("failed");
      expect(driver.types()).not.toContain("RestoreActor");
      expect(driver.effects).toContainEqual(
        expect.objectContaining({
          type: "SendFailed",
          peer: source.nodeRid,
          command: expect.objectContaining({ failureCode: "relocationDataLost" }) as unknown,
        }),
      );
    });
  }

  it("T2: a smaller size that the join's answer agreed on is as good", () => {
    const driver = new Driver(prepareReceived(prepareOf({ payloadChunkCount: 5 })));
    driver.take(...chunksOf(payload, 2).map((chunk, ordinal) => stateReceived(ordinal, chunk)));
    expect(driver.state.type).toBe("restoring");
  });

  it("T2: two chunks that are whole together, but not cut to the agreed size, are refused", () => {
    const data = payload.slice(0, 8);
    const driver = new Driver(prepareReceived(prepareOf({ data })));
    driver.take(stateReceived(0, data.slice(0, 5)));
    expect(driver.state.type).toBe("failed");
  });

  it("T2: a length that is off is refused, though the checksum fits what came", () => {
    const short = payload.slice(0, 9);
    const driver = new Driver(prepareReceived(prepareOf({ payloadChecksumCrc32c: crc32c(short) })));
    driver.take(...chunksOf(short).map((chunk, ordinal) => stateReceived(ordinal, chunk)));
    expect(driver.state.type).toBe("failed");
  });

  it("T2: one chunk may be as long as the agreed size and no longer", () => {
    const one = (length: number): Driver => {
      const data = payload.slice(0, length);
      const driver = new Driver(prepareReceived(prepareOf({ data, payloadChunkCount: 1 })));
      driver.take(stateReceived(0, data));
      return driver;
    };
    expect(one(4).state.type).toBe("restoring");
    expect(() => one(5)).toThrow("payloadChunkCount");
  });

  const sizes: readonly [string, Parameters<typeof prepareOf>[0]][] = [
    ["an empty payload with a chunk", { data: new Uint8Array(), payloadChunkCount: 1 }],
    ["an empty payload with a checksum", { data: new Uint8Array(), payloadChecksumCrc32c: 1 }],
    ["no chunk for ten bytes", { payloadChunkCount: 0 }],
    ["too few chunks for the agreed size", { payloadChunkCount: 2 }],
    ["more chunks than bytes", { payloadChunkCount: 11 }],
    ["more bytes than a state may have", { payloadTotalLength: 64n * 1024n * 1024n + 1n, payloadChunkCount: 4096 }],
  ];
  for (const [name, change] of sizes) {
    it(`T2, T4: ${name} opens nothing`, () => {
      expect(() => startTarget(config, prepareReceived(prepareOf(change)), START)).toThrow("cannot open");
    });
  }
});

describe("T5: before the first commit write", () => {
  for (const type of UNCOMMITTED) {
    it(`T5: the deadline drops the attempt unrun (${type})`, () => {
      const driver = driverIn(type);
      const effects = driver.take(deadline);
      expect(driver.state).toMatchObject({ type: "failed", failure: { code: "deadlineExceeded" } });
      expect(effects.map((effect) => effect.type)).toEqual(["StopTimer", "DropCopy", "SendFailed", "Settle"]);
      expect(effects[2]).toMatchObject({ peer: source.nodeRid, command: { failureCode: "requestRejected" } });
    });

    it(`T5: a record that comes after the deadline, but before its timer, is too late (${type})`, () => {
      const driver = driverIn(type);
      driver.now = START + DEADLINE_MS;
      driver.take(cutoverReceived([]));
      expect(driver.state).toMatchObject({ type: "failed", failure: { code: "deadlineExceeded" } });
      expect(driver.types()).not.toContain("CommitAuthority");
    });

    it(`T5: a 53 from the source drops the attempt, and is not answered (${type})`, () => {
      const driver = driverIn(type);
      const effects = driver.take(failedReceived());
      expect(driver.state).toMatchObject({ type: "failed", failure: { code: "aborted" } });
      expect(effects.map((effect) => effect.type)).toEqual(["StopTimer", "DropCopy", "Settle"]);
    });

    it(`T5: a lost link to the source drops the attempt, another link does not (${type})`, () => {
      const driver = driverIn(type);
      expectNoEffect(driver, { type: "LinkLost", peer: stranger });
      const effects = driver.take({ type: "LinkLost", peer: source.nodeRid });
      expect(driver.state).toMatchObject({ type: "failed", failure: { code: "targetUnavailable" } });
      expect(effects.map((effect) => effect.type)).toEqual(["StopTimer", "DropCopy", "Settle"]);
    });

    it(`T11: this node may give the attempt up, and tells the source (${type})`, () => {
      const driver = driverIn(type);
      const failure = { code: "aborted", message: "closing" } as const;
      const effects = driver.take({ type: "AbortRequested", failure });
      expect(driver.state).toMatchObject({ type: "failed", failure });
      expect(effects[2]).toMatchObject({ type: "SendFailed", command: { failureCode: "requestRejected" } });
    });
  }

  it("T5: a 34 that counts other records commits nothing and runs nothing", () => {
    for (const cutover of [
      cutoverReceived(relayed.slice(0, 1)),
      cutoverReceived([...relayed, Uint8Array.of(3)]),
      cutoverReceived([...relayed].reverse()),
      cutoverReceived(relayed, { boundaryRecordCount: 1n }),
      cutoverReceived(relayed, { boundaryChecksumCrc32c: 0 }),
    ]) {
      const driver = driverIn("ready");
      driver.take(...relayed.map((bytes) => relayReceived(bytes)));
      const effects = driver.take(cutover);
      expect(driver.state.type).toBe("failed");
      expect(effects.map((effect) => effect.type)).toEqual(["StopTimer", "DropCopy", "SendFailed", "Settle"]);
      expect(effects[2]).toMatchObject({ command: { failureCode: "relocationDataLost" } });
      expect(driver.types()).not.toContain("CommitAuthority");
    }
  });

  it("T5: nothing relayed is a matching 34 too", () => {
    const driver = driverIn("ready");
    driver.take(cutoverReceived([]));
    expect(driver.state.type).toBe("committing");
  });

  for (const type of ["receiving", "restoring"] as const) {
    it(`T5: a 31 or 34 before the 30 is refused (${type})`, () => {
      const driver = driverIn(type);
      expectNoEffect(driver, relayReceived(relayed[0]!), "target.refused", { field: "order" });
      expectNoEffect(driver, cutoverReceived([]), "target.refused", { field: "order" });
    });
  }

  it("I8: more relayed records, or bytes, than the limits allow end the attempt", () => {
    for (const limits of [{ relayedRecords: 1 }, { relayedBytes: 4 }]) {
      const driver = new Driver(prepareReceived(), configWith(limits));
      driver.take(...allChunks(), restoredInput, relayReceived(relayed[0]!));
      expect(driver.state.type).toBe("ready");
      driver.take(relayReceived(relayed[1]!));
      expect(driver.state.type).toBe("failed");
      expect(driver.effects).toContainEqual(
        expect.objectContaining({
          type: "SendFailed",
          command: expect.objectContaining({ failureCode: "workerQueueFull" }) as unknown,
        }),
      );
    }
  });
});

describe("T6 to T10: the commit", () => {
  it("T6, T8: one conditional write on the base version, with place and digest", () => {
    const commit = driverIn("committing").effects.find((effect) => effect.type === "CommitAuthority");
    expect(commit).toEqual({
      type: "CommitAuthority",
      request: {
        relocation: prepare.relocation,
        owner: self,
        participants: [
          {
            key,
            baseVersion: "v10",
            expectedObjectGeneration: 7n,
            expectedAuthorityOwnerGeneration: 8n,
            place: restored.place,
            membershipDigest: restored.membershipDigest,
          },
        ],
      },
    });
  });

  it("T6: after the first commit write neither deadline, nor 53, nor a lost link, nor this node ends it", () => {
    const driver = driverIn("committing");
    for (const input of [
      failedReceived(),
      { type: "LinkLost", peer: source.nodeRid },
      { type: "AbortRequested", failure: { code: "aborted", message: "" } },
      deadline,
    ] satisfies TargetInput[]) {
      expect(driver.take(input).filter((effect) => effect.type !== "Report")).toEqual([]);
      expect(driver.state.type).toBe("committing");
    }
    driver.take(settled(committed));
    expect(driver.state.type).toBe("adopted");
  });

  it("T6: a lost answer is read, and this move's record adopted", () => {
    const driver = driverIn("committing");
    expect(driver.take(settled(unknown))).toEqual([{ type: "StartTimer", timer: "retryStore", delayMs: 10 }]);
    expect(driver.take({ type: "TimerFired", timer: "retryStore" })).toEqual([{ type: "ReadAuthority" }]);
    driver.take({
      type: "AuthorityRead",
      answer: { outcome: "found", reading: { record: movedRecord, ownerLeaseLive: true } },
    });
    expect(driver.state.type).toBe("adopted");
  });

  it("T6: at the deadline in doubt its own fence write ends it, by timer or by clock", () => {
    const byTimer = driverIn("committing");
    byTimer.take(settled(unknown));
    expect(byTimer.take(deadline)).toContainEqual({ type: "FenceAuthority", baseVersion: "v10" });

    const byClock = driverIn("committing");
    byClock.now = START + DEADLINE_MS;
    expect(byClock.take(settled(unknown))).toEqual([{ type: "FenceAuthority", baseVersion: "v10" }]);
    const effects = byClock.take({ type: "FenceSettled", answer: { outcome: "fenced", record: movedRecord } });
    expect(byClock.state).toMatchObject({ type: "failed", failure: { code: "deadlineExceeded" } });
    expect(effects.map((effect) => effect.type)).toEqual(["StopTimer", "DropCopy", "SendFailed", "Settle"]);
  });

  it("T6: the pause timer that is due together with the deadline asks one question, not two", () => {
    const driver = driverIn("committing");
    driver.take(settled(unknown));
    driver.now = START + DEADLINE_MS;
    const asked = driver.take({ type: "TimerFired", timer: "retryStore" });
    expect(asked.map((effect) => effect.type)).toEqual(["StopTimer", "FenceAuthority"]);
  });

  it("T11: a commit that cannot happen drops the copy, and tells the source why", () => {
    const driver = driverIn("committing");
    const effects = driver.take(settled({ outcome: "capacityExceeded" }));
    expect(effects.map((effect) => effect.type)).toEqual(["StopTimer", "DropCopy", "SendFailed", "Settle"]);
    expect(effects[2]).toMatchObject({ command: { failureCode: "workerQueueFull", senderRole: "target" } });
  });

  it("T9, T10: 44 and 37 carry the store's values, lease generation included, and go out after adopt", () => {
    const { effects } = driverIn("adopted");
    const types = effects.map((effect) => effect.type);
    expect(types.indexOf("Adopt")).toBeLessThan(types.indexOf("SendRoute"));
    expect(types.indexOf("OpenDispatch")).toBeLessThan(types.indexOf("SendRoute"));
    const [first, second] = effects.filter((effect) => effect.type === "SendRoute");
    expect(first).toEqual({
      type: "SendRoute",
      peer: ridFromText("gateway-one"),
      command: {
        command: "sessionRelocationRoute",
        relocation: prepare.relocation,
        coordinator: prepare.coordinator,
        senderRole: "target",
        actor: { actorId: "user:42", objectGeneration: 7n },
        session: sessionOf("one"),
        route: {
          action: "commit",
          previousAuthorityOwnerGeneration: 8n,
          targetAuthorityOwnerGeneration: 12n,
          targetNodeRid: self.nodeRid,
          targetNodeGeneration: 4n,
          targetOwnerLeaseGeneration: 6n,
        },
      },
    });
    expect(second).toMatchObject({ peer: ridFromText("gateway-two"), command: { session: sessionOf("two") } });
    expect(effects).toContainEqual({
      type: "SendJoined",
      peer: source.nodeRid,
      command: {
        command: "actorJoined",
        actor: { actorId: "user:42", objectGeneration: 7n },
        previousSpot: { spotId: "lobby", objectGeneration: 2n },
        currentSpot: { spotId: "room", objectGeneration: 3n },
        authorityOwnerGeneration: 12n,
      },
    });
  });

  it("T10: in the entry spot the 37 names it, and leaves out a spot that there was not", () => {
    const driver = new Driver();
    driver.take(...allChunks(), {
      type: "Restored",
      restored: { ...restored, sessions: [], place: undefined, previousPlace: undefined },
    });
    driver.take(
      cutoverReceived([]),
      settled({ outcome: "committed", records: [{ ...movedRecord, place: undefined }] }),
    );
    const joined = driver.effects.find((effect) => effect.type === "SendJoined");
    expect(joined).toMatchObject({ command: { currentSpot: { spotId: "entry", objectGeneration: 4n } } });
    expect(joined?.type === "SendJoined" && "previousSpot" in joined.command).toBe(false);
    expect(driver.types()).not.toContain("SendRoute");
  });

  it("F2: a 31 after the matching 34 is a forwarded message for the temporary queue", () => {
    const driver = driverIn("committing");
    const forwarded = relayReceived(Uint8Array.of(7));
    expect(driver.take(forwarded)).toEqual([{ type: "QueueForwarded", command: forwarded.command }]);
    driver.take(settled(committed));
    expect(driver.effects).toContainEqual({ type: "OpenDispatch", relayed });
  });

  it("I9: the same 34 again changes nothing, another one is refused", () => {
    const driver = driverIn("committing");
    expectNoEffect(driver, cutoverReceived(relayed));
    expectNoEffect(driver, cutoverReceived([]), "target.refused", { field: "boundaryRecordCount" });
    expectNoEffect(driver, cutoverReceived(relayed, { senderRole: "coordinator" }), "target.refused", {
      field: "senderRole",
    });
  });
});

describe("T11: restore that fails", () => {
  it("T11: drops what there is and answers 53 with the restore's own code", () => {
    const driver = driverIn("restoring");
    const failure = { code: "targetRefused", message: "restore threw" } as const;
    const effects = driver.take({ type: "RestoreFailed", failure, failureCode: "actorCreateFailed" });
    expect(effects).toEqual([
      { type: "StopTimer", timer: "deadline" },
      { type: "DropCopy", failure },
      {
        type: "SendFailed",
        peer: source.nodeRid,
        command: {
          command: "relocationFailed",
          relocation: prepare.relocation,
          targetAttemptGeneration: 1n,
          coordinator: prepare.coordinator,
          target: prepare.target,
          object: prepare.object,
          senderRole: "target",
          failureCode: "actorCreateFailed",
        },
      },
      { type: "Settle", outcome: { type: "failed", failure } },
    ] satisfies TargetEffect[]);
  });

  it("T3: a restore that ends after the attempt does not bring it back", () => {
    const driver = driverIn("restoring");
    driver.take(deadline);
    expectNoEffect(driver, restoredInput);
  });
});

describe("M9: nobody asked you", () => {
  const offFence: readonly [string, Record<string, unknown>][] = [
    ["relocation", { relocation: { high: 1n, low: 3n } }],
    ["targetAttemptGeneration", { targetAttemptGeneration: 2n }],
    ["coordinator.ownerId", { coordinator: { ...prepare.coordinator, ownerId: "x" } }],
    ["coordinator.leaseGeneration", { coordinator: { ...prepare.coordinator, leaseGeneration: 99n } }],
    ["coordinator.nodeRid", { coordinator: { ...prepare.coordinator, nodeRid: stranger } }],
    ["coordinator.nodeGeneration", { coordinator: { ...prepare.coordinator, nodeGeneration: 99n } }],
    ["coordinator.expectedAuthorityStoreVersion", { coordinator: coordinatorOf(source, "v9") }],
    ["senderRole", { senderRole: "target" }],
    ["object.id", { object: { ...prepare.object, actorId: "user:43" } }],
    ["object.objectGeneration", { object: { ...prepare.object, objectGeneration: 70n } }],
    ["object.authorityOwnerGeneration", { object: { ...prepare.object, authorityOwnerGeneration: 80n } }],
  ];
  const records: readonly [TargetState["type"], (change: object) => TargetInput][] = [
    ["receiving", (change) => stateReceived(0, payload.slice(0, 4), change)],
    ["ready", (change) => relayReceived(relayed[0]!, change)],
    ["ready", (change) => cutoverReceived([], change)],
    ["receiving", (change) => failedReceived(change)],
    ["restoring", (change) => failedReceived(change)],
    ["ready", (change) => failedReceived(change)],
    ["committing", (change) => relayReceived(relayed[0]!, change)],
    ["committing", (change) => failedReceived(change)],
  ];
  for (const [type, record] of records) {
    const rightful = record({}) as Extract<TargetInput, { peer: unknown; command: unknown }>;
    const name = `${rightful.type} while ${type}`;

    it(`M9: ${name}, from a peer that is not the source, is refused`, () => {
      expectNoEffect(driverIn(type), { ...rightful, peer: stranger }, "target.refused", {
        field: "peer",
      });
    });
    for (const [field, change] of offFence) {
      it(`M9: ${name}, off only in ${field}, is refused`, () => {
        expectNoEffect(driverIn(type), record(change), "target.refused", { field });
      });
    }
    it(`M9: ${name}, with its fence right, is taken`, () => {
      const driver = driverIn(type);
      const before = driver.state;
      const effects = driver.take(rightful);
      expect(driver.state !== before || effects.length > 0).toBe(true);
      expect(effects.map((effect) => (effect.type === "Report" ? effect.event : ""))).not.toContain("target.refused");
    });
  }

  it("M9: a 40 from another peer under the same id changes nothing", () => {
    for (const type of OPEN) {
      expectNoEffect(driverIn(type), prepareReceived(prepare, stranger), "target.refused", { field: "peer" });
    }
  });

  it("M9: a 53 that names another target than this run of this node is refused", () => {
    const target = { ...prepare.target, nodeGeneration: 3n };
    expectNoEffect(driverIn("ready"), failedReceived({ target }), "target.refused", { field: "target.nodeGeneration" });
  });

  it("the coordinator may speak in the source's place", () => {
    const driver = driverIn("ready");
    driver.take(cutoverReceived([], { senderRole: "coordinator" }));
    expect(driver.state.type).toBe("committing");
  });
});
