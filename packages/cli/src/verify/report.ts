import type { VectorDifference, VectorReport } from "@rehome/conformance/vectors";
import { counted, safeText } from "../show.ts";
import { differenceLines, requestLines } from "./side-by-side.ts";

const maxNoteCharacters = 300;

/** What came of one vector file. */
export interface FileReport extends VectorReport {
  readonly name: string;
  /** Checks that a program under test did not live to answer. They are none of the failed ones. */
  readonly unanswered: number;
}

type Counts = Pick<FileReport, "passed" | "failed" | "skipped" | "unanswered">;

/** A differing case: what it shows, what was asked, what came. */
export function* caseLines(difference: VectorDifference): Generator<string> {
  const { id, note, request, expected, actual, thrown } = difference;
  yield `differs: ${safeText(id, maxNoteCharacters)} (${request.op})`;
  yield `  ${safeText(note, maxNoteCharacters)}`;
  for (const line of requestLines(request)) yield `  asked  ${line}`;
  if (thrown !== undefined) {
    const words = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : "something that is no error";
    yield `  threw  ${safeText(words, maxNoteCharacters)}`;
    return;
  }
  for (const line of differenceLines(expected, actual)) yield `  ${line}`;
}

/** The differing cases of a file as far as they were kept, and how many more there are. */
export function* fileLines(report: FileReport): Generator<string> {
  for (const difference of report.differences) {
    yield "";
    yield* caseLines(difference);
  }
  const more = report.failed - report.differences.length;
  if (more > 0) yield `\n… ${counted(more, "more case")} of ${report.name} differ (--show says how many are shown)`;
}

/** The last lines: what each file came to, and everything together. */
export function* summaryLines(reports: readonly FileReport[]): Generator<string> {
  const width = Math.max(0, ...reports.map(({ name }) => name.length));
  for (const report of reports) yield `${report.name.padEnd(width)}  ${countsOf(report)}`;
  const sum = (name: keyof Counts): number => reports.reduce((total, report) => total + report[name], 0);
  const total = {
    passed: sum("passed"),
    failed: sum("failed"),
    skipped: sum("skipped"),
    unanswered: sum("unanswered"),
  };
  if (reports.length > 1) yield `${"total".padEnd(width)}  ${countsOf(total)}`;
}

function countsOf({ passed, failed, skipped, unanswered }: Counts): string {
  const rest = unanswered === 0 ? "" : `, ${unanswered} not answered`;
  return `${passed} passed, ${failed} different, ${skipped} skipped${rest}`;
}
