/** Vector files: finding the shipped ones, and making sure that a file is one before anything is asked. */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  errorCodes,
  expandVectors,
  loadVectorFile,
  type VectorCheck,
  type VectorFile,
} from "@rehome/conformance/vectors";
import { CliError } from "../errors.ts";
import { canonicalBytes, safeText } from "../show.ts";

export interface NamedVectors {
  readonly name: string;
  readonly file: VectorFile;
}

const shippedNames = /^(?:commands|keys|crc32c|durable)\b.*\.json$/;
const scenarioFolder = "scenarios";
/** In the published package the vectors lie beside its code; in the repository at its root. */
const shippedPlaces = ["../../test-vectors/", "../../../../test-vectors/"];
const maxReasonCharacters = 300;

/** Paths of the vector files that come with this project. Throws {@link CliError} `bad-file` if there are none. */
export function shippedVectorPaths(): string[] {
  for (const place of shippedPlaces) {
    const folder = fileURLToPath(new URL(place, import.meta.url));
    if (!existsSync(folder)) continue;
    const names = readdirSync(folder).filter((name) => shippedNames.test(name));
    const scenarios = readdirSync(join(folder, scenarioFolder)).filter((name) => name.endsWith(".json"));
    const paths = [...names.sort(), ...scenarios.sort().map((name) => join(scenarioFolder, name))];
    if (names.length > 0) return paths.map((name) => join(folder, name));
  }
  throw new CliError("bad-file", "the shipped vectors are missing: name the files to verify");
}

/** Reads a vector file and checks every question that it asks. Throws {@link CliError} `bad-file`. */
export function readVectors(path: string): NamedVectors {
  try {
    const file = loadVectorFile(readFileSync(path, "utf8"));
    for (const check of expandVectors(file)) assertSound(check);
    return { name: file.family === "scenarios" ? join(scenarioFolder, basename(path)) : basename(path), file };
  } catch (cause) {
    // Whatever reading or expanding throws is about this file: nothing has been asked yet.
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CliError("bad-file", `${path}: ${safeText(reason, maxReasonCharacters)}`, { cause });
  }
}

/** A file that is broken must not pass for an implementation that is. */
function assertSound({ id, request, expected }: VectorCheck): void {
  const members: Readonly<Record<string, unknown>> = { ...request };
  const isText = (value: unknown): boolean => typeof value === "string";
  const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);
  const areBytes = (value: unknown): boolean => canonicalBytes(value) !== undefined;
  const areFrames = (value: unknown): boolean => Array.isArray(value) && value.every(areBytes);
  const demand = (name: string, holds: (value: unknown) => boolean): void => {
    if (!holds(members[name])) throw new TypeError(`${id}: "${name}" is missing or of the wrong form`);
  };
  switch (request.op) {
    case "decode":
      demand("frames", areFrames);
      demand("operation", (operation) => operation === undefined || isText(operation));
      break;
    case "scenario":
      demand("machine", isText);
      demand("config", isObject);
      demand("steps", Array.isArray);
      break;
    case "crc32c":
      demand("hex", areFrames);
      break;
    case "durable":
      demand("hex", areBytes);
      break;
    case "authorityKey":
      demand("kind", isText);
      demand("id", isText);
      break;
    case "parseAuthorityKey":
      demand("key", isText);
      break;
    default:
      demand("value", isObject);
  }
  assertExpected(id, expected);
}

function assertExpected(id: string, expected: VectorCheck["expected"]): void {
  for (const [name, value] of Object.entries(expected)) {
    if (value === undefined) throw new TypeError(`${id}: it does not say what to expect as "${name}"`);
  }
  const { error } = expected;
  if (error === undefined) return;
  const { code } = error as { readonly code?: unknown };
  if (!errorCodes.some((known) => known === code)) {
    throw new TypeError(`${id}: ${JSON.stringify(code)} is no code of wire.md section 4`);
  }
}
