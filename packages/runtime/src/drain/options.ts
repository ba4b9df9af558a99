import { DEFAULT_DRAIN_MS, type DrainRequest } from "@rehome/core";
import type { DrainOptions, ShutdownOptions } from "../api.ts";
import {
  assertApplicationVersion,
  assertFunction,
  assertMethods,
  assertOptions,
  assertWaitMs,
  invalid,
  type OptionNames,
} from "../options.ts";
import type { TerminationOptions } from "./termination.ts";

const DRAIN: OptionNames<DrainOptions> = { deadlineMs: true, applicationVersion: true, signal: true, onProgress: true };
const SHUTDOWN: OptionNames<ShutdownOptions> = { deadlineMs: true };
const TERMINATION: OptionNames<TerminationOptions> = {
  signals: true,
  deadlineMs: true,
  applicationVersion: true,
  onProgress: true,
  closeFirst: true,
  closeMs: true,
  say: true,
  clock: true,
  process: true,
};

/** What a drain is asked for. Throws `invalidArgument`. */
export function parseDrain(options: DrainOptions): DrainRequest {
  assertOptions("options", options, DRAIN);
  assertRequest(options);
  if (options.signal !== undefined) assertMethods("signal", options.signal, ["addEventListener"]);
  const { deadlineMs = DEFAULT_DRAIN_MS, applicationVersion } = options;
  return { deadlineMs, applicationVersion };
}

/** The deadline of a shutdown. Throws `invalidArgument`. */
export function parseShutdown(options: ShutdownOptions, defaultMs: number): number {
  assertOptions("options", options, SHUTDOWN);
  const { deadlineMs = defaultMs } = options;
  assertWaitMs("deadlineMs", deadlineMs);
  return deadlineMs;
}

/** Throws `invalidArgument`: what is wrong here would otherwise be found when the signal comes. */
export function checkTermination(options: TerminationOptions): void {
  assertOptions("options", options, TERMINATION);
  assertRequest(options);
  const { signals, closeFirst = [], closeMs, say, clock, process } = options;
  if (signals !== undefined && !(Array.isArray(signals) && signals.every((signal) => typeof signal === "string"))) {
    throw invalid(`signals must be a list of names, for example ["SIGTERM"]`);
  }
  if (!Array.isArray(closeFirst)) throw invalid("closeFirst must be a list of functions");
  closeFirst.forEach((close, index) => assertFunction(`closeFirst[${index}]`, close));
  if (closeMs !== undefined) assertWaitMs("closeMs", closeMs);
  if (say !== undefined) assertFunction("say", say);
  if (clock !== undefined) assertMethods("clock", clock, ["nowMs", "after"]);
  if (process !== undefined) assertMethods("process", process, ["on", "off", "exit"]);
}

function assertRequest(options: Pick<DrainOptions, "deadlineMs" | "applicationVersion" | "onProgress">): void {
  const { deadlineMs, applicationVersion, onProgress } = options;
  if (deadlineMs !== undefined) assertWaitMs("deadlineMs", deadlineMs);
  if (applicationVersion !== undefined) assertApplicationVersion("applicationVersion", applicationVersion);
  if (onProgress !== undefined) assertFunction("onProgress", onProgress);
}
