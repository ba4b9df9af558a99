import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const runtimeNames = ["node", "bun"] as const;
export type RuntimeName = (typeof runtimeNames)[number];

/** How a worker is started: its script and argument follow these. */
export interface Launcher {
  readonly command: string;
  readonly arguments: readonly string[];
}

/** The Node that runs this program, or the one in PATH; the Bun that is installed with the project, or the one in PATH. */
export function launcherOf(runtime: RuntimeName): Launcher {
  if (runtime === "bun") return { command: installed("bun") ?? "bun", arguments: [] };
  return {
    command: process.versions["bun"] === undefined ? process.execPath : "node",
    // Lets a worker collect garbage between samples.
    arguments: ["--expose-gc"],
  };
}

function installed(name: string): string | undefined {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (folder !== dirname(folder)) {
    const path = join(folder, "node_modules", ".bin", name);
    if (existsSync(path)) return path;
    folder = dirname(folder);
  }
  return undefined;
}
