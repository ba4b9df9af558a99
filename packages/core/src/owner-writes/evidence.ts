import type { AuthorityRecord, DestroyAnswer, PublishAnswer, ReadAnswer, SpotPlace } from "../ports/authority-store.ts";
import type { OwnedAuthority, SentWrite, StandingVersion } from "./state.ts";

/**
 * What a reading proves about a write of this owner.
 *
 * - `written`: the record holds what was sent. `base`: the version that the write stands on is still there, and one that is
 *   on its way may still succeed. `rebased`: still this owner's and as before, under another version (somebody fenced it).
 * - `foreign`: this owner's, but neither what was there nor what was sent: data loss.
 * - `gone`: the object was destroyed, made anew or is not there. `newerOwner`: it has moved on.
 * - `none`: no answer, or one that the store's own obligations rule out.
 */
export type WriteEvidence = "written" | "base" | "rebased" | "foreign" | "gone" | "newerOwner" | "none";

/** An answer to a write. `otherBytes`: success was claimed, for a record that does not hold what was sent. */
export type WriteSeen = "written" | "otherBytes" | "stale" | "staleLease" | "unknown";

export interface Comparison {
  readonly authority: OwnedAuthority;
  readonly known: StandingVersion;
  readonly sent: SentWrite;
}

export function writeSeen(answer: PublishAnswer | DestroyAnswer, sent: SentWrite): WriteSeen {
  switch (answer.outcome) {
    case "published":
      return holds(answer.record, sent) ? "written" : "otherBytes";
    case "destroyed":
      return sent.type === "destroyed" ? "written" : "otherBytes";
    case "stale":
    case "staleLease":
    case "unknown":
      return answer.outcome;
  }
}

export function writeEvidence(answer: ReadAnswer, { authority, known, sent }: Comparison): WriteEvidence {
  if (answer.outcome === "unknown") return "none";
  if (answer.outcome === "absent") return "gone";
  const { record } = answer.reading;
  if (record.authorityOwnerGeneration < authority.authorityOwnerGeneration) return "none";
  if (record.state !== "active" || record.objectGeneration !== authority.objectGeneration) return "gone";
  if (record.authorityOwnerGeneration > authority.authorityOwnerGeneration) return "newerOwner";
  if (!isOwner(record, authority)) return "none";
  if (record.storeVersion === known.version) return "base";
  if (holds(record, sent)) return "written";
  return sameBytes(record.payload, known.bytes) ? "rebased" : "foreign";
}

export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}

function holds(record: AuthorityRecord, sent: SentWrite): boolean {
  if (sent.type !== "published" || !sameBytes(record.payload, sent.bytes)) return false;
  return sent.place === undefined || samePlace(record.place, sent.place.spot);
}

function samePlace(one: SpotPlace | undefined, other: SpotPlace | undefined): boolean {
  return one?.spotId === other?.spotId && one?.objectGeneration === other?.objectGeneration;
}

function isOwner({ owner }: AuthorityRecord, authority: OwnedAuthority): boolean {
  return (
    owner.ownerId === authority.owner.ownerId && owner.ownerLeaseGeneration === authority.owner.ownerLeaseGeneration
  );
}
