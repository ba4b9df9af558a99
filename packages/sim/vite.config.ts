import { fileURLToPath } from "node:url";
import { bundleConfig } from "./src/bundle/config.ts";

/** What `launch.mjs` builds: the simulator without any sabotage, where it says. */
export default bundleConfig(fileURLToPath(new URL(".", import.meta.url)), "dist");
