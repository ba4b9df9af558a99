#!/usr/bin/env node
// npm links this file when it installs, which is before anything is built.
import { existsSync } from "node:fs";
import { URL } from "node:url";

const program = new URL("../dist/main.js", import.meta.url);
if (existsSync(program)) {
  await import(program.href);
} else {
  process.stderr.write("rehome is not built yet: run `npm run build` first\n");
  process.exitCode = 1;
}
