// Checks what neither compiler nor linter sees: who imports whom (ARCHITECTURE.md, "Packages"), and what every published
// package has to bring. Prints one line per breach and exits 1 if there is one.
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** What each package's sources may import of the others. Apps may import every package. */
const MAY_IMPORT = {
  wire: [],
  client: [],
  core: ["wire"],
  transport: ["wire", "core"],
  system: ["wire", "core"],
  "transport-node": ["wire", "core", "transport", "system"],
  "transport-bun": ["wire", "core", "transport", "system"],
  "store-sqlite": ["wire", "core", "system"],
  "store-redis": ["wire", "core", "system"],
  "store-postgres": ["wire", "core", "system"],
  runtime: ["wire", "core", "system"],
  gateway: ["wire", "core", "runtime", "client", "system"],
  conformance: ["wire", "core", "transport"],
  cli: ["wire", "core", "conformance", "system"],
  sim: ["wire", "core", "runtime", "system"],
};
/** Packages that run on any JavaScript runtime: no Node module, not even through a dependency on one. */
const NEUTRAL = new Set(["wire", "core", "client"]);

const breaches = [];
const breach = (path, what) => breaches.push(`${relative(root, path)}: ${what}`);

function filesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesIn(path) : [path];
  });
}

/** Every module that a source file names, types included. */
function importsOf(path) {
  const text = readFileSync(path, "utf8");
  const patterns = [
    /^\s*(?:import|export)\b[^"';]*\bfrom\s*"([^"]+)"/gm,
    /^\s*import\s*"([^"]+)"/gm,
    /\bimport\("([^"]+)"\)/g,
  ];
  return patterns.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1]));
}

/** `@rehome/core/x` → `@rehome/core`, `ws/lib` → `ws`. */
function packageOf(specifier) {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

/** Whether the package that is imported offers this entry. */
function isPublic(imported, specifier) {
  const path = join(root, "packages", imported.slice("@rehome/".length), "package.json");
  if (!existsSync(path)) return false;
  return JSON.parse(readFileSync(path, "utf8")).exports?.[`.${specifier.slice(imported.length)}`] !== undefined;
}

function checkImports(folder, name, manifest) {
  const source = join(folder, "src");
  const declared = { ...manifest.dependencies, ...manifest.peerDependencies, ...manifest.optionalDependencies };
  const used = new Set();
  for (const path of filesIn(source).filter((file) => /\.[cm]?[jt]s$/.test(file))) {
    for (const specifier of importsOf(path)) {
      if (specifier.startsWith(".")) {
        const target = resolve(dirname(path), specifier);
        if (!target.startsWith(source + sep)) breach(path, `reaches out of its package: "${specifier}"`);
        continue;
      }
      if (specifier.startsWith("node:")) {
        if (NEUTRAL.has(name)) breach(path, `runs on any runtime and must not import "${specifier}"`);
        continue;
      }
      const imported = packageOf(specifier);
      used.add(imported);
      if (declared[imported] === undefined) breach(path, `"${imported}" is not among the package's dependencies`);
      if (!imported.startsWith("@rehome/")) continue;
      if (!isPublic(imported, specifier)) breach(path, `imports more than the public names: "${specifier}"`);
      const allowed = MAY_IMPORT[name];
      if (allowed !== undefined && !allowed.includes(imported.slice("@rehome/".length))) {
        breach(path, `must not know "${imported}": imports point one way (ARCHITECTURE.md, Packages)`);
      }
    }
  }
  for (const dependency of Object.keys(manifest.dependencies ?? {})) {
    if (!used.has(dependency))
      breach(join(folder, "package.json"), `"${dependency}" is a dependency that nothing imports`);
  }
}

function checkManifest(folder, name, manifest) {
  const path = join(folder, "package.json");
  const expect = (holds, what) => {
    if (!holds) breach(path, what);
  };
  expect(manifest.name === `@rehome/${name}`, "the name is not that of the folder");
  expect(manifest.license === "Apache-2.0", 'the license must be "Apache-2.0"');
  expect(manifest.type === "module", 'the type must be "module"');
  if (manifest.private === true) return;
  expect(MAY_IMPORT[name] !== undefined, "scripts/check-house.mjs does not say what it may import");
  expect(typeof manifest.description === "string", "there is no description");
  expect(manifest.engines?.node === ">=20.19", 'engines.node must be ">=20.19"');
  expect(manifest.publishConfig?.access === "public", "publishConfig.access must be public");
  for (const [entry, target] of Object.entries(manifest.exports ?? {})) {
    if (typeof target === "string") continue;
    const [first] = Object.keys(target);
    expect(first === "rehome-source", `exports["${entry}"] must have "rehome-source" first`);
  }
}

/** What a package's page must have: its name, how to install it, an example, and its limits. */
function checkReadme(folder, name, manifest) {
  const path = join(folder, "README.md");
  if (!existsSync(path)) {
    breach(path, "is missing: say what the package is for, how to install it, a short example, its limits");
    return;
  }
  if (manifest.private === true) return;
  const text = readFileSync(path, "utf8");
  if (!text.startsWith(`# @rehome/${name}\n`)) breach(path, `must begin with "# @rehome/${name}"`);
  if (!/npm (?:install|i|add)\b[^\n]*@rehome\//.test(text)) breach(path, "does not say how to install the package");
  if (!text.includes("```ts")) breach(path, "has no example");
  if (!/^#+ .*limit/im.test(text)) breach(path, 'has no heading with "limits"');
}

for (const kind of ["packages", "apps"]) {
  for (const name of readdirSync(join(root, kind))) {
    const folder = join(root, kind, name);
    const manifestPath = join(folder, "package.json");
    if (!existsSync(manifestPath)) continue;
    const manifest = JSON.parse(readFileSync(manifestPath, "utf8"));
    checkManifest(folder, name, manifest);
    checkImports(folder, kind === "packages" ? name : undefined, manifest);
    checkReadme(folder, name, manifest);
  }
}

for (const line of breaches) console.error(line);
if (breaches.length > 0) process.exitCode = 1;
