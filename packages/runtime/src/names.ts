import { RuntimeError } from "./errors.ts";

/** Longest name or id in UTF-8 bytes: it travels as a `text8` (`wire.md` 2). */
export const MAX_NAME_BYTES = 255;

/** Throws `invalidArgument` for what cannot travel as a name or an id, whatever a caller without types has passed. */
export function assertName(what: string, text: unknown): asserts text is string {
  if (typeof text === "string" && isName(text)) return;
  const message = `${what} must have 1 to ${MAX_NAME_BYTES} bytes of well-formed text and no NUL`;
  throw new RuntimeError("invalidArgument", message);
}

function isName(text: string): boolean {
  if (text === "" || text.includes("\0") || Buffer.byteLength(text) > MAX_NAME_BYTES) return false;
  return Buffer.from(text).toString() === text;
}

/** Throws `invalidArgument` unless it is a time to wait that a timer can count. */
export function assertWaitMs(what: string, ms: unknown): void {
  if (typeof ms === "number" && ms > 0 && Number.isFinite(ms)) return;
  throw new RuntimeError("invalidArgument", `${what} must be a number of milliseconds above 0, not ${String(ms)}`);
}
