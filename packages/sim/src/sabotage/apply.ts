import type { Plugin } from "vite";
import type { Edit, Sabotage } from "./types.ts";

/** The source with the bug in it. Throws when the text to change is not there exactly once: the list has to follow the source. */
export function applyEdit(source: string, { file, find, replace }: Edit): string {
  const count = source.split(find).length - 1;
  if (count !== 1) {
    throw new Error(`${file} has the text of a sabotage ${count} times instead of once:\n${find}\nAdapt src/sabotage.`);
  }
  return source.replace(find, () => replace);
}

/** Puts the bug into the sources as they are bundled. Throws at the end if one of its files was not among them. */
export function sabotaged({ name, edits }: Sabotage): Plugin {
  const open = new Set(edits);
  return {
    name: `rehome-sim:sabotage:${name}`,
    enforce: "pre",
    transform(code, id) {
      const path = id.replaceAll("\\", "/");
      const here = edits.filter(({ file }) => path.endsWith(`/${file}`));
      for (const edit of here) open.delete(edit);
      return here.length > 0 ? { code: here.reduce(applyEdit, code), map: null } : undefined;
    },
    buildEnd(error) {
      if (error === undefined && open.size > 0) {
        this.error(`sabotage ${name}: not bundled: ${[...open].map(({ file }) => file).join(", ")}`);
      }
    },
  };
}
