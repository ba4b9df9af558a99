import type { Bench } from "../bench.ts";
import { compare, effortFor, type Comparison, type Outcome } from "../comparison.ts";
import { WrongOption } from "../options.ts";
import { crcContenders, crcInputs } from "./crc-task.ts";
import { crcRows, header, recordRows } from "./report.ts";
import { recordContenders } from "./record-task.ts";
import { recordNames, recordNote } from "./records.ts";
import { operations } from "./tasks.ts";
import { table } from "../table.ts";

function recordComparisons(): Comparison[] {
  return recordNames.flatMap((input) =>
    [operations.encode, operations.decode].map((operation) => ({
      bench: "codec",
      input,
      operation,
      contenders: recordContenders,
    })),
  );
}

function crcComparisons(): Comparison[] {
  return crcInputs.map((input) => ({ bench: "codec", input, operation: operations.crc32c, contenders: crcContenders }));
}

export const codecBench: Bench = {
  about: "the wire codec against protobufjs and JSON, and CRC32C against what npm offers",
  async run(options, print) {
    const chosen = (comparison: Comparison): boolean =>
      `${comparison.operation} ${comparison.input}`.toLowerCase().includes(options.only.toLowerCase());
    const records = recordComparisons().filter(chosen);
    const checksums = crcComparisons().filter(chosen);
    const all = [...records, ...checksums];
    if (all.length === 0) throw new WrongOption(`nothing here has "${options.only}" in its title`);
    const series = all.reduce((sum, { contenders }) => sum + contenders.length, 0) * options.runtimes.length;
    const effort = effortFor(options.seconds, series, options.time);
    print(header(effort, series));
    const outcomes: Outcome[] = [];
    const measure = async (part: readonly Comparison[]): Promise<Outcome[]> => {
      const results: Outcome[] = [];
      for (const comparison of part) results.push(...(await compare(comparison, options.runtimes, effort)));
      outcomes.push(...results);
      return results;
    };
    if (records.length > 0) {
      print(`\n${table(recordRows(await measure(records)))}\n`);
      for (const name of new Set(records.map(({ input }) => input))) print(`${name}: ${recordNote(name)}`);
    }
    if (checksums.length > 0) print(`\n${table(crcRows(await measure(checksums)))}`);
    return { seconds: options.seconds, effort, outcomes };
  },
};
