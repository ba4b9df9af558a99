/** `rehome inspect`: what the bytes of a record mean, or where and why they mean nothing. */
import { operationKinds, traceRecord, type OperationKind } from "@rehome/wire";
import { maxLineBytes } from "../codec.ts";
import { CliError } from "../errors.ts";
import type { Io } from "../io.ts";
import { textOf } from "../lines.ts";
import { safeText } from "../show.ts";
import { framesIn } from "./frames.ts";
import { frameOf, tableOf } from "./table.ts";

/** As much as a line of `rehome codec` may hold. */
const maxInputBytes = maxLineBytes;
const maxReasonCharacters = 500;

export interface InspectOptions {
  /** Hex, or `-` for the standard input, which is also read when there is none. */
  readonly words: readonly string[];
  /** The operation that a reply's correlation belongs to. */
  readonly operation: string | undefined;
}

/** Prints the table. The result is the exit code: 1 if the record is refused. */
export async function inspect({ words, operation }: InspectOptions, io: Io): Promise<number> {
  if (operation !== undefined && !isOperation(operation)) {
    throw new CliError(
      "usage",
      `"${safeText(operation, 40)}" is no operation; there are: ${Object.keys(operationKinds).join(", ")}`,
    );
  }
  const frames = framesIn(await textToInspect(words, io));
  const trace = traceRecord(frames, { operationOf: () => operation });
  for (const line of tableOf(frames, trace)) await io.out(`${line}\n`);
  if (trace.error === undefined) return 0;
  const frame = frameOf(trace.error, frames);
  const where = frame === undefined ? "" : ` (frame ${frame})`;
  await io.out(`\nrefused: ${safeText(trace.error.message, maxReasonCharacters)}${where}\n`);
  return 1;
}

function isOperation(name: string): name is OperationKind {
  return Object.hasOwn(operationKinds, name);
}

async function textToInspect(words: readonly string[], io: Io): Promise<string> {
  const wantsInput = words.length === 0 || (words.length === 1 && words[0] === "-");
  if (!wantsInput) return words.join(" ");
  if (words.length === 0 && io.inputIsTerminal) {
    throw new CliError("usage", "there is nothing to inspect: give hex, or pipe it in");
  }
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of io.input) {
    length += piece.length;
    if (length > maxInputBytes) throw new CliError("usage", `the input has more than ${maxInputBytes} bytes`);
    pieces.push(piece);
  }
  const text = textOf(Buffer.concat(pieces));
  if (text === undefined) throw new CliError("usage", "the input is not hex, it is not even UTF-8");
  return text;
}
