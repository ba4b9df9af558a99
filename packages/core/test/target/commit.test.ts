import { ridFromText } from "@rehome/wire";
import { describe, expect, it } from "vitest";
import type { TargetInput } from "../../src/target/inputs.ts";
import {
  DEADLINE_MS,
  Driver,
  START,
  allChunks,
  committed,
  cutoverReceived,
  deadline,
  driverIn,
  expectNoEffect,
  failedReceived,
  key,
  movedRecord,
  prepare,
  relayReceived,
  relayed,
  restored,
  restoredMember,
  self,
  sessionOf,
  settled,
  source,
  unknown,
} from "./fixture.ts";

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
      restored: {
        ...restored,
        place: undefined,
        members: [{ ...restoredMember, sessions: [], previousPlace: undefined }],
      },
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
