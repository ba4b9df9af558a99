import { runCli, type CliParts } from "./cli/cli.ts";
import { runWorker, WORKER_FLAG } from "./cli/pool.ts";

if (process.argv[2] === WORKER_FLAG) runWorker();

/** Resolves to the exit code. */
export function main(parts: CliParts): Promise<number> {
  return runCli(parts);
}
