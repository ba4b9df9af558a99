import type { Id128 } from "@rehome/wire";
import { sameOperation } from "./record.ts";
import type { JournalCursor, JournalRecord } from "./record.ts";

/** What somebody wants of the journal. `record`: a spot of the same node was joined, which needs no `prepared` (J6). */
export type JournalStep =
  | { readonly type: "prepare"; readonly record: JournalRecord }
  | { readonly type: "record"; readonly record: JournalRecord }
  | { readonly type: "commit"; readonly operation: Id128 }
  | { readonly type: "deliver"; readonly operation: Id128 }
  | { readonly type: "discard"; readonly operation: Id128 };

/**
 * - `occupied`: another join's answer has not been delivered; only a delivered one may be replaced (J5).
 * - `missing`: there is no record of this operation. `notCommitted`: it cannot be delivered yet. `notPrepared`: it is too
 *   late to discard it (J5).
 */
export type JournalRefusal = "occupied" | "missing" | "notCommitted" | "notPrepared";

/** What is in the journal, as seen by one operation. */
export type JournalSeen = "empty" | `own:${JournalCursor}` | `other:${JournalCursor}`;

export type JournalDecision = "write" | "nothing" | "remove" | JournalRefusal;

/** `protocol.md` J2, J5: every step on every content of the journal. A repeated step changes nothing. */
export const JOURNAL_STEPS: Readonly<Record<JournalStep["type"], Readonly<Record<JournalSeen, JournalDecision>>>> = {
  prepare: {
    empty: "write",
    "own:prepared": "nothing",
    "own:committed": "notPrepared",
    "own:delivered": "notPrepared",
    "other:prepared": "occupied",
    "other:committed": "occupied",
    "other:delivered": "write",
  },
  record: {
    empty: "write",
    "own:prepared": "notPrepared",
    "own:committed": "nothing",
    "own:delivered": "nothing",
    "other:prepared": "occupied",
    "other:committed": "occupied",
    "other:delivered": "write",
  },
  commit: {
    empty: "missing",
    "own:prepared": "write",
    "own:committed": "nothing",
    "own:delivered": "nothing",
    "other:prepared": "missing",
    "other:committed": "missing",
    "other:delivered": "missing",
  },
  deliver: {
    empty: "missing",
    "own:prepared": "notCommitted",
    "own:committed": "write",
    "own:delivered": "nothing",
    "other:prepared": "missing",
    "other:committed": "missing",
    "other:delivered": "missing",
  },
  discard: {
    empty: "nothing",
    "own:prepared": "remove",
    "own:committed": "notPrepared",
    "own:delivered": "notPrepared",
    "other:prepared": "nothing",
    "other:committed": "nothing",
    "other:delivered": "nothing",
  },
};

export type JournalStepped =
  | { readonly type: "changed"; readonly journal: JournalRecord | undefined }
  | { readonly type: "unchanged" }
  | { readonly type: "refused"; readonly reason: JournalRefusal };

/** Takes one step in a journal. {@link JOURNAL_STEPS} decides. */
export function stepJournal(journal: JournalRecord | undefined, step: JournalStep): JournalStepped {
  const decision = JOURNAL_STEPS[step.type][seenBy(journal, operationOf(step))];
  switch (decision) {
    case "write":
      return { type: "changed", journal: written(journal, step) };
    case "remove":
      return { type: "changed", journal: undefined };
    case "nothing":
      return { type: "unchanged" };
    case "occupied":
    case "missing":
    case "notCommitted":
    case "notPrepared":
      return { type: "refused", reason: decision };
  }
}

export function seenBy(journal: JournalRecord | undefined, operation: Id128): JournalSeen {
  if (journal === undefined) return "empty";
  return `${sameOperation(journal.operation, operation) ? "own" : "other"}:${journal.cursor}`;
}

function operationOf(step: JournalStep): Id128 {
  return "record" in step ? step.record.operation : step.operation;
}

/** A new record each time; the bytes of an old one are never changed. */
function written(journal: JournalRecord | undefined, step: JournalStep): JournalRecord | undefined {
  switch (step.type) {
    case "prepare":
      return { ...step.record, cursor: "prepared" };
    case "record":
      return { ...step.record, cursor: "committed" };
    case "commit":
      return journal && { ...journal, cursor: "committed" };
    case "deliver":
      return journal && { ...journal, cursor: "delivered" };
    case "discard":
      return undefined;
  }
}
