/** Turns the schema into the source of the fast encoder. */
import { sessionTailFlags, type CommandSchema } from "../src/schema/commands.ts";
import type { Field, Leaf, Node, Part, Union } from "../src/schema/node.ts";
import { blobsOfParts, boundOfParts } from "./bounds.ts";
import { onlyName, type EnumTables } from "./names.ts";
import { u64Call } from "./readers.ts";

const prefixBytes = 5;

export class WriterSource {
  readonly #tables: EnumTables;
  #bodies = 0;

  constructor(tables: EnumTables) {
    this.#tables = tables;
  }

  composite(node: Node): string {
    if (node.type !== "struct" && node.type !== "union") throw new Error(`${node.type} has no function of its own`);
    const body = node.type === "struct" ? this.#parts(node.parts) : this.#union(node);
    return `export function write${node.typeName}(value: ${node.typeName}): void {\n${body}}\n`;
  }

  command(schema: CommandSchema): string {
    const lines: string[] = [];
    const extras = [
      ...(schema.flags === 0 ? ["metadata", "sessionTail"] : []),
      ...(schema.payload === "forbidden" ? ["payload"] : []),
    ];
    if (extras.length > 0) {
      lines.push(`const extra: Extras = value;`);
      lines.push(`if (${extras.map((name) => `extra.${name} !== undefined`).join(" || ")}) refuse();`);
    }
    const flags =
      schema.flags === 0
        ? "0"
        : `(value.metadata === undefined ? 0 : 1) | (value.sessionTail === undefined ? 0 : ${sessionTailFlags})`;
    const blobs = blobsOfParts(schema.parts, "value").map((path) => ` + blobLength(${path})`);
    lines.push(`beginRecord(${schema.id}, ${flags}, ${prefixBytes + boundOfParts(schema.parts)}${blobs.join("")});`);
    lines.push(this.#parts(schema.parts).trimEnd());
    if (schema.hasRule) lines.push("if (ruleBreach(value) !== undefined) refuse();");
    if (schema.flags === 0 && schema.payload === "forbidden") {
      lines.push("return [done()];");
    } else {
      lines.push("const frames = [done()];");
      if (schema.flags & 1) lines.push("if (value.metadata !== undefined) frames.push(metadataFrame(value.metadata));");
      const push = "frames.push(payloadFrame(value.payload));";
      if (schema.payload === "required") lines.push(push);
      if (schema.payload === "optional") lines.push(`if (value.payload !== undefined) ${push}`);
      lines.push("return frames;");
    }
    return `function write${schema.typeName}(value: ${schema.typeName}): Uint8Array[] {\n${lines.join("\n")}\n}\n`;
  }

  #parts(parts: readonly Part[]): string {
    return parts.map((part) => this.#part(part)).join("");
  }

  #part(part: Part): string {
    if (!("inline" in part)) return this.#field(part);
    switch (part.inline.type) {
      case "constant":
        return `uint1(${part.inline.value});\n`;
      case "delimited":
        return this.#measured(part.inline.lengthBytes, this.#parts(part.inline.parts));
      case "union":
        return this.#union(part.inline);
      default:
        throw new Error(`${part.inline.type} cannot stand inline here`);
    }
  }

  #field(part: Field): string {
    const path = `value.${part.name}`;
    const write = this.#value(part.node, path);
    switch (part.presence) {
      case "always":
        return write;
      case "bool":
        return `bool(${path} !== undefined);\nif (${path} !== undefined) { ${write} }\n`;
      case "union":
        return `bool(${path} !== undefined);\n` + this.#measured(2, `if (${path} !== undefined) { ${write} }\n`);
      case "text":
        return `if (${path} === undefined) uint1(0);\nelse { ${write} }\n`;
      case "flags":
      case "eightLeft":
        return `if (${path} !== undefined) { ${write} }\n`;
      case "told":
        return `if (${path} !== undefined) { if (value.terminalResult !== "ok") refuse();\n${write} }\n`;
    }
  }

  #measured(lengthBytes: 2 | 4, inner: string): string {
    const body = `body${this.#bodies++}`;
    return `const ${body} = open${lengthBytes}();\n${inner}close${lengthBytes}(${body});\n`;
  }

  #union(union: Union): string {
    const cases = union.cases.map(({ name, number, parts }) => {
      const tag = union.tagBytes === 0 ? "" : `uint${union.tagBytes}(${number});\n`;
      const inner = this.#parts(parts);
      const body = union.lengthBytes === 0 ? inner : this.#measured(union.lengthBytes, inner);
      return `case "${name}": {\n${tag}${body}break;\n}\n`;
    });
    return `switch (value.${union.tag}) {\n${cases.join("")}default: refuse();\n}\n`;
  }

  #value(node: Node, path: string): string {
    switch (node.type) {
      case "struct":
      case "union":
        return `write${node.typeName}(${path});\n`;
      case "id":
        return `${node.allowZero ? "pair" : "id128"}(${path});\n`;
      case "metadata":
        return `metadata(${path});\n`;
      case "delimited":
      case "list":
      case "extension":
        throw new Error(`${node.type} cannot stand here: leave it to the plain codec`);
      default:
        return `${this.#leaf(node, path)};\n`;
    }
  }

  #leaf(leaf: Leaf, path: string): string {
    switch (leaf.type) {
      case "uint":
        return `u${8 * leaf.bytes}Within(${path}, ${leaf.min}, ${leaf.max})`;
      case "u64":
        return u64Call(leaf, path);
      case "text":
        return leaf.lengthBytes === 1 ? `text8(${path})` : `text16(${path}, ${leaf.min}, ${leaf.max})`;
      case "rid":
        return `rid(${path})`;
      case "bool":
        return `bool(${path})`;
      case "blob":
        return `blob(${path}, ${leaf.max})`;
      case "enum": {
        const only = onlyName(leaf);
        if (only !== undefined) return `only${leaf.bytes}(${path}, "${only}", ${leaf.names[only]})`;
        return `number${leaf.bytes}(${this.#tables.tableOf(leaf.names)}, ${path})`;
      }
      case "constant":
        return `only1(${path}, ${leaf.value}, ${leaf.value})`;
      case "digest":
        throw new Error("left to the plain codec");
    }
  }
}
