/** An expected and an actual answer beside each other, what differs first. */
import { canonicalBytes, counted, safeText, spacedHex } from "../show.ts";

/** Bytes in one line, on either side. */
const lineBytes = 8;
const columnWidth = 3 * lineBytes - 1;
/** Lines shown around the first difference: of what came before it, and from it on. */
const linesBefore = 1;
const linesAfter = 4;
/** Fields of a value that are shown; more say no more. */
const maxFields = 12;
const maxValueCharacters = 120;
const maxFrames = 8;
/** Shorter hex is more easily read in one piece; and the digits of a number may look like hex of up to this length. */
const minAlignedBytes = 11;

/** What a person needs to see why `actual` is not `expected`. */
export function differenceLines(expected: object, actual: unknown): string[] {
  if (isRefusal(expected) !== isRefusal(actual)) return bothLines(JSON.stringify(expected), JSON.stringify(actual));
  const wanted = new Map(leavesOf(expected));
  const given = new Map(leavesOf(actual));
  // What an error says beyond its code and field is up to each implementation.
  if (wanted.has("error.code")) for (const name of ["error.message", "error.offset"]) given.delete(name);
  const paths = [...new Set([...wanted.keys(), ...given.keys()])].filter(
    (path) => !wanted.has(path) || !given.has(path) || wanted.get(path) !== given.get(path),
  );
  const lines = paths.slice(0, maxFields).flatMap((path) => leafLines(path, wanted.get(path), given.get(path)));
  if (paths.length > maxFields) lines.push(`… ${counted(paths.length - maxFields, "more field")} differ`);
  return lines;
}

function isRefusal(answer: unknown): boolean {
  return typeof answer === "object" && answer !== null && Object.hasOwn(answer, "error");
}

type Leaf = string | number | boolean | null | undefined;

/** Every single value in a JSON value, with its path. Empty objects and arrays are values, too. */
function* leavesOf(value: unknown, path = "", depth = 0): Generator<[string, Leaf]> {
  const maxDepth = 32; // An answer may be nested deeper than any record, to break us.
  if (typeof value !== "object" || value === null || depth > maxDepth) {
    yield [path, typeof value === "object" && value !== null ? "…" : (value as Leaf)];
    return;
  }
  const entries = Object.entries(value);
  if (entries.length === 0) yield [path, Array.isArray(value) ? "[]" : "{}"];
  for (const [name, inner] of entries) {
    const step = Array.isArray(value) ? `[${name}]` : path === "" ? name : `.${name}`;
    yield* leavesOf(inner, path + step, depth + 1);
  }
}

function leafLines(path: string, expected: Leaf, actual: Leaf): string[] {
  const field = safeText(path, maxValueCharacters);
  const [wanted, given] = [canonicalBytes(expected), canonicalBytes(actual)];
  if (wanted !== undefined && given !== undefined && Math.max(wanted.length, given.length) >= minAlignedBytes) {
    return [...alignedLines(field, wanted, given)];
  }
  const shown = (leaf: Leaf): string => (leaf === undefined ? "(absent)" : JSON.stringify(leaf));
  return [field, ...bothLines(shown(expected), shown(actual)).map((line) => `  ${line}`)];
}

function bothLines(expected: string, actual: string): string[] {
  return [`expected  ${safeText(expected, maxValueCharacters)}`, `actual    ${safeText(actual, maxValueCharacters)}`];
}

/** Two byte strings side by side, line by line, with a mark under the first byte that differs. */
export function* alignedLines(field: string, expected: Uint8Array, actual: Uint8Array): Generator<string> {
  const longest = Math.max(expected.length, actual.length);
  let first = 0;
  while (first < longest && expected[first] === actual[first]) first++;
  const lengths =
    expected.length === actual.length
      ? counted(expected.length, "byte")
      : `expected ${counted(expected.length, "byte")}, got ${actual.length}`;
  yield `${field}: first difference at byte ${first} (${lengths})`;
  yield row("offset", "expected", "actual");
  const firstLine = Math.floor(first / lineBytes);
  const from = Math.max(0, firstLine - linesBefore);
  const to = Math.min(Math.ceil(longest / lineBytes), firstLine + linesAfter);
  if (from > 0) yield row("", "…", "…");
  for (let line = from; line < to; line++) {
    const start = line * lineBytes;
    const end = start + lineBytes;
    yield row(`${start}`, spacedHex(expected.subarray(start, end)), spacedHex(actual.subarray(start, end)));
    if (line === firstLine) {
      const mark = `${" ".repeat(3 * (first - start))}^^`;
      yield row("", mark, mark);
    }
  }
  if (to * lineBytes < longest) yield row("", "…", "…");
}

function row(offset: string, left: string, right: string): string {
  return `${offset.padStart(8)}  ${left.padEnd(columnWidth)}  ${right}`.trimEnd();
}

/** The bytes that were asked about, as far as they fit into a line each. */
export function requestLines(request: object): string[] {
  const { frames, hex, value, operation } = request as Readonly<Record<string, unknown>>;
  const texts = Array.isArray(frames) ? frames : Array.isArray(hex) ? hex : typeof hex === "string" ? [hex] : [];
  const lines = (texts as unknown[]).slice(0, maxFrames).map((text) => safeText(String(text), maxValueCharacters));
  if (value !== undefined) lines.push(safeText(JSON.stringify(value), maxValueCharacters));
  if (typeof operation === "string") lines.push(`operation ${operation}`);
  return lines;
}
