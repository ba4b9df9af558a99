/** Families of refused values, stated by rule: what an encoder must not take for a field. */
import type { DerivedCases, Json } from "../../src/vectors/file.ts";
import type { Shape } from "./cases/parts.ts";
import { layOut, type Piece } from "./layout.ts";
import { fieldOf, isGeneration, isOrdinal } from "./rules-of-fields.ts";
import type { NumberType } from "./types.ts";

const halfOfPair = (piece: Piece): (readonly (string | number)[])[] =>
  ["high", "low"].map((half) => [...piece.path, half]);

/** What an encoder refuses of a shape's fields. */
export function valueRules(shape: Shape): DerivedCases[] {
  const { pieces } = layOut(shape.value);
  const rules: DerivedCases[] = [];
  const add = (
    name: string,
    note: string,
    of: readonly Piece[],
    values: readonly Json[],
    needs?: "lone-surrogates",
  ): void => {
    if (of.length === 0 || values.length === 0) return;
    const paths = of.map((piece) => {
      const field = ["high", "low"].includes(piece.path.at(-1) as string) ? undefined : fieldOf(piece);
      return { path: piece.path, ...(field === undefined ? {} : { field }) };
    });
    const rule = { id: `${shape.id}-value-${name}`, note, rule: "replaceValue", of: [shape.id], paths } as const;
    rules.push({ ...rule, with: values, code: "invalid-field", ...(needs === undefined ? {} : { needs }) });
  };
  const where = (is: Piece["type"]["is"]): Piece[] => pieces.filter(({ type }) => type.is === is);
  const numbers = where("number") as (Piece & { type: NumberType })[];

  const past64 = "18446744073709551616";
  add(
    "generations",
    "0, 2^63, 2^64 and −1 where a gen is due.",
    numbers.filter(({ type }) => isGeneration(type)),
    ["0", "9223372036854775808", past64, "-1"],
  );
  add(
    "ordinals",
    "2^63, 2^64 and −1 where an ord is due.",
    numbers.filter(({ type }) => isOrdinal(type)),
    ["9223372036854775808", past64, "-1"],
  );
  for (const piece of numbers.filter(({ type }) => !isGeneration(type) && !isOrdinal(type))) {
    const { width, least, most } = piece.type;
    const past = [least - 1n, most + 1n];
    const values = width === 8 ? past.map(String) : [...past.map(Number), Number(least) + 0.5];
    add(`range-${piece.path.join("-")}`, `${String(piece.path.at(-1))} outside of its range.`, [piece], values);
  }
  add(
    "zero-ids",
    "An id128 whose halves are both 0.",
    where("pair").filter(({ type }) => type.is === "pair" && !type.zeroAllowed),
    [{ high: "0", low: "0" }],
  );
  const halves = where("pair").flatMap((piece) => halfOfPair(piece).map((path) => ({ ...piece, path })));
  add("halves", "−1 and 2^64 in a half of an id.", halves, ["-1", past64]);
  add(
    "names",
    "A name that is none, also one that objects have by birth.",
    [...where("names"), ...where("tag")],
    ["", "nothing", "constructor"],
  );
  const texts = where("text") as (Piece & { type: { most: number } })[];
  const short = texts.filter(({ type, path }) => type.most === 255 && !path.includes("sourceActor"));
  add("texts", "Empty, a byte too long (256 ASCII characters, then 128 of two bytes each), NUL.", short, [
    "",
    "x".repeat(256),
    "é".repeat(128),
    "a\0b",
  ]);
  add(
    "long-texts",
    "The same for a text16: 4,097 bytes.",
    texts.filter(({ type }) => type.most === 4096),
    ["", "x".repeat(4097), "a\0b"],
  );
  add(
    "surrogates",
    "Half of a surrogate pair has no UTF-8.",
    texts,
    ["hi \ud83d", "\udc00x", "\udc00\ud800"],
    "lone-surrogates",
  );
  add("rids", "A rid of no byte and of 256.", where("rid"), ["", { hex: "" }, { hex: "ff".repeat(256) }]);
  return rules;
}
