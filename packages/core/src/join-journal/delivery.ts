import type { Id128 } from "@rehome/wire";
import type { WriteOutcome } from "../owner-writes/state.ts";
import { sameOperation } from "./record.ts";
import type { JournalRecord } from "./record.ts";

/** J3: the pauses between the three tries. A mailbox that is closing is closed by then, and a store's hiccup is over. */
export const DELIVERY_PAUSES_MS = [10, 20] as const;

/** What reading the journal again shows of the operation (J3). */
export type JournalReread = "undelivered" | "delivered" | "replaced" | "unreadable";
/** Why the mailbox did not take the answer. */
export interface NotTold {
  readonly reason: string;
}

export type DeliveryState =
  /** The mailbox has been asked to take the answer. `tries` counts this one. */
  | { readonly type: "telling"; readonly record: JournalRecord; readonly tries: number }
  | { readonly type: "pausing"; readonly record: JournalRecord; readonly tries: number; readonly reason: string }
  | { readonly type: "rereading"; readonly record: JournalRecord; readonly tries: number; readonly reason: string }
  /** The actor has been told; the journal is to say so. */
  | { readonly type: "marking"; readonly record: JournalRecord }
  | { readonly type: "ended"; readonly outcome: DeliveryOutcome };

/**
 * `delivered`: told, and the journal says so. `unmarked`: told, but the journal could not be written: the next start may tell
 * it again. `settled`: it had been delivered before. `failed`: not told; the record stays for the next start.
 */
export type DeliveryOutcome =
  | { readonly type: "delivered" }
  | { readonly type: "settled" }
  | { readonly type: "unmarked"; readonly reason: string }
  | { readonly type: "failed"; readonly reason: string };

export type DeliveryInput =
  /** The actor's `onJoin` has run. What it threw has been reported: it was told. */
  | { readonly type: "Told" }
  | { readonly type: "NotTold"; readonly reason: string }
  | { readonly type: "RetryDue" }
  | { readonly type: "JournalRead"; readonly reread: JournalReread }
  | { readonly type: "MarkSettled"; readonly outcome: WriteOutcome };

export type DeliveryEffect =
  /** Through the actor's own mailbox. Answer with `Told` after the turn, or with `NotTold`. */
  | { readonly type: "TellActor"; readonly record: JournalRecord }
  /** Answer with `JournalRead`. */
  | { readonly type: "ReadJournal"; readonly operation: Id128 }
  /** Both steps that are left, in order. Answer with `MarkSettled` for the last. */
  | { readonly type: "MarkDelivered"; readonly operation: Id128 }
  /** Beside the telling: that the join committed is known from the store's own word. */
  | { readonly type: "MarkCommitted"; readonly operation: Id128 }
  | { readonly type: "StartTimer"; readonly delayMs: number }
  | { readonly type: "Settle"; readonly outcome: DeliveryOutcome };

export interface DeliveryStep {
  readonly state: DeliveryState;
  readonly effects: readonly DeliveryEffect[];
}

/** Begins to deliver an accepted join's answer (`protocol.md` J3). `tell: "queued"`: it is in the actor's mailbox already. */
export function startDelivery(record: JournalRecord, tell: "now" | "queued"): DeliveryStep {
  const { operation } = record;
  const effects: DeliveryEffect[] = [];
  if (record.cursor === "prepared") effects.push({ type: "MarkCommitted", operation });
  if (tell === "now") effects.push({ type: "TellActor", record });
  return { state: { type: "telling", record, tries: 1 }, effects };
}

/** A fact that its state does not wait for changes nothing. */
export function stepDelivery(state: DeliveryState, input: DeliveryInput): DeliveryStep {
  switch (state.type) {
    case "telling":
      if (input.type === "Told") return becomeMarking(state.record);
      return input.type === "NotTold" ? tryFailed(state, input.reason) : stay(state);
    case "pausing":
      if (input.type !== "RetryDue") return stay(state);
      return {
        state: { ...state, type: "rereading" },
        effects: [{ type: "ReadJournal", operation: state.record.operation }],
      };
    case "rereading":
      return input.type === "JournalRead" ? afterReread(state, input.reread) : stay(state);
    case "marking":
      return input.type === "MarkSettled" ? afterMark(input.outcome) : stay(state);
    case "ended":
      return stay(state);
  }
}

/** J3: what a reading between two tries means. */
export const AFTER_REREAD: Readonly<Record<JournalReread, "tellAgain" | "settled" | "tryFailed">> = {
  undelivered: "tellAgain",
  delivered: "settled",
  // Only a delivered record is ever replaced, and a discarded one was never accepted (J5).
  replaced: "settled",
  unreadable: "tryFailed",
};

/** Sorts the journal as it was read. `undefined`: it could not be read. */
export function rereadOf(
  journal: { readonly record: JournalRecord | undefined } | undefined,
  of: Id128,
): JournalReread {
  if (journal === undefined) return "unreadable";
  const { record } = journal;
  if (record === undefined || !sameOperation(record.operation, of)) return "replaced";
  return record.cursor === "delivered" ? "delivered" : "undelivered";
}

function afterReread(state: Extract<DeliveryState, { type: "rereading" }>, reread: JournalReread): DeliveryStep {
  const { record } = state;
  switch (AFTER_REREAD[reread]) {
    case "tellAgain":
      return {
        state: { type: "telling", record, tries: state.tries + 1 },
        effects: [{ type: "TellActor", record }],
      };
    case "settled":
      return becomeEnded({ type: "settled" });
    case "tryFailed":
      return tryFailed({ record, tries: state.tries + 1 }, `${state.reason}; the journal cannot be read`);
  }
}

function tryFailed(from: { readonly record: JournalRecord; readonly tries: number }, reason: string): DeliveryStep {
  const delayMs = DELIVERY_PAUSES_MS[from.tries - 1];
  if (delayMs === undefined) return becomeEnded({ type: "failed", reason });
  return {
    state: { type: "pausing", record: from.record, tries: from.tries, reason },
    effects: [{ type: "StartTimer", delayMs }],
  };
}

function becomeMarking(record: JournalRecord): DeliveryStep {
  return { state: { type: "marking", record }, effects: [{ type: "MarkDelivered", operation: record.operation }] };
}

function afterMark(outcome: WriteOutcome): DeliveryStep {
  if (outcome.type === "written") return becomeEnded({ type: "delivered" });
  return becomeEnded({ type: "unmarked", reason: outcome.reason });
}

function becomeEnded(outcome: DeliveryOutcome): DeliveryStep {
  return { state: { type: "ended", outcome }, effects: [{ type: "Settle", outcome }] };
}

function stay(state: DeliveryState): DeliveryStep {
  return { state, effects: [] };
}
