import type { StateHeader } from "@rehome/core";
import type { Command, Rid } from "@rehome/wire";
import type { Links } from "../links/links.ts";

/**
 * Sends records in order, as fast as the link takes them. `false` when the link is gone, when it cannot carry one of them,
 * or when `wanted` says to stop.
 */
export async function sendPaced(
  links: Links,
  peer: Rid,
  commands: Iterable<Command>,
  wanted: () => boolean,
): Promise<boolean> {
  for (const command of commands) {
    for (let sent = false; !sent;) {
      if (!wanted()) return false;
      const result = links.sendPaced(peer, command);
      if (result === "noLink" || result === "tooLarge") return false;
      sent = result !== "refused";
      if (result !== "accepted") await drained(links, peer);
    }
  }
  return true;
}

/** The 52s of a payload (`protocol.md` T2). */
export function* stateChunks(header: StateHeader, payload: Uint8Array, chunkBytes: number): Iterable<Command> {
  for (let ordinal = 0; ordinal * chunkBytes < payload.length; ordinal++) {
    yield {
      ...header,
      chunkOrdinal: ordinal,
      chunkData: payload.subarray(ordinal * chunkBytes, (ordinal + 1) * chunkBytes),
    };
  }
}

/** Settles when the link has room again, or is lost. */
function drained(links: Links, peer: Rid): Promise<void> {
  return new Promise((resolve) => links.onceDrained(peer, resolve));
}
