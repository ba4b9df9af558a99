import { fileURLToPath } from "node:url";
import { mergeConfig } from "vitest/config";
import { shared } from "../../vitest.shared.ts";
import { watchedCore } from "./src/bundle/plugins.ts";

export default mergeConfig(shared(), { plugins: [watchedCore(fileURLToPath(new URL(".", import.meta.url)))] });
