// Generates src/codec/generated/records.ts from proto/records.proto.
//   node scripts/proto.mjs          writes the file
//   node scripts/proto.mjs --check  exits 1 if what is checked in is not what would be written
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { format } from "prettier";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const target = join(root, "src/codec/generated/records.ts");
// JavaScript under the name of TypeScript, so that tsc puts it where the rest goes.
const banner = `// Made by scripts/proto.mjs from proto/records.proto. Do not edit.
/* eslint-disable */
// @ts-nocheck
`;

// The root name keeps this schema apart from others in the same process: protobufjs keeps all roots in one global table.
const flags = "-t static-module -w es6 -r rehome_bench --no-comments".split(" ");
const leaveOut = ["create", "verify", "convert", "delimited", "typeurl", "service"].map((name) => `--no-${name}`);

async function generate() {
  const { main } = createRequire(import.meta.url)("protobufjs-cli/pbjs");
  const folder = mkdtempSync(join(tmpdir(), "proto-"));
  try {
    const out = join(folder, "records.js");
    await new Promise((resolve, reject) => {
      main([...flags, ...leaveOut, "-o", out, join(root, "proto/records.proto")], (error) =>
        error ? reject(error) : resolve(undefined),
      );
    });
    // Its own list of lint rules goes: the banner switches them all off.
    const made = readFileSync(out, "utf8").replace(/^\/\*eslint-disable .*\*\/\n/, "");
    return await format(banner + made, { parser: "typescript", printWidth: 120 });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const text = await generate();
if (process.argv[2] !== "--check") writeFileSync(target, text);
else if (readFileSync(target, "utf8") !== text) {
  console.error(`${target} is not what proto/records.proto gives: run "npm run proto" in apps/bench`);
  process.exitCode = 1;
}
