import { isExactlyThisMove } from "./evidence.ts";
import type { CommitState } from "./state.ts";

/**
 * What holds in every state of a commit; the broken ones, by number.
 *
 * 1. `committed` holds a record that is exactly this move (T7).
 * 2. The write stands on the base version, whatever has been read since (T6): request and claim name the same version,
 *    generations and owner.
 * 3. A first write has had no pause before it; a repeated one has.
 */
export function brokenCommitInvariants(state: CommitState): readonly string[] {
  const broken: string[] = [];
  const { claim, request, key } = state.move;
  if (state.type === "committed" && !isExactlyThisMove(state.record, claim)) broken.push("1: adopted another record");
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
    broken.push("3: the write's history does not fit its pauses");
  }
  return broken;
}
