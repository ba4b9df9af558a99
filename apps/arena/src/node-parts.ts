import type { NodeOptions } from "@rehome/runtime";
import { machineClock } from "@rehome/store-sqlite";
import { createBunTransport } from "@rehome/transport-bun";
import { createNodeTransport } from "@rehome/transport-node";

/** Where everything of a run listens: nothing of it is meant for other machines. */
export const LOOPBACK = "127.0.0.1";

export type Log = NonNullable<NodeOptions["log"]>;
type LogLevel = Parameters<Log["write"]>[0];

export function nodeTransport(log: Log): NodeOptions["transport"] {
  const create = process.versions["bun"] === undefined ? createNodeTransport : createBunTransport;
  return create({ host: LOOPBACK, port: 0, log });
}

/**
 * What to add to this process's monotonic clock for that of the machine, by which the ends of a move in two processes can be
 * compared. Node's clock is the machine's; Bun's begins with the process.
 */
export async function machineClockOffsetMs(): Promise<number> {
  const machine = await machineClock();
  return machine.nowMs() - Number(process.hrtime.bigint()) / 1e6;
}

const logLevels: readonly LogLevel[] = ["debug", "info", "warn", "error"];

/** Writes to stderr what is at least as grave as the environment variable REHOME_LOG says; by default errors. */
export function stderrLog(name: string): Log {
  const least = logLevels.indexOf((process.env["REHOME_LOG"] ?? "error") as LogLevel);
  return {
    write(level, event, fields) {
      if (logLevels.indexOf(level) >= least)
        process.stderr.write(`${name} ${level} ${event} ${textOfFields(fields)}\n`);
    },
  };
}

function textOfFields(fields: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(fields, (_key, value: unknown) => {
    if (typeof value === "bigint") return String(value);
    return value instanceof Error ? value.message : value;
  });
}
