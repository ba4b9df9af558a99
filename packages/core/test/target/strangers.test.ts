import { describe, expect, it } from "vitest";
import type { TargetInput } from "../../src/target/inputs.ts";
import type { TargetState } from "../../src/target/state.ts";
import {
  coordinatorOf,
  cutoverReceived,
  driverIn,
  expectNoEffect,
  failedReceived,
  payload,
  prepare,
  prepareReceived,
  relayReceived,
  relayed,
  source,
  stateReceived,
  stranger,
} from "./fixture.ts";

const OPEN: readonly TargetState["type"][] = ["receiving", "restoring", "ready", "committing"];

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
