import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** `mixed`: every other node runs on Bun, the first one not. */
export const runtimes = ["node", "bun", "mixed"] as const;
export type Runtime = (typeof runtimes)[number];

/** How a process of the arena is started. */
export interface Launch {
  readonly execPath: string;
  readonly execArgv: string[];
}

// Node 22 calls its own SQLite experimental, once per process, in the middle of the progress line.
const NODE: Launch = { execPath: process.execPath, execArgv: ["--disable-warning=ExperimentalWarning"] };

/**
 * What the process with this index runs on: nodes have theirs from 0, the gateway comes after the last one. Throws if there
 * is no Bun where one is needed.
 */
export function launchOf(runtime: Runtime, index: number): Launch {
  if (runtime === "node" || (runtime === "mixed" && index % 2 === 0)) return NODE;
  return { execPath: bunPath(), execArgv: [] };
}

/** For a process that is no node. */
export function launchOfHarness(): Launch {
  return NODE;
}

/** The Bun that is installed here, or the one on the path. */
function bunPath(): string {
  try {
    const installed = join(dirname(createRequire(import.meta.url).resolve("bun/package.json")), "bin", "bun.exe");
    return existsSync(installed) ? installed : "bun";
  } catch {
    return "bun";
  }
}
