import { isExactlyThisMove } from "./evidence.ts";
import type { CommitState } from "./state.ts";

/**
 * What holds in every state of a commit; the broken ones, by number.
 *
 * 1. `committed` holds records that are exactly this move, each under its own claim (T7). Once the object's record has
 *    proven the commit, nothing but the companions is read.
 * 2. The write stands on the base version, whatever has been read since (T6): request and claim name the same version,
 *    generations and owner.
 * 3. The request's participants are the object and its companions, each on the version and generations of its claim.
 * 4. A first write has had no pause before it; a repeated one has.
 */
export function brokenCommitInvariants(state: CommitState): readonly string[] {
  const broken: string[] = [];
  const { claim, request, key } = state.move;
  if (state.type === "committed" && !isExactlyThisMove(state.record, claim)) broken.push("1: adopted another record");
  const { companions } = state.move;
  if (state.type === "committed") {
    const claims = new Map(companions.map((companion) => [companion.key, companion.claim]));
    for (const record of state.companions) {
      const own = claims.get(record.key);
      if (own === undefined || !isExactlyThisMove(record, own)) broken.push("1: adopted another companion's record");
    }
  }
  if ("record" in state && !isExactlyThisMove(state.record, claim)) broken.push("1: went on without evidence");
  const keys = [key, ...companions.map((companion) => companion.key)];
  const matches = companions.every((companion) => {
    const own = request.participants.find((candidate) => candidate.key === companion.key);
    return (
      own?.baseVersion === companion.claim.coordinator.expectedAuthorityStoreVersion &&
      own.expectedObjectGeneration === companion.claim.objectGeneration &&
      own.expectedAuthorityOwnerGeneration === companion.claim.authorityOwnerGeneration
    );
  });
  if (!matches || new Set(keys).size !== request.participants.length || keys.length !== request.participants.length) {
    broken.push("3: the participants are not those of the unit");
  }
  const participant = request.participants.find((candidate) => candidate.key === key);
  if (
    participant?.baseVersion !== claim.coordinator.expectedAuthorityStoreVersion ||
    participant.expectedObjectGeneration !== claim.objectGeneration ||
    participant.expectedAuthorityOwnerGeneration !== claim.authorityOwnerGeneration ||
    request.owner !== claim.newOwner ||
    request.relocation !== claim.relocation
  ) {
    broken.push("2: the write does not stand on the claim");
  }
  if (state.type === "writing" && (state.history === "first") !== (state.pauses === 0)) {
    broken.push("4: the write's history does not fit its pauses");
  }
  return broken;
}
