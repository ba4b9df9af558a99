/** Values made from one that was written by hand: the same fields, all at their ends. */
import { replaced } from "../../src/vectors/expand.ts";
import type { Json, JsonObject } from "../../src/vectors/file.ts";
import { layOut, type Piece } from "./layout.ts";
import type { NumberType } from "./types.ts";

/** What takes the place of a field's value; `undefined` leaves it. `index` counts the fields of the record. */
export type Substitute = (piece: Piece, index: number) => Json | undefined;

/** A copy of a command in which fields are replaced, and 3.3 holds. */
export function vary(value: JsonObject, substitute: Substitute): JsonObject {
  let copy: Json = value;
  for (const [index, piece] of layOut(value).pieces.entries()) {
    const replacement = substitute(piece, index);
    if (replacement !== undefined) copy = replaced(copy, piece.path, replacement);
  }
  return keepingTheRule(copy as JsonObject);
}

/** A commit's target generation is greater than its previous one (3.3). */
function keepingTheRule(value: JsonObject): JsonObject {
  const route = value["route"] as JsonObject | undefined;
  if (route?.["action"] !== "commit") return value;
  const [previous, target] = [route["previousAuthorityOwnerGeneration"], route["targetAuthorityOwnerGeneration"]].map(
    (generation) => BigInt(generation as string),
  );
  if (target! > previous!) return value;
  const [lower, higher] = previous === 1n ? [1n, 2n] : [previous! - 1n, previous!];
  return {
    ...value,
    route: {
      ...route,
      previousAuthorityOwnerGeneration: lower.toString(),
      targetAuthorityOwnerGeneration: higher.toString(),
    },
  };
}

/** A number as its type's JSON form. */
export function numberJson({ width }: NumberType, value: bigint): Json {
  return width === 8 ? value.toString() : Number(value);
}

/** Every length and every number at its least. */
export const smallest: Substitute = ({ type }) => {
  switch (type.is) {
    case "number":
      return numberJson(type, type.least);
    case "text":
    case "rid":
      return "a";
    case "pair":
      return { high: "0", low: type.zeroAllowed ? "0" : "1" };
    case "blob":
      return "";
    default:
      return undefined;
  }
};

/** How many bytes of a blob stand for a large one: its limit is shown by claims, not by bytes. */
const largeBlobBytes = 600;

/** Every length and every number at its greatest. Lengths count bytes: the text is made of two-byte characters. */
export const largest: Substitute = ({ type, path }, index) => {
  switch (type.is) {
    case "number":
      return numberJson(type, type.most);
    case "text":
      // A metadata key: the frame as a whole has its own limit.
      if (typeof path.at(-1) === "number") return undefined;
      return `${"é".repeat((type.most - 1) / 2)}${type.most % 2 === 1 ? "x" : "zz"}`;
    case "rid":
      return { hex: (0x80 + (index % 0x40)).toString(16).repeat(255) };
    case "pair":
      return { high: (2n ** 64n - 1n).toString(), low: (2n ** 64n - 1n).toString() };
    case "blob":
      return Array.from({ length: largeBlobBytes }, (_, at) => (at % 256).toString(16).padStart(2, "0")).join("");
    default:
      return undefined;
  }
};

/** Every number of eight bytes at one value, where its type has it. */
export function numbersAt(value: bigint): Substitute {
  return ({ type }) => {
    if (type.is === "pair") return { high: value.toString(), low: value.toString() };
    if (type.is !== "number" || type.width !== 8 || value > type.most) return undefined;
    return value.toString();
  };
}

/** Text as it comes: none of it is normalized, trimmed or taken for a mark of order. */
const texts = [
  "Grüße",
  "東京",
  "e\u0301",
  "\ufefffirst",
  "🚢🛟",
  "tab\tline\n",
  "\u{10ffff}",
  "ﬀ",
  "a:b%c",
  "\u007f\u0080",
];
/** The same for an id that is bytes: UTF-8 without control characters is shown as text. */
const ridTexts = ["é", "e\u0301", "\ufeffnode", "🚢", "node 1"];

export const unusualTexts: Substitute = ({ type, path }, index) => {
  if (type.is === "rid") return ridTexts[index % ridTexts.length]!;
  if (type.is !== "text" || typeof path.at(-1) === "number") return undefined;
  return texts[index % texts.length]!;
};

/** Not UTF-8 (an overlong form, a surrogate, a cut sequence among them), or UTF-8 with a control character. */
const opaqueRids = ["ff00fe", "00", "c080", "eda080", "e282", "6e6f64650a", "7f", "c280", "f4908080"];

export const opaqueRoutingIds: Substitute = ({ type }, index) =>
  type.is === "rid" ? { hex: opaqueRids[index % opaqueRids.length]! } : undefined;
