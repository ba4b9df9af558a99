/** A record as a table: offset, bytes, field, value. */
import { hexFromBytes } from "@rehome/wire";
import type { Trace, TraceRow, WireError } from "@rehome/wire";
import { counted, safeText, spacedHex } from "../show.ts";

/** Bytes in one line of the table. */
const lineBytes = 8;
/** Lines of bytes that a field may take; a payload is longer than anyone reads. */
const maxLines = 4;
const maxValueCharacters = 200;
/** Bytes of a blob that its value shows. */
const maxBlobShown = 32;
const offsetWidth = 8;
const bytesWidth = 3 * lineBytes + 1;
/** Longer field paths push their value to the right, and only theirs. */
const maxFieldWidth = 44;

/** The lines of the table, and where and why reading ended early if it did. */
export function* tableOf(frames: readonly Uint8Array[], trace: Trace): Generator<string> {
  const refused = trace.error === undefined ? undefined : frameOf(trace.error, frames);
  const longest = trace.rows.reduce((length, { field }) => Math.max(length, field.length), "field".length);
  const width = Math.min(maxFieldWidth, longest);
  for (const [index, frame] of frames.entries()) {
    if (index > 0) yield "";
    yield `frame ${index}, ${counted(frame.length, "byte")}`;
    const rows = trace.rows.filter((row) => row.frame === index);
    if (rows.length > 0 || refused === index) yield line("offset", "bytes", "field".padEnd(width), "value");
    for (const row of rows) yield* rowLines(frame, row, width);
    if (refused === index) yield* errorLines(frame, trace.error!, width);
    else if (rows.length === 0) yield* bytesOnly(frame, 0, "(not read)");
  }
}

/**
 * The frame that an error is about. Payload and metadata frames are told by their fields: no field of a body is called
 * that. A wrong number of frames is about none of them.
 */
export function frameOf(error: WireError, frames: readonly Uint8Array[]): number | undefined {
  const metadataFlag = 1;
  const hasMetadata = ((frames[0]?.[4] ?? 0) & metadataFlag) !== 0;
  if (/^metadata\b/.test(error.field)) return 1;
  if (/^payload\b/.test(error.field)) return hasMetadata ? 2 : 1;
  return error.field === "frames" ? undefined : 0;
}

function* rowLines(frame: Uint8Array, row: TraceRow, width: number): Generator<string> {
  const bytes = frame.subarray(row.offset, row.offset + row.length);
  yield line(`${row.offset}`, spacedHex(bytes.subarray(0, lineBytes)), row.field.padEnd(width), shown(row.value));
  for (let at = lineBytes; at < bytes.length; at += lineBytes) {
    if (at >= maxLines * lineBytes) {
      yield line("", `… ${counted(bytes.length - at, "more byte")}`);
      return;
    }
    yield line(`${row.offset + at}`, spacedHex(bytes.subarray(at, at + lineBytes)));
  }
}

function* errorLines(frame: Uint8Array, error: WireError, width: number): Generator<string> {
  const from = error.offset ?? frame.length;
  yield* bytesOnly(frame, from, `${error.field.padEnd(width)}  <-- ${error.code}`);
}

function* bytesOnly(frame: Uint8Array, from: number, words: string): Generator<string> {
  const bytes = frame.subarray(from, from + lineBytes);
  yield line(`${from}`, spacedHex(bytes), words);
  const left = frame.length - from - bytes.length;
  if (left > 0) yield line("", `… ${counted(left, "more byte")}`);
}

function line(offset: string, bytes: string, field = "", value = ""): string {
  return `${offset.padStart(offsetWidth)}  ${bytes.padEnd(bytesWidth)} ${field}  ${value}`.trimEnd();
}

/** A value in the form of `wire.md` section 7, made safe for a terminal. */
function shown(value: unknown): string {
  if (value === undefined) return "(absent)";
  if (value instanceof Uint8Array) {
    const hex = hexFromBytes(value.subarray(0, maxBlobShown));
    return `${counted(value.length, "byte")}: ${hex}${value.length > maxBlobShown ? "…" : ""}`;
  }
  return safeText(typeof value === "string" && value !== "" ? value : JSON.stringify(value), maxValueCharacters);
}
