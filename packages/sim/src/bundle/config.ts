import { join } from "node:path";
import { defaultServerConditions, type InlineConfig, type Plugin } from "vite";
import { watchedCore } from "./plugins.ts";

/**
 * How the simulator, the runtime, core and wire become one file that Node runs, from their sources: `outDir`/main.js.
 * `root` is this package's folder.
 */
export function bundleConfig(root: string, outDir: string, plugins: readonly Plugin[] = []): InlineConfig {
  return {
    root,
    configFile: false,
    logLevel: "error",
    plugins: [...plugins, watchedCore(root)],
    ssr: {
      noExternal: [/^@rehome\//],
      external: ["vite"],
      resolve: { conditions: ["rehome-source", ...defaultServerConditions] },
    },
    build: {
      ssr: join(root, "src/main.ts"),
      target: "node20",
      outDir,
      emptyOutDir: true,
      minify: false,
      copyPublicDir: false,
      reportCompressedSize: false,
      rollupOptions: { output: { entryFileNames: "main.js", codeSplitting: false } },
    },
  };
}
