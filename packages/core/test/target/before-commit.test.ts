import { describe, expect, it } from "vitest";
import type { TargetEffect } from "../../src/target/effects.ts";
import type { TargetState } from "../../src/target/state.ts";
import {
  DEADLINE_MS,
  Driver,
  START,
  allChunks,
  configWith,
  cutoverReceived,
  deadline,
  driverIn,
  expectNoEffect,
  failedReceived,
  prepare,
  prepareReceived,
  relayReceived,
  relayed,
  restoredInput,
  source,
  stranger,
} from "./fixture.ts";

const UNCOMMITTED: readonly TargetState["type"][] = ["receiving", "restoring", "ready"];

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
