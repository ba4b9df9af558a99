import type { Effort, Outcome } from "../comparison.ts";
import { rows } from "../rows.ts";
import { digits } from "../table.ts";

export function header({ rounds, sampleMs, time }: Effort, series: number): string {
  return (
    `${series} series of ${rounds} samples of ${digits(sampleMs)} ms${time === "cpu" ? " of processor time" : ""}, interleaved. Median (half of the samples lie ` +
    `between these), and how many times\nas fast wire is in the same round: median (quartiles). Higher is faster.`
  );
}

/** One row for each record, operation and runtime; millions of operations a second. */
export function recordRows(outcomes: readonly Outcome[]): string[][] {
  const rate = (nanoseconds: number): number => 1000 / nanoseconds;
  return rows(outcomes, "M operations/s", rate);
}

/** One row for each size and runtime; GB (10^9 bytes) a second, and the time of one call for short ones. */
export function crcRows(outcomes: readonly Outcome[]): string[][] {
  return outcomes.length === 0 ? [] : rows(outcomes, "GB/s", (nanoseconds, bytes) => bytes / nanoseconds);
}
