import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { bunPath } from "./support/bun.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));
/** Half a minute on an idle machine; the cuts at every byte offset take most of it. */
const TIMEOUT_MS = 240_000;

/** Bun–Bun: both ends of the whole suite in one process of Bun. */
it.skipIf(process.versions["bun"] !== undefined).each(readdirSync(folder).filter((name) => name.endsWith(".bun.ts")))(
  "%s passes on Bun",
  async (name) => {
    const child = spawn(bunPath, ["--conditions=rehome-source", "test", "--timeout", "30000", `${folder}${name}`]);
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    const code = await new Promise((resolve) => child.once("close", resolve));
    expect(code, output).toBe(0);
    expect(output).toMatch(/[1-9]\d* pass\n\s+0 fail/);
  },
  TIMEOUT_MS,
);
