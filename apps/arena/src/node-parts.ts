import type { NodeOptions } from "@rehome/runtime";
import { createNodeTransport } from "@rehome/transport-node";

/** Where everything of a run listens: nothing of it is meant for other machines. */
export const LOOPBACK = "127.0.0.1";

export type Log = NonNullable<NodeOptions["log"]>;
type LogLevel = Parameters<Log["write"]>[0];

export function nodeTransport(log: Log): NodeOptions["transport"] {
  return createNodeTransport({ host: LOOPBACK, port: 0, log });
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
