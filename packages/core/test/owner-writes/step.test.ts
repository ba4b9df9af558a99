import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_WAITING_WRITES } from "../../src/owner-writes/state.ts";
import type { WriteOutcome, WriterEffect } from "../../src/owner-writes/state.ts";
import type { AuthorityRecord } from "../../src/ports/authority-store.ts";
import { baseRecord, found } from "../authority-commit/fixture.ts";
import { codec, document, Harness, journal, recordWith, save } from "./fixture.ts";

const unknown = { outcome: "unknown", reason: "timeout" } as const;

function outcomes(effects: readonly WriterEffect[]): [number, WriteOutcome][] {
  return effects.flatMap((effect) => (effect.type === "SettleWrite" ? [[effect.id, effect.outcome]] : []));
}

describe("an owner's writes", () => {
  it("O6: the write that is out is the last before a move reads its base version; others wait until it has ended", () => {
    const writer = new Harness();
    writer.tell({ type: "WriteAsked", job: { id: 1, change: save(2) } });
    writer.tell({ type: "WriteAsked", job: { id: 2, change: save(3) } });
    expect(writer.tell({ type: "FreezeAsked" })).toEqual([]);
    writer.tell({ type: "WriteSettled", answer: { outcome: "published", record: recordWith(document(2), "v11") } });
    expect(writer.types.at(-1)).toBe("Frozen");
    expect(writer.types).not.toContain("Publish");
    expect(writer.tell({ type: "WriteAsked", job: { id: 3, change: { type: "destroy" } } })).toEqual([]);
    expect(writer.tell({ type: "Thawed" })).toContainEqual({
      type: "Publish",
      baseVersion: "v11",
      payload: codec.encode(document(3)),
      place: undefined,
    });
  });

  it("O6: a move does not wait for a silent store: a write in doubt is parked, and settled before it is tried again", () => {
    for (const when of ["before the answer", "in the pause"]) {
      const writer = new Harness();
      writer.tell({ type: "WriteAsked", job: { id: 1, change: save(2) } });
      if (when === "before the answer") writer.tell({ type: "FreezeAsked" });
      writer.tell({ type: "WriteSettled", answer: unknown });
      if (when === "in the pause") writer.tell({ type: "FreezeAsked" });
      expect(writer.types.at(-1)).toBe("Frozen");
      expect(outcomes(writer.effects)).toEqual([]);
      expect(writer.tell({ type: "Thawed" }).at(-1)).toEqual({ type: "ReadAuthority" });
      writer.tell({ type: "AuthorityRead", answer: found(recordWith(document(1), "v12")) });
      expect(writer.effects).toContainEqual(expect.objectContaining({ type: "Publish", baseVersion: "v12" }));
    }
  });

  it("O6: an end that was parked in doubt and has happened is an end", () => {
    const writer = new Harness();
    writer.tell({ type: "WriteAsked", job: { id: 1, change: { type: "destroy" } } });
    writer.tell({ type: "WriteSettled", answer: unknown });
    writer.tell({ type: "FreezeAsked" });
    writer.tell({ type: "Thawed" });
    writer.tell({ type: "AuthorityRead", answer: { outcome: "absent" } });
    expect(outcomes(writer.effects)).toEqual([[1, { type: "written", record: undefined }]]);
  });

  it("O6: nothing is out when a move asks of an idle owner, nor of one that has ended", () => {
    const writer = new Harness();
    expect(writer.tell({ type: "FreezeAsked" })).toEqual([{ type: "Frozen" }]);
    writer.tell({ type: "WriteAsked", job: { id: 1, change: save(2) } });
    writer.tell({ type: "Departed" });
    expect(outcomes(writer.effects)).toEqual([[1, { type: "failed", reason: "notOwner" }]]);
    expect(writer.tell({ type: "FreezeAsked" })).toEqual([{ type: "Frozen" }]);
    writer.tell({ type: "WriteAsked", job: { id: 2, change: save(2) } });
    expect(outcomes(writer.effects)).toEqual([[2, { type: "failed", reason: "notOwner" }]]);
  });

  it("J6: a join's place and answer are not given up in doubt, since the actor would be told twice, and differently", () => {
    const place = { spot: { spotId: "s", objectGeneration: 1n } };
    const change = { type: "joinHere", record: { ...journal, cursor: "prepared" }, place: place.spot } as const;
    const writer = new Harness();
    writer.tell({ type: "WriteAsked", job: { id: 1, change } });
    writer.tell({ type: "TimerFired", timer: "deadline" });
    writer.tell({ type: "WriteSettled", answer: unknown });
    writer.tell({ type: "TimerFired", timer: "deadline" });
    expect(writer.types.at(-1)).not.toBe("SettleWrite");
    writer.tell({ type: "TimerFired", timer: "retryStore" });
    expect(writer.types.at(-1)).toBe("ReadAuthority");
    writer.tell({ type: "AuthorityRead", answer: found(recordWith(document(1), "v10")) });
    expect(writer.types).toContain("Publish");
    expect(outcomes(writer.effects)).toEqual([]);
  });

  it("J5: a change that the journal forbids ends at once, and one that is there already needs no write", () => {
    const writer = new Harness(recordWith({ journal, saved: undefined }, "v10"));
    const other = { ...journal, operation: { high: 1n, low: 1n } };
    writer.tell({
      type: "WriteAsked",
      job: { id: 1, change: { type: "journal", step: { type: "prepare", record: other } } },
    });
    expect(outcomes(writer.effects)).toEqual([[1, { type: "refused", reason: "occupied" }]]);
    writer.tell({
      type: "WriteAsked",
      job: { id: 2, change: { type: "journal", step: { type: "prepare", record: journal } } },
    });
    expect(outcomes(writer.effects)).toEqual([[2, { type: "written", record: undefined }]]);
    expect(writer.state.type).toBe("idle");
  });

  it("J6: place and answer are one write, and both are verified", () => {
    const place = { spotId: "room", objectGeneration: 1n };
    const writer = new Harness();
    writer.tell({ type: "WriteAsked", job: { id: 1, change: { type: "joinHere", record: journal, place } } });
    const publish = writer.effects.find((effect) => effect.type === "Publish")!;
    expect(publish).toMatchObject({ place: { spot: place } });
    const record = {
      ...baseRecord,
      storeVersion: "v11",
      payload: publish.type === "Publish" ? publish.payload : codec.encode(document(0)),
    };
    writer.tell({ type: "WriteSettled", answer: { outcome: "published", record } });
    expect(writer.types).toContain("ReportLoss");
  });

  it("a wrong checksum is data loss: reported, and taken for nothing", () => {
    const writer = new Harness({ ...baseRecord, payload: new Uint8Array([1, 2, 3]) });
    expect(writer.effects).toEqual([{ type: "ReportLoss" }]);
    writer.tell({ type: "WriteAsked", job: { id: 1, change: save(2) } });
    expect(writer.effects).toContainEqual(expect.objectContaining({ payload: codec.encode(document(2)) }));
  });

  it("I8: what waits is bounded", () => {
    const writer = new Harness();
    for (let id = 0; id <= MAX_WAITING_WRITES; id++) writer.tell({ type: "WriteAsked", job: { id, change: save(2) } });
    writer.tell({ type: "WriteAsked", job: { id: 99, change: save(2) } });
    expect(outcomes(writer.effects)).toEqual([[99, { type: "failed", reason: "tooMany" }]]);
  });

  it("ends at the deadline when the store says nothing, and settles that doubt before it writes again", () => {
    const writer = new Harness();
    writer.tell({ type: "WriteAsked", job: { id: 1, change: save(2) } });
    writer.tell({ type: "TimerFired", timer: "deadline" });
    writer.tell({ type: "WriteSettled", answer: unknown });
    expect(outcomes(writer.effects)).toEqual([[1, { type: "failed", reason: "inDoubt" }]]);
    writer.tell({ type: "WriteAsked", job: { id: 2, change: save(3) } });
    expect(writer.types).toEqual(["StartTimer", "ReadAuthority"]);
    writer.tell({ type: "AuthorityRead", answer: found(recordWith(document(1), "v10")) });
    expect(writer.effects).toEqual([{ type: "FenceAuthority", baseVersion: "v10" }]);
    writer.tell({ type: "FenceSettled", answer: { outcome: "fenced", record: recordWith(document(1), "v11") } });
    expect(writer.effects).toContainEqual(expect.objectContaining({ type: "Publish", baseVersion: "v11" }));
  });
});

/** One record whose calls may be lost before or after they took effect, or take effect much later. */
class FlakyStore {
  record: AuthorityRecord = recordWith(document(0), "1");
  #version = 1;
  readonly late: (() => void)[] = [];

  write(
    baseVersion: string,
    payload: Uint8Array,
  ): { outcome: "published"; record: AuthorityRecord } | { outcome: "stale" } {
    if (this.record.storeVersion !== baseVersion) return { outcome: "stale" };
    this.record = { ...this.record, storeVersion: String(++this.#version), payload };
    return { outcome: "published", record: this.record };
  }
}

type Fate = "answered" | "answerLost" | "callLost" | "late";

describe("an owner's writes on a store that loses calls and answers", () => {
  it("J2: what is reported as written stays, in the order asked for, and what was given up never comes back over it", () => {
    const event = fc.record({
      what: fc.constantFrom("save", "store", "store", "store", "timer", "deadline", "late", "freeze", "thaw", "fence"),
      fate: fc.constantFrom<Fate>("answered", "answered", "answerLost", "callLost", "late"),
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 120 }), (events) => {
        const store = new FlakyStore();
        const writer = new Harness(store.record);
        let next = 1;
        const pending: WriterEffect[] = [];
        const settled = new Map<number, WriteOutcome>();
        const tell = (...args: Parameters<Harness["tell"]>): void => {
          for (const effect of writer.tell(...args)) {
            if (["Publish", "ReadAuthority", "FenceAuthority"].includes(effect.type)) pending.push(effect);
            if (effect.type === "ReportLoss") throw new Error("took its own write for a stranger's");
            if (effect.type === "SettleWrite") settled.set(effect.id, effect.outcome);
          }
          expect(pending.length).toBeLessThanOrEqual(1);
        };
        const answer = (fate: Fate): void => {
          const effect = pending.shift();
          if (effect?.type === "ReadAuthority") {
            tell({ type: "AuthorityRead", answer: fate === "answered" ? found(store.record) : unknown });
          }
          if (effect?.type === "Publish" || effect?.type === "FenceAuthority") {
            const payload = effect.type === "Publish" ? effect.payload : undefined;
            const apply = () => store.write(effect.baseVersion, payload ?? store.record.payload);
            const real = fate === "answered" || fate === "answerLost" ? apply() : unknown;
            if (fate === "late") store.late.push(apply);
            const said = fate === "answered" ? real : unknown;
            if (payload) tell({ type: "WriteSettled", answer: said });
            else
              tell({
                type: "FenceSettled",
                answer: said.outcome === "published" ? { ...said, outcome: "fenced" } : said,
              });
          }
        };
        for (const { what, fate } of events) {
          if (what === "save") tell({ type: "WriteAsked", job: { id: next, change: save(next++ % 250) } });
          if (what === "store") answer(fate);
          if (what === "timer") tell({ type: "TimerFired", timer: "retryStore" });
          if (what === "deadline") tell({ type: "TimerFired", timer: "deadline" });
          if (what === "late") store.late.shift()?.();
          if (what === "freeze") tell({ type: "FreezeAsked" });
          if (what === "thaw") tell({ type: "Thawed" });
          if (what === "fence") store.write(store.record.storeVersion, store.record.payload);
        }
        tell({ type: "Thawed" });
        for (let round = 0; settled.size < next - 1 && round < 500; round++) {
          tell({ type: "TimerFired", timer: "retryStore" });
          answer("answered");
        }
        // Everything that is still on its way arrives now.
        for (const apply of store.late) apply();
        const held = codec.decode(store.record.payload)?.saved?.data[0] ?? 0;
        expect(settled.size).toBe(next - 1);
        const lastWritten = Math.max(0, ...[...settled].flatMap(([id, { type }]) => (type === "written" ? [id] : [])));
        const after = [...settled].flatMap(([id, outcome]) =>
          id > lastWritten && outcome.type === "failed" && outcome.reason === "inDoubt" ? [id % 250] : [],
        );
        expect([lastWritten % 250, ...after]).toContain(held);
      }),
      { numRuns: 600 },
    );
  });
});
