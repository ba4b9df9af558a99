/**
 * Writes `src/fast/generated` from the schema. Run it after a change of the schema: `npm run generate`. A
 * test compares its output with what is checked in.
 */
import { writeFile } from "node:fs/promises";
import prettier from "prettier";
import * as input from "../src/fast/input.ts";
import * as output from "../src/fast/output.ts";
import { commands, type CommandSchema } from "../src/schema/commands.ts";
import { payloadEnvelope } from "../src/schema/composites.ts";
import { field, type Node } from "../src/schema/node.ts";
import { commandIds } from "../src/values/enums.ts";
import { boundOf } from "./bounds.ts";
import { composites, EnumTables } from "./names.ts";
import { ReaderSource } from "./readers.ts";
import { WriterSource } from "./writers.ts";

const inputNames = Object.keys(input);
const outputNames = Object.keys(output);
const directory = new URL("../src/fast/generated/", import.meta.url);
const header = "// Made by scripts/generate.ts from the schema. Do not edit.\n";

/** Lists of unlimited length are left to the plain codec: they belong to the handshake, where speed does not matter. */
const fastCommands = commands.filter(({ name }) => name !== "hello" && name !== "admit" && name !== "update");

/** A record is in two files of each kind, so that no file gets long. */
const isMove = ({ id }: CommandSchema): boolean => id >= commandIds.relocationReady && id < commandIds.sendRefused;
const families: readonly (readonly [string, readonly CommandSchema[]])[] = [
  ["message", fastCommands.filter((schema) => !isMove(schema))],
  ["move", fastCommands.filter(isMove)],
];

const frozenParts = new Set(["FrozenSource", "PayloadEnvelope", "FrozenRecord"]);

/** The generated files: name and content. */
export async function generate(): Promise<Map<string, string>> {
  const nodes = composites([...fastCommands.flatMap(({ parts }) => parts), field("payload", payloadEnvelope)]);
  const plain = [...nodes].filter(([name]) => !frozenParts.has(name));
  const frozen = [...nodes].filter(([name]) => frozenParts.has(name));
  const files = new Map<string, string>();
  for (const [family, members] of [
    ["composite", plain],
    ["frozen", frozen],
  ] as const) {
    files.set(`${family}-readers.ts`, compositeReaders(members));
    files.set(`${family}-writers.ts`, compositeWriters(members));
  }
  for (const [family, schemas] of families) {
    files.set(`${family}-readers.ts`, commandReaders(schemas, family));
    files.set(`${family}-writers.ts`, commandWriters(schemas, family));
  }
  for (const [name, source] of files) {
    files.set(name, await prettier.format(header + source, { parser: "typescript", printWidth: 120 }));
  }
  return files;
}

function compositeReaders(nodes: readonly (readonly [string, Node])[]): string {
  const source = new ReaderSource(new EnumTables("byNumber"));
  const body = nodes.map(([, node]) => source.composite(node)).join("\n");
  return (
    importTypes(body, "composites") +
    importComposites(body, nodes, "read") +
    importUsed(body, inputNames, "../input.ts") +
    importUsed(body, ["refuse", "type Mutable"], "../refuse.ts") +
    `\n${body}`
  );
}

function compositeWriters(nodes: readonly (readonly [string, Node])[]): string {
  const source = new WriterSource(new EnumTables("byName"));
  const bounds = nodes.map(([name, node]) =>
    name === "FrozenRecord" || name === "PayloadEnvelope"
      ? `/** The most bytes of it, without the data of its payload. */
export const ${name[0]!.toLowerCase()}${name.slice(1)}Bound = ${boundOf(node)};\n`
      : "",
  );
  const body = nodes.map(([, node]) => source.composite(node)).join("\n");
  return (
    importTypes(body, "composites") +
    importComposites(body, nodes, "write") +
    importUsed(body, outputNames, "../output.ts") +
    importUsed(body, ["refuse"], "../refuse.ts") +
    `\n${bounds.join("")}\n${body}`
  );
}

function commandReaders(schemas: readonly CommandSchema[], family: string): string {
  const tables = new EnumTables("byNumber");
  const source = new ReaderSource(tables);
  const body = schemas.map((schema) => source.command(schema)).join("\n");
  const readers = schemas.map(({ id, typeName }) => `[${id}, read${typeName}],`).join("\n");
  return (
    importTypes(`${body} <Command>`, "commands") +
    importComposites(body, [], "read") +
    importUsed(tables.lines + body, inputNames, "../input.ts") +
    importUsed(body, ["refuse", "type Mutable"], "../refuse.ts") +
    importUsed(body, ["ruleBreach"], "../../schema/rules.ts") +
    importUsed(tables.lines, [...tables.imports], "../../values/enums.ts") +
    `
${tables.lines}

${body}
/** By command id: reads what follows the prefix, and the frames that follow. */
export const ${family}Readers: readonly (readonly [id: number, read: () => Command])[] = [
${readers}
];
`
  );
}

function commandWriters(schemas: readonly CommandSchema[], family: string): string {
  const tables = new EnumTables("byName");
  const source = new WriterSource(tables);
  const body = schemas.map((schema) => source.command(schema)).join("\n");
  const cases = schemas.map(({ name, typeName }) => `case "${name}": return write${typeName}(value);`).join("\n");
  return (
    importTypes(`${body} <Command>`, "commands") +
    importComposites(body, [], "write") +
    importUsed(tables.lines + body, outputNames, "../output.ts") +
    importUsed(body, ["metadataFrame", "payloadFrame", "type Extras"], "../frames.ts") +
    importUsed(body, ["refuse"], "../refuse.ts") +
    importUsed(body, ["ruleBreach"], "../../schema/rules.ts") +
    importUsed(tables.lines, [...tables.imports], "../../values/enums.ts") +
    `
${tables.lines}

${body}
/** The frames of a record, or \`undefined\` if its command is not one of these. */
export function write${family[0]!.toUpperCase()}${family.slice(1)}(value: Command): Uint8Array[] | undefined {
  switch (value.command) {
    ${cases}
    default: return undefined;
  }
}
`
  );
}

const typesOf = {
  commands: [...fastCommands.map(({ typeName }) => typeName), "Command"],
  composites: [
    ...composites([...fastCommands.flatMap(({ parts }) => parts), field("payload", payloadEnvelope)]).keys(),
  ],
};

function importTypes(body: string, file: "commands" | "composites"): string {
  return `import type { ${namesIn(body, typesOf[file]).join(", ")} } from "../../values/${file}.ts";\n`;
}

/** The functions of composites that the source calls and that it does not define itself. */
function importComposites(body: string, defined: readonly (readonly [string, Node])[], verb: "read" | "write"): string {
  const own = new Set(defined.map(([name]) => name));
  const others = [...new Set(typesOf.composites)].filter((name) => !own.has(name));
  const functions = (wanted: boolean): string[] =>
    others.filter((name) => frozenParts.has(name) === wanted).map((name) => `${verb}${name}`);
  return (
    importUsed(body, functions(false), `./composite-${verb === "read" ? "readers" : "writers"}.ts`) +
    importUsed(body, functions(true), `./frozen-${verb === "read" ? "readers" : "writers"}.ts`)
  );
}

function importUsed(body: string, names: readonly string[], from: string): string {
  const used = namesIn(body, names);
  return used.length === 0 ? "" : `import { ${used.join(", ")} } from "${from}";\n`;
}

/** Those of the names that the source uses as words of their own, and not as a property. */
function namesIn(body: string, names: readonly string[]): string[] {
  return names.filter((name) => new RegExp(`(?<![.\\w"])${name.replace("type ", "")}\\b(?!:)`).test(body)).sort();
}

if (process.argv[1]?.endsWith("generate.ts")) {
  for (const [name, source] of await generate()) await writeFile(new URL(name, directory), source);
}
