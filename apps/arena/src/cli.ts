import { randomInt } from "node:crypto";
import { runArena, StartFailure } from "./arena.ts";
import { Ending } from "./ending.ts";
import { helpText, parseOptions } from "./options.ts";
import { Output } from "./output.ts";
import { passed, verdictJson, verdictText } from "./verdict.ts";

const EXIT_FAILED = 1;
const EXIT_WRONG_OPTION = 2;
const SEEDS = 2 ** 32;

/** Runs the arena as the arguments say, and gives the exit code. */
export async function runCli(args: readonly string[]): Promise<number> {
  const ending = new Ending();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => ending.signal(performance.now()));
  const options = parseOptions(args, () => randomInt(SEEDS));
  if (options.kind === "help") {
    process.stdout.write(helpText());
    return 0;
  }
  if (options.kind === "wrong") {
    process.stderr.write(`${options.message}\n`);
    return EXIT_WRONG_OPTION;
  }
  const { config } = options;
  const output = new Output(config.json);
  try {
    const verdict = await runArena(config, output, ending);
    output.line(verdictText(verdict));
    if (config.json) output.json(verdictJson(verdict));
    return passed(verdict) ? 0 : EXIT_FAILED;
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error;
    output.error(error.message);
    return EXIT_FAILED;
  } finally {
    ending.close();
  }
}
