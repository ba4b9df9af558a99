import { describe, expect, it } from "vitest";
import { answerRequest } from "../src/codec-line/index.ts";
import { fromScenarioJson, machines, playScenario, ScenarioError, toScenarioJson } from "../src/scenarios/index.ts";
import type { Json } from "../src/vectors/index.ts";

const hold = { operation: "o", mode: "full", limits: { maxRecords: 1, maxBytes: 1 } };

describe("the JSON form of facts and effects", () => {
  it("is read by name and written back the same", () => {
    const json: Json = {
      authorityOwnerGeneration: "9223372036854775807",
      nodeRid: "gate",
      sessionRid: { hex: "ff00" },
      bytes: "00ff",
      owner: { data: "" },
      count: 3,
    };
    const value = fromScenarioJson(json) as Record<string, unknown>;
    expect(value["authorityOwnerGeneration"]).toBe(2n ** 63n - 1n);
    expect(value["bytes"]).toEqual(Uint8Array.of(0, 255));
    expect(toScenarioJson(value)).toEqual(json);
  });

  it("leaves words for people out, and nothing else of that name", () => {
    expect(toScenarioJson({ type: "Report", event: "e", fields: { a: 1 } })).toEqual({ type: "Report", event: "e" });
    expect(toScenarioJson({ failure: { code: "c", message: "m" } })).toEqual({ failure: { code: "c" } });
    expect(toScenarioJson({ message: "m1" })).toEqual({ message: "m1" });
  });

  it.each<[string, Json]>([
    ["a number that is none", { sequence: "-1" }],
    ["hex that is none", { data: "0" }],
  ])("refuses %s", (_title, json) => {
    expect(() => fromScenarioJson(json)).toThrow(ScenarioError);
  });
});

describe("a scenario that cannot be played", () => {
  it.each([
    ["an unknown machine", { machine: "toString", config: {}, steps: [] }],
    ["an unknown fact", { machine: "ingressHold", config: hold, steps: [{ atMs: 0, input: { type: "Nothing" } }] }],
    [
      "a step before the start",
      { machine: "source", config: {}, steps: [{ atMs: 0, input: { type: "CheckPassed" } }] },
    ],
    ["a config that is none", { machine: "sessionBarrier", config: {}, steps: [] }],
    ["an empty routing id", { machine: "owedRoutes", config: { peer: "" }, steps: [] }],
  ])("is refused as a request: %s", (_title, scenario) => {
    const { error } = answerRequest({ op: "scenario", ...scenario }) as { error: { code: string; message: string } };
    expect(error.code).toBe("invalid-request");
    expect(error.message).not.toBe("");
  });

  it("a member is missing", () => {
    expect(answerRequest({ op: "scenario", machine: "source", config: {} })).toMatchObject({
      error: { code: "invalid-request", field: "steps" },
    });
  });
});

it("a driver that breaks a machine's contract is answered, not thrown at", () => {
  const steps = [{ atMs: 0, input: { type: "GiveBack", operation: "another" } }];
  expect(playScenario({ op: "scenario", machine: "ingressHold", config: hold, steps })).toEqual({
    effects: [[{ type: "Refused", code: "holdNotOwned" }]],
  });
  expect(Object.keys(machines)).toContain("sessionBarrier");
});
