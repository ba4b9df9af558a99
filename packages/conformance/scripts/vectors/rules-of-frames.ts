/** Families of refused records, stated by rule: bodies, frames and flags. */
import type { ClaimLength, DerivedCases, GrowBody, Overwrite } from "../../src/vectors/file.ts";
import { toHex, number } from "./bytes.ts";
import type { Shape } from "./cases/parts.ts";
import { layOut, type Body } from "./layout.ts";
import { commands } from "./table.ts";

/** All the rules of a shape about its delimited bodies. */
export function bodyRules(shape: Shape): DerivedCases[] {
  const { bodies } = layOut(shape.value);
  const exact = bodies.filter(({ holds }) => holds === "fields");
  const rules: (ClaimLength | GrowBody | Overwrite)[] = [];
  const add = (
    name: string,
    rest: Omit<ClaimLength, "id" | "of"> | Omit<GrowBody, "id" | "of"> | Omit<Overwrite, "id" | "of">,
  ): void => {
    rules.push({ id: `${shape.id}-${name}`, of: [shape.id], ...rest });
  };
  const within = exact.filter(({ length, lengthWithoutLast }) => (lengthWithoutLast ?? length) > 0);
  if (within.length > 0) {
    add("short-bodies", {
      note: "A body's length says less than its fields take: the body ends within a field.",
      rule: "claimLength",
      bodies: within.map((body) => claimed(body, 0, (body.lengthWithoutLast ?? body.length) - 1)),
      code: "truncated-field",
    });
  }
  const optional = exact.filter(({ lengthWithoutLast }) => lengthWithoutLast !== undefined);
  if (optional.length > 0) {
    add("short-optional", {
      note: "Fewer than eight bytes are left for the target's lease: it is not there, and they are left over. With none left, the eight bytes stand behind the body.",
      rule: "claimLength",
      bodies: optional.map((body) => claimed(body, body.lengthWithoutLast!, body.length - 1)),
      code: "trailing-byte",
    });
  }
  if (exact.length > 0) {
    add("grown-bodies", {
      note: "A byte more in a body than its fields take.",
      rule: "growBody",
      bodies: exact.map(({ frame, at, width, around }) => ({ frame, at, width, around })),
      bytes: "00",
      code: "trailing-byte",
    });
  }
  for (const width of [2, 4] as const) {
    // A bare text or rid has a range of its own: which of two faults it would be is not for this rule to say.
    const long = bodies.filter((body) => body.width === width && body.holds !== "bare");
    if (long.length === 0) continue;
    add(`long-bodies-${8 * width}`, {
      note: "A body of the greatest length that can be said, where fewer bytes are left: refused at once, whatever the body holds.",
      rule: "overwrite",
      places: long.map(({ frame, at }) => ({ frame, at })),
      with: ["ff".repeat(width)],
      code: "truncated-field",
    });
  }
  return rules;
}

function claimed({ frame, at, width }: Body, from: number, to: number): ClaimLength["bodies"][number] {
  return { frame, at, width, from, to };
}

/** Rules for many shapes at once: cuts, left-over bytes, frames too many and too few. */
export function frameRules(name: string, shapes: readonly Shape[]): DerivedCases[] {
  const layoutOf = (shape: Shape) => commands[shape.value["command"] as string]!;
  const ids = (some: readonly Shape[]): string[] => some.map(({ id }) => id);
  const complete = shapes.filter(
    (shape) => layoutOf(shape).payload !== "optional" || shape.value["payload"] !== undefined,
  );
  const required = shapes.filter((shape) => layoutOf(shape).payload === "required");
  const rules: DerivedCases[] = [
    {
      id: `${name}-cut`,
      note: "Every frame cut at every byte: no cut gives a value.",
      rule: "cutAtEveryByte",
      of: ids(shapes),
      code: "truncated-field",
    },
    ...["00", "ff", "5a4d01"].map((bytes, index): DerivedCases => ({
      id: `${name}-left-over-${index}`,
      note: "Bytes left after the last field of a frame.",
      rule: "appendToEachFrame",
      of: ids(shapes),
      bytes,
      code: "trailing-byte",
    })),
    {
      id: `${name}-extra-frame`,
      note: "A frame too many: an empty one, and one that would make a payload. It is counted, not read.",
      rule: "addFrame",
      of: ids(complete),
      frames: ["", "01000000080170017400000000"],
      code: "frame-count",
    },
    {
      id: `${name}-missing-frames`,
      note: "The payload is missing, or the metadata frame too, or all.",
      rule: "dropLastFrames",
      of: ids(required),
      atLeast: 0,
      code: "frame-count",
    },
  ];
  return rules.filter(({ of }) => of.length > 0);
}

/** Every flag that a command does not allow, on one of its records. */
export function flagRule(shape: Shape): DerivedCases {
  const { flags } = commands[shape.value["command"] as string]!;
  const single = [1, 2, 4, 8, 16, 32, 64, 128].filter((flag) => !(flags && flag === 1));
  const sets = flags ? [3, 5, 9, 14, 15, 23, 0x87, 255] : [3, 6, 7, 15, 255];
  return {
    id: `${shape.id}-flags`,
    note: flags
      ? "Flags that are not allowed: each but metadata, of the session tail's two one without the other, and sets with one of these in it."
      : "Each flag, and sets of flags: none is allowed.",
    rule: "overwrite",
    of: [shape.id],
    places: [{ frame: 0, at: 4 }],
    with: [...single, ...sets].map((flag) => toHex(number(1, flag))),
    code: "forbidden-flag",
  };
}
