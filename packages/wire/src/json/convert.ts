/** The JSON form of values (`wire.md` section 7), in both directions, along the schema. */
import { hexFromBytes } from "../hex.ts";
import { maxU8 } from "../limits.ts";
import type { Composite, Node, Part, Union } from "../schema/node.ts";
import { pathOf } from "../plain/common.ts";
import { hexFromJson, leafFromJson, leafToJson, refused } from "./leaf.ts";

/** An object whose keys are the schema's, never ones that came from outside. */
export type Fields = Record<string, unknown>;

/** Which way a conversion goes: the walk is the same, only leaves differ. */
interface Direction {
  readonly leaf: typeof leafToJson;
  readonly bytes: (value: unknown, path: string) => unknown;
}

const toJson: Direction = {
  leaf: leafToJson,
  bytes: (value, path) => {
    if (value instanceof Uint8Array) return hexFromBytes(value);
    throw refused(path, "it has to be a Uint8Array");
  },
};
const fromJson: Direction = { leaf: leafFromJson, bytes: hexFromJson };

/** The JSON form of an object with these parts. Properties that the schema does not know are left out. */
export function partsToJson(parts: readonly Part[], value: unknown): Fields {
  const into: Fields = {};
  convertParts(parts, objectOf(value, ""), into, { direction: toJson, path: "" });
  return into;
}

/** The value of a JSON object with these parts. A property that the schema does not know is refused, not dropped. */
export function partsFromJson(parts: readonly Part[], json: unknown): Fields {
  const into: Fields = {};
  const object = objectOf(json, "");
  convertParts(parts, object, into, { direction: fromJson, path: "" });
  refuseOthers(object, into, "");
  return into;
}

interface Walk {
  readonly direction: Direction;
  readonly path: string;
}

function convertParts(parts: readonly Part[], from: Fields, into: Fields, walk: Walk): void {
  for (const part of parts) {
    if ("inline" in part) {
      if (part.inline.type !== "constant") convertComposite(part.inline, from, into, walk);
      continue;
    }
    const path = pathOf(walk.path, part.name);
    const value = Object.hasOwn(from, part.name) ? from[part.name] : undefined;
    if (value !== undefined) into[part.name] = convertNode(part.node, value, { ...walk, path });
    else if (part.presence === "always") throw refused(path, "it is missing");
  }
}

function convertComposite(node: Composite, from: Fields, into: Fields, walk: Walk): void {
  switch (node.type) {
    case "struct":
    case "delimited":
      convertParts(node.parts, from, into, walk);
      return;
    case "union":
      convertUnion(node, from, into, walk);
      return;
    case "extension": {
      // What is required is a rule of the bytes, and encoding sees to it.
      const parts: Part[] = node.fields.map(({ name, node: value }) => ({ name, node: value, presence: "bool" }));
      convertParts(parts, from, into, walk);
      if (from["unknown"] !== undefined) into["unknown"] = convertUnknown(from["unknown"], walk);
    }
  }
}

function convertUnion(union: Union, from: Fields, into: Fields, walk: Walk): void {
  const tag = from[union.tag];
  const chosen = union.cases.find((candidate) => candidate.name === tag);
  if (chosen === undefined) throw refused(pathOf(walk.path, union.tag), "it names none of the cases");
  into[union.tag] = chosen.name;
  convertParts(chosen.parts, from, into, walk);
}

function convertUnknown(value: unknown, walk: Walk): unknown[] {
  const path = pathOf(walk.path, "unknown");
  return arrayOf(value, path).map((entry, index) => {
    const entryPath = `${path}[${index}]`;
    const [id, bytes] = pairOf(entry, entryPath);
    if (typeof id !== "number" || !Number.isInteger(id) || id < 0 || id > maxU8) throw refused(entryPath, "no id");
    return [id, walk.direction.bytes(bytes, entryPath)];
  });
}

function convertNode(node: Node, value: unknown, walk: Walk): unknown {
  switch (node.type) {
    case "struct":
    case "delimited":
    case "union":
    case "extension": {
      const from = objectOf(value, walk.path);
      const into: Fields = {};
      convertComposite(node, from, into, walk);
      if (walk.direction === fromJson) refuseOthers(from, into, walk.path);
      return into;
    }
    case "id": {
      const from = objectOf(value, walk.path);
      const half = (name: "high" | "low"): unknown =>
        walk.direction.leaf({ type: "u64", min: 0n, max: 0n }, from[name], pathOf(walk.path, name));
      const into = { high: half("high"), low: half("low") };
      if (walk.direction === fromJson) refuseOthers(from, into, walk.path);
      return into;
    }
    case "list":
      return arrayOf(value, walk.path).map((element, index) =>
        convertNode(node.element, element, { ...walk, path: `${walk.path}[${index}]` }),
      );
    case "metadata":
      return arrayOf(value, walk.path).map((entry, index) => {
        const pair = pairOf(entry, `${walk.path}[${index}]`);
        if (pair.every((text) => typeof text === "string")) return [...pair];
        throw refused(`${walk.path}[${index}]`, "key and value have to be strings");
      });
    default:
      return walk.direction.leaf(node, value, walk.path);
  }
}

function objectOf(value: unknown, path: string): Fields {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  throw refused(path === "" ? "value" : path, "it has to be an object");
}

function arrayOf(value: unknown, path: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw refused(path, "it has to be an array");
}

function pairOf(value: unknown, path: string): readonly [unknown, unknown] {
  const pair = arrayOf(value, path);
  if (pair.length === 2) return pair as readonly [unknown, unknown];
  throw refused(path, "it has to be an array of two");
}

function refuseOthers(from: Fields, taken: object, path: string): void {
  for (const name of Object.keys(from)) {
    if (!Object.hasOwn(taken, name)) throw refused(pathOf(path, name), "there is no such field here");
  }
}
