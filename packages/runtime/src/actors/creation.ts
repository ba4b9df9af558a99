import type { AuthorityRecord } from "@rehome/core";
import type { Host } from "../host.ts";

/** Pauses between tries while the store does not say whether the object came about. */
const RETRY_MS = 50;

/**
 * Makes what was reserved for this node, as often as it takes until the store has said whether it did: who gave up while
 * nobody can tell would leave an object that the store knows and no node has. Ends at the latest with the reservation or
 * this node's lease; `undefined` when the object did not come about.
 */
export async function commitCreation(
  host: Host,
  key: string,
  reservationId: string,
): Promise<AuthorityRecord | undefined> {
  for (;;) {
    const answer = await host.store.commitCreate(key, reservationId, host.self);
    if (host.stopped()) return undefined;
    if (answer.outcome === "committed") return answer.record;
    if (answer.outcome !== "unknown") return undefined;
    await host.directory.pause(RETRY_MS);
  }
}
