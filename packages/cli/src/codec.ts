/** `rehome codec`: the line protocol, for whoever wants to check us or to use us from another language. */
import { answerLine, refusedLine } from "@rehome/conformance/codec-line";
import { maxBlobBytes } from "@rehome/wire";
import type { Io } from "./io.ts";
import { linesOf, textOf, type Line } from "./lines.ts";

/** A record holds at most one blob to speak of, as two hex digits a byte; the rest of its JSON fits what is added. */
export const maxLineBytes = 2 * maxBlobBytes + 16 * 1024 * 1024;

/** Answers every line of the input by one line, in order. Ends when the input does. */
export async function codec(io: Io): Promise<number> {
  for await (const line of linesOf(io.input, maxLineBytes)) await io.out(`${answerTo(line)}\n`);
  return 0;
}

function answerTo(line: Line): string {
  if ("tooLong" in line) return refusedLine("line-too-long", `a line has at most ${maxLineBytes} bytes`);
  const text = textOf(line.bytes);
  return text === undefined ? refusedLine("invalid-json", "the line is not UTF-8") : answerLine(text);
}
