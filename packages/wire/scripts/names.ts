import type { Leaf, Names, Node, Part } from "../src/schema/node.ts";
import * as enums from "../src/values/enums.ts";

/** Tables of enums that generated code needs, each under one name. */
export class EnumTables {
  readonly #maker: string;
  readonly #lines: string[] = [];
  readonly #known = new Map<string, string>();
  readonly imports = new Set<string>();

  constructor(maker: "byNumber" | "byName") {
    this.#maker = maker;
  }

  /** The name of the table that holds these names. */
  tableOf(names: Names): string {
    const key = JSON.stringify(names);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const exported = Object.entries(enums).find(([, value]) => value === names)?.[0];
    const table = `${
      exported ??
      Object.keys(names)
        .map((name, index) => (index === 0 ? name : `Or${name[0]!.toUpperCase()}${name.slice(1)}`))
        .join("")
    }Table`;
    if (exported !== undefined) this.imports.add(exported);
    this.#lines.push(`const ${table} = ${this.#maker}(${exported ?? `${key} as const`});`);
    this.#known.set(key, table);
    return table;
  }

  get lines(): string {
    return this.#lines.join("\n");
  }
}

/** The only name of an enum that has just one. */
export function onlyName(leaf: Leaf & { type: "enum" }): string | undefined {
  const all = Object.keys(leaf.names);
  return all.length === 1 ? all[0] : undefined;
}

/** Every composite with a function of its own below these parts, the inner ones first. */
export function composites(parts: readonly Part[], found = new Map<string, Node>()): Map<string, Node> {
  for (const part of parts) {
    const node = "inline" in part ? part.inline : part.node;
    switch (node.type) {
      case "struct":
      case "delimited":
        composites(node.parts, found);
        if (node.type === "struct") found.set(node.typeName, node);
        break;
      case "union":
        for (const { parts: inner } of node.cases) composites(inner, found);
        if (!("inline" in part)) found.set(node.typeName, node);
        break;
      default:
    }
  }
  return found;
}
