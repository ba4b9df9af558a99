import { RuntimeError } from "./errors.ts";

/** Of one error and its causes: a stack or two, no matter what user code has thrown. */
const MAX_TEXT = 4_096;
const MAX_CAUSES = 4;

/** An error as a log can hold it, with what caused it. Never throws. */
export function errorText(error: unknown): string {
  const texts: string[] = [];
  try {
    for (let each = error; each !== undefined && texts.length <= MAX_CAUSES; each = causeOf(each))
      texts.push(textOf(each));
  } catch {
    texts.push("something that cannot be written");
  }
  return texts.join("\ncaused by: ").slice(0, MAX_TEXT);
}

function textOf(thrown: unknown): string {
  if (thrown instanceof RuntimeError) return `${thrown.code}: ${thrown.message}`;
  // Where it was thrown is what its author needs.
  if (thrown instanceof Error) return thrown.stack ?? String(thrown);
  if (typeof thrown !== "object" || thrown === null) return String(thrown);
  const { code, message } = thrown as { code?: unknown; message?: unknown };
  return typeof message === "string" ? `${String(code)}: ${message}` : JSON.stringify(thrown);
}

function causeOf(thrown: unknown): unknown {
  return typeof thrown === "object" && thrown !== null ? (thrown as { cause?: unknown }).cause : undefined;
}
