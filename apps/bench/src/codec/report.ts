import type { Effort, Outcome, Series } from "../comparison.ts";
import type { Summary } from "../statistics.ts";
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

function rows(outcomes: readonly Outcome[], unit: string, rate: (ns: number, bytes: number) => number): string[][] {
  const titles = outcomes[0]!.series.flatMap(({ contender, timesAsLong }) =>
    timesAsLong === undefined ? [contender] : [contender, "ratio"],
  );
  return [
    [unit, "", ...titles],
    ...outcomes.map(({ input, operation, runtime, series }) => [
      `${operation} ${input}`,
      runtime,
      ...series.flatMap((one) => cells(one, (ns) => rate(ns, one.bytes))),
    ]),
  ];
}

function cells({ nsPerOperation, timesAsLong }: Series, rate: (ns: number) => number): string[] {
  const speed = spread(nsPerOperation, (ns) => digits(rate(ns)), true);
  return timesAsLong === undefined ? [speed] : [speed, `${spread(timesAsLong, digits)}`];
}

/** `inverted`: a larger sample is a smaller figure. */
function spread({ median, p25, p75 }: Summary, show: (value: number) => string, inverted = false): string {
  const [low, high] = inverted ? [p75, p25] : [p25, p75];
  return `${show(median)} (${show(low)}–${show(high)})`;
}
