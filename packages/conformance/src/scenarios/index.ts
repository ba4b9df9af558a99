export { ScenarioError, fromScenarioJson, toScenarioJson } from "./json.ts";
export { machines } from "./machines.ts";
export { playScenario, type ScenarioAnswer } from "./play.ts";
