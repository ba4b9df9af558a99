/**
 * What vectors ask of an implementation: one object in, one object out, the same as the lines that `rehome codec` reads and
 * writes.
 */
import type { Json, JsonObject } from "./file.ts";

export interface EncodeRequest {
  readonly op: "encode";
  readonly value: JsonObject;
}
export interface DecodeRequest {
  readonly op: "decode";
  readonly frames: readonly string[];
  readonly operation?: string;
}
export interface IdentityKeyRequest {
  readonly op: "identityKey";
  /** A 42, 43 or 44. */
  readonly value: JsonObject;
}
export interface AuthorityKeyRequest {
  readonly op: "authorityKey";
  readonly kind: "actor" | "spot";
  readonly id: string;
}
export interface ParseAuthorityKeyRequest {
  readonly op: "parseAuthorityKey";
  readonly key: string;
}
export interface Crc32cRequest {
  readonly op: "crc32c";
  /** The pieces of the bytes, in order. */
  readonly hex: readonly string[];
}
export interface DurableRequest {
  readonly op: "durable";
  readonly hex: string;
}
/** Not among the lines of `rehome codec`. */
export interface EncodeDurableRequest {
  readonly op: "encodeDurable";
  readonly value: JsonObject;
}
/** Not among the lines of `rehome codec`. */
export interface OperationKeyRequest {
  readonly op: "operationKey";
  /** {`high`, `low`} as decimal strings. */
  readonly value: JsonObject;
}
/** Everything that one machine learns; `test-vectors/scenarios/README.md` says what it means. */
export interface ScenarioRequest {
  readonly op: "scenario";
  readonly machine: string;
  readonly config: JsonObject;
  readonly steps: readonly { readonly atMs: number; readonly input: JsonObject }[];
}

export type VectorRequest =
  | EncodeRequest
  | DecodeRequest
  | IdentityKeyRequest
  | AuthorityKeyRequest
  | ParseAuthorityKeyRequest
  | Crc32cRequest
  | DurableRequest
  | EncodeDurableRequest
  | OperationKeyRequest
  | ScenarioRequest;
export type VectorOperation = VectorRequest["op"];

/** Any refusal. `code` is one of section 4 of `wire.md`; `offset` counts bytes from the start of the frame. */
export interface ErrorAnswer {
  readonly error: {
    readonly code: string;
    readonly field?: string;
    readonly offset?: number;
    readonly message?: string;
  };
}

export type VectorAnswer<Result extends object> = Result | ErrorAnswer;

/**
 * What the vectors run against. Each function answers a refusal with {@link ErrorAnswer}; one that throws has failed the
 * case. Cases of the optional ones are skipped without them; the first two have no line in the protocol of `rehome codec`.
 */
export interface VectorImplementation {
  encode(request: EncodeRequest): Promise<VectorAnswer<{ readonly frames: readonly string[] }>>;
  decode(request: DecodeRequest): Promise<VectorAnswer<{ readonly value: JsonObject }>>;
  identityKey(request: IdentityKeyRequest): Promise<VectorAnswer<{ readonly key: string }>>;
  authorityKey(request: AuthorityKeyRequest): Promise<VectorAnswer<{ readonly key: string }>>;
  parseAuthorityKey(
    request: ParseAuthorityKeyRequest,
  ): Promise<VectorAnswer<{ readonly kind: string; readonly id: string }>>;
  crc32c(request: Crc32cRequest): Promise<VectorAnswer<{ readonly crc32c: number }>>;
  /** The answer is the decoded envelope itself. */
  durable(request: DurableRequest): Promise<VectorAnswer<JsonObject>>;
  encodeDurable?(request: EncodeDurableRequest): Promise<VectorAnswer<{ readonly hex: string }>>;
  operationKey?(request: OperationKeyRequest): Promise<VectorAnswer<{ readonly key: string }>>;
  /** For each step what the machine wants done, in order. */
  scenario?(request: ScenarioRequest): Promise<VectorAnswer<{ readonly effects: readonly (readonly Json[])[] }>>;
}

/** One question with its right answer: what a case comes down to. */
export interface VectorCheck {
  /** The id of the case; for a derived one, the rule's id and what tells its cases apart. */
  readonly id: string;
  readonly note: string;
  readonly request: VectorRequest;
  /** As an answer; of an error only what the case fixes. */
  readonly expected: JsonObject;
  /** {@link Need} of the case. */
  readonly needs?: string;
}

/** Whether an answer is the expected one. An error's field counts only when both name one. */
export function isExpected(expected: JsonObject, actual: unknown): boolean {
  const { error } = expected;
  if (error === undefined) return sameJson(expected, actual);
  const given = (actual as Partial<ErrorAnswer> | null | undefined)?.error;
  if (typeof given !== "object" || given === null) return false;
  const { code, field } = error as JsonObject;
  return given.code === code && (field === undefined || given.field === undefined || given.field === field);
}

/** Equal as JSON: the order of an object's fields does not matter. */
export function sameJson(left: Json, right: unknown): boolean {
  if (typeof left !== "object" || left === null) return left === right;
  if (typeof right !== "object" || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  const [mine, theirs] = [left as JsonObject, right as Record<string, unknown>];
  return names.every((name) => Object.hasOwn(theirs, name) && sameJson(mine[name]!, theirs[name]));
}
