import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { findService, SERVICES } from "@rehome/conformance/services";
import type { Bench } from "../bench.ts";
import { ContenderFailure } from "../contender-process.ts";
import { WrongOption } from "../options.ts";
import { launcherOf } from "../runtimes.ts";
import type { RuntimeName } from "../runtimes.ts";
import type { Summary } from "../statistics.ts";
import { digits, table } from "../table.ts";
import { openContender, storeKinds } from "./contenders.ts";
import type { StoreKind } from "./contenders.ts";
import type { StoreAssignment, StoreOutcome } from "./worker.ts";

/** What an actor has saved in the store when it moves. */
const STATE_BYTES = 0;
const ABOVE_MEASURING_MS = 60_000;

export const storesBench: Bench = {
  about: "the store's part of a move against the bare conditional write of the same client",
  async run(options, print) {
    if (options.time !== "wall") throw new WrongOption("stores wait for servers: --time cpu says nothing here");
    const kinds = storeKinds.filter((kind) => kind.includes(options.only.toLowerCase()));
    if (kinds.length === 0)
      throw new WrongOption(`there is no store "${options.only}", there is ${storeKinds.join(", ")}`);
    const found = await reachable(kinds, print);
    const seconds = options.seconds / (found.length * options.runtimes.length);
    print(
      `A move's store work: read, commit, read, one after another and 16 at once, on 256 actors; ${digits(seconds)} s for each row.\n` +
        `Bare: one row written on its exact version by the same client, in turn with the moves. Times in µs.\n`,
    );
    const outcomes: StoreOutcome[] = [];
    for (const { kind, url } of found) {
      for (const runtime of options.runtimes) {
        outcomes.push(await measured(runtime, { kind, url, seconds, stateBytes: STATE_BYTES }));
      }
    }
    print(table(rows(outcomes)));
    return { seconds: options.seconds, outcomes };
  },
};

/** SQLite always is; servers that do not answer, or in which no store can be opened, are named and left out. `environment` is for tests. */
export async function reachable(
  kinds: readonly StoreKind[],
  print: (text: string) => void,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<{ kind: StoreKind; url: string }[]> {
  const found: { kind: StoreKind; url: string }[] = [];
  for (const kind of kinds) {
    if (kind === "sqlite") found.push({ kind, url: "" });
    else {
      const service = await findService(kind, environment);
      if (service === undefined) continue;
      const obstacle = await obstacleTo(kind, service.url);
      if (obstacle === undefined) found.push({ kind, url: service.url });
      else print(`${kind} is left out. ${obstacle}\n`);
    }
  }
  if (found.length === 0) {
    const variables = [SERVICES.redis.variable, SERVICES.postgres.variable].join(" or ");
    throw new ContenderFailure(`no store is here to be measured; ${variables} says where a server is`);
  }
  return found;
}

/** Why this store cannot be measured; tried here, so that the time is shared among those that can. */
async function obstacleTo(kind: StoreKind, url: string): Promise<string | undefined> {
  try {
    await (await openContender(kind, url)).close();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** After so long a process that measures for `seconds` is ended. Timers of processes take whole milliseconds only. */
export function timeLimitMs(seconds: number): number {
  return Math.ceil(seconds * 1000) + ABOVE_MEASURING_MS;
}

/** In a process of its own, on its runtime. */
function measured(runtime: RuntimeName, assignment: StoreAssignment): Promise<StoreOutcome> {
  const launcher = launcherOf(runtime);
  const worker = fileURLToPath(new URL("worker.js", import.meta.url));
  return new Promise((resolve, reject) => {
    const child = spawn(launcher.command, [...launcher.arguments, worker, JSON.stringify(assignment)], {
      stdio: ["ignore", "pipe", "pipe"],
      timeout: timeLimitMs(assignment.seconds),
    });
    let [output, errors] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
    child.on("error", (error) => (errors += error.message));
    child.on("close", (code, signal) => {
      if (code === 0) return resolve(JSON.parse(output) as StoreOutcome);
      reject(new ContenderFailure(`${assignment.kind} on ${launcher.command} ended with ${signal ?? code}. ${errors}`));
    });
  });
}

function rows(outcomes: readonly StoreOutcome[]): string[][] {
  const titles = ["", "", "moves/s", "move p50", "p99", "commit p50", "p99", "bare/s", "bare p50", "p99"];
  const more = ["commit:bare", "move:bare", "16 at once: moves/s", "bare/s", "round trips"];
  return [
    [...titles, ...more],
    ...outcomes.map((one) => [
      one.kind,
      one.runtime,
      digits(one.move.perSecond),
      digits(one.move.p50),
      digits(one.move.p99),
      digits(one.commit.p50),
      digits(one.commit.p99),
      digits(one.bare.perSecond),
      digits(one.bare.p50),
      digits(one.bare.p99),
      spread(one.commitRatio),
      spread(one.moveRatio),
      digits(one.movesAtOnce),
      digits(one.bareAtOnce),
      one.roundTripsPerMove === undefined ? "none" : digits(one.roundTripsPerMove),
    ]),
  ];
}

function spread({ median, p25, p75 }: Summary): string {
  return `${digits(median)} (${digits(p25)}–${digits(p75)})`;
}
