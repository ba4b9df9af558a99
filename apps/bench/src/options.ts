import { parseArgs } from "node:util";
import { runtimeNames, type RuntimeName } from "./runtimes.ts";
import { timeKinds, type TimeKind } from "./task.ts";

/** What every bench takes. */
export interface BenchOptions {
  readonly json: boolean;
  readonly runtimes: readonly RuntimeName[];
  /** Of measuring; starting and warming up come on top. */
  readonly seconds: number;
  readonly time: TimeKind;
  /** Only comparisons whose title contains this. */
  readonly only: string;
}

/** An option that is right in itself does not fit the bench. */
export class WrongOption extends Error {
  override readonly name = "WrongOption";
}

export type ParsedOptions =
  | { readonly kind: "run"; readonly bench: string; readonly options: BenchOptions }
  | { readonly kind: "help" }
  /** One line that says what is wrong. */
  | { readonly kind: "wrong"; readonly message: string };

const DEFAULT_SECONDS = 60;
/** A day: a slip of the finger is likelier than a longer run. */
const MAX_SECONDS = 86_400;

export function usage(benches: Readonly<Record<string, string>>): string {
  const lines = Object.entries(benches).map(([name, about]) => `  ${name.padEnd(18)}${about}`);
  return `Measures contenders side by side and prints medians, spreads and ratios. It judges nothing.

  npm run bench -- BENCH [options]

${lines.join("\n")}

  --seconds N       how long to measure, all in all, more than 0 (default ${DEFAULT_SECONDS}); starting comes on top
  --runtime NAME    ${runtimeNames.join(", ")} or both (default both)
  --time KIND       ${timeKinds.join(" or ")} (default wall): cpu counts what the process has of its processors, for a busy machine
  --only TEXT       only what has this text in its title, such as "encode 42" or "crc32c"
  --json            one JSON object as the last line
  --help            this text

Exits 0 when everything was measured, whatever came out; 1 when a contender failed or is wrong; 2 for a wrong option.
`;
}

export function parseOptions(args: readonly string[], benches: readonly string[]): ParsedOptions {
  let parsed;
  try {
    parsed = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
        runtime: { type: "string", default: "both" },
        seconds: { type: "string", default: String(DEFAULT_SECONDS) },
        time: { type: "string", default: "wall" },
        only: { type: "string", default: "" },
      },
    });
  } catch (error) {
    // What follows the first sentence is advice for other programs.
    return wrong((error as Error).message.split(". ")[0]!);
  }
  const { values, positionals } = parsed;
  if (values.help) return { kind: "help" };
  const [bench, ...more] = positionals;
  if (bench === undefined) return wrong(`which bench? There is ${benches.join(", ")}`);
  if (!benches.includes(bench)) return wrong(`there is no bench "${bench}", there is ${benches.join(", ")}`);
  if (more.length > 0) return wrong(`"${more.join(" ")}" is one bench too many`);
  const runtimes = runtimeNames.filter((name) => values.runtime === "both" || values.runtime === name);
  if (runtimes.length === 0)
    return wrong(`--runtime takes ${runtimeNames.join(", ")} or both, not "${values.runtime}"`);
  const seconds = /^[0-9.]+$/.test(values.seconds) ? Number(values.seconds) : Number.NaN;
  if (!(seconds > 0 && seconds <= MAX_SECONDS))
    return wrong(`--seconds takes a number up to ${MAX_SECONDS}, not "${values.seconds}"`);
  const time = timeKinds.find((kind) => kind === values.time);
  if (time === undefined) return wrong(`--time takes ${timeKinds.join(" or ")}, not "${values.time}"`);
  return { kind: "run", bench, options: { json: values.json, runtimes, seconds, time, only: values.only } };
}

function wrong(message: string): ParsedOptions {
  return { kind: "wrong", message };
}
