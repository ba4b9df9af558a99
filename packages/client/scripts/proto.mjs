// Generates src/generated from proto/client.proto.
//   node scripts/proto.mjs          writes the files
//   node scripts/proto.mjs --check  exits 1 if what is checked in is not what would be written
//   node scripts/proto.mjs --copy   copies the generated code to dist, where tsc does not put it
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { format } from "prettier";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const files = ["client.js", "client.d.ts"];
const banner = "// Made by scripts/proto.mjs from proto/client.proto. Do not edit.\n/* eslint-disable */\n";

// The root name keeps this schema apart from others in the same process: protobufjs keeps all roots in one global table.
const flags = "-t static-module -w esm -r rehome_client --force-number --dts".split(" ");
const leaveOut = ["create", "verify", "convert", "delimited", "typeurl", "service"].map((name) => `--no-${name}`);

async function generate() {
  const { main } = createRequire(import.meta.url)("protobufjs-cli/pbjs");
  const folder = mkdtempSync(join(tmpdir(), "proto-"));
  try {
    const out = join(folder, "client.js");
    await new Promise((resolve, reject) => {
      main([...flags, ...leaveOut, "-o", out, join(root, "proto/client.proto")], (error) =>
        error ? reject(error) : resolve(undefined),
      );
    });
    return await Promise.all(
      files.map(async (name) => {
        // Its own list of lint rules goes: the banner switches them all off.
        const made = readFileSync(join(folder, name), "utf8").replace(/^\/\*eslint-disable .*\*\/\n/, "");
        const parser = name.endsWith(".d.ts") ? "typescript" : "babel";
        return { name, text: await format(banner + made, { parser, printWidth: 120 }) };
      }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const mode = process.argv[2];
if (mode === "--copy") {
  mkdirSync(join(root, "dist/generated"), { recursive: true });
  for (const name of files) copyFileSync(join(root, "src/generated", name), join(root, "dist/generated", name));
} else {
  let stale = false;
  for (const { name, text } of await generate()) {
    const path = join(root, "src/generated", name);
    if (mode !== "--check") writeFileSync(path, text);
    else if (readFileSync(path, "utf8") !== text) {
      console.error(`${path} is not what proto/client.proto gives: run "npm run proto" in packages/client`);
      stale = true;
    }
  }
  process.exitCode = stale ? 1 : 0;
}
