import type { ActorDefinition, SpotDefinition } from "./api.ts";
import { assertMessageName, assertName } from "./names.ts";
import { assertFunction, invalid } from "./options.ts";

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

/**
 * Defines a type of actor. Throws `invalidArgument`, with the field's name, when the definition cannot work: a bad type name, a
 * version below 1, a function that is missing or is none, a handler name that begins with `~` (those are the protocol's own).
 */
export function defineActor<S>(definition: ActorDefinition<S>): ActorType {
  const what = namedType("actor", definition);
  // What the node will work with: methods that are not the object's own are missing in it.
  const copy = { ...(definition as ActorDefinition<unknown>), version: definition.version ?? 1 };
  assertVersion(what, copy.version);
  assertFunctions(what, copy, ["create", "capture", "restore"], ["onJoin", "onTimer", "onBind", "onUnbind"]);
  assertHandlers(what, copy.on);
  if (copy.afterLoss !== undefined && copy.afterLoss !== "restore" && copy.afterLoss !== "new") {
    throw invalid(`${what}: afterLoss must be "restore" or "new"`);
  }
  return { kind: "actor", definition: copy };
}

/**
 * Defines a type of spot: a place on one node that actors join. Throws `invalidArgument`, with the field's name, when the
 * definition cannot work: a bad type name, a version below 1, a function that is missing or is none, one of `capture` and
 * `restore` without the other.
 */
export function defineSpot<S>(definition: SpotDefinition<S>): SpotType {
  const what = namedType("spot", definition);
  assertVersion(what, definition.version ?? 1);
  assertFunctions(what, definition, ["create"], ["capture", "restore", "admit", "onJoin", "onLeave"]);
  if ((definition.capture === undefined) !== (definition.restore === undefined)) {
    throw invalid(`${what}: a spot that moves needs both capture and restore`);
  }
  return { kind: "spot", definition: definition };
}

/** Gives how errors name the type. */
function namedType(kind: "actor" | "spot", definition: { readonly type: string }): string {
  if (typeof (definition as unknown) !== "object" || (definition as unknown) === null) {
    throw invalid(`a definition of ${kind}s must be an object: type, create …`);
  }
  assertName(`type, the name of a type of ${kind}s,`, definition.type);
  return `${kind} type "${definition.type}"`;
}

function assertVersion(what: string, version: number): void {
  if (!Number.isSafeInteger(version) || version < 1) throw invalid(`${what}: version must be a whole number from 1`);
}

function assertFunctions<D>(
  what: string,
  definition: D,
  needed: readonly (keyof D & string)[],
  optional: readonly (keyof D & string)[],
): void {
  for (const name of needed) assertFunction(`${what}: ${name}`, definition[name]);
  for (const name of optional) {
    if (definition[name] !== undefined) assertFunction(`${what}: ${name}`, definition[name]);
  }
}

function assertHandlers(what: string, on: unknown): void {
  if (typeof on !== "object" || on === null) throw invalid(`${what}: on must be an object of handlers`);
  for (const [name, handler] of Object.entries(on)) {
    assertMessageName(name, `${what}: the name of a handler in on`);
    assertFunction(`${what}: on.${name}`, handler);
  }
}
