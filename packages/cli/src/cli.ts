import { readFileSync } from "node:fs";
import { parseArgs, type ParseArgsConfig } from "node:util";
import type { Need } from "@rehome/conformance/vectors";
import { codec } from "./codec.ts";
import { CliError, type CliErrorCode } from "./errors.ts";
import { inspect } from "./inspect/inspect.ts";
import type { Io } from "./io.ts";
import { safeText } from "./show.ts";
import { commandNames, commandUsage, generalUsage, type CommandName } from "./usage.ts";
import { verify } from "./verify/verify.ts";

const defaultDeadlineMs = 10_000;
const defaultShow = 20;
/** Of a timer. */
const maxDeadlineMs = 0x7fff_ffff;
const needs: readonly Need[] = ["lone-surrogates"];
const maxEchoCharacters = 60;

const exitCodes: Readonly<Record<CliErrorCode, number>> = {
  usage: 2,
  "bad-file": 2,
  "program-failed": 1,
  // Who stops reading has seen enough.
  "output-closed": 0,
};

/**
 * Runs the `rehome` command with these arguments. The result is its exit code: 0, 1 for a difference or a refused frame, 2 for
 * bad usage or a bad file. Errors that are none of the command's own are thrown.
 */
export async function runCli(args: readonly string[], io: Io): Promise<number> {
  try {
    return await dispatch(args, io);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const command = commandNames.find((name) => name === args[0]);
    const name = command === undefined ? "rehome" : `rehome ${command}`;
    if (error.code !== "output-closed") await io.err(`${name}: ${error.message}\n`);
    if (error.code === "usage") await io.err(`\n${command === undefined ? generalUsage : commandUsage[command]}`);
    return exitCodes[error.code];
  }
}

async function dispatch(args: readonly string[], io: Io): Promise<number> {
  const [first, ...rest] = args;
  const command = commandNames.find((name) => name === first);
  if (command !== undefined) return commands[command](rest, io);
  if (first === "--version") {
    await io.out(`${version()}\n`);
    return 0;
  }
  if (first === "--help" || first === "-h" || first === "help") {
    await io.out(generalUsage);
    return 0;
  }
  if (first === undefined) throw new CliError("usage", "which command?");
  const what = first.startsWith("-") ? "option" : "command";
  throw new CliError("usage", `there is no ${what} "${safeText(first, maxEchoCharacters)}"`);
}

const commands: Readonly<Record<CommandName, (args: readonly string[], io: Io) => Promise<number>>> = {
  codec: async (args, io) => {
    const { values } = parsed(args, { options: { help }, allowPositionals: false });
    if (values.help === true) return showUsage("codec", io);
    return codec(io);
  },
  verify: async (args, io) => {
    const { values, positionals } = parsed(args, {
      options: {
        help,
        impl: { type: "string" },
        "deadline-ms": { type: "string" },
        lacks: { type: "string", multiple: true },
        show: { type: "string" },
      },
      allowPositionals: true,
    });
    if (values.help === true) return showUsage("verify", io);
    if (values.impl?.trim() === "") throw new CliError("usage", "--impl needs a command");
    return verify(
      {
        paths: positionals,
        command: values.impl,
        deadlineMs: wholeNumber("--deadline-ms", values["deadline-ms"], 1, maxDeadlineMs) ?? defaultDeadlineMs,
        show: wholeNumber("--show", values.show, 0, Number.MAX_SAFE_INTEGER) ?? defaultShow,
        lacks: (values.lacks ?? []).map(needNamed),
      },
      io,
    );
  },
  inspect: async (args, io) => {
    const { values, positionals } = parsed(args, {
      options: { help, operation: { type: "string" } },
      allowPositionals: true,
    });
    if (values.help === true) return showUsage("inspect", io);
    return inspect({ words: positionals, operation: values.operation }, io);
  },
};

const help = { type: "boolean", short: "h" } as const;

/** `parseArgs`, whose complaints are this package's error. */
function parsed<Config extends Omit<ParseArgsConfig, "args">>(
  args: readonly string[],
  config: Config,
): ReturnType<typeof parseArgs<Config & { args: string[] }>> {
  try {
    return parseArgs({ ...config, args: [...args] });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CliError("usage", safeText(error.message.replace(/\. .*$/s, ""), maxEchoCharacters * 2), {
      cause: error,
    });
  }
}

async function showUsage(command: CommandName, io: Io): Promise<number> {
  await io.out(commandUsage[command]);
  return 0;
}

function wholeNumber(option: string, text: string | undefined, least: number, most: number): number | undefined {
  if (text === undefined) return undefined;
  const number = /^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new CliError("usage", `${option} needs a whole number of at least ${least}`);
}

function needNamed(name: string): Need {
  const need = needs.find((known) => known === name);
  if (need !== undefined) return need;
  throw new CliError("usage", `--lacks knows ${needs.join(", ")}, not "${safeText(name, maxEchoCharacters)}"`);
}

function version(): string {
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { readonly version: string }).version;
}
