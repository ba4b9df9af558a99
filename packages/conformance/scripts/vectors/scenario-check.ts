/** What the linter checks of scenarios. */
import type { Json, JsonObject, Scenario, ScenarioVectors, VectorFile } from "../../src/vectors/file.ts";
import { machines } from "../../src/scenarios/index.ts";
import { layOut } from "./layout.ts";

/** Every rule of `protocol.md` that a machine decides. The others are about what drives the machines, and tests name them. */
const shownRules: readonly string[] = [
  ...rules("N", 4, 6),
  ...rules("S", 1, 20),
  ...rules("H", 1, 6),
  ...rules("O", 1, 5),
  ...rules("O", 6, 7),
  ...rules("O", 10, 11),
  ...rules("T", 1, 11),
  ...rules("F", 1, 5),
  ...rules("Q", 1, 3),
  ...rules("J", 1, 6),
  ...rules("D", 1, 5),
  "L1",
  "L3",
];

function rules(letter: string, from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => `${letter}${from + index}`);
}

/** A line for every fault of one file. */
export function scenarioFaults({ machine, scenarios }: ScenarioVectors): string[] {
  const unknown = Object.hasOwn(machines, machine) ? [] : [`there is no machine ${machine}`];
  return [
    ...unknown,
    ...scenarios.flatMap((scenario) => faultsOf(scenario).map((fault) => `${scenario.id}: ${fault}`)),
  ];
}

/** A line for every rule that no scenario shows. */
export function missingRules(files: readonly VectorFile[]): string[] {
  const shown = new Set(
    files.flatMap((file) => (file.family === "scenarios" ? file.scenarios.flatMap((scenario) => scenario.rules) : [])),
  );
  return shownRules.filter((rule) => !shown.has(rule)).map((rule) => `rule ${rule}`);
}

function faultsOf({ id, rules: named, steps }: Scenario): string[] {
  const lines: string[] = [];
  if (!id.startsWith(`${named[0]}-`)) lines.push(`the id does not begin with ${named[0]}`);
  for (const [index, step] of steps.entries()) {
    const before = steps[index - 1];
    if (before !== undefined && step.atMs < before.atMs) lines.push(`step ${index} is before the one before it`);
    for (const record of [step.input, ...step.effects].flatMap((value) => [...recordsIn(value)])) {
      try {
        layOut(record);
      } catch (error) {
        lines.push(`step ${index}: ${JSON.stringify(record["command"])} has no bytes: ${(error as Error).message}`);
      }
    }
  }
  return lines;
}

/** Whole records stand under the name `command`; what lacks some of its fields has other names. */
function* recordsIn(value: Json): Generator<JsonObject> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value as JsonObject)) {
    if (name === "command" && typeof inner === "object") yield inner as JsonObject;
    else yield* recordsIn(inner);
  }
}
