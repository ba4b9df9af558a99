import type { VectorFile } from "./file.ts";

const families: ReadonlySet<unknown> = new Set(["commands", "keys", "crc32c", "durable", "scenarios"]);
const lists = {
  commands: ["valid", "invalid", "refused", "derived"],
  keys: ["authorityKeys", "refusedIds", "refusedKeys", "identityKeys", "operationKeys"],
  crc32c: ["checksums"],
  durable: ["valid", "invalid", "refused", "derived"],
  scenarios: ["scenarios"],
} as const;

/** A text that is not a vector file of a format that is known here. */
export class VectorFileError extends Error {
  override readonly name = "VectorFileError";
  /** `not-json`; `not-vectors`: JSON, but not of a vector file of this format. */
  readonly code: "not-json" | "not-vectors";

  constructor(code: VectorFileError["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * A vector file from its text. Checks the shape down to each case's id; `test-vectors/schema/` says the rest, and the
 * linter holds the shipped files to it. Throws {@link VectorFileError}.
 */
export function loadVectorFile(text: string): VectorFile {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch (error) {
    throw new VectorFileError("not-json", "the file is not JSON", { cause: error });
  }
  if (typeof file !== "object" || file === null) throw unknown("it is not an object");
  const { format, family } = file as { readonly format?: unknown; readonly family?: unknown };
  if (format !== 1) throw unknown("its format is not 1");
  if (!families.has(family)) throw unknown("its family is not known");
  for (const list of lists[family as keyof typeof lists]) {
    const cases = (file as Record<string, unknown>)[list];
    if (!Array.isArray(cases)) throw unknown(`"${list}" is missing`);
    for (const [index, entry] of cases.entries()) {
      if (typeof (entry as { readonly id?: unknown } | null)?.id !== "string") {
        throw unknown(`${list}[${index}] has no id`);
      }
    }
  }
  return file as VectorFile;
}

function unknown(reason: string): VectorFileError {
  return new VectorFileError("not-vectors", `not a vector file: ${reason}`);
}
