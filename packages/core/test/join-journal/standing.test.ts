import { describe, expect, it } from "vitest";
import {
  afterLoss,
  afterMove,
  JOURNAL_AFTER_LOSS,
  JOURNAL_AFTER_MOVE,
  unmarkedJoin,
} from "../../src/join-journal/standing.ts";
import type { JournalCursor } from "../../src/join-journal/record.ts";
import type { AdoptionDecision, JournalFound, RecoveryDecision } from "../../src/join-journal/standing.ts";
import { journal } from "../owner-writes/fixture.ts";

const other = { high: 8n, low: 8n };
const AFTER_MOVE: readonly [JournalCursor, AdoptionDecision, AdoptionDecision, AdoptionDecision][] = [
  ["prepared", "deliver", "awaitTurn", "discard"],
  ["committed", "deliver", "awaitTurn", "markDelivered"],
  ["delivered", "nothing", "nothing", "nothing"],
];
const AFTER_LOSS: readonly [JournalFound, RecoveryDecision, RecoveryDecision][] = [
  ["none", "nothing", "nothing"],
  ["prepared", "deliver", "reject"],
  ["committed", "deliver", "deliver"],
  ["delivered", "nothing", "nothing"],
];

describe("what a new owner does with the journal", () => {
  it.each(AFTER_MOVE)("J1: after a move, found %s: as this move's %s, queued %s, elsewhere %s", (cursor, ...rows) => {
    const record = { ...journal, cursor };
    const made = [
      afterMove(record, journal.operation, [other]),
      afterMove(record, undefined, [other, journal.operation]),
      afterMove(record, undefined, [other]),
    ];
    expect(made).toEqual(rows.map((decision) => (decision === "nothing" ? [] : [decision])));
    expect(Object.values(JOURNAL_AFTER_MOVE[cursor])).toEqual(rows);
    expect(Object.keys(JOURNAL_AFTER_MOVE)).toEqual(AFTER_MOVE.map(([row]) => row));
  });

  it("J1: a join that its source did not write down is told all the same, whatever the journal holds", () => {
    expect(afterMove(undefined, other, [])).toEqual(["tellUnkept"]);
    expect(afterMove({ ...journal, cursor: "delivered" }, other, [])).toEqual(["tellUnkept"]);
    expect(afterMove({ ...journal, cursor: "committed" }, other, [])).toEqual(["markDelivered", "tellUnkept"]);
    expect(afterMove(undefined, undefined, [])).toEqual([]);
  });

  it("J3: a join that only its move's id proves is unmarked", () => {
    expect(unmarkedJoin({ ...journal, cursor: "prepared" }, journal.operation)).toEqual(journal.operation);
    expect(unmarkedJoin({ ...journal, cursor: "prepared" }, other)).toBeUndefined();
    expect(unmarkedJoin({ ...journal, cursor: "prepared" }, undefined)).toBeUndefined();
    expect(unmarkedJoin({ ...journal, cursor: "committed" }, journal.operation)).toBeUndefined();
    expect(unmarkedJoin(undefined, other)).toBeUndefined();
  });

  it.each(AFTER_LOSS)("L3: after a loss, found %s: as the last move %s, otherwise %s", (found, last, notLast) => {
    const record = found === "none" ? undefined : { ...journal, cursor: found };
    expect(afterLoss(record, journal.operation)).toBe(last);
    expect(afterLoss(record, other)).toBe(notLast);
    expect(afterLoss(record, undefined)).toBe(notLast);
    expect(Object.values(JOURNAL_AFTER_LOSS[found])).toEqual([last, notLast]);
  });
});
