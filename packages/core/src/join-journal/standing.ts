import type { Id128 } from "@rehome/wire";
import { sameOperation } from "./record.ts";
import type { JournalCursor, JournalRecord } from "./record.ts";

/** What a new owner finds in the journal. */
export type JournalFound = "none" | JournalCursor;

/**
 * How the operation in the journal stands to the move that has just brought the actor here.
 *
 * - `thisMove`: the join is this very move. `queued`: its answer is in the mailbox that came along. `elsewhere`: neither, so
 *   that a former owner has told the actor, or the join came to nothing.
 */
export type JournalRelation = "thisMove" | "queued" | "elsewhere";

/**
 * - `deliver`: tell the actor, first of all. `awaitTurn`: the answer is in the mailbox already; mark it when it has run.
 * - `markDelivered`: a former owner told the actor and could not write so. `discard`: it came to nothing (J5).
 * - `tellUnkept`: this move is a join that its source did not write down; tell the actor from the move's payload.
 * - `nothing`.
 */
export type AdoptionDecision = "deliver" | "awaitTurn" | "markDelivered" | "discard" | "tellUnkept" | "nothing";

/** What becomes of the journal when a move has brought the actor here (J1–J3). Nodes live: whatever is not told is in the payload. */
export const JOURNAL_AFTER_MOVE: Readonly<Record<JournalCursor, Readonly<Record<JournalRelation, AdoptionDecision>>>> =
  {
    prepared: { thisMove: "deliver", queued: "awaitTurn", elsewhere: "discard" },
    committed: { thisMove: "deliver", queued: "awaitTurn", elsewhere: "markDelivered" },
    delivered: { thisMove: "nothing", queued: "nothing", elsewhere: "nothing" },
  };

/** How the journal's operation stands to the last move of the actor that the store knows of. */
export type JournalEvidence = "lastMove" | "notLastMove";

/**
 * - `deliver`: the actor is told, perhaps again, with the same operation id (J1).
 * - `reject`: the node was lost before it was decided: the record goes, and the actor is told that the join came to nothing.
 */
export type RecoveryDecision = "deliver" | "reject" | "nothing";

/**
 * What becomes of the journal when a lost owner's actor is activated (L3). A join that was its last move committed, whatever
 * the cursor says: the commit names the operation (T7).
 */
export const JOURNAL_AFTER_LOSS: Readonly<Record<JournalFound, Readonly<Record<JournalEvidence, RecoveryDecision>>>> = {
  none: { lastMove: "nothing", notLastMove: "nothing" },
  prepared: { lastMove: "deliver", notLastMove: "reject" },
  committed: { lastMove: "deliver", notLastMove: "deliver" },
  delivered: { lastMove: "nothing", notLastMove: "nothing" },
};

/**
 * The operation of a join that came about and is not marked so: only the record's last relocation says that it did, and the next
 * move would take its place. Such an actor stays until the mark is written (J3).
 */
export function unmarkedJoin(journal: JournalRecord | undefined, lastRelocation: Id128 | undefined): Id128 | undefined {
  if (journal?.cursor !== "prepared" || lastRelocation === undefined) return undefined;
  return sameOperation(journal.operation, lastRelocation) ? journal.operation : undefined;
}

/**
 * `joined` is the operation of the join that this move is, `queued` are those whose answers came in the mailbox. A join that
 * its source did not write down is told from the move's payload, whatever else the journal holds.
 */
export function afterMove(
  journal: JournalRecord | undefined,
  joined: Id128 | undefined,
  queued: readonly Id128[],
): readonly AdoptionDecision[] {
  const isKept = joined === undefined || (journal !== undefined && sameOperation(journal.operation, joined));
  const kept =
    journal === undefined ? "nothing" : JOURNAL_AFTER_MOVE[journal.cursor][relationOf(journal, joined, queued)];
  return [kept, isKept ? "nothing" : "tellUnkept"].filter((decision) => decision !== "nothing") as AdoptionDecision[];
}

/** `lastRelocation` is the store's word on the move that made the lost owner. */
export function afterLoss(journal: JournalRecord | undefined, lastRelocation: Id128 | undefined): RecoveryDecision {
  const isLast =
    journal !== undefined && lastRelocation !== undefined && sameOperation(journal.operation, lastRelocation);
  return JOURNAL_AFTER_LOSS[journal?.cursor ?? "none"][isLast ? "lastMove" : "notLastMove"];
}

function relationOf(
  { operation }: JournalRecord,
  joined: Id128 | undefined,
  queued: readonly Id128[],
): JournalRelation {
  if (joined !== undefined && sameOperation(operation, joined)) return "thisMove";
  return queued.some((other) => sameOperation(operation, other)) ? "queued" : "elsewhere";
}
