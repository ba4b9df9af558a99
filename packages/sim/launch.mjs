// `npm run sim -- …`: makes one file of the simulator and the sources that it runs, and runs it in this process.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "vite";

const root = dirname(fileURLToPath(import.meta.url));
const cache = join(root, "node_modules", ".cache");
mkdirSync(cache, { recursive: true });
// A folder of its own for each run: two at a time must not pull each other's file away.
const folder = mkdtempSync(join(cache, "sim-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

const outDir = join(folder, "honest");
await build({ root, configFile: join(root, "vite.config.ts"), logLevel: "error", build: { outDir } });
const { main } = await import(pathToFileURL(join(outDir, "main.js")).href);
process.exitCode = await main({ root, folder, argv: process.argv.slice(2) });
