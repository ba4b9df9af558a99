/** What a vector file holds. `test-vectors/README.md` says the same for readers of other languages. */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

/** The codes of `wire.md` section 4. */
export const errorCodes = [
  "truncated-field",
  "invalid-magic",
  "unsupported-major",
  "unknown-command",
  "forbidden-flag",
  "invalid-field",
  "trailing-byte",
  "frame-count",
  "checksum-mismatch",
] as const;
export type ErrorCode = (typeof errorCodes)[number];

/**
 * Something that not every language can say, so that a runner may leave the case out.
 *
 * - `lone-surrogates`: a string that holds half of a surrogate pair, and so has no UTF-8.
 */
export type Need = "lone-surrogates";

interface Named {
  /** Unique over all files, and stable: a case keeps its id for good. */
  readonly id: string;
  /** What the case shows. */
  readonly note: string;
}

interface Refusal {
  readonly code: ErrorCode;
  /** The field that the error has to name, where section 4 of `wire.md` leaves no choice. */
  readonly field?: string;
}

/** `value` and `frames` are the same record: each is what the other gives. */
export interface ValidRecord extends Named {
  readonly value: JsonObject;
  /** Lowercase hex, one string a frame. */
  readonly frames: readonly string[];
  /** The operation that a reply's correlation belongs to: the decoder is told (`wire.md` 3.2). */
  readonly operation?: string;
}

/** Frames that a decoder refuses. */
export interface InvalidFrames extends Named, Refusal {
  readonly frames: readonly string[];
  readonly operation?: string;
}

/** A value that an encoder refuses. */
export interface RefusedValue extends Named, Refusal {
  readonly value: JsonObject;
  readonly needs?: Need;
}

/** Where something lies in the bytes of a case. */
export interface Place {
  readonly frame: number;
  /** Bytes from the start of the frame. */
  readonly at: number;
}
/** The length of a delimited body: a big-endian number of `width` bytes right before the body. */
export interface LengthPlace extends Place {
  readonly width: number;
}

interface Rule extends Named {
  /** Ids of valid cases of the same file. */
  readonly of: readonly string[];
  readonly code: ErrorCode;
}

/** For every frame and every n less than its length: the frame's first n bytes only. */
export interface CutAtEveryByte extends Rule {
  readonly rule: "cutAtEveryByte";
}
/** For every frame: the frame with `bytes` behind it. */
export interface AppendToEachFrame extends Rule {
  readonly rule: "appendToEachFrame";
  readonly bytes: string;
}
/** For every one of `frames`: the case with that frame behind its own. */
export interface AddFrame extends Rule {
  readonly rule: "addFrame";
  readonly frames: readonly string[];
}
/** For every n from `atLeast` to one less than the number of frames: the first n frames only. */
export interface DropLastFrames extends Rule {
  readonly rule: "dropLastFrames";
  readonly atLeast: number;
}
/** For every place and every one of `with`: those bytes written over the ones at that place. */
export interface Overwrite extends Rule {
  readonly rule: "overwrite";
  readonly places: readonly (Place & { readonly field?: string })[];
  readonly with: readonly string[];
}
/** For every body and every n from `from` to `to`: n written over its length, and nothing else changed. */
export interface ClaimLength extends Rule {
  readonly rule: "claimLength";
  readonly bodies: readonly (LengthPlace & { readonly from: number; readonly to: number })[];
}
/** For every body: `bytes` put in behind its last byte, its length and that of each body around it raised to fit. */
export interface GrowBody extends Rule {
  readonly rule: "growBody";
  readonly bodies: readonly (LengthPlace & { readonly around: readonly LengthPlace[] })[];
  readonly bytes: string;
}
/** For every path and every one of `with`: the value with that put in the place of what is there. For encoders. */
export interface ReplaceValue extends Rule {
  readonly rule: "replaceValue";
  readonly paths: readonly { readonly path: readonly (string | number)[]; readonly field?: string }[];
  readonly with: readonly Json[];
  readonly needs?: Need;
}

/** A family of cases that is stated instead of listed. */
export type DerivedCases =
  CutAtEveryByte | AppendToEachFrame | AddFrame | DropLastFrames | Overwrite | ClaimLength | GrowBody | ReplaceValue;

interface FileHead {
  readonly $schema: string;
  readonly format: 1;
  /** What the file is about. */
  readonly about: string;
}

/** Records: `wire.md` sections 1 to 4 and 7. */
export interface CommandVectors extends FileHead {
  readonly family: "commands";
  readonly valid: readonly ValidRecord[];
  readonly invalid: readonly InvalidFrames[];
  readonly refused: readonly RefusedValue[];
  readonly derived: readonly DerivedCases[];
}

/** Keys: `wire.md` section 5. */
export interface KeyVectors extends FileHead {
  readonly family: "keys";
  /** Both ways: the id gives the key, and the key the id. */
  readonly authorityKeys: readonly (Named & {
    readonly kind: "actor" | "spot";
    readonly objectId: string;
    readonly key: string;
  })[];
  readonly refusedIds: readonly (Named &
    Refusal & { readonly kind: "actor" | "spot"; readonly objectId: string; readonly needs?: Need })[];
  readonly refusedKeys: readonly (Named & Refusal & { readonly key: string })[];
  /** `value`: a 42, 43 or 44. */
  readonly identityKeys: readonly (Named & { readonly value: JsonObject; readonly key: string })[];
  readonly operationKeys: readonly (Named & { readonly value: JsonObject; readonly key: string })[];
}

/** CRC32C, whole and in pieces: `wire.md` section 6. */
export interface Crc32cVectors extends FileHead {
  readonly family: "crc32c";
  readonly checksums: readonly (Named & { readonly pieces: readonly string[]; readonly crc32c: number })[];
}

/** Durable envelopes: `wire.md` section 6. */
export interface DurableVectors extends FileHead {
  readonly family: "durable";
  readonly valid: readonly (Named & { readonly value: JsonObject; readonly hex: string })[];
  readonly invalid: readonly (Named & Refusal & { readonly hex: string })[];
  readonly refused: readonly RefusedValue[];
  readonly derived: readonly DerivedCases[];
}

/** One fact that a machine learns, its time, and what the machine wants done then, in order. */
export interface ScenarioStep {
  /** Monotonic, in ms; never less than that of the step before. */
  readonly atMs: number;
  readonly input: JsonObject;
  readonly effects: readonly JsonObject[];
}

/** One machine of `protocol.md`, from its start: what it learns and what it does. */
export interface Scenario extends Named {
  /** The rules that it shows; the id begins with the first of them. */
  readonly rules: readonly string[];
  readonly config: JsonObject;
  readonly steps: readonly ScenarioStep[];
}

/** Behaviour: `protocol.md` sections 3 to 13. */
export interface ScenarioVectors extends FileHead {
  readonly family: "scenarios";
  /** The machine that all scenarios of the file are about. */
  readonly machine: string;
  readonly scenarios: readonly Scenario[];
}

export type VectorFile = CommandVectors | KeyVectors | Crc32cVectors | DurableVectors | ScenarioVectors;
