import { beforeEach, describe, expect, it } from "vitest";
import type { LifeState } from "../src/check/accounts.ts";
import { Ledger } from "../src/check/ledger.ts";
import { closeAccounts, type Outcome } from "../src/check/settled.ts";

const a = { name: "a.1", alive: true };
const b = { name: "b.1", alive: true };
let broken: string[];
let generation: bigint;
let ledger: Ledger;
let state: LifeState;

type Options = Partial<ConstructorParameters<typeof Ledger>[0]>;

function begin(options: Options = {}): void {
  broken = [];
  generation = 1n;
  ledger = new Ledger({
    now: () => 0,
    report: (rule) => broken.push(rule),
    generationOf: () => generation,
    ...options,
  });
  state = ledger.born("t");
}

beforeEach(() => begin());

function turn(of = state, on = a): LifeState {
  ledger.turn(on, of, "note")?.();
  return { ...of };
}

const save = (outcome?: "saved" | "notSaved" | "inDoubt"): LifeState => {
  const asked = ledger.saves.asked("t", state);
  if (outcome) ledger.saves.settled(asked, outcome);
  return { ...state };
};

/** Its node is lost; it begins on another one with this, or new. */
function lost(beginsWith?: LifeState): LifeState {
  ledger.died(a);
  generation += 1n;
  const begun = beginsWith ? { ...beginsWith } : ledger.born("t");
  ledger.turn(b, begun, "note")?.();
  return begun;
}

describe("L3", () => {
  it("is kept by an actor that begins with what it last saved, and goes on from there", () => {
    turn();
    save("saved");
    turn();
    const saved = save("saved");
    turn();
    const begun = lost(saved);
    expect(begun.life).not.toBe(saved.life);
    expect(begun.turns).toBe(saved.turns + 1);
    turn(begun, b);
    expect(broken).toEqual([]);
  });

  it("is broken by an actor that had saved and begins new, or with an older save, or with what it never saved", () => {
    const wrong: ((older: LifeState) => LifeState | undefined)[] = [
      () => undefined,
      (older) => older,
      () => turn(),
      () => ({ ...state, chain: 7 }),
    ];
    for (const choose of wrong) {
      begin();
      turn();
      const older = save("saved");
      turn();
      save("saved");
      lost(choose(older));
      expect(broken).toEqual(["L3"]);
    }
  });

  it("is broken by what a failed save would have kept", () => {
    turn();
    lost(save("notSaved"));
    expect(broken).toEqual(["L3"]);
  });

  it("lets an actor that never saved begin new", () => {
    turn();
    save("notSaved");
    lost();
    expect(broken).toEqual([]);
  });

  it("lets a save in doubt, or one that was never answered, have happened or not", () => {
    for (const outcome of ["inDoubt", undefined] as const) {
      for (const happened of [true, false]) {
        begin();
        turn();
        const sure = save("saved");
        turn();
        const perhaps = save(outcome);
        lost(happened ? perhaps : sure);
        expect(broken).toEqual([]);
      }
    }
  });

  it("is broken by a save in doubt that comes back after a later one has succeeded", () => {
    turn();
    const doubtful = save("inDoubt");
    turn();
    save("saved");
    lost(doubtful);
    expect(broken).toEqual(["L3"]);
  });

  it("holds an actor to what it began with, whatever a former owner hears of its saves later", () => {
    turn();
    const sure = save("saved");
    turn();
    const late = ledger.saves.asked("t", state);
    const kept = { ...state };
    lost(sure);
    ledger.saves.settled(late, "saved");
    lost(kept);
    expect(broken).toEqual(["L3"]);
  });

  it("is broken by an actor whose type begins new and that does not", () => {
    begin({ afterLoss: "new" });
    turn();
    lost(save("saved"));
    expect(broken).toEqual(["L3"]);
    begin({ afterLoss: "new" });
    turn();
    save("saved");
    lost();
    expect(broken).toEqual([]);
  });

  it("is broken by an actor that is made again although no node was lost", () => {
    begin({ nodesLive: true });
    turn();
    lost(save("saved"));
    expect(broken).toEqual(["L3"]);
    begin({ nodesLive: true });
    turn();
    lost();
    expect(broken).toEqual(["L3"]);
  });

  it("is broken by an actor that was made again from its saved state without a word", () => {
    const outcome = (): Outcome => ({
      ...{ ledger, clients: [], deaths: [], lives: new Map() },
      ...{ linksHeld: true, isSure: false, promptMs: undefined },
    });
    turn();
    lost(save("saved"));
    closeAccounts(outcome(), (rule) => broken.push(rule));
    expect(broken).toEqual(["L3"]);
    broken = [];
    ledger.wasRestored("t");
    closeAccounts(outcome(), (rule) => broken.push(rule));
    expect(broken).toEqual([]);
  });

  it("does not bring back a timer, nor excuse what ran before", () => {
    turn();
    ledger.timerSet(state, 1, 0);
    const message = ledger.sent("send", "c1", "t");
    ledger.turn(a, state, "m0", message)?.();
    const begun = lost(save("saved"));
    ledger.timerFired(begun, 1);
    ledger.turn(b, begun, "m0", message)?.();
    expect(broken).toEqual(["I3", "I3"]);
  });
});

describe("I6", () => {
  it("is broken by a copy that lacks a turn while its node lives, although it had saved just that", () => {
    turn();
    const saved = save("saved");
    turn();
    turn(saved, b);
    expect(broken).toEqual(["I6"]);
  });
});
