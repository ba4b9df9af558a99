import type { Bench } from "../bench.ts";
import { compare, effortFor, type Comparison, type Effort, type Outcome } from "../comparison.ts";
import { WrongOption } from "../options.ts";
import { rows } from "../rows.ts";
import { digits, table } from "../table.ts";
import { contenders, inputs, operations } from "./contenders.ts";

const perSecond = (nanoseconds: number): number => 1e6 / nanoseconds;

function comparisons(): Comparison[] {
  const { rehome, batched, single } = contenders;
  return Object.keys(inputs).flatMap((input) => [
    // With one record under way there is nothing to gather.
    { bench: "transport", input, operation: operations.roundTrip, contenders: [rehome, single] },
    { bench: "transport", input, operation: operations.pipelined, contenders: [rehome, batched, single] },
  ]);
}

function header({ rounds, sampleMs }: Effort, series: number): string {
  return (
    `${series} series of ${rounds} samples of ${digits(sampleMs)} ms, interleaved, each to an echo in a process of its own. Median (half of the ` +
    `samples lie\nbetween these), and how many times as long the bare echo takes: above 1 it is slower. Higher is faster.`
  );
}

export const transportBench: Bench = {
  about: "links between nodes against a bare echo over a socket of the same runtime",
  async run(options, print) {
    const chosen = comparisons().filter(({ operation, input }) =>
      `${operation} ${input}`.toLowerCase().includes(options.only.toLowerCase()),
    );
    if (chosen.length === 0) throw new WrongOption(`nothing here has "${options.only}" in its title`);
    const series = chosen.reduce((sum, { contenders: { length } }) => sum + length, 0) * options.runtimes.length;
    const effort = effortFor(options.seconds, series, options.time);
    print(header(effort, series));
    const outcomes: Outcome[] = [];
    for (const operation of Object.values(operations)) {
      const part: Outcome[] = [];
      for (const comparison of chosen.filter((one) => one.operation === operation))
        part.push(...(await compare(comparison, options.runtimes, effort)));
      if (part.length > 0) print(`\n${table(rows(part, "k records/s", perSecond))}`);
      outcomes.push(...part);
    }
    return { seconds: options.seconds, effort, outcomes };
  },
};
