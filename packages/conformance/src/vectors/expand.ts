/** From a file's cases and rules to single questions, one at a time: a rule may stand for thousands. */
import type {
  CommandVectors,
  DerivedCases,
  DurableVectors,
  ErrorCode,
  Json,
  JsonObject,
  KeyVectors,
  LengthPlace,
  ScenarioVectors,
  VectorFile,
} from "./file.ts";
import type { VectorCheck, VectorRequest } from "./protocol.ts";

/** Everything that a file asks, derived cases included, made as it is asked for. */
export function* expandVectors(file: VectorFile): Generator<VectorCheck> {
  switch (file.family) {
    case "commands":
      yield* commandChecks(file);
      return;
    case "keys":
      yield* keyChecks(file);
      return;
    case "durable":
      yield* durableChecks(file);
      return;
    case "crc32c":
      for (const { id, note, pieces, crc32c } of file.checksums) {
        yield { id, note, request: { op: "crc32c", hex: pieces }, expected: { crc32c } };
      }
      return;
    case "scenarios":
      yield* scenarioChecks(file);
  }
}

/** How a family asks for bytes to be read and a value to be written. */
interface Questions {
  readonly decode: (frames: readonly string[], operation?: string) => VectorRequest;
  readonly encode: (value: JsonObject) => VectorRequest;
}

const ofRecords: Questions = {
  decode: (frames, operation) => ({ op: "decode", frames, ...(operation === undefined ? {} : { operation }) }),
  encode: (value) => ({ op: "encode", value }),
};
const ofEnvelopes: Questions = {
  decode: (frames) => ({ op: "durable", hex: frames[0] ?? "" }),
  encode: (value) => ({ op: "encodeDurable", value }),
};

function* commandChecks(file: CommandVectors): Generator<VectorCheck> {
  const { decode, encode } = ofRecords;
  for (const { id, note, value, frames, operation } of file.valid) {
    yield { id, note, request: encode(value), expected: { frames } };
    yield { id, note, request: decode(frames, operation), expected: { value } };
  }
  for (const refusal of file.invalid) {
    yield { ...named(refusal), request: decode(refusal.frames, refusal.operation), expected: errorOf(refusal) };
  }
  for (const refusal of file.refused) {
    yield { ...named(refusal), request: encode(refusal.value), expected: errorOf(refusal) };
  }
  yield* derivedChecks(file.derived, file.valid, ofRecords);
}

function* durableChecks(file: DurableVectors): Generator<VectorCheck> {
  const { decode, encode } = ofEnvelopes;
  for (const { id, note, value, hex } of file.valid) {
    yield { id, note, request: encode(value), expected: { hex } };
    yield { id, note, request: decode([hex]), expected: value };
  }
  for (const refusal of file.invalid) {
    yield { ...named(refusal), request: decode([refusal.hex]), expected: errorOf(refusal) };
  }
  for (const refusal of file.refused) {
    yield { ...named(refusal), request: encode(refusal.value), expected: errorOf(refusal) };
  }
  const bases = file.valid.map(({ id, value, hex }) => ({ id, value, frames: [hex] }));
  yield* derivedChecks(file.derived, bases, ofEnvelopes);
}

function* keyChecks(file: KeyVectors): Generator<VectorCheck> {
  for (const { id, note, kind, objectId, key } of file.authorityKeys) {
    yield { id, note, request: { op: "authorityKey", kind, id: objectId }, expected: { key } };
    yield { id, note, request: { op: "parseAuthorityKey", key }, expected: { kind, id: objectId } };
  }
  for (const refusal of file.refusedIds) {
    const { kind, objectId } = refusal;
    yield { ...named(refusal), request: { op: "authorityKey", kind, id: objectId }, expected: errorOf(refusal) };
  }
  for (const refusal of file.refusedKeys) {
    yield { ...named(refusal), request: { op: "parseAuthorityKey", key: refusal.key }, expected: errorOf(refusal) };
  }
  for (const { id, note, value, key } of file.identityKeys) {
    yield { id, note, request: { op: "identityKey", value }, expected: { key } };
  }
  for (const { id, note, value, key } of file.operationKeys) {
    yield { id, note, request: { op: "operationKey", value }, expected: { key } };
  }
}

function* scenarioChecks({ machine, scenarios }: ScenarioVectors): Generator<VectorCheck> {
  for (const { id, note, config, steps } of scenarios) {
    const asked = steps.map(({ atMs, input }) => ({ atMs, input }));
    const effects = steps.map((step) => step.effects);
    yield { id, note, request: { op: "scenario", machine, config, steps: asked }, expected: { effects } };
  }
}

/** A valid case that rules change. */
export interface Base {
  readonly id: string;
  readonly value: JsonObject;
  readonly frames: readonly string[];
  readonly operation?: string;
}

function* derivedChecks(
  rules: readonly DerivedCases[],
  bases: readonly Base[],
  questions: Questions,
): Generator<VectorCheck> {
  const byId = new Map(bases.map((base) => [base.id, base]));
  for (const rule of rules) {
    for (const id of rule.of) {
      const base = byId.get(id);
      if (base === undefined) throw new TypeError(`${rule.id}: there is no valid case ${id}`);
      for (const { mark, frames, value, field } of variants(rule, base)) {
        const request = value === undefined ? questions.decode(frames!, base.operation) : questions.encode(value);
        const expected = errorOf({ code: rule.code, ...(field === undefined ? {} : { field }) });
        yield { ...named(rule), id: `${rule.id}/${id}/${mark}`, request, expected };
      }
    }
  }
}

/** One derived case: frames or a value, and what tells it apart from its rule's others. */
export interface Variant {
  readonly mark: string;
  readonly frames?: readonly string[];
  readonly value?: JsonObject;
  readonly field?: string | undefined;
}

/** What a rule makes of one of its cases. */
export function* variants(rule: DerivedCases, { frames, value }: Base): Generator<Variant> {
  switch (rule.rule) {
    case "cutAtEveryByte":
      for (const [index, frame] of frames.entries()) {
        for (let length = 0; 2 * length < frame.length; length++) {
          yield { mark: `${index}.${length}`, frames: frames.with(index, frame.slice(0, 2 * length)) };
        }
      }
      return;
    case "appendToEachFrame":
      for (const [index, frame] of frames.entries()) {
        yield { mark: `${index}`, frames: frames.with(index, frame + rule.bytes) };
      }
      return;
    case "addFrame":
      for (const [index, frame] of rule.frames.entries()) yield { mark: `${index}`, frames: [...frames, frame] };
      return;
    case "dropLastFrames":
      for (let left = rule.atLeast; left < frames.length; left++) {
        yield { mark: `${left}`, frames: frames.slice(0, left) };
      }
      return;
    case "overwrite":
      for (const { frame, at, field } of rule.places) {
        for (const bytes of rule.with) {
          const changed = overwritten(frames[frame]!, at, bytes);
          yield { mark: `${frame}.${at}=${bytes}`, frames: frames.with(frame, changed), field };
        }
      }
      return;
    case "claimLength":
      for (const body of rule.bodies) {
        for (let length = body.from; length <= body.to; length++) {
          const changed = overwritten(frames[body.frame]!, body.at, lengthHex(length, body.width));
          yield { mark: `${body.frame}.${body.at}=${length}`, frames: frames.with(body.frame, changed) };
        }
      }
      return;
    case "growBody":
      for (const body of rule.bodies) {
        const changed = grown(frames[body.frame]!, body, rule.bytes);
        yield { mark: `${body.frame}.${body.at}`, frames: frames.with(body.frame, changed) };
      }
      return;
    case "replaceValue":
      for (const { path, field } of rule.paths) {
        for (const [index, replacement] of rule.with.entries()) {
          const changed = replaced(value, path, replacement) as JsonObject;
          yield { mark: `${path.join(".")}=${index}`, value: changed, field };
        }
      }
  }
}

/** A frame's hex with other bytes from byte `at` on. */
function overwritten(frame: string, at: number, bytes: string): string {
  const end = 2 * at + bytes.length;
  if (end > frame.length) throw new RangeError(`byte ${at} and what is to be written there go past the frame`);
  return frame.slice(0, 2 * at) + bytes + frame.slice(end);
}

function lengthHex(length: number, width: number): string {
  return length.toString(16).padStart(2 * width, "0");
}

/** A frame with bytes put in at the end of a body, and with every length around them raised. */
function grown(frame: string, body: LengthPlace & { readonly around: readonly LengthPlace[] }, bytes: string): string {
  const lengthAt = ({ at, width }: LengthPlace): number => Number.parseInt(frame.slice(2 * at, 2 * (at + width)), 16);
  const end = 2 * (body.at + body.width + lengthAt(body));
  let changed = frame.slice(0, end) + bytes + frame.slice(end);
  for (const place of [body, ...body.around]) {
    changed = overwritten(changed, place.at, lengthHex(lengthAt(place) + bytes.length / 2, place.width));
  }
  return changed;
}

/** A copy of a JSON value in which the value at `path` is another. */
export function replaced(value: Json, path: readonly (string | number)[], replacement: Json): Json {
  const [step, ...rest] = path;
  if (step === undefined) return replacement;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) {
    throw new TypeError(`the value has no ${path.join(".")}`);
  }
  const inner = replaced((value as JsonObject)[step]!, rest, replacement);
  if (Array.isArray(value)) return value.with(step as number, inner) as readonly Json[];
  return { ...value, [step]: inner };
}

function errorOf({ code, field }: { readonly code: ErrorCode; readonly field?: string }): JsonObject {
  return { error: field === undefined ? { code } : { code, field } };
}

/** The parts of a case that its questions take over. */
function named(from: { readonly id: string; readonly note: string; readonly needs?: string }): {
  readonly id: string;
  readonly note: string;
  readonly needs?: string;
} {
  const { id, note, needs } = from;
  return { id, note, ...(needs === undefined ? {} : { needs }) };
}
