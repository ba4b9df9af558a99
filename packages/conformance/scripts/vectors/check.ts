/** What the linter of the vector files checks. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { variants, type Base } from "../../src/vectors/expand.ts";
import type { CommandVectors, DurableVectors, VectorFile } from "../../src/vectors/file.ts";
import { loadVectorFile, VectorFileError } from "../../src/vectors/load.ts";
import { sameJson } from "../../src/vectors/protocol.ts";
import { missing } from "./coverage.ts";
import { crc32cOf } from "./crc32c.ts";
import { hexOf, layOut, layOutDurable } from "./layout.ts";
import { missingRules, scenarioFaults } from "./scenario-check.ts";

/** Texts by file name. */
export type Texts = Readonly<Record<string, string>>;

/** Gives a line for every fault of files, in the form `file: case: what is wrong`. Making it takes longer than using it. */
export function linter(schemas: Texts): (texts: Texts) => string[] {
  const validators = compile(schemas);
  return (texts) => faults(texts, validators);
}

function faults(texts: Texts, validators: Validators): string[] {
  const lines: string[] = [];
  const files: VectorFile[] = [];
  for (const [name, text] of Object.entries(texts)) {
    try {
      const file = loadVectorFile(text);
      const wrong = schemaFaults(file, validators);
      lines.push(...wrong.map((line) => `${name}: ${line}`));
      // The rest takes the form of the file for granted.
      if (wrong.length > 0) continue;
      files.push(file);
      lines.push(...fileFaults(file).map((line) => `${name}: ${line}`));
    } catch (error) {
      if (!(error instanceof VectorFileError)) throw error;
      lines.push(`${name}: ${error.message}`);
    }
  }
  if (lines.length > 0) return lines;
  return [
    ...repeatedIds(files),
    ...[...missing(files), ...missingRules(files)].map((what) => `no case shows: ${what}`),
  ];
}

type Validators = (family: string) => ValidateFunction;

function compile(schemas: Texts): Validators {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: false });
  for (const text of Object.values(schemas)) ajv.addSchema(JSON.parse(text) as object);
  return (family) => {
    const validator = ajv.getSchema(`${family}.schema.json`);
    if (validator === undefined) throw new Error(`there is no schema of the family ${family}`);
    return validator as ValidateFunction;
  };
}

function schemaFaults(file: VectorFile, validators: Validators): string[] {
  const validate = validators(file.family);
  if (validate(file)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => {
    const [, list, index, ...rest] = instancePath.split("/");
    const entry = (file as unknown as Record<string, readonly { readonly id?: string }[]>)[list!]?.[Number(index)];
    return `${entry?.id ?? instancePath}: ${rest.join("/")} ${message}`;
  });
}

function fileFaults(file: VectorFile): string[] {
  switch (file.family) {
    case "commands":
      return [...layoutFaults(file), ...ruleFaults(file, file.valid)];
    case "durable":
      return [
        ...envelopeFaults(file),
        ...ruleFaults(
          file,
          file.valid.map(({ id, value, hex }) => ({ id, value, frames: [hex] })),
        ),
      ];
    case "crc32c":
      return file.checksums
        .filter(({ pieces, crc32c }) => crc32cOf(bytesOf(pieces.join(""))) !== crc32c)
        .map(({ id }) => `${id}: the checksum is another`);
    case "scenarios":
      return scenarioFaults(file);
    case "keys":
      return [];
  }
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
}

function layoutFaults({ valid }: CommandVectors): string[] {
  return valid
    .filter(({ value, frames }) => hexOf(layOut(value)).join() !== frames.join())
    .map(({ id }) => `${id}: the frames are not what the value is laid out as`);
}

function envelopeFaults({ valid }: DurableVectors): string[] {
  return valid
    .filter(({ value, hex }) => hexOf(layOutDurable(value, crc32cOf))[0] !== hex)
    .map(({ id }) => `${id}: the bytes are not what the value is laid out as`);
}

/** Rules have to be about cases that there are, and every case that they make has to differ from the valid one and from the others. */
function ruleFaults({ derived }: CommandVectors | DurableVectors, bases: readonly Base[]): string[] {
  const byId = new Map(bases.map((base) => [base.id, base]));
  const lines: string[] = [];
  for (const rule of derived) {
    for (const id of rule.of) {
      const base = byId.get(id);
      if (base === undefined) {
        lines.push(`${rule.id}: there is no valid case ${id}`);
        continue;
      }
      try {
        lines.push(...sameAsBase(rule, base));
      } catch (error) {
        lines.push(`${rule.id}: does not fit ${id}: ${(error as Error).message}`);
      }
    }
  }
  return lines;
}

function sameAsBase(rule: CommandVectors["derived"][number], base: Base): string[] {
  const lines: string[] = [];
  const marks = new Set<string>();
  for (const { mark, frames, value } of variants(rule, base)) {
    if (marks.has(mark)) lines.push(`${rule.id}: makes ${mark} of ${base.id} twice`);
    marks.add(mark);
    const isSame = frames === undefined ? sameJson(base.value, value) : sameFrames(base.frames, frames);
    if (isSame) lines.push(`${rule.id}: leaves ${base.id} as it is (${mark})`);
  }
  return marks.size === 0 ? [`${rule.id}: makes nothing of ${base.id}`] : lines;
}

function sameFrames(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((frame, index) => frame === others[index]);
}

/** Ids are unique over all files. Those of derived cases then are too: they begin with their rule's. */
function repeatedIds(files: readonly VectorFile[]): string[] {
  const counts = new Map<string, number>();
  for (const file of files) {
    for (const value of Object.values(file).filter(Array.isArray)) {
      for (const { id } of value as readonly { readonly id: string }[]) counts.set(id, (counts.get(id) ?? 0) + 1);
    }
  }
  return [...counts].filter(([, count]) => count > 1).map(([id, count]) => `${id}: ${count} cases have this id`);
}
