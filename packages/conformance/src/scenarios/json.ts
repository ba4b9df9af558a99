/**
 * The JSON form of what machines take and give: that of `wire.md` section 7, carried on to everything that is no record. A
 * value's form follows from its name, so that no table of types is needed to read it.
 */
import { bytesFromHex, hexFromBytes, ridFromBytes, ridFromText, ridToBytes, ridToText, type Rid } from "@rehome/wire";
import type { Json, JsonObject } from "../vectors/file.ts";

/** Whole numbers of 64 bits: decimal strings. Every name that ends in `Generation` is one too. */
export const numberNames: ReadonlySet<string> = new Set([
  "high",
  "low",
  "correlation",
  "replyRouteId",
  "sessionSequence",
  "boundaryRecordCount",
  "sequence",
  "lastQueued",
  "payloadTotalLength",
  "totalLength",
  "membershipEpoch",
  "applicationVersion",
  "participantId",
]);
/** Routing ids: their text, or `{"hex"}` where they have none that can be shown. */
export const ridNames: ReadonlySet<string> = new Set([
  "nodeRid",
  "ownerNodeRid",
  "sourceNodeRid",
  "targetNodeRid",
  "senderNodeRid",
  "sessionRid",
  "peer",
]);
/** Bytes: lowercase hex. `bytes` is a count where it is a number, `payload` an object where it is a message's. */
export const byteNames: ReadonlySet<string> = new Set(["bytes", "data", "chunkData", "membershipDigest", "payload"]);
/** Words for people, which no two implementations need to share: a report's fields, and the text of a failure. */
const wordsNames: ReadonlySet<string> = new Set(["fields", "message", "cause"]);

/** A value that has no place in a scenario. */
export class ScenarioError extends Error {
  override readonly name = "ScenarioError";
}

/** A fact or a config from its JSON form. Throws {@link ScenarioError}. */
export function fromScenarioJson(json: Json, name = ""): unknown {
  if (Array.isArray(json)) return (json as readonly Json[]).map((item) => fromScenarioJson(item, name));
  if (typeof json === "string") return textValue(json, name);
  if (typeof json !== "object" || json === null) return json;
  if (ridNames.has(name) && typeof (json as JsonObject)["hex"] === "string") return ridOf(json as JsonObject);
  return Object.fromEntries(
    Object.entries(json as JsonObject).map(([member, value]) => [member, fromScenarioJson(value, member)]),
  );
}

/** An effect, or anything that a machine gives, in its JSON form. Members that are not there are left out. */
export function toScenarioJson(value: unknown, name = ""): Json {
  if (typeof value === "bigint") return value.toString();
  if (value instanceof Uint8Array) return hexFromBytes(value);
  if (Array.isArray(value)) return value.map((item) => toScenarioJson(item, name));
  if (typeof value === "string") return ridNames.has(name) ? ridJson(value as Rid) : value;
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value !== "object" || value === null) throw new ScenarioError(`"${name}" is ${String(value)}`);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([member, content]) => content !== undefined && !isForPeople(member, name, value))
      .map(([member, content]) => [member, toScenarioJson(content, member)]),
  );
}

/** Reports say what happened in `event`; of a failure only the code counts. */
function isForPeople(member: string, name: string, owner: object): boolean {
  return wordsNames.has(member) && (name === "failure" || "event" in owner);
}

function isNumberName(name: string): boolean {
  return numberNames.has(name) || name.endsWith("Generation");
}

function textValue(text: string, name: string): unknown {
  if (isNumberName(name)) {
    if (!/^(?:0|[1-9]\d*)$/.test(text)) throw new ScenarioError(`"${name}": "${text}" is no whole number`);
    return BigInt(text);
  }
  if (ridNames.has(name)) return ridFromText(text);
  return byteNames.has(name) ? bytesOf(text, name) : text;
}

function bytesOf(hex: string, name: string): Uint8Array {
  const bytes = bytesFromHex(hex);
  if (bytes === undefined) throw new ScenarioError(`"${name}": "${hex}" is not hex`);
  return bytes;
}

function ridOf(json: JsonObject): Rid {
  return ridFromBytes(bytesOf(json["hex"] as string, "hex"));
}

function ridJson(rid: Rid): Json {
  const text = ridToText(rid);
  // eslint-disable-next-line no-control-regex -- these are the ones that wire.md section 7 shows in hex
  return text !== undefined && !/[\u0000-\u001f\u007f-\u009f]/.test(text)
    ? text
    : { hex: hexFromBytes(ridToBytes(rid)) };
}
