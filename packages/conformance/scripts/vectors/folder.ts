import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Texts } from "./check.ts";

/** The vector files of a folder and the schemas beside them. */
export function readVectorFolder(folder: string): { readonly texts: Texts; readonly schemas: Texts } {
  const scenarios = Object.entries(jsonIn(join(folder, "scenarios")));
  const texts = {
    ...jsonIn(folder),
    ...Object.fromEntries(scenarios.map(([name, text]) => [`scenarios/${name}`, text])),
  };
  return { texts, schemas: jsonIn(join(folder, "schema")) };
}

function jsonIn(folder: string): Texts {
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}
