import { WireError } from "./error.ts";
import { hexFromBytes } from "./hex.ts";
import { maxText8Bytes } from "./limits.ts";
import { textFromUtf8, utf8FromText } from "./utf8.ts";
import { ridToBytes, ridToText } from "./values/rid.ts";
import type { ActorRef, Id128, Session } from "./values/composites.ts";

export interface ParsedAuthorityKey {
  readonly kind: "actor" | "spot";
  readonly id: string;
}

/** The store's key of an actor's authority (`wire.md` section 5). Throws {@link WireError} `invalid-field`. */
export function actorAuthorityKey(actorId: string): string {
  return authorityKey("a", actorId, "actorId");
}

/** The store's key of a spot's authority (`wire.md` section 5). Throws {@link WireError} `invalid-field`. */
export function spotAuthorityKey(spotId: string): string {
  return authorityKey("s", spotId, "spotId");
}

/**
 * What an authority key names. Throws {@link WireError} `invalid-field` for every spelling but the one that
 * {@link actorAuthorityKey} and {@link spotAuthorityKey} give.
 */
export function parseAuthorityKey(key: string): ParsedAuthorityKey {
  const parts = /^zla1:([as]):([1-9][0-9]{0,2}):([A-Za-z0-9\-._~%]+)$/.exec(key);
  const bytes = parts === null ? undefined : percentDecoded(parts[3]!);
  const id = bytes === undefined ? undefined : textFromUtf8(bytes);
  if (parts === null || id === undefined) throw refusedKey("it is not an authority key");
  const kind = parts[1] === "a" ? "actor" : "spot";
  const canonical = kind === "actor" ? actorAuthorityKey(id) : spotAuthorityKey(id);
  if (canonical !== key) throw refusedKey(`its only spelling is ${canonical}`);
  return { kind, id };
}

/**
 * The session relocation identity key (`wire.md` section 5): the same for a seal, its sealed reply and its route. The
 * coordinator is not part of it.
 */
export function sessionRelocationKey(value: {
  readonly relocation: Id128;
  readonly actor: ActorRef | { readonly actor: ActorRef };
  readonly session: Pick<Session, "sessionRid" | "bindingGeneration">;
}): string {
  const { relocation, session } = value;
  const actor = "actor" in value.actor ? value.actor.actor : value.actor;
  const rid = ridToText(session.sessionRid);
  return [
    relocation.high,
    relocation.low,
    keyPart(actor.actorId),
    actor.objectGeneration,
    rid === undefined ? `%x${hexFromBytes(ridToBytes(session.sessionRid))}` : keyPart(rid),
    session.bindingGeneration,
  ].join(":");
}

/** The key of an operation: `high:low` in lowercase hex without leading zeros (`wire.md` section 5). */
export function operationKey(operation: Id128): string {
  return `${operation.high.toString(16)}:${operation.low.toString(16)}`;
}

function authorityKey(kind: "a" | "s", id: string, field: string): string {
  const bytes = utf8FromText(id);
  if (bytes === undefined) throw new WireError("invalid-field", field, undefined, "a lone surrogate");
  if (bytes.length < 1 || bytes.length > maxText8Bytes) {
    throw new WireError(
      "invalid-field",
      field,
      undefined,
      `${bytes.length} bytes, but an id has 1 to ${maxText8Bytes}`,
    );
  }
  if (bytes.includes(0)) throw new WireError("invalid-field", field, undefined, "NUL is not allowed");
  let escaped = "";
  for (const byte of bytes) {
    const character = String.fromCharCode(byte);
    escaped += isUnreserved(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return `zla1:${kind}:${bytes.length}:${escaped}`;
}

/** RFC 3986 section 2.3. */
function isUnreserved(character: string): boolean {
  return /^[A-Za-z0-9\-._~]$/.test(character);
}

function percentDecoded(escaped: string): Uint8Array | undefined {
  const bytes: number[] = [];
  for (let index = 0; index < escaped.length; index++) {
    if (escaped[index] !== "%") {
      bytes.push(escaped.charCodeAt(index));
      continue;
    }
    const hex = escaped.slice(index + 1, index + 3);
    if (!/^[0-9A-F]{2}$/.test(hex)) return undefined;
    bytes.push(Number.parseInt(hex, 16));
    index += 2;
  }
  return Uint8Array.from(bytes);
}

function keyPart(text: string): string {
  return text.replaceAll("%", "%25").replaceAll(":", "%3A");
}

function refusedKey(reason: string): WireError {
  return new WireError("invalid-field", "key", undefined, reason);
}
