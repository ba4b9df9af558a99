import { describe, expect, it } from "vitest";
import { defineActor, defineSpot } from "../src/index.ts";

const actor = {
  type: "a",
  create: () => null,
  on: { hear: () => undefined },
  capture: () => null,
  restore: () => null,
};
const spot = { type: "s", create: () => null };

/** Each wrong field, and what it is instead. */
const ACTOR_FAULTS: readonly [field: string, value: unknown][] = [
  ["type", ""],
  ["type", undefined],
  ["type", "a\0"],
  ["type", "\ud800"],
  ["type", "x".repeat(256)],
  ["version", 0],
  ["version", "1"],
  ["create", undefined],
  ["create", {}],
  ["on", undefined],
  ["on", "hear"],
  ["capture", undefined],
  ["restore", 5],
  ["onJoin", "f"],
  ["onTimer", {}],
  ["onBind", null],
  ["onUnbind", 1],
  ["afterLoss", "renew"],
];
const SPOT_FAULTS: readonly [field: string, value: unknown][] = [
  ["type", 5],
  ["version", 1.5],
  ["create", undefined],
  ["admit", true],
  ["onJoin", "f"],
  ["onLeave", {}],
  ["capture", {}],
  ["restore", () => null],
];

describe("a definition that cannot work is refused at once, and the error names the field", () => {
  const named = (field: string): unknown =>
    expect.objectContaining({ code: "invalidArgument", message: expect.stringContaining(field) as unknown });

  it.each(ACTOR_FAULTS)("actor: %s = %j", (field, value) => {
    expect(() => defineActor({ ...actor, [field]: value })).toThrow(named(field));
  });
  it.each(SPOT_FAULTS)("spot: %s = %j", (field, value) => {
    expect(() => defineSpot({ ...spot, [field]: value })).toThrow(named(field));
  });
  it.each([undefined, null, "a"])("no object at all: %j", (definition) => {
    expect(() => defineActor(definition as never)).toThrow(named("object"));
    expect(() => defineSpot(definition as never)).toThrow(named("object"));
  });
  it.each(["", "~gone", "a\0", "x".repeat(256)])("a handler's name: %j", (name) => {
    expect(() => defineActor({ ...actor, on: { [name]: () => undefined } })).toThrow(named("handler"));
  });
  it("a handler that is no function", () => {
    expect(() => defineActor({ ...actor, on: { hear: "hear" as never } })).toThrow(named("on.hear"));
  });
  it("methods that an instance has of its class, which the node would not see", () => {
    class Definition {
      readonly type = "a";
      readonly on = actor.on;
      readonly capture = actor.capture;
      readonly restore = actor.restore;
      create(): null {
        return null;
      }
    }
    expect(() => defineActor(new Definition())).toThrow(named("create"));
  });
  it("the least that works, works", () => {
    expect(defineActor(actor).definition.version).toBe(1);
    expect(defineSpot(spot).kind).toBe("spot");
  });
});
