import { join } from "node:path";
import type { Plugin } from "vite";

const RUNTIME_SOURCES = "/packages/runtime/src/";

/**
 * Lets the runtime's sources, and nobody else, take `core` from `src/watch/core.ts`, which holds its machines against
 * their invariants. `root` is this package's folder.
 */
export function watchedCore(root: string): Plugin {
  return {
    name: "rehome-sim:watched-core",
    enforce: "pre",
    resolveId(source, importer) {
      const isRuntime = importer?.replaceAll("\\", "/").includes(RUNTIME_SOURCES) === true;
      return source === "@rehome/core" && isRuntime ? join(root, "src/watch/core.ts") : undefined;
    },
  };
}
