import type { MoveFailure } from "../move/failure.ts";
import { companionsOf, holdingOfMember } from "../move/unit.ts";
import type { ReadAnswer } from "../ports/authority-store.ts";
import type { SourceConfig } from "./config.ts";
import { FAILURES } from "./failures.ts";
import { baseEvidence, type Reading } from "./resolution.ts";
import type { MemberOwner } from "./state.ts";

/**
 * - `take`: the version is the member's base.
 * - `abort`: give the unit up by O3; the member that it is about is named.
 * - `readAgain`: no evidence; ask once more after a pause.
 */
export type MemberBaseAction = "take" | "abort" | "readAgain";

/**
 * What the source does about the reading of one member of a spot before the seal (O1). A move takes all members or none
 * (I6): what stands against one of them stands against the unit.
 */
export const MEMBER_AT_BASE: Readonly<
  Record<Reading, { readonly action: MemberBaseAction; readonly because: string }>
> = {
  ownAtBase: { action: "take", because: "O1: the store and this node agree in every field" },
  ownPastBase: { action: "readAgain", because: "cannot be: there is no base version yet" },
  ownLeaseEnded: { action: "abort", because: "O1: stale, so it fails before the seal" },
  thisMove: { action: "abort", because: "O1: this node does not own the member" },
  newerOwner: { action: "abort", because: "O1: this node does not own the member" },
  gone: { action: "abort", because: "O1: there is no such member any more" },
  contradiction: { action: "abort", because: "O1: stale, so it fails before the seal" },
  noAnswer: { action: "readAgain", because: "O5: read again until the deadline" },
};

/**
 * - `follow`: to the owner that the record names.
 * - `fail`: there is nobody to follow to (H5).
 * - `readAgain`: no evidence; ask once more after a pause.
 */
export type MemberOwnerAction = "follow" | "fail" | "readAgain";

/**
 * What the source does about the reading of one member once the store has said that the unit is somebody else's. The unit's
 * own record has decided (O5); the members are read for their generations, which the store alone gives (T9).
 */
export const MEMBER_AFTER_VERDICT: Readonly<
  Record<Reading, { readonly action: MemberOwnerAction; readonly because: string }>
> = {
  ownAtBase: { action: "readAgain", because: "T8: it cannot be; owners change in one step" },
  ownPastBase: { action: "readAgain", because: "T8: it cannot be; owners change in one step" },
  ownLeaseEnded: { action: "readAgain", because: "T8: it cannot be; owners change in one step" },
  thisMove: { action: "follow", because: "F1: committed evidence with the exact fence" },
  newerOwner: { action: "follow", because: "O5: follow to the owner that the store names; it may have moved on since" },
  gone: { action: "fail", because: "H5: nothing is queued for nobody" },
  contradiction: { action: "readAgain", because: "O5: only exact evidence counts" },
  noAnswer: { action: "readAgain", because: "O5: a lost answer is never guessed" },
};

/** The authority keys of a spot's members, in their order. */
export function memberKeys(config: SourceConfig): readonly string[] {
  return companionsOf(config.unit).map((member) => holdingOfMember(member).key);
}

export type MembersAtBase =
  | { readonly type: "take"; readonly versions: readonly string[] }
  | { readonly type: "abort"; readonly failure: MoveFailure }
  | { readonly type: "readAgain" };

/** Sorts the answers to the reading of a spot's members before the seal, one for each, in their order. */
export function membersAtBase(answers: readonly ReadAnswer[], config: SourceConfig): MembersAtBase {
  const versions: string[] = [];
  let silent = false;
  for (const [index, member] of companionsOf(config.unit).entries()) {
    const answer = answers[index];
    const evidence = answer && baseEvidence(answer, config, holdingOfMember(member));
    const action = MEMBER_AT_BASE[evidence?.reading ?? "noAnswer"].action;
    if (action === "abort") {
      const { actorId } = member.fence.actor;
      return { type: "abort", failure: { ...FAILURES.staleMember, actorId } };
    }
    if (action === "take" && evidence?.reading === "ownAtBase") versions.push(evidence.storeVersion);
    else silent = true;
  }
  return silent ? { type: "readAgain" } : { type: "take", versions };
}

/** Sorts the answers to the reading of those members whose owner is not known yet, in their order. */
export function ownersOf(
  answers: readonly ReadAnswer[],
  known: readonly MemberOwner[],
  config: SourceConfig,
): readonly MemberOwner[] {
  const members = companionsOf(config.unit);
  let next = 0;
  return known.map((owner, index): MemberOwner => {
    if (owner.type !== "unknown") return owner;
    const answer = answers[next++];
    const evidence = answer && baseEvidence(answer, config, holdingOfMember(members[index]!));
    if (evidence === undefined) return owner;
    const { action } = MEMBER_AFTER_VERDICT[evidence.reading];
    if (action === "follow" && "record" in evidence) return { type: "owned", record: evidence.record };
    return action === "fail" ? { type: "gone" } : owner;
  });
}

/** The keys that {@link ownersOf} wants answers for. */
export function unknownKeys(owners: readonly MemberOwner[], config: SourceConfig): readonly string[] {
  return memberKeys(config).filter((_key, index) => owners[index]?.type === "unknown");
}
