/**
 * The language in which this package says once what a record looks like. The plain codec, the JSON form and the trace
 * interpret it; `scripts/generate.ts` turns it into the fast codec.
 */
import { maxGeneration, maxText16Bytes, maxText8Bytes, maxU16, maxU32, maxU64, maxU8 } from "../limits.ts";

/** Names of an enum with their numbers. */
export type Names = Readonly<Record<string, number>>;

export type Leaf =
  | { readonly type: "uint"; readonly bytes: 1 | 2 | 4; readonly min: number; readonly max: number }
  | { readonly type: "u64"; readonly min: bigint; readonly max: bigint }
  /** `lengthBytes` 0: the text is all that is left of the enclosing body. */
  | { readonly type: "text"; readonly lengthBytes: 0 | 1 | 2; readonly min: 0 | 1; readonly max: number }
  | { readonly type: "rid"; readonly lengthBytes: 0 | 1 }
  | { readonly type: "bool" }
  | { readonly type: "blob"; readonly max: number }
  | { readonly type: "digest"; readonly bytes: number }
  | { readonly type: "enum"; readonly bytes: 1 | 4; readonly names: Names }
  /** A fixed number. As a field it is part of the value, inline only of the bytes. */
  | { readonly type: "constant"; readonly name: string; readonly value: number };

/** A node whose value is an object, and which can therefore also stand inline among another object's fields. */
export type Composite =
  /** `typeName` is the exported TypeScript type; the generated codec has one function for it. */
  | { readonly type: "struct"; readonly typeName: string; readonly parts: readonly Part[] }
  /** The parts behind a length that must cover exactly them. `name` is for errors only. */
  | {
      readonly type: "delimited";
      readonly name: string;
      readonly lengthBytes: 2 | 4;
      readonly parts: readonly Part[];
    }
  | Union
  | { readonly type: "extension"; readonly fields: readonly ExtensionField[]; readonly together: readonly string[] };

/**
 * A discriminator, a length unless `lengthBytes` is 0, and the parts of one case. With `tagBytes` 0 the discriminator is
 * not in the bytes: the decoder is told.
 */
export interface Union {
  readonly type: "union";
  readonly typeName: string;
  readonly tag: string;
  readonly tagBytes: 0 | 1 | 4;
  readonly lengthBytes: 0 | 2 | 4;
  readonly cases: readonly Case[];
}

export interface Case {
  readonly name: string;
  readonly number: number;
  readonly parts: readonly Part[];
}

export interface ExtensionField {
  readonly id: number;
  readonly name: string;
  readonly node: Node;
  readonly required: boolean;
}

export type Node =
  | Leaf
  | Composite
  /** Two u64 in {`high`, `low`}. */
  | { readonly type: "id"; readonly allowZero: boolean }
  /** A count and that many elements. `ascending`: by the bytes of an element's first field, and so without repeats. */
  | { readonly type: "list"; readonly countBytes: 1 | 2 | 4; readonly element: Node; readonly ascending: boolean }
  /** The metadata frame: pairs of key and value. */
  | { readonly type: "metadata" };

/**
 * How the bytes say whether a field is there.
 *
 * - `bool`: a bool before it. `union`: union16 on a bool. `text`: its first `text8` may have length 0, and then that is
 *   all of it. `flags`: both flags of the session tail. `eightLeft`: it is there if exactly eight bytes of the enclosing
 *   body are left. `told`: whoever decodes knows (a reply's tail).
 */
export type Presence = "always" | "bool" | "union" | "text" | "flags" | "eightLeft" | "told";

export interface Field {
  readonly name: string;
  readonly node: Node;
  readonly presence: Presence;
}

/** A field under its name, or a node whose fields stand beside the others. */
export type Part = Field | { readonly inline: Composite | (Leaf & { type: "constant" }) };

export function field(name: string, node: Node, presence: Presence = "always"): Field {
  return { name, node, presence };
}

export function inline(node: Composite | (Leaf & { type: "constant" })): Part {
  return { inline: node };
}

export function u8(min = 0, max = maxU8): Node {
  return { type: "uint", bytes: 1, min, max };
}
export function u16(min = 0, max = maxU16): Node {
  return { type: "uint", bytes: 2, min, max };
}
export function u32(min = 0, max = maxU32): Node {
  return { type: "uint", bytes: 4, min, max };
}
export function u64(min = 0n, max = maxU64): Node {
  return { type: "u64", min, max };
}
export const gen: Node = { type: "u64", min: 1n, max: maxGeneration };
export const ord: Node = { type: "u64", min: 0n, max: maxGeneration };
export const text8: Node = { type: "text", lengthBytes: 1, min: 1, max: maxText8Bytes };
export const text16: Node = { type: "text", lengthBytes: 2, min: 1, max: maxText16Bytes };
export const rid: Node = { type: "rid", lengthBytes: 1 };
export const bool: Node = { type: "bool" };
export const id128: Node = { type: "id", allowZero: false };
/** Two u64 that may both be zero. */
export const pair: Node = { type: "id", allowZero: true };
export const metadata: Node = { type: "metadata" };

export function names(bytes: 1 | 4, numbers: Names): Node {
  return { type: "enum", bytes, names: numbers };
}

export function constant(name: string, value: number): Leaf & { type: "constant" } {
  return { type: "constant", name, value };
}

export function struct(typeName: string, parts: readonly Part[]): Composite {
  return { type: "struct", typeName, parts };
}

export function delimited(name: string, lengthBytes: 2 | 4, parts: readonly Part[]): Composite {
  return { type: "delimited", name, lengthBytes, parts };
}
