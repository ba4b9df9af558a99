import type { Leaf, Node, Part } from "../src/schema/node.ts";
import { metadataBound } from "../src/fast/output.ts";

/** The most bytes that these parts take, without what blobs hold: those add their own length. */
export function boundOfParts(parts: readonly Part[]): number {
  let bound = 0;
  for (const part of parts) {
    if ("inline" in part) bound += boundOf(part.inline);
    // A bool before it, and the length of a union: enough for every way in which a field can be there.
    else bound += boundOf(part.node) + (part.presence === "always" ? 0 : 3);
  }
  return bound;
}

export function boundOf(node: Node): number {
  switch (node.type) {
    case "struct":
      return boundOfParts(node.parts);
    case "delimited":
      return node.lengthBytes + boundOfParts(node.parts);
    case "union":
      return node.tagBytes + node.lengthBytes + Math.max(...node.cases.map(({ parts }) => boundOfParts(parts)));
    case "id":
      return 16;
    case "metadata":
      return metadataBound;
    case "list":
    case "extension":
      throw new Error(`${node.type} has no bound: leave it to the plain codec`);
    default:
      return boundOfLeaf(node);
  }
}

function boundOfLeaf(leaf: Leaf): number {
  switch (leaf.type) {
    case "uint":
    case "enum":
    case "digest":
      return leaf.bytes;
    case "u64":
      return 8;
    case "text":
      return leaf.lengthBytes + leaf.max;
    case "rid":
      return 256;
    case "blob":
      return 4;
    case "bool":
    case "constant":
      return 1;
  }
}

/** The blobs among these parts, as expressions: their lengths come on top of the bound. */
export function blobsOfParts(parts: readonly Part[], path: string): string[] {
  return parts.flatMap((part) =>
    "inline" in part ? blobsOf(part.inline, path) : blobsOf(part.node, `${path}.${part.name}`),
  );
}

function blobsOf(node: Node, path: string): string[] {
  switch (node.type) {
    case "blob":
      return [path];
    case "struct":
    case "delimited":
      return blobsOfParts(node.parts, path);
    case "union":
      return [...new Set(node.cases.flatMap(({ parts }) => blobsOfParts(parts, path)))];
    default:
      return [];
  }
}
