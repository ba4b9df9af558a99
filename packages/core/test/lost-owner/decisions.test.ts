import { describe, expect, it } from "vitest";
import { MAY_REPLACE, STATE_AFTER_LOSS } from "../../src/lost-owner/decisions.ts";
import type {
  HeldPayload,
  LossPolicy,
  OwnerLeaseSeen,
  RecreationDecision,
  ReplacementDecision,
  SavedSeen,
} from "../../src/lost-owner/decisions.ts";

const REPLACE: readonly [OwnerLeaseSeen, HeldPayload, ReplacementDecision][] = [
  ["live", "none", "leave"],
  ["live", "standing", "leave"],
  ["live", "stale", "leave"],
  ["ended", "none", "replace"],
  ["ended", "standing", "awaitCommit"],
  ["ended", "stale", "replace"],
];
const RECREATE: readonly [SavedSeen, LossPolicy, RecreationDecision][] = [
  ["none", "restore", "createNew"],
  ["none", "new", "createNew"],
  ["saved", "restore", "restoreSaved"],
  ["saved", "new", "createNew"],
  ["unreadable", "restore", "refuse"],
  ["unreadable", "new", "createNew"],
];

const cells = (table: Readonly<Record<string, Readonly<Record<string, string>>>>): string[] =>
  Object.entries(table).flatMap(([row, columns]) => Object.entries(columns).map((cell) => [row, ...cell].join()));

describe("what becomes of a lost owner's actor (L3)", () => {
  it("is replaced only once the lease has ended in the store, and only if no target can still commit it", () => {
    expect(cells(MAY_REPLACE)).toEqual(REPLACE.map((row) => row.join()));
  });

  it("begins with what was saved or anew, as its type says, and with nothing that was guessed", () => {
    expect(cells(STATE_AFTER_LOSS)).toEqual(RECREATE.map((row) => row.join()));
  });
});
