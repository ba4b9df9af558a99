import { WireError } from "@rehome/wire";
import type { Json, JsonObject } from "../vectors/file.ts";
import type { ScenarioRequest } from "../vectors/protocol.ts";
import { ScenarioError, fromScenarioJson, toScenarioJson } from "./json.ts";
import { machines } from "./machines.ts";
import type { Fact } from "./play-machine.ts";

/** For each step, in order, what the machine wants done. */
export interface ScenarioAnswer {
  readonly effects: readonly (readonly Json[])[];
}

/**
 * Plays a scenario on this project's machines. Throws {@link ScenarioError} for a request that has no meaning, and whatever
 * a machine throws at a driver that breaks its contract.
 */
export function playScenario({ machine, config, steps }: ScenarioRequest): ScenarioAnswer {
  const make = Object.hasOwn(machines, machine) ? machines[machine] : undefined;
  if (make === undefined) throw new ScenarioError(`there is no machine "${machine}"`);
  const play = make(read(config) as never);
  return {
    effects: steps.map(({ atMs, input }) => play(read(input) as Fact, atMs).map((effect) => toScenarioJson(effect))),
  };
}

function read(json: JsonObject): unknown {
  try {
    return fromScenarioJson(json);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw new ScenarioError(error.message, { cause: error });
  }
}
