import { availableParallelism, cpus } from "node:os";
import type { Bench } from "./bench.ts";
import { codecBench } from "./codec/codec-bench.ts";
import { ContenderFailure } from "./contender-process.ts";
import { transportBench } from "./transport/transport-bench.ts";
import { parseOptions, usage, WrongOption } from "./options.ts";
import { storesBench } from "./stores/stores-bench.ts";

const EXIT_FAILED = 1;
const EXIT_WRONG_OPTION = 2;

const benches: Readonly<Record<string, Bench>> = { codec: codecBench, stores: storesBench, transport: transportBench };

/** Runs what the arguments say, and gives the exit code. */
export async function runCli(args: readonly string[]): Promise<number> {
  const parsed = parseOptions(args, Object.keys(benches));
  const help = usage(Object.fromEntries(Object.entries(benches).map(([name, { about }]) => [name, about])));
  if (parsed.kind === "help") {
    process.stdout.write(help);
    return 0;
  }
  const refuse = (message: string): number => {
    process.stderr.write(`${message}\n\n${help}`);
    return EXIT_WRONG_OPTION;
  };
  if (parsed.kind === "wrong") return refuse(parsed.message);
  const { bench, options } = parsed;
  try {
    const result = await benches[bench]!.run(options, (text) => process.stdout.write(`${text}\n`));
    if (options.json)
      process.stdout.write(`${JSON.stringify({ bench, machine: machine(), ...result }, shortNumbers)}\n`);
    return 0;
  } catch (error) {
    if (error instanceof WrongOption) return refuse(error.message);
    if (!(error instanceof ContenderFailure)) throw error;
    process.stderr.write(`${error.message}\n`);
    return EXIT_FAILED;
  }
}

/** Further digits say nothing. */
function shortNumbers(_key: string, value: unknown): unknown {
  return typeof value === "number" ? Number(value.toPrecision(6)) : value;
}

function machine(): object {
  return {
    platform: `${process.platform}-${process.arch}`,
    cpu: cpus()[0]?.model ?? "unknown",
    cores: availableParallelism(),
  };
}
