/** Arbitrary sound values along the schema, so that properties see every command and every kind of field. */
import fc from "fast-check";
import { ridFromBytes, type Command } from "../../src/index.ts";
import { commands, type CommandSchema } from "../../src/schema/commands.ts";
import { payloadEnvelope } from "../../src/schema/composites.ts";
import type { Composite, Leaf, Node, Part } from "../../src/schema/node.ts";
import { utf8Length } from "../../src/utf8.ts";

type Fields = fc.Arbitrary<Record<string, unknown>>;

/** Absent fields are missing, not undefined. */
function compact(parts: readonly Record<string, unknown>[]): Record<string, unknown> {
  const all = Object.assign({}, ...parts) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

export function commandOf(schema: CommandSchema): fc.Arbitrary<Command> {
  const payload = nodeOf(payloadEnvelope);
  const extras: Fields = fc.record({
    metadata: (schema.flags & 1) !== 0 ? fc.option(metadata, { nil: undefined }) : fc.constant(undefined),
    payload:
      schema.payload === "required"
        ? payload
        : schema.payload === "optional"
          ? fc.option(payload, { nil: undefined })
          : fc.constant(undefined),
  });
  return fc
    .tuple(partsOf(schema.parts), extras)
    .map(([own, more]) => settle(compact([{ command: schema.name }, own, more])) as unknown as Command);
}

/** Makes the rules across fields hold. */
function settle(value: Record<string, unknown>): Record<string, unknown> {
  if (value["command"] === "reply" && value["terminalResult"] !== "ok") delete value["tail"];
  if (value["command"] === "sessionRelocationRoute") {
    const route = value["route"] as Record<string, unknown>;
    if (route["action"] === "commit") {
      const [low, high] = [route["previousAuthorityOwnerGeneration"], route["targetAuthorityOwnerGeneration"]];
      if ((high as bigint) <= (low as bigint)) {
        route["previousAuthorityOwnerGeneration"] = 1n;
        route["targetAuthorityOwnerGeneration"] = 2n ** 63n - 1n;
      }
    }
    const stranger = route["action"] === "commit" ? "source" : "target";
    if (value["senderRole"] === stranger) value["senderRole"] = "coordinator";
  }
  return value;
}

function partsOf(parts: readonly Part[]): Fields {
  return fc
    .tuple(
      ...parts.map((part): Fields => {
        if ("inline" in part) return part.inline.type === "constant" ? fc.constant({}) : compositeOf(part.inline);
        const value = nodeOf(part.node);
        const present = part.presence === "always" ? value : fc.option(value, { nil: undefined });
        return present.map((made) => ({ [part.name]: made }));
      }),
    )
    .map(compact);
}

function compositeOf(node: Composite): Fields {
  switch (node.type) {
    case "struct":
    case "delimited":
      return partsOf(node.parts);
    case "union":
      return fc.oneof(
        ...node.cases.map(({ name, parts }) => partsOf(parts).map((own) => ({ [node.tag]: name, ...own }))),
      );
    case "extension":
      return extensionOf(node);
  }
}

function extensionOf(node: Composite & { type: "extension" }): Fields {
  const known = new Set(node.fields.map(({ id }) => id));
  const ids = Array.from({ length: 256 }, (_, id) => id).filter((id) => !known.has(id));
  const unknown = fc
    .uniqueArray(fc.tuple(fc.constantFrom(...ids), fc.uint8Array({ maxLength: 9 })), { selector: ([id]) => id })
    .map((entries) => entries.sort(([left], [right]) => left - right));
  const own = fc.tuple(...node.fields.map(({ name, node: value }) => nodeOf(value).map((made) => ({ [name]: made }))));
  return fc.tuple(own, fc.option(unknown, { nil: undefined }), fc.boolean()).map(([fields, more, together]) => {
    const value = compact([...fields, { unknown: more?.length === 0 ? undefined : more }]);
    if (!together) for (const name of node.together) delete value[name];
    return value;
  });
}

export function nodeOf(node: Node): fc.Arbitrary<unknown> {
  switch (node.type) {
    case "struct":
    case "delimited":
    case "union":
    case "extension":
      return compositeOf(node);
    case "id":
      return fc
        .record({ high: fc.bigInt(0n, 2n ** 64n - 1n), low: fc.bigInt(node.allowZero ? 0n : 1n, 2n ** 64n - 1n) })
        .map(({ high, low }) => ({ high, low }));
    case "metadata":
      return metadata;
    case "list":
      return fc
        .uniqueArray(nodeOf(node.element), { maxLength: 6, selector: keyOf })
        .map((values) => values.sort((left, right) => compareKeys(keyOf(left), keyOf(right))));
    default:
      return leafOf(node);
  }
}

function keyOf(value: unknown): string | number {
  if (typeof value === "string") return value;
  const fields = value as { readonly name?: string; readonly order?: number };
  return fields.name ?? fields.order ?? 0;
}

function compareKeys(left: string | number, right: string | number): number {
  if (typeof left === "number") return left - (right as number);
  return Buffer.compare(Buffer.from(left), Buffer.from(String(right)));
}

function textOf(min: number, max: number): fc.Arbitrary<string> {
  return fc
    .oneof(
      fc.string({ minLength: min, maxLength: 40 }),
      fc.string({ unit: "binary", minLength: min, maxLength: 20 }),
      fc.constantFrom("a".repeat(max), "\ufeffbom", "é", "e\u0301", "\u{1F600}"),
    )
    .map((text) => text.replaceAll("\0", "0"))
    .filter((text) => utf8Length(text) >= min && utf8Length(text) <= max);
}

export const metadata: fc.Arbitrary<[string, string][]> = fc
  .uniqueArray(fc.tuple(textOf(1, 64), textOf(0, 64)), { maxLength: 12, selector: ([key]) => key })
  .filter((entries) => entries.reduce((sum, [key, value]) => sum + 3 + utf8Length(key) + utf8Length(value), 2) <= 1024);

function leafOf(leaf: Leaf): fc.Arbitrary<unknown> {
  switch (leaf.type) {
    case "uint":
      return fc.oneof(fc.integer({ min: leaf.min, max: leaf.max }), fc.constantFrom(leaf.min, leaf.max));
    case "u64":
      return fc.oneof(fc.bigInt(leaf.min, leaf.max), fc.constantFrom(leaf.min, leaf.max));
    case "text":
      return textOf(leaf.min, leaf.max);
    case "rid":
      return fc.uint8Array({ minLength: 1, maxLength: 255 }).map((bytes) => ridFromBytes(bytes));
    case "bool":
      return fc.boolean();
    case "blob":
      return fc.uint8Array({ maxLength: 200 });
    case "digest":
      return fc.uint8Array({ minLength: leaf.bytes, maxLength: leaf.bytes });
    case "enum":
      return fc.constantFrom(...Object.keys(leaf.names));
    case "constant":
      return fc.constant(leaf.value);
  }
}

export const command: fc.Arbitrary<Command> = fc.oneof(...commands.map((schema) => commandOf(schema)));
