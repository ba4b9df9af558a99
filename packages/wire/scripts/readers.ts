/** Turns the schema into the source of the fast decoder. */
import { sessionTailFlags, type CommandSchema } from "../src/schema/commands.ts";
import type { Field, Leaf, Node, Part, Union } from "../src/schema/node.ts";
import { onlyName, type EnumTables } from "./names.ts";

export class ReaderSource {
  readonly #tables: EnumTables;
  #outers = 0;

  constructor(tables: EnumTables) {
    this.#tables = tables;
  }

  composite(node: Node): string {
    switch (node.type) {
      case "struct":
        return `export function read${node.typeName}(): ${node.typeName} {\n${this.#object(node.typeName, [], node.parts)}}\n`;
      case "union": {
        const told = node.tagBytes === 0;
        return `export function read${node.typeName}(${told ? "operation: string | undefined" : ""}): ${node.typeName}${told ? " | undefined" : ""} {\n${this.#union(node, node.typeName, [])}}\n`;
      }
      default:
        throw new Error(`${node.type} has no function of its own`);
    }
  }

  command(schema: CommandSchema): string {
    const properties = [`command: "${schema.name}"`];
    const type = schema.typeName;
    const lines: string[] = [`allowFlags(${schema.flags}, ${sessionTailFlags});`];
    const isPlain = schema.payload === "forbidden" && schema.flags === 0 && schema.parts.every(isAlways);
    if (isPlain) {
      properties.push(...schema.parts.map((part) => this.#property(part as Field)));
      lines.push(`const value: ${type} = { ${properties.join(", ")} };`, "lastFrame();");
    } else {
      const optional: string[] = [];
      lines.push(...this.#statements(schema.parts, properties, optional));
      if (schema.flags & 1) {
        lines.push("finish();", "const metadataValue = hasFlag(1) ? metadataFrame() : undefined;");
        optional.push("metadata");
      }
      if (schema.payload === "required") {
        lines.push("finish();", "const payloadValue = nextFrame() ? readPayloadEnvelope() : refuse();");
        properties.push("payload: payloadValue");
      } else if (schema.payload === "optional") {
        lines.push("finish();", "const payloadValue = nextFrame() ? readPayloadEnvelope() : undefined;");
        optional.push("payload");
      }
      lines.push("lastFrame();", ...assemble(type, properties, optional));
    }
    if (schema.hasRule) lines.push("if (ruleBreach(value) !== undefined) refuse();");
    return `function read${type}(): ${type} {\n${lines.join("\n")}\nreturn value;\n}\n`;
  }

  /** Statements that read an object's parts and return it. */
  #object(type: string, prefix: readonly string[], parts: readonly Part[], closing = ""): string {
    const only = parts[0];
    if (parts.length === 1 && only !== undefined && "inline" in only && only.inline.type === "union") {
      return this.#union(only.inline, type, prefix);
    }
    const properties = [...prefix];
    if (parts.every(isAlways)) {
      properties.push(...parts.map((part) => this.#property(part as Field)));
      if (closing === "") return `return { ${properties.join(", ")} };\n`;
      return `const value: ${type} = { ${properties.join(", ")} };\n${closing}\nreturn value;\n`;
    }
    const optional: string[] = [];
    const lines = this.#statements(parts, properties, optional);
    if (closing !== "") lines.push(closing);
    const exact = prefix.length > 0 && optional.length > 0 ? `Extract<${type}, { ${prefix.join("; ")} }>` : type;
    return `${[...lines, ...assemble(exact, properties, optional)].join("\n")}\nreturn value;\n`;
  }

  #union(union: Union, type: string, prefix: readonly string[]): string {
    const lines: string[] = [];
    if (union.tagBytes !== 0) lines.push(`const tag = uint${union.tagBytes}();`);
    if (union.lengthBytes !== 0) lines.push(`const outer = enter${union.lengthBytes}();`);
    const closing = union.lengthBytes === 0 ? "" : "leave(outer);";
    lines.push(`switch (${union.tagBytes === 0 ? "operation" : "tag"}) {`);
    for (const { name, number, parts } of union.cases) {
      lines.push(`case ${union.tagBytes === 0 ? `"${name}"` : number}: {`);
      lines.push(this.#object(type, [...prefix, `${union.tag}: "${name}"`], parts, closing), "}");
    }
    lines.push(`default: return ${union.tagBytes === 0 ? "undefined" : "refuse()"};`, "}");
    return `${lines.join("\n")}\n`;
  }

  #property(part: Field): string {
    return `${part.name}: ${this.#value(part.node)}`;
  }

  /** One statement per part, in wire order; what they read is added to the properties. */
  #statements(parts: readonly Part[], properties: string[], optional: string[]): string[] {
    const lines: string[] = [];
    for (const part of parts) {
      if ("inline" in part) {
        if (part.inline.type === "constant") {
          lines.push(`constant1(${part.inline.value});`);
        } else if (part.inline.type === "delimited") {
          const outer = `outer${this.#outers++}`;
          lines.push(`const ${outer} = enter${part.inline.lengthBytes}();`);
          lines.push(...this.#statements(part.inline.parts, properties, optional), `leave(${outer});`);
        } else throw new Error(`${part.inline.type} cannot stand inline here`);
        continue;
      }
      lines.push(`const ${part.name}Value = ${this.#present(part, this.#value(part.node))};`);
      if (part.presence === "always") properties.push(`${part.name}: ${part.name}Value`);
      else optional.push(part.name);
    }
    return lines;
  }

  #present(part: Field, read: string): string {
    switch (part.presence) {
      case "always":
        return read;
      case "bool":
        return `bool() ? ${read} : undefined`;
      case "union":
        return `optionalUnion(${read.replace(/\(\)$/, "")})`;
      case "text":
        return `isAbsentText() ? undefined : ${read}`;
      case "flags":
        return `hasFlag(${sessionTailFlags}) ? ${read} : undefined`;
      case "eightLeft":
        return `left() === 8 ? ${read} : undefined`;
      case "told":
        return `terminalResultValue === "ok" ? readReplyTail(toldOperation(correlationValue)) : undefined`;
    }
  }

  #value(node: Node): string {
    switch (node.type) {
      case "struct":
      case "union":
        return `read${node.typeName}()`;
      case "id":
        return node.allowZero ? "pair()" : "id128()";
      case "metadata":
        return "metadata()";
      case "delimited":
      case "list":
      case "extension":
        throw new Error(`${node.type} cannot stand here: leave it to the plain codec`);
      default:
        return this.#leaf(node);
    }
  }

  #leaf(leaf: Leaf): string {
    switch (leaf.type) {
      case "uint": {
        const all = leaf.min === 0 && leaf.max === 2 ** (8 * leaf.bytes) - 1;
        return all ? `uint${leaf.bytes}()` : `within(uint${leaf.bytes}(), ${leaf.min}, ${leaf.max})`;
      }
      case "u64":
        return u64Call(leaf, "");
      case "text":
        return leaf.lengthBytes === 1 ? "text8()" : `text16(${leaf.min}, ${leaf.max})`;
      case "rid":
        return "rid()";
      case "bool":
        return "bool()";
      case "blob":
        return `blob(${leaf.max})`;
      case "enum": {
        const only = onlyName(leaf);
        if (only !== undefined) return `only${leaf.bytes}(${leaf.names[only]}, "${only}")`;
        return `name${leaf.bytes}(${this.#tables.tableOf(leaf.names)})`;
      }
      case "constant":
        return `only1(${leaf.value}, ${leaf.value})`;
      case "digest":
        throw new Error("left to the plain codec");
    }
  }
}

/** The call for a u64 of this range, with `value` as its first argument if there is one. */
export function u64Call(leaf: Leaf & { type: "u64" }, value: string): string {
  const signed = 2n ** 63n - 1n;
  if (leaf.max === signed) return `${leaf.min === 1n ? "gen" : "ord"}(${value})`;
  if (leaf.min === 0n && leaf.max === 2n ** 64n - 1n) return `u64(${value})`;
  return `u64Within(${value === "" ? "" : `${value}, `}${leaf.min}n, ${leaf.max}n)`;
}

function isAlways(part: Part): boolean {
  return !("inline" in part) && part.presence === "always";
}

/** Statements that make `value` of what was read: absent fields are missing, not undefined. */
function assemble(type: string, properties: readonly string[], optional: readonly string[]): string[] {
  if (optional.length === 0) return [`const value: ${type} = { ${properties.join(", ")} };`];
  return [
    `const value: Mutable<${type}> = { ${properties.join(", ")} };`,
    ...optional.map((name) => `if (${name}Value !== undefined) value.${name} = ${name}Value;`),
  ];
}
