/** By the store's clock: whether the record's owner still holds its lease. */
export type OwnerLeaseSeen = "live" | "ended";
/**
 * Whether a target holds the actor's complete payload and a matching 34. `standing`: and the base version is still there;
 * `stale`: it has changed since, so that this payload can never commit.
 */
export type HeldPayload = "none" | "standing" | "stale";

/**
 * - `leave`: the owner lives; nobody may touch its actor.
 * - `awaitCommit`: the target's own commit makes the new owner; whoever looks waits for the store to name it.
 * - `replace`: the actor is made again from what the store keeps, under the next generations.
 */
export type ReplacementDecision = "leave" | "awaitCommit" | "replace";

/**
 * `protocol.md` L3, first part: what may become of an actor. A target that has sent its commit does not ask this table: its
 * write is conditional on the base version, whoever's lease has ended. A `replace` elsewhere changes the version, so that one
 * of the two succeeds, whichever comes first, and never both.
 */
export const MAY_REPLACE: Readonly<Record<OwnerLeaseSeen, Readonly<Record<HeldPayload, ReplacementDecision>>>> = {
  live: { none: "leave", standing: "leave", stale: "leave" },
  ended: { none: "replace", standing: "awaitCommit", stale: "replace" },
};

/** What the type of an actor says about the loss of its node. */
export type LossPolicy = "restore" | "new";
/** What the lost owner had saved. `unreadable`: what the store holds is not what was written (`wire.md` section 6). */
export type SavedSeen = "none" | "saved" | "unreadable";

/**
 * - `restoreSaved`, `createNew`: said in a report, never done silently.
 * - `refuse`: its state is lost and nobody may guess it; the actor is not made.
 */
export type RecreationDecision = "restoreSaved" | "createNew" | "refuse";

/** `protocol.md` L3, second part: what a replaced actor begins with. */
export const STATE_AFTER_LOSS: Readonly<Record<SavedSeen, Readonly<Record<LossPolicy, RecreationDecision>>>> = {
  none: { restore: "createNew", new: "createNew" },
  saved: { restore: "restoreSaved", new: "createNew" },
  unreadable: { restore: "refuse", new: "createNew" },
};
