import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The Bun of this repository. */
export const bunPath = join(dirname(createRequire(import.meta.url).resolve("bun/package.json")), "bin", "bun.exe");
