import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { transformWithOxc } from "vite";
import { describe, expect, it } from "vitest";
import { applyEdit } from "../src/sabotage/apply.ts";
import { SABOTAGES } from "../src/sabotage/list.ts";
import type { Edit } from "../src/sabotage/types.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

describe("the sabotages", () => {
  it("are many, each with a name of its own and the rule that it breaks", () => {
    expect(SABOTAGES.length).toBeGreaterThanOrEqual(20);
    expect(new Set(SABOTAGES.map(({ name }) => name)).size).toBe(SABOTAGES.length);
    for (const { rule, what, edits } of SABOTAGES) {
      expect(rule).toMatch(/[A-Z]\d|section/);
      expect(what).not.toBe("");
      expect(edits.length).toBeGreaterThan(0);
    }
  });

  it.each(SABOTAGES.map((sabotage) => [sabotage.name, sabotage] as const))(
    "%s still applies, changes something, and compiles",
    async (_name, { edits }) => {
      const files = groupByFile(edits);
      for (const [file, inFile] of files) {
        const source = readFileSync(root + file, "utf8");
        const bad = inFile.reduce(applyEdit, source);
        expect(bad).not.toBe(source);
        await expect(transformWithOxc(bad, file)).resolves.toBeDefined();
      }
    },
  );

  it("say so when the source has changed under them", () => {
    const edit = { file: "x.ts", find: "one", replace: "two" };
    expect(() => applyEdit("nothing", edit)).toThrow("0 times");
    expect(() => applyEdit("one one", edit)).toThrow("2 times");
    expect(applyEdit("a one $& z", { ...edit, replace: "$&" })).toBe("a $& $& z");
  });
});

function groupByFile(edits: readonly Edit[]): Map<string, Edit[]> {
  const files = new Map<string, Edit[]>();
  for (const edit of edits) files.set(edit.file, [...(files.get(edit.file) ?? []), edit]);
  return files;
}
