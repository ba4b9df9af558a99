/** Families of refused records, stated by rule: what a record's fields must not hold. */
import type { DerivedCases, ErrorCode, Overwrite } from "../../src/vectors/file.ts";
import { toHex, number } from "./bytes.ts";
import type { Shape } from "./cases/parts.ts";
import { layOut, type Laid, type Piece } from "./layout.ts";
import type { NamesType, NumberType, UnionType } from "./types.ts";

/** The path by which an error names a field, where section 4 and 7 leave no choice: not within a list, not of a frame. */
export function fieldOf({ path, type }: Piece): string | undefined {
  const isNamed = path.every((step) => typeof step === "string" && step !== "metadata");
  // The page gives neither a name: the bool of a union on bool, a version byte, how a creation ended.
  if (!isNamed || type.is === "bool" || type.is === "version" || path.at(-1) === "createResult") {
    return path.at(-1) === "entry" ? path.join(".") : undefined;
  }
  return path.join(".");
}

function placeOf(piece: Piece, at = piece.at): Overwrite["places"][number] {
  const field = fieldOf(piece);
  return { frame: piece.frame, at, ...(field === undefined ? {} : { field }) };
}

/** What one rule of a shape says, before it has the shape's name. */
interface Stated {
  readonly name: string;
  readonly note: string;
  readonly pieces: readonly Piece[];
  readonly with: readonly string[];
  readonly at?: (piece: Piece) => number;
  readonly code?: ErrorCode;
}

export const isGeneration = ({ least, most }: NumberType): boolean => least === 1n && most === 2n ** 63n - 1n;
export const isOrdinal = ({ least, most }: NumberType): boolean => least === 0n && most === 2n ** 63n - 1n;

/** All the rules of a shape about what its fields hold. */
export function fieldRules(shape: Shape): DerivedCases[] {
  const laid = layOut(shape.value);
  const stated = [...numberRules(laid), ...choiceRules(laid), ...textRules(laid), ...lengthRules(laid)];
  return stated
    .filter(({ pieces, with: bytes }) => pieces.length > 0 && bytes.length > 0)
    .map(({ name, note, pieces, with: bytes, at, code }) => {
      const places = pieces.map((piece) => placeOf(piece, at?.(piece)));
      // A length that the bytes do not bear out: which field is named depends on how the reader is built.
      const named =
        code === "truncated-field" ? places.map(({ frame, at: offset }) => ({ frame, at: offset })) : places;
      return {
        id: `${shape.id}-${name}`,
        note,
        rule: "overwrite",
        of: [shape.id],
        places: named,
        with: bytes,
        code: code ?? "invalid-field",
      };
    });
}

function numberRules({ pieces }: Laid): Stated[] {
  const numbers = pieces.filter((piece): piece is Piece & { type: NumberType } => piece.type.is === "number");
  const others = numbers.filter(({ type }) => !isGeneration(type) && !isOrdinal(type));
  return [
    {
      name: "generations",
      note: "0, 2^63 and 2^64−1 where a gen is due.",
      pieces: numbers.filter(({ type }) => isGeneration(type)),
      with: ["0000000000000000", "8000000000000000", "ffffffffffffffff"],
    },
    {
      name: "ordinals",
      note: "2^63 and 2^64−1 where an ord is due.",
      pieces: numbers.filter(({ type }) => isOrdinal(type)),
      with: ["8000000000000000", "ffffffffffffffff"],
    },
    ...others.map((piece) => ({
      name: `range-${String(piece.path.join("-"))}`,
      note: `${String(piece.path.at(-1))} outside of its range.`,
      pieces: [piece],
      with: outside(piece.type),
    })),
    {
      name: "zero-ids",
      note: "An id128 whose halves are both 0.",
      pieces: pieces.filter(({ type }) => type.is === "pair" && !type.zeroAllowed),
      with: ["00".repeat(16)],
    },
  ];
}

/** The numbers next to a range, and the greatest of its width. */
function outside({ width, least, most }: NumberType): string[] {
  const greatest = 2n ** BigInt(8 * width) - 1n;
  const candidates = [...new Set([least - 1n, most + 1n, greatest])];
  return candidates
    .filter((value) => value >= 0n && value <= greatest && (value < least || value > most))
    .map((value) => toHex(number(width, value)));
}

function choiceRules({ pieces }: Laid): Stated[] {
  const unique = new Map<NamesType | UnionType, Piece[]>();
  for (const piece of pieces) {
    const choice = piece.type.is === "names" ? piece.type : piece.type.is === "tag" ? piece.type.of : undefined;
    if (choice !== undefined) unique.set(choice, [...(unique.get(choice) ?? []), piece]);
  }
  return [
    ...[...unique].map(([choice, places]) => ({
      name: `bad-${choice.called.replaceAll(" ", "-")}`,
      note: `Numbers that name no ${choice.called}.`,
      pieces: places,
      with: unnamed(choice),
    })),
    {
      name: "bools",
      note: "A bool that is neither 0 nor 1.",
      pieces: pieces.filter(({ type }) => type.is === "bool"),
      with: ["02", "ff"],
    },
    {
      name: "versions",
      note: "A version that is not 1.",
      pieces: pieces.filter(({ type }) => type.is === "version"),
      with: ["00", "02", "ff"],
    },
  ];
}

/** Every number within the span of an enum that is none of it, those next to it, and the greatest of the width. */
function unnamed(choice: NamesType | UnionType): string[] {
  const width = choice.is === "names" ? choice.width : choice.tagWidth;
  const known =
    choice.is === "names" ? Object.values(choice.numbers) : Object.values(choice.cases).map((one) => one.number);
  const [greatest, span] = [256 ** width - 1, Math.max(...known) + 1];
  const candidates = [...Array.from({ length: span + 1 }, (_, value) => value), greatest];
  // Of a span as wide as terminalResult's, the ends are enough.
  const near = (value: number): boolean => [value - 1, value + 1].some((other) => known.includes(other));
  return candidates
    .filter((value) => !known.includes(value) && (span < 50 || near(value) || value === greatest))
    .map((value) => toHex(number(width, value)));
}

/** Bytes that make a text ill-formed wherever they stand in it, by their number. */
const illFormed = [
  ["00", "80", "bf", "fe", "ff"],
  ["c080", "c1bf", "c328"],
  ["e08080", "eda080", "edbfbf", "e28228"],
  ["f0808080", "f4908080", "f5808080", "f8888080", "f09f9a28"],
] as const;

function textRules({ pieces }: Laid): Stated[] {
  const texts = pieces.filter(({ type }) => type.is === "text");
  const contentLength = (piece: Piece): number => piece.at + piece.length - piece.contentAt!;
  return [
    ...[1, 2, 3, 4].map((least) => ({
      name: `ill-formed-${least}`,
      note: "NUL, lone continuation bytes, overlong forms, surrogates, cut sequences, numbers past U+10FFFF.",
      pieces: texts.filter((piece) => Math.min(4, contentLength(piece)) === least),
      with: illFormed.slice(0, least).flat(),
      at: (piece: Piece) => piece.contentAt!,
    })),
    {
      name: "cut-characters",
      note: "A text that ends within a character, whatever the bytes behind the text are.",
      pieces: texts.filter((piece) => contentLength(piece) > 0),
      with: ["c3", "e2", "f0"],
      at: (piece) => piece.at + piece.length - 1,
    },
  ];
}

/** How many bytes there are from the end of a length to the end of the innermost body, or of the frame. */
function roomBehind(laid: Laid, piece: Piece): number {
  const bodies = laid.bodies
    .filter(({ frame, at, width, length }) => frame === piece.frame && at < piece.at && piece.at < at + width + length)
    .map(({ at, width, length }) => at + width + length);
  return Math.min(laid.frames[piece.frame]!.length, ...bodies) - piece.contentAt!;
}

function lengthRules(laid: Laid): Stated[] {
  const measured = laid.pieces.filter((piece) => piece.contentAt !== undefined && piece.bare === undefined);
  const one = measured.filter(({ at, contentAt }) => contentAt! - at === 1);
  // Length 0 of an otext8 says that the field is absent.
  const notEmpty = one.filter(({ path }) => !path.includes("sourceActor"));
  const two = measured.filter(({ at, contentAt }) => contentAt! - at === 2);
  const blobs = measured.filter(({ type }) => type.is === "blob");
  const limited = blobs.filter(({ type }) => type.is === "blob" && type.most < 0xffff_ffff);
  const unlimited = blobs.filter((piece) => !limited.includes(piece));
  const missing = "are missing: which is known before they are looked for";
  return [
    { name: "empty", note: "Length 0 of a text8 or rid.", pieces: notEmpty, with: ["00"] },
    {
      name: "lengths-16",
      note: `Lengths 0, 4,097 and 65,535 of a text16. The bytes ${missing}.`,
      pieces: two,
      with: ["0000", "1001", "ffff"],
    },
    {
      name: "blob-lengths",
      note: `Blobs of one byte more than 64 MiB, and of 4 GiB − 1. The bytes ${missing}.`,
      pieces: limited,
      with: ["04000001", "ffffffff"],
    },
    {
      name: "long-8",
      note: "Length 255, which is in range, where fewer bytes are left.",
      pieces: one.filter((piece) => roomBehind(laid, piece) < 255),
      with: ["ff"],
      code: "truncated-field",
    },
    {
      name: "long-16",
      note: "Length 4,096, which is in range, where fewer bytes are left.",
      pieces: two.filter((piece) => roomBehind(laid, piece) < 4096),
      with: ["1000"],
      code: "truncated-field",
    },
    {
      name: "long-blob",
      note: "A blob of 64 MiB, which is in range, with next to nothing behind it.",
      pieces: limited,
      with: ["04000000"],
      code: "truncated-field",
    },
    {
      name: "long-payload",
      note: "A payload of 4 GiB − 1: it has no limit but its body's length.",
      pieces: unlimited,
      with: ["ffffffff"],
      code: "truncated-field",
    },
  ];
}
