import type { MoveOptions, RequestOptions } from "./api.ts";
import { RuntimeError } from "./errors.ts";
import { assertName } from "./names.ts";

/** The names that options of type `T` can have; the compiler keeps the list complete. */
export type OptionNames<T> = Readonly<Record<keyof T, true>>;

/** Throws `invalidArgument` unless it is an object with these names only: a misspelt option would have no effect, without a word. */
export function assertOptions<T>(what: string, options: unknown, names: OptionNames<T>): void {
  if (typeof options !== "object" || options === null) throw invalid(`${what} must be an object`);
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(names, name)) continue;
    throw invalid(`${what} has no option "${name.slice(0, 64)}"; there are ${Object.keys(names).join(", ")}`);
  }
}

/** Throws `invalidArgument` unless it is a time to wait that a timer can count. */
export function assertWaitMs(what: string, ms: unknown): void {
  if (typeof ms === "number" && ms > 0 && Number.isFinite(ms)) return;
  throw invalid(`${what} must be a number of milliseconds above 0, not ${String(ms)}`);
}

const REQUEST: OptionNames<RequestOptions> = { timeoutMs: true };

/** How long a request's caller wants to wait, if it says so. Throws `invalidArgument`. */
export function timeoutOf(options: RequestOptions | undefined): number | undefined {
  if (options === undefined) return undefined;
  assertOptions("options", options, REQUEST);
  if (options.timeoutMs !== undefined) assertWaitMs("options.timeoutMs", options.timeoutMs);
  return options.timeoutMs;
}

const MOVE: OptionNames<MoveOptions> = { to: true, deadlineMs: true };

/** Throws `invalidArgument`. */
export function assertMove(options: MoveOptions): void {
  assertOptions("options", options, MOVE);
  assertName("options.to, a node's name,", options.to);
  if (options.deadlineMs !== undefined) assertWaitMs("options.deadlineMs", options.deadlineMs);
}

/** `ord` of `wire.md` 2. */
const MAX_APPLICATION_VERSION = 2n ** 63n - 1n;

/** Throws `invalidArgument` unless it can travel as an application version. */
export function assertApplicationVersion(what: string, version: unknown): void {
  if (typeof version === "bigint" && version >= 0n && version <= MAX_APPLICATION_VERSION) return;
  throw invalid(`${what} must be a bigint from 0n to 2n**63n-1n, for example 2n, not ${String(version)}`);
}

/** Throws `invalidArgument` unless it is a function. */
export function assertFunction(what: string, value: unknown): void {
  if (typeof value !== "function") throw invalid(`${what} must be a function, not ${kindOf(value)}`);
}

/** Throws `invalidArgument` unless it is an object with these methods. */
export function assertMethods(what: string, value: unknown, methods: readonly string[]): void {
  if (typeof value !== "object" || value === null) throw invalid(`${what} must be an object, not ${kindOf(value)}`);
  for (const method of methods) assertFunction(`${what}.${method}`, (value as Record<string, unknown>)[method]);
}

export function invalid(message: string): RuntimeError {
  return new RuntimeError("invalidArgument", message);
}

function kindOf(value: unknown): string {
  return value === null || value === undefined ? String(value) : `a ${typeof value}`;
}
