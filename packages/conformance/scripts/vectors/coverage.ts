/** What the valid and the refused records of all files have to show between them. */
import { errorCodes, type CommandVectors, type JsonObject, type VectorFile } from "../../src/vectors/file.ts";
import { layOut, type Path, type Piece } from "./layout.ts";
import { admission, frozenBodies, frozenSource } from "./table-composites.ts";
import { operationKind, recordKind, runtimeState } from "./table-names.ts";
import { commands, replyTails } from "./table.ts";
import type { Fields, NamesType, Type, UnionType } from "./types.ts";

type Choice = NamesType | UnionType;

/** Every enum and union of the table. */
function choices(): Choice[] {
  const found = new Set<Choice>([frozenSource, admission, operationKind, recordKind, runtimeState]);
  const inFields = (fields: Fields): void => {
    for (const field of fields) {
      if ("behindLength" in field) inFields(field.fields);
      else if ("beside" in field) inType(field.beside);
      else if (!("special" in field)) inType(field[1]);
    }
  };
  const inType = (type: Type): void => {
    if (type.is === "group") inFields(type.fields);
    else if (type.is === "list") inType(type.item);
    else if (type.is === "names") found.add(type);
    else if (type.is === "union") {
      found.add(type);
      for (const { fields } of Object.values(type.cases)) inFields(fields);
    }
  };
  for (const { body } of Object.values(commands)) inFields(body);
  for (const fields of [...Object.values(replyTails), ...Object.values(frozenBodies)]) inFields(fields);
  return [...found];
}

function namesOf(choice: Choice): string[] {
  return Object.keys(choice.is === "names" ? choice.numbers : choice.cases);
}

function at(value: JsonObject, path: Path): unknown {
  return path.reduce<unknown>((inner, step) => (inner as Record<string | number, unknown>)[step], value);
}

function choiceOf({ type }: Piece): Choice | undefined {
  if (type.is === "names") return type;
  return type.is === "tag" ? type.of : undefined;
}

/** Families of refused records that every command has to have, by what tells them apart. */
const families: readonly (readonly [what: string, has: (rule: CommandVectors["derived"][number]) => boolean])[] = [
  ["cut at every byte", ({ rule }) => rule === "cutAtEveryByte"],
  ["with bytes left over", ({ rule }) => rule === "appendToEachFrame"],
  ["with a frame too many", ({ rule }) => rule === "addFrame"],
  ["with forbidden flags", ({ rule, code }) => rule === "overwrite" && code === "forbidden-flag"],
  ["with bad fields", ({ rule, code }) => rule === "overwrite" && code === "invalid-field"],
  ["refused on encode", ({ rule }) => rule === "replaceValue"],
];

/** A line for everything that no case shows. */
export function missing(files: readonly VectorFile[]): string[] {
  const records = files.filter((file) => file.family === "commands");
  const valid = records.flatMap((file) => file.valid);
  const shown = new Set<string>();
  for (const { value, operation } of valid) {
    shown.add(`command ${value["command"] as string}`);
    if (operation !== undefined) shown.add(`${operationKind.called} ${operation}`);
    for (const piece of layOut(value).pieces) {
      const choice = choiceOf(piece);
      if (choice !== undefined) shown.add(`${choice.called} ${at(value, piece.path) as string}`);
    }
  }
  const commandOf = new Map(valid.map(({ id, value }) => [id, value["command"] as string]));
  for (const rule of records.flatMap(({ derived }) => derived)) {
    for (const [what] of families.filter(([, has]) => has(rule))) {
      for (const id of rule.of) shown.add(`command ${commandOf.get(id)} ${what}`);
    }
  }
  const code = ({ code: one }: { readonly code: string }): void => void shown.add(`code ${one}`);
  for (const file of files) {
    if (file.family === "commands" || file.family === "durable") {
      [...file.invalid, ...file.derived.filter(({ rule }) => rule !== "replaceValue")].forEach(code);
    }
  }
  return expected().filter((what) => !shown.has(what));
}

function expected(): string[] {
  return [
    ...Object.keys(commands).flatMap((name) => [
      `command ${name}`,
      ...families.map(([what]) => `command ${name} ${what}`),
    ]),
    ...choices().flatMap((choice) => namesOf(choice).map((name) => `${choice.called} ${name}`)),
    ...errorCodes.map((code) => `code ${code}`),
  ];
}
