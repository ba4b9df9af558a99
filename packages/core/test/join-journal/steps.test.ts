import { describe, expect, it } from "vitest";
import type { JournalRecord } from "../../src/join-journal/record.ts";
import { JOURNAL_STEPS, seenBy, stepJournal } from "../../src/join-journal/steps.ts";
import type { JournalDecision, JournalSeen, JournalStep } from "../../src/join-journal/steps.ts";
import { journal } from "../owner-writes/fixture.ts";

const operation = journal.operation;
const STEPS: Readonly<Record<JournalStep["type"], JournalStep>> = {
  prepare: { type: "prepare", record: journal },
  record: { type: "record", record: journal },
  commit: { type: "commit", operation },
  deliver: { type: "deliver", operation },
  discard: { type: "discard", operation },
};
const other = (cursor: JournalRecord["cursor"]): JournalRecord => ({
  ...journal,
  operation: { high: 9n, low: 9n },
  cursor,
});
const CONTENTS: Readonly<Record<JournalSeen, JournalRecord | undefined>> = {
  empty: undefined,
  "own:prepared": journal,
  "own:committed": { ...journal, cursor: "committed" },
  "own:delivered": { ...journal, cursor: "delivered" },
  "other:prepared": other("prepared"),
  "other:committed": other("committed"),
  "other:delivered": other("delivered"),
};

/** The table a second time: columns as in CONTENTS, in their order. */
const EXPECTED: readonly [JournalStep["type"], ...JournalDecision[]][] = [
  ["prepare", "write", "nothing", "notPrepared", "notPrepared", "occupied", "occupied", "write"],
  ["record", "write", "notPrepared", "nothing", "nothing", "occupied", "occupied", "write"],
  ["commit", "missing", "write", "nothing", "nothing", "missing", "missing", "missing"],
  ["deliver", "missing", "notCommitted", "write", "nothing", "missing", "missing", "missing"],
  ["discard", "nothing", "remove", "notPrepared", "notPrepared", "nothing", "nothing", "nothing"],
];
const AFTER = { prepare: "prepared", record: "committed", commit: "committed", deliver: "delivered" } as const;

describe("the journal of accepted joins (J2, J5)", () => {
  it.each(EXPECTED)("every content before the step %s", (name, ...decisions) => {
    const contents = Object.keys(CONTENTS) as JournalSeen[];
    expect(contents).toEqual(Object.keys(JOURNAL_STEPS[name]));
    for (const [index, seen] of contents.entries()) {
      const before = CONTENTS[seen];
      const decision = decisions[index]!;
      expect(seenBy(before, operation)).toBe(seen);
      expect(JOURNAL_STEPS[name][seen]).toBe(decision);
      const stepped = stepJournal(before, STEPS[name]);
      if (decision === "nothing") expect(stepped).toEqual({ type: "unchanged" });
      else if (decision === "remove") expect(stepped).toEqual({ type: "changed", journal: undefined });
      else if (decision !== "write") expect(stepped).toEqual({ type: "refused", reason: decision });
      else {
        const after = stepped.type === "changed" ? stepped.journal : undefined;
        expect(after).toEqual({ ...journal, cursor: AFTER[name as keyof typeof AFTER] });
        // J2: each step is a new record; the old one is as it was.
        expect(after).not.toBe(before);
      }
    }
  });

  it("J2: goes from prepared by committed to delivered, and is then replaced by the next", () => {
    let held: JournalRecord | undefined;
    for (const step of [STEPS.prepare, STEPS.commit, STEPS.deliver, { type: "prepare", record: other("prepared") }]) {
      const stepped = stepJournal(held, step as JournalStep);
      if (stepped.type === "changed") held = stepped.journal;
    }
    expect(held).toEqual(other("prepared"));
  });
});
