import type { Outcome, Series } from "./comparison.ts";
import type { Summary } from "./statistics.ts";
import { digits } from "./table.ts";

/** A row for each outcome: the rate of each contender, and for all but the first how many times as long it took. */
export function rows(
  outcomes: readonly Outcome[],
  unit: string,
  rate: (ns: number, bytes: number) => number,
): string[][] {
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
