import type { JournalRecord } from "../join-journal/record.ts";
import { stepJournal } from "../join-journal/steps.ts";
import type { JournalRefusal, JournalStep } from "../join-journal/steps.ts";
import type { SpotPlace } from "../ports/authority-store.ts";

/** What an actor last saved of itself (`protocol.md` L3). */
export interface SavedState {
  /** The type's state version and the build that saved it. */
  readonly stateVersion: number;
  readonly applicationVersion: bigint;
  readonly contentType: string;
  readonly data: Uint8Array;
}

/** What an owner keeps in its authority's record. The store sees bytes; a {@link DocumentCodec} makes them. */
export interface OwnerDocument {
  readonly journal: JournalRecord | undefined;
  readonly saved: SavedState | undefined;
}

export const EMPTY_DOCUMENT: OwnerDocument = Object.freeze({ journal: undefined, saved: undefined });

/** Writes and reads the document's bytes. Pure: the same document gives the same bytes; no bytes are the empty document. */
export interface DocumentCodec {
  encode(document: OwnerDocument): Uint8Array;
  /** `undefined` for bytes that are not what was written, which is data loss: never a guess (`wire.md` section 6). */
  decode(bytes: Uint8Array): OwnerDocument | undefined;
}

/** What an owner wants to change about its own record. */
export type OwnerChange =
  | { readonly type: "save"; readonly saved: SavedState }
  | { readonly type: "journal"; readonly step: JournalStep }
  /** The actor is in another spot of this node, and the join's answer is in the journal: one write (J6). */
  | { readonly type: "joinHere"; readonly record: JournalRecord; readonly place: SpotPlace }
  /** The object ends. */
  | { readonly type: "destroy" };

export type Changed =
  | { readonly type: "changed"; readonly document: OwnerDocument }
  | { readonly type: "unchanged" }
  | { readonly type: "refused"; readonly reason: JournalRefusal };

/** The document after a change. */
export function changeDocument(document: OwnerDocument, change: Exclude<OwnerChange, { type: "destroy" }>): Changed {
  switch (change.type) {
    case "save":
      return { type: "changed", document: { ...document, saved: change.saved } };
    case "journal":
      return inJournal(document, change.step);
    case "joinHere":
      return inJournal(document, { type: "record", record: change.record });
  }
}

function inJournal(document: OwnerDocument, step: JournalStep): Changed {
  const stepped = stepJournal(document.journal, step);
  return stepped.type === "changed"
    ? { type: "changed", document: { ...document, journal: stepped.journal } }
    : stepped;
}
