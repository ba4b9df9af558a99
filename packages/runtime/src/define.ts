import type { ActorDefinition, SpotDefinition } from "./api.ts";
import { RuntimeError } from "./errors.ts";

/** A checked actor definition, ready for `startNode`. Which state it has is its own business from here on. */
export interface ActorType {
  readonly kind: "actor";
  readonly definition: ActorDefinition<unknown> & { readonly version: number };
}

/** A checked spot definition, ready for `startNode`. */
export interface SpotType {
  readonly kind: "spot";
  readonly definition: SpotDefinition<unknown>;
}

/** Longest stable type in UTF-8 bytes: it travels as a `text8` (`wire.md` 2). */
const MAX_TYPE_BYTES = 255;
const PROTOCOL_PREFIX = "~";

/**
 * Defines a type of actor. Throws `invalidArgument` when the definition cannot work: a bad type name, a version below 1,
 * a handler name that begins with `~` (those are the protocol's own).
 */
export function defineActor<S>(definition: ActorDefinition<S>): ActorType {
  assertTypeName(definition.type);
  const version = definition.version ?? 1;
  assertVersion(`actor type "${definition.type}"`, version);
  for (const name of Object.keys(definition.on)) {
    if (name === "" || name.startsWith(PROTOCOL_PREFIX)) {
      throw new RuntimeError(
        "invalidArgument",
        `actor type "${definition.type}": "${name}" cannot be a handler's name`,
      );
    }
  }
  return { kind: "actor", definition: { ...(definition as ActorDefinition<unknown>), version } };
}

/**
 * Defines a type of spot: a place on one node that actors join. Throws `invalidArgument` when the definition cannot work: a
 * bad type name, a version below 1, one of `capture` and `restore` without the other.
 */
export function defineSpot<S>(definition: SpotDefinition<S>): SpotType {
  const { type } = definition;
  assertTypeName(type);
  assertVersion(`spot type "${type}"`, definition.version ?? 1);
  if ((definition.capture === undefined) !== (definition.restore === undefined)) {
    const message = `spot type "${type}": a spot that moves needs both capture and restore`;
    throw new RuntimeError("invalidArgument", message);
  }
  return { kind: "spot", definition: definition };
}

function assertVersion(what: string, version: number): void {
  if (!Number.isSafeInteger(version) || version < 1) {
    throw new RuntimeError("invalidArgument", `${what}: version must be a whole number from 1`);
  }
}

function assertTypeName(type: string): void {
  if (type === "" || type.includes("\0") || Buffer.byteLength(type) > MAX_TYPE_BYTES) {
    throw new RuntimeError("invalidArgument", `a type's name has 1 to ${MAX_TYPE_BYTES} bytes and no NUL: "${type}"`);
  }
}
