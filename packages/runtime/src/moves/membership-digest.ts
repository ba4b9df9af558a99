import { createHash } from "node:crypto";
import type { SpotPlace } from "@rehome/core";

/** Where an actor was before a move, and where it is after it; `undefined` stands for an entry spot. */
export interface MembershipChange {
  readonly actorId: string;
  readonly from: SpotPlace | undefined;
  readonly to: SpotPlace | undefined;
}

/**
 * SHA-256 of a unit's membership change (`protocol.md` T8): for each actor, in the payload's order, its id, the spot that it
 * leaves and the spot that it is in then, each as length-prefixed UTF-8 with the spot's generation; a length of 0 stands for
 * an entry spot. A spot takes its members along: what they leave is where they are then.
 */
export function membershipDigest(changes: readonly MembershipChange[]): Uint8Array {
  const hash = createHash("sha256");
  const text = (value: string): void => {
    const bytes = Buffer.from(value);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    hash.update(length).update(bytes);
  };
  for (const { actorId, from, to } of changes) {
    text(actorId);
    for (const place of [from, to]) {
      text(place?.spotId ?? "");
      const generation = Buffer.alloc(8);
      generation.writeBigUInt64BE(place?.objectGeneration ?? 0n);
      hash.update(generation);
    }
  }
  return new Uint8Array(hash.digest());
}
