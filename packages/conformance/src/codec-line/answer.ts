import {
  bytesFromHex,
  hexFromBytes,
  actorAuthorityKey,
  crc32c,
  decodeDurable,
  decodeRecord,
  durableToJson,
  encodeRecord,
  fromJson,
  operationKinds,
  parseAuthorityKey,
  sessionRelocationKey,
  spotAuthorityKey,
  toJson,
  WireError,
  type OperationKind,
} from "@rehome/wire";
import { playScenario } from "../scenarios/play.ts";
import type { ScenarioRequest } from "../vectors/protocol.ts";
import type { CodecAnswer, CodecError, JsonObject } from "./protocol.ts";

/** What an error repeats of a request is cut to this many characters: hostile names are as long as their lines. */
const maxEchoCharacters = 300;

/**
 * The answer to one request of the line protocol. It never throws: whatever `request` is, a refusal is an answer too.
 * Members that do not apply are absent, never `null`.
 */
export function answerRequest(request: unknown): CodecAnswer {
  try {
    return answer(request);
  } catch (error) {
    return { error: describe(error) };
  }
}

/** The answer line, without a line end, to one line of the protocol. It never throws. */
export function answerLine(line: string): string {
  try {
    return JSON.stringify(answerRequest(parse(line)));
  } catch (error) {
    return JSON.stringify({ error: describe(error) });
  }
}

/** A line that could not even be read, as the protocol answers it. */
export function refusedLine(code: "invalid-json" | "line-too-long", message: string): string {
  return JSON.stringify({ error: { code, message } satisfies CodecError });
}

/** A request that this protocol does not know. */
class RequestError extends Error {
  readonly code: "invalid-json" | "invalid-request";
  readonly field: string | undefined;

  constructor(code: "invalid-json" | "invalid-request", field: string | undefined, reason: string) {
    super(reason);
    this.code = code;
    this.field = field;
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new RequestError("invalid-json", undefined, `the line is not JSON: ${messageOf(error)}`);
  }
}

function answer(request: unknown): CodecAnswer {
  if (typeof request !== "object" || request === null || Array.isArray(request)) {
    throw new RequestError("invalid-request", undefined, "a request is a JSON object");
  }
  const members = request as JsonObject;
  switch (members["op"]) {
    case "encode":
      return { frames: encodeRecord(fromJson(required(members, "value"))).map(hexFromBytes) };
    case "decode":
      return { value: decoded(members) };
    case "identityKey":
      return { key: identityKey(required(members, "value")) };
    case "authorityKey": {
      const id = text(members, "id");
      return { key: kind(members) === "actor" ? actorAuthorityKey(id) : spotAuthorityKey(id) };
    }
    case "parseAuthorityKey": {
      const parsed = parseAuthorityKey(text(members, "key"));
      return { kind: parsed.kind, id: parsed.id };
    }
    case "crc32c":
      return { crc32c: pieces(members, "hex").reduce((checksum, piece) => crc32c(piece, checksum), 0) };
    case "durable":
      return durableToJson(decodeDurable(bytes(text(members, "hex"), "hex")));
    case "scenario":
      return scenario(members);
    default:
      throw new RequestError("invalid-request", "op", "there is no such op");
  }
}

function decoded(members: JsonObject): JsonObject {
  const frames = pieces(members, "frames");
  const operation = members["operation"];
  if (operation !== undefined && !isOperation(operation)) {
    throw new RequestError("invalid-request", "operation", "it has to be an operationKind of wire.md section 2");
  }
  return toJson(decodeRecord(frames, { operationOf: () => operation }));
}

/** Whatever a machine throws, the scenario was not one: it broke the contract of the machine's driver. */
function scenario(members: JsonObject): CodecAnswer {
  for (const name of ["machine", "config", "steps"]) required(members, name);
  try {
    return playScenario(members as unknown as ScenarioRequest);
  } catch (error) {
    throw new RequestError("invalid-request", "steps", `this cannot be played: ${messageOf(error)}`);
  }
}

function isOperation(name: unknown): name is OperationKind {
  return typeof name === "string" && Object.hasOwn(operationKinds, name);
}

function identityKey(json: unknown): string {
  const value = fromJson(json);
  switch (value.command) {
    case "sessionRelocationSeal":
    case "sessionRelocationSealed":
    case "sessionRelocationRoute":
      // A value that is no record has no key: encoding refuses it.
      encodeRecord(value);
      return sessionRelocationKey(value);
    default:
      throw new WireError("invalid-field", "command", undefined, `${value.command} has no session relocation key`);
  }
}

function required(members: JsonObject, name: string): unknown {
  const value = members[name];
  if (value === undefined) throw new RequestError("invalid-request", name, "it is missing");
  return value;
}

function text(members: JsonObject, name: string): string {
  const value = required(members, name);
  if (typeof value === "string") return value;
  throw new RequestError("invalid-request", name, "it has to be a string");
}

function kind(members: JsonObject): "actor" | "spot" {
  const name = required(members, "kind");
  if (name === "actor" || name === "spot") return name;
  throw new RequestError("invalid-request", "kind", 'it has to be "actor" or "spot"');
}

function pieces(members: JsonObject, name: string): Uint8Array[] {
  const value = required(members, name);
  if (!Array.isArray(value)) throw new RequestError("invalid-request", name, "it has to be an array of hex strings");
  return value.map((piece, index) => bytes(piece, `${name}[${index}]`));
}

function bytes(hex: unknown, field: string): Uint8Array {
  const found = typeof hex === "string" ? bytesFromHex(hex.toLowerCase()) : undefined;
  if (found === undefined) throw new RequestError("invalid-request", field, "it has to be hex, two digits a byte");
  return found;
}

function describe(error: unknown): CodecError {
  const message = clipped(messageOf(error));
  if (error instanceof WireError) {
    const { code, field, offset } = error;
    return { code, field: clipped(field), ...(offset === undefined ? {} : { offset }), message };
  }
  if (error instanceof RequestError) {
    const { code, field } = error;
    return { code, ...(field === undefined ? {} : { field }), message };
  }
  return { code: "internal-error", message };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function clipped(words: string): string {
  return words.length <= maxEchoCharacters ? words : `${words.slice(0, maxEchoCharacters)}…`;
}
