import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { PROFILES, type ProfileName } from "../profile.ts";

export const HELP = `Usage: npm run sim -- [options]

Runs whole clusters on virtual time, one per seed, and holds them against the rules of docs/protocol.md.

  --seeds N          how many seeds (default 200)
  --from S           the first seed (default 1)
  --seed S           this seed only
  --trace            with --seed: print everything that happens
  --profile NAME     what goes wrong: ${PROFILES.join(", ")} (default swarm)
  --sabotage NAME    put one deliberate bug into the product, and stop at the first seed that finds it
  --all-sabotages    every one of them, one after the other
  --list-sabotages   what they are, and the rule that each breaks
  --workers N        processes (default: one per core)
  --json             one JSON document instead of text
  --help             this

Exit code 0: no rule was broken. With a sabotage: it was found. 1: otherwise. 2: wrong usage.`;

export interface Options {
  readonly from: number;
  readonly seeds: number;
  readonly trace: boolean;
  readonly profile: ProfileName;
  readonly workers: number;
  readonly json: boolean;
  readonly mode:
    | { readonly type: "honest" }
    | { readonly type: "sabotages"; readonly names: readonly string[] }
    | { readonly type: "list" }
    | { readonly type: "help" };
}

/** Wrong usage; the message says what is wrong. */
export class UsageError extends Error {}

/** The most seeds that a sabotage may take to be found. */
export const SABOTAGE_SEEDS = 2_000;
const DEFAULT_SEEDS = 200;
const MAX_SEED = 2 ** 31 - 1;

/** Throws {@link UsageError}. `sabotages` are the names that there are. */
export function parseOptions(argv: readonly string[], sabotages: readonly string[]): Options {
  const { values } = parsed(argv);
  const one = values.seed === undefined ? undefined : wholeNumber("--seed", values.seed, 0, MAX_SEED);
  if (one !== undefined && (values.seeds !== undefined || values.from !== undefined)) {
    throw new UsageError("--seed is one seed; --seeds and --from are for many");
  }
  if (values.trace === true && one === undefined)
    throw new UsageError("--trace is for one seed: say which with --seed");
  const profile = values.profile ?? "swarm";
  if (!PROFILES.includes(profile as ProfileName)) throw new UsageError(`there is no profile "${profile}"`);
  const mode = modeOf(values, sabotages);
  const seeds = mode.type === "sabotages" ? SABOTAGE_SEEDS : DEFAULT_SEEDS;
  return {
    from: one ?? wholeNumber("--from", values.from ?? "1", 0, MAX_SEED),
    seeds: one === undefined ? wholeNumber("--seeds", values.seeds ?? String(seeds), 1, MAX_SEED) : 1,
    trace: values.trace ?? false,
    profile: profile as ProfileName,
    workers: wholeNumber("--workers", values.workers ?? String(availableParallelism()), 1, 256),
    json: values.json ?? false,
    mode,
  };
}

type Values = ReturnType<typeof parsed>["values"];

function parsed(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        seeds: { type: "string" },
        from: { type: "string" },
        seed: { type: "string" },
        trace: { type: "boolean" },
        profile: { type: "string" },
        sabotage: { type: "string" },
        "all-sabotages": { type: "boolean" },
        "list-sabotages": { type: "boolean" },
        workers: { type: "string" },
        json: { type: "boolean" },
        help: { type: "boolean" },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function modeOf(values: Values, sabotages: readonly string[]): Options["mode"] {
  if (values.help === true) return { type: "help" };
  if (values["list-sabotages"] === true) return { type: "list" };
  if (values["all-sabotages"] === true) {
    if (values.sabotage !== undefined) throw new UsageError("--sabotage is one, --all-sabotages are all: choose");
    return { type: "sabotages", names: sabotages };
  }
  if (values.sabotage === undefined) return { type: "honest" };
  if (!sabotages.includes(values.sabotage)) {
    throw new UsageError(`there is no sabotage "${values.sabotage}"; --list-sabotages says which there are`);
  }
  return { type: "sabotages", names: [values.sabotage] };
}

function wholeNumber(option: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new UsageError(`${option} must be a whole number from ${least} to ${most}, not "${text}"`);
}
