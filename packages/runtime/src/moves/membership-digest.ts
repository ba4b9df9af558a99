import { createHash } from "node:crypto";
import type { SpotPlace } from "@rehome/core";

/**
 * SHA-256 of one actor's membership change (`protocol.md` T8): the actor's id, the spot that it leaves and the spot that it
 * joins, each as length-prefixed UTF-8 with the spot's generation; a length of 0 stands for an entry spot.
 */
export function membershipDigest(actorId: string, from: SpotPlace | undefined, to: SpotPlace | undefined): Uint8Array {
  const hash = createHash("sha256");
  const text = (value: string): void => {
    const bytes = Buffer.from(value);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    hash.update(length).update(bytes);
  };
  text(actorId);
  for (const place of [from, to]) {
    text(place?.spotId ?? "");
    const generation = Buffer.alloc(8);
    generation.writeBigUInt64BE(place?.objectGeneration ?? 0n);
    hash.update(generation);
  }
  return new Uint8Array(hash.digest());
}
