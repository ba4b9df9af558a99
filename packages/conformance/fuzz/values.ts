/** Changes to values in JSON form, as a faulty program would hand them to an encoder. */
import type { Json } from "@rehome/conformance/vectors";
import type { SeededRandom } from "./random.ts";

const strange: readonly unknown[] = [
  null,
  true,
  false,
  -1,
  0,
  1.5,
  2 ** 32,
  2 ** 53,
  1e300,
  "",
  "0",
  "-1",
  "01",
  "9223372036854775807",
  "9223372036854775808",
  "18446744073709551615",
  "18446744073709551616",
  "1".repeat(400),
  "constructor",
  "__proto__",
  "a\0b",
  "\ud83d",
  "é".repeat(128),
  "0g",
  "0A",
  [],
  {},
  { hex: "" },
  { hex: "ff00fe" },
  { hex: "FF" },
  [["k", "v"]],
  [
    ["k", "v"],
    ["k", "w"],
  ],
];

/** A copy of `value` in which one thing is another, is missing, or is there as well. */
export function mutateValue(value: Json, random: SeededRandom): unknown {
  if (typeof value !== "object" || value === null) return random.of(strange);
  if (Array.isArray(value)) {
    if (value.length === 0 || random.below(4) === 0) return random.of(strange);
    const at = random.below(value.length);
    const copy: unknown[] = [...(value as readonly Json[])];
    if (random.below(4) === 0) copy.splice(at, 1);
    else copy[at] = mutateValue(value[at] as Json, random);
    return copy;
  }
  const names = Object.keys(value);
  if (names.length === 0 || random.below(8) === 0) return random.of(strange);
  const name = random.of(names);
  const copy: Record<string, unknown> = { ...value };
  switch (random.below(6)) {
    case 0:
      delete copy[name];
      break;
    case 1:
      copy[random.of(["payload", "metadata", "tail", "sessionTail", "unknown", "toString"])] = random.of(strange);
      break;
    default:
      copy[name] = mutateValue((value as Readonly<Record<string, Json>>)[name]!, random);
  }
  return copy;
}
