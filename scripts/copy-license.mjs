// Every tarball brings the license; the repository keeps it once. Runs before publishing.
import { copyFileSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
for (const name of readdirSync(join(root, "packages"))) {
  const folder = join(root, "packages", name);
  if (JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).private === true) continue;
  copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"));
}
