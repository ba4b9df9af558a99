import { TransportError } from "./errors.ts";

/**
 * Refuses what nobody would read: an option whose name is misspelt must not leave a node without what it asks for.
 *
 * Throws {@link TransportError} `invalidOptions` that names the key and all known ones.
 */
export function refuseUnknownKeys(what: string, given: object, known: readonly string[]): void {
  for (const key of Object.keys(given))
    if (!known.includes(key))
      throw new TransportError("invalidOptions", `${what} has no option "${key}". There are: ${known.join(", ")}.`);
}
