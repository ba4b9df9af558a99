import { parseArgs } from "node:util";
import { runtimes, type Runtime } from "./runtimes.ts";
import { sabotages, type Sabotage } from "./sabotage.ts";
import { STORE_FORMS, storeUrlFault } from "./store-url.ts";

/** How the arena runs: every option, checked, with every default filled in. */
export interface ArenaConfig {
  readonly seconds: number;
  readonly clients: number;
  readonly nodes: number;
  /** Messages per client and second. */
  readonly rate: number;
  readonly stateBytes: number;
  readonly seed: number;
  readonly json: boolean;
  readonly keep: boolean;
  readonly sabotage: Sabotage | undefined;
  /** Of the nodes and the gateway. */
  readonly runtime: Runtime;
  /** A URL that `store-url.ts` takes; `undefined`: a file in a private directory that is removed at the end. */
  readonly store: string | undefined;
  /** Of the gateway; 0: any free one. */
  readonly port: number;
}

export type ParsedOptions =
  | { readonly kind: "run"; readonly config: ArenaConfig }
  | { readonly kind: "help" }
  /** One line that says what is wrong and how it is right. */
  | { readonly kind: "wrong"; readonly message: string };

interface NumberOption {
  readonly least: number;
  readonly most: number;
  readonly whole: boolean;
  readonly default: number;
  readonly help: string;
}

const MIB = 1024 * 1024;
/** Beyond these the arena itself, or one machine, is the limit, and a slip of the finger is likelier than an intention. */
const numberOptions = {
  seconds: { least: 1, most: 86_400, whole: false, default: 30, help: "how long the clients send" },
  clients: { least: 1, most: 5_000, whole: true, default: 60, help: "clients, each with its own actor" },
  nodes: { least: 2, most: 16, whole: true, default: 3, help: "node processes" },
  rate: { least: 0.1, most: 1_000, whole: false, default: 20, help: "messages per client and second" },
  "state-bytes": { least: 0, most: 32 * MIB, whole: true, default: 2_048, help: "size of each actor's state" },
  seed: {
    least: 0,
    most: 2 ** 32 - 1,
    whole: true,
    default: Number.NaN,
    help: "repeats traffic and movement of a run",
  },
  port: { least: 0, most: 65_535, whole: true, default: 0, help: "of the gateway; 0: any free one" },
} as const satisfies Record<string, NumberOption>;

type NumberName = keyof typeof numberOptions;

const USAGE_HINT = "npm start -- --help shows the options";

/** Text for `--help`. */
export function helpText(): string {
  const lines = Object.entries(numberOptions).map(([name, option]: [string, NumberOption]) => {
    const byDefault = Number.isNaN(option.default) ? "random" : String(option.default);
    return `  ${`--${name} N`.padEnd(18)}${option.help} (${option.least} to ${option.most}; default ${byDefault})`;
  });
  return `Runs nodes, a gateway and clients on this machine, keeps the clients' actors moving, and judges what arrived.

  npm start -- [options]

${lines.join("\n")}
  ${"--store URL".padEnd(18)}use this store and keep it (default: a private SQLite file, removed at the end):
  ${"".padEnd(18)}${STORE_FORMS.replace(" or ", "\n" + " ".repeat(20) + "or ")}
  ${"--runtime KIND".padEnd(18)}${runtimes.join(", ")}: what the nodes and the gateway run on (default node)
  ${"--json".padEnd(18)}one JSON object as the last line of stdout; everything else goes to stderr
  ${"--keep".padEnd(18)}run until Ctrl-C
  ${"--sabotage KIND".padEnd(18)}${sabotages.join(", ")}: break the arena's own message path; the verdict must be red
  ${"--help".padEnd(18)}this text

Exits 0 if nothing was lost, run twice, out of order or disconnected, and something moved; 1 if not; 2 for a wrong option.
`;
}

/** @param randomSeed used when no `--seed` is given */
export function parseOptions(args: readonly string[], randomSeed: () => number): ParsedOptions {
  const parsed = readArguments(args);
  if ("message" in parsed) return { kind: "wrong", message: `${parsed.message}; ${USAGE_HINT}` };
  const { values } = parsed;
  if (values.help === true) return { kind: "help" };
  const numbers = {} as Record<NumberName, number>;
  for (const name of Object.keys(numberOptions) as NumberName[]) {
    const number = readNumber(name, values[name]);
    if (typeof number === "string") return { kind: "wrong", message: `${number}; ${USAGE_HINT}` };
    numbers[name] = number;
  }
  if (values.sabotage !== undefined && !isSabotage(values.sabotage)) {
    return {
      kind: "wrong",
      message: `--sabotage takes ${sabotages.join(", ")}, not "${values.sabotage}"; ${USAGE_HINT}`,
    };
  }
  const { runtime = "node" } = values;
  if (!isRuntime(runtime))
    return { kind: "wrong", message: `--runtime takes ${runtimes.join(", ")}, not "${runtime}"; ${USAGE_HINT}` };
  const storeFault = values.store === undefined ? undefined : storeUrlFault(values.store);
  if (storeFault !== undefined) return { kind: "wrong", message: `${storeFault}; ${USAGE_HINT}` };
  const { "state-bytes": stateBytes, seed, ...rest } = numbers;
  const config: ArenaConfig = {
    ...rest,
    stateBytes,
    seed: Number.isNaN(seed) ? randomSeed() : seed,
    json: values.json === true,
    keep: values.keep === true,
    sabotage: values.sabotage,
    store: values.store,
    runtime,
  };
  return { kind: "run", config: Object.freeze(config) };
}

function readArguments(args: readonly string[]) {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  try {
    return parseArgs({
      args: joinNegatives(args),
      strict: true,
      allowPositionals: false,
      options: {
        seconds: text,
        clients: text,
        nodes: text,
        rate: text,
        "state-bytes": text,
        seed: text,
        port: text,
        store: text,
        runtime: text,
        sabotage: text,
        json: flag,
        keep: flag,
        help: flag,
      },
    });
  } catch (error) {
    // Node's text goes on with advice about `--`, which is no use here.
    return { message: (error as Error).message.split(". ")[0]!.replace(/\s+/g, " ") };
  }
}

/** `--seed -1` as `--seed=-1`: Node takes -1 for an option, and its text does not say what the range is. */
function joinNegatives(args: readonly string[]): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    const before = joined.at(-1);
    if (/^-[\d.]/.test(arg) && before !== undefined && isNumberOption(before)) joined[joined.length - 1] += `=${arg}`;
    else joined.push(arg);
  }
  return joined;
}

function isNumberOption(arg: string): boolean {
  return arg.startsWith("--") && Object.hasOwn(numberOptions, arg.slice(2));
}

/** The number, or what is wrong with it. */
function readNumber(name: NumberName, text: string | undefined): number | string {
  const option: NumberOption = numberOptions[name];
  if (text === undefined) return option.default;
  const value = /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= option.least && value <= option.most && (!option.whole || Number.isInteger(value))) return value;
  const kind = option.whole ? "a whole number" : "a number";
  return `--${name} takes ${kind} from ${option.least} to ${option.most}, not "${text}"`;
}

function isRuntime(text: string): text is Runtime {
  return (runtimes as readonly string[]).includes(text);
}

function isSabotage(text: string): text is Sabotage {
  return (sabotages as readonly string[]).includes(text);
}
