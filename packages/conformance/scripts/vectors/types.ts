/**
 * The types of `wire.md` section 2, for a table of every record that is written down from that page alone: nothing here
 * knows the project's codec, which has to agree with what comes out.
 */

/** A number of fixed width. One of 8 bytes is a decimal string in JSON, a narrower one a number. */
export interface NumberType {
  readonly is: "number";
  readonly width: 1 | 2 | 4 | 8;
  readonly least: bigint;
  readonly most: bigint;
}
/** A length of `width` bytes and that many bytes of UTF-8. */
export interface TextType {
  readonly is: "text";
  readonly width: 1 | 2;
  readonly most: number;
}
export interface NamesType {
  readonly is: "names";
  /** What the page calls it: coverage is counted under this name. */
  readonly called: string;
  readonly width: 1 | 4;
  readonly numbers: Readonly<Record<string, number>>;
}
export interface GroupType {
  readonly is: "group";
  readonly fields: Fields;
}
/** A discriminator, the length of a body, and the body: `union16` has a length of two bytes. */
export interface UnionType {
  readonly is: "union";
  readonly called: string;
  /** The discriminator's name in JSON. */
  readonly tag: string;
  readonly tagWidth: 1 | 4;
  readonly lengthWidth: 2 | 4;
  readonly cases: Readonly<Record<string, { readonly number: number; readonly fields: Fields }>>;
}

export type Type =
  | NumberType
  | TextType
  | NamesType
  | GroupType
  | UnionType
  | { readonly is: "rid" }
  | { readonly is: "bool" }
  | { readonly is: "blob"; readonly most: number }
  /** Two u64. */
  | { readonly is: "pair"; readonly zeroAllowed: boolean }
  | { readonly is: "metadata" }
  | { readonly is: "envelope" }
  | { readonly is: "frozen" }
  | { readonly is: "list"; readonly countWidth: 2 | 4; readonly item: Type }
  | { readonly is: "bytes"; readonly length: number };

export type Field =
  | readonly [name: string, type: Type]
  /** `unionOnBool`: union16 on a bool, absent is 0. `emptyText`: absent is a text of length 0. `last`: only if it is there. */
  | readonly [name: string, type: Type, optional: "unionOnBool" | "emptyText" | "last"]
  /** Fields behind a length of four bytes, beside the others in JSON. */
  | { readonly behindLength: 4; readonly fields: Fields }
  /** What stands where without being a plain field: see the layout. */
  | { readonly special: "extension" | "replyTail" | "sessionTail" }
  /** A union whose discriminator and fields stand beside the others. */
  | { readonly beside: UnionType };
export type Fields = readonly Field[];

const number = (width: NumberType["width"], least: bigint, most: bigint): NumberType => ({
  is: "number",
  width,
  least,
  most,
});
export const u8: Type = number(1, 0n, 0xffn);
export const u32: Type = number(4, 0n, 0xffff_ffffn);
export const u64: Type = number(8, 0n, 0xffff_ffff_ffff_ffffn);
export const gen: Type = number(8, 1n, 0x7fff_ffff_ffff_ffffn);
export const ord: Type = number(8, 0n, 0x7fff_ffff_ffff_ffffn);
export const u8From = (least: bigint, most: bigint): Type => number(1, least, most);
export const u32From = (least: bigint, most: bigint): Type => number(4, least, most);
export const u64From = (least: bigint, most: bigint): Type => number(8, least, most);
export const text8: Type = { is: "text", width: 1, most: 255 };
export const text16: Type = { is: "text", width: 2, most: 4096 };
export const rid: Type = { is: "rid" };
export const bool: Type = { is: "bool" };
export const blob: Type = { is: "blob", most: 67_108_864 };
export const id128 = { is: "pair", zeroAllowed: false } as const;
export const twoU64 = { is: "pair", zeroAllowed: true } as const;
export const frozenRecord: Type = { is: "frozen" };

export const names = (called: string, width: 1 | 4, numbers: Readonly<Record<string, number>>): NamesType => ({
  is: "names",
  called,
  width,
  numbers,
});
export const group = (fields: Fields): GroupType => ({ is: "group", fields });
export const union16 = (
  called: string,
  tag: string,
  cases: Readonly<Record<string, readonly [number: number, fields: Fields]>>,
  tagWidth: 1 | 4 = 1,
): UnionType => ({
  is: "union",
  called,
  tag,
  tagWidth,
  lengthWidth: 2,
  cases: Object.fromEntries(
    Object.entries(cases).map(([name, [number, fields]]) => [name, { number, fields }] as const),
  ),
});
