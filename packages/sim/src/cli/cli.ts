import { join } from "node:path";
import { systemClock } from "@rehome/system";
import { runSeed } from "../run.ts";
import { SABOTAGES } from "../sabotage/list.ts";
import { HELP, parseOptions, UsageError, type Options } from "./options.ts";
import { catchesText, totalsJson, totalsText } from "./output.ts";
import { runPool } from "./pool.ts";
import { catchAll } from "./sabotages.ts";
import { Totals } from "./totals.ts";

export interface CliParts {
  /** This package's folder. */
  readonly root: string;
  /** Where the bundles of this run are: the one that runs is `honest/main.js`. */
  readonly folder: string;
  readonly argv: readonly string[];
}

/** Resolves to the exit code. */
export async function runCli(parts: CliParts): Promise<number> {
  let options: Options;
  try {
    options = parseOptions(
      parts.argv,
      SABOTAGES.map(({ name }) => name),
    );
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message}\n\n${HELP}`);
    return 2;
  }
  switch (options.mode.type) {
    case "help":
      console.log(HELP);
      return 0;
    case "list":
      for (const { name, rule, what } of SABOTAGES) console.log(`${name.padEnd(28)} ${rule.padEnd(30)} ${what}`);
      return 0;
    case "sabotages":
      return runSabotages(parts, options, options.mode.names);
    case "honest":
      return runHonest(parts, options);
  }
}

async function runHonest({ folder }: CliParts, options: Options): Promise<number> {
  const totals = new Totals();
  const { from, seeds, profile, workers, json, trace } = options;
  const beganMs = systemClock.nowMs();
  if (trace) {
    const result = await runSeed({ seed: from, profile, sink: (line) => console.log(line) });
    totals.add({ ...result, trace: [] });
    console.log(`trace hash ${result.hash}`);
  } else {
    await runPool({
      script: join(folder, "honest", "main.js"),
      ...{ from, seeds, profile, workers },
      onResult: (result) => {
        totals.add(result);
        return false;
      },
    });
  }
  const seconds = (systemClock.nowMs() - beganMs) / 1_000;
  console.log(json ? JSON.stringify(totalsJson(totals, seconds), undefined, 2) : totalsText(totals, seconds));
  return totals.failures.length > 0 ? 1 : 0;
}

async function runSabotages(parts: CliParts, options: Options, names: readonly string[]): Promise<number> {
  const { json } = options;
  const catches = await catchAll({
    ...parts,
    ...options,
    sabotages: SABOTAGES.filter(({ name }) => names.includes(name)),
    onCatch: (found) => {
      if (!json) console.log(catchesText([found]));
    },
  });
  if (json) console.log(JSON.stringify(catches, undefined, 2));
  const missed = catches.filter(({ seed }) => seed === undefined).length;
  if (!json) console.log(`${catches.length - missed} of ${catches.length} sabotages were found`);
  return missed > 0 ? 1 : 0;
}
