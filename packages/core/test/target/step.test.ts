import { describe, expect, it } from "vitest";
import type { TargetState } from "../../src/target/state.ts";
import {
  DEADLINE_MS,
  Driver,
  allChunks,
  bytesOf,
  committed,
  cutoverReceived,
  deadline,
  driverIn,
  expectNoEffect,
  failedReceived,
  payload,
  prepare,
  prepareOf,
  prepareReceived,
  relayReceived,
  relayed,
  restoredInput,
  settled,
  source,
  stateReceived,
} from "./fixture.ts";

const OPEN: readonly TargetState["type"][] = ["receiving", "restoring", "ready", "committing"];
const ENDED: readonly TargetState["type"][] = ["adopted", "failed"];

describe("section 4: one move at its target", () => {
  it("runs from the 40 to the 37 in the order of the steps", () => {
    const driver = driverIn("adopted");
    expect(driver.types()).toEqual([
      "StartTimer",
      "RestoreUnit",
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
