import { RuntimeError } from "./errors.ts";

/** Longest name or id in UTF-8 bytes: it travels as a `text8` (`wire.md` 2). */
export const MAX_NAME_BYTES = 255;
/** Message names that begin with it are the protocol's own (`wire.md`, payload envelope). */
const PROTOCOL_PREFIX = "~";

/** Throws `invalidArgument` for what cannot travel as a name or an id, whatever a caller without types has passed. */
export function assertName(what: string, text: unknown): asserts text is string {
  if (typeof text === "string" && isName(text)) return;
  const message = `${what} must have 1 to ${MAX_NAME_BYTES} bytes of well-formed text and no NUL`;
  throw new RuntimeError("invalidArgument", message);
}

/** As {@link assertName}, for a message's name that user code gives. */
export function assertMessageName(name: unknown, what = "a message's name"): asserts name is string {
  assertName(what, name);
  if (!name.startsWith(PROTOCOL_PREFIX)) return;
  const message = `${what} must not begin with "~", as "${name}" does: those names are the protocol's own`;
  throw new RuntimeError("invalidArgument", message);
}

function isName(text: string): boolean {
  if (text === "" || text.includes("\0") || Buffer.byteLength(text) > MAX_NAME_BYTES) return false;
  return Buffer.from(text).toString() === text;
}
