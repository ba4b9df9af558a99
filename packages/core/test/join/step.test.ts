import fc from "fast-check";
import { ridFromText } from "@rehome/wire";
import type { SpotFence } from "@rehome/wire";
import { describe, expect, it } from "vitest";
import { OCCUPANT, SPOT_MOVING_PAUSE_MS, startJoin, stepJoin } from "../../src/join/step.ts";
import type { JoinInput, JoinState, JoinStep, JournalOccupant } from "../../src/join/state.ts";

const operation = { high: 1n, low: 1n };
const place = { spotId: "room", objectGeneration: 3n };
const spot: SpotFence = {
  spot: place,
  nodeRid: ridFromText("b"),
  nodeGeneration: 1n,
  authorityOwnerGeneration: 2n,
  ownerLeaseGeneration: 3n,
};
const accepted: JoinInput<string> = { type: "SpotAnswered", answer: { type: "accepted", reply: "hi" } };
const rejected: JoinInput<string> = {
  type: "SpotAnswered",
  answer: { type: "rejected", reason: "full", reply: "sorry" },
};
const here: JoinInput<string> = { type: "SpotLooked", found: { type: "here", place } };
const there: JoinInput<string> = { type: "SpotLooked", found: { type: "elsewhere", spot } };
const written: JoinInput<string> = { type: "JournalWritten", outcome: { type: "written", record: undefined } };
const unwritten: JoinInput<string> = { type: "JournalWritten", outcome: { type: "failed", reason: "inDoubt" } };
const cleared: JoinInput<string> = { type: "JournalCleared", outcome: { type: "written", record: undefined } };
const undone: JoinInput<string> = { type: "MoveEnded", outcome: "undone", reason: "no" };
const gone: JoinInput<string> = { type: "MoveEnded", outcome: "gone" };
const check: JoinInput<string> = { type: "CheckAsked" };

const moved: JoinInput<string> = { type: "SpotAnswered", answer: { type: "moved", reason: "it moves" } };
const moving: JoinInput<string> = { type: "SpotLooked", found: { type: "moving", reason: "it moves" } };
const missed: JoinInput<string> = { type: "MoveEnded", outcome: "spotMoved", reason: "it moves" };
const retry: JoinInput<string> = { type: "RetryDue" };
const deadlineAtMs = 1_000;

function play(occupant: JournalOccupant, ...inputs: JoinInput<string>[]): JoinStep<string> & { types: string[] } {
  let step = startJoin<string>();
  for (const input of inputs) step = stepJoin(step.state, input, { occupant: () => occupant, deadlineAtMs }, 0);
  return { ...step, types: step.effects.map(({ type }) => type) };
}
const free: JournalOccupant = { type: "none" };

describe("a join of a spot on the same node (J6)", () => {
  it("H2: holds before the spot is asked, and gives back in every ending, last of all", () => {
    expect(play(free, here).types).toEqual(["HoldIngress", "AskSpotHere"]);
    expect(play(free, here, accepted).effects).toEqual([{ type: "WritePlace", place, reply: "hi" }]);
    expect(play(free, here, accepted, written).types).toEqual([
      "LeaveSpot",
      "ArriveInSpot",
      "Deliver",
      "GiveBackHold",
      "Settle",
    ]);
    expect(play(free, here, rejected).effects[0]).toEqual({
      type: "Refuse",
      refusal: { reason: "full", reply: "sorry" },
    });
    for (const step of [play(free, here, rejected), play(free, here, accepted, unwritten)]) {
      expect(step.types).toEqual(["Refuse", "GiveBackHold", "Settle"]);
    }
  });
});

describe("a join by a move", () => {
  it("J2: the spot's yes is written before the check passes, and so before the base version is read", () => {
    expect(play(free, there).effects).toEqual([{ type: "StartMove", spot }]);
    expect(play(free, there, check).effects).toEqual([{ type: "AskSpotThere", spot }]);
    expect(play(free, there, check, accepted).effects).toEqual([{ type: "WritePrepared", spot, reply: "hi" }]);
    expect(play(free, there, check, accepted, written).effects).toEqual([{ type: "PassCheck", place, reply: "hi" }]);
    expect(play(free, there, check, accepted, unwritten).types).toEqual(["FailCheck"]);
  });

  it("J1: the source tells an actor that stayed, and nothing to one that has gone", () => {
    const onItsWay = [there, check, accepted, written];
    expect(play(free, ...onItsWay, gone).types).toEqual(["Settle"]);
    expect(play(free, ...onItsWay, undone).types).toEqual(["DiscardPrepared", "Refuse", "Settle"]);
    expect(play(free, there, check, accepted, undone).types).toEqual(["DiscardPrepared", "Refuse", "Settle"]);
    expect(play(free, there, check, accepted, unwritten, undone).types).toContain("DiscardPrepared");
    expect(play(free, there, undone).types).toEqual(["Refuse", "Settle"]);
  });

  it("J1: a refusal by the spot is told with the spot's own words, once the source has given back what it held", () => {
    expect(play(free, there, check, rejected).effects).toEqual([{ type: "FailCheck", reason: "full" }]);
    expect(play(free, there, check, rejected, undone).effects[0]).toEqual({
      type: "Refuse",
      refusal: { reason: "full", reply: "sorry" },
    });
  });
});

describe("a spot that moves meanwhile (H7)", () => {
  const timer = { type: "StartTimer", delayMs: SPOT_MOVING_PAUSE_MS };
  it("is looked up again, with nothing held and nothing left in the journal", () => {
    expect(play(free, moving).effects).toEqual([timer]);
    expect(play(free, here, moved).effects).toEqual([{ type: "GiveBackHold" }, timer]);
    expect(play(free, there, check, moved).types).toEqual(["FailCheck"]);
    expect(play(free, there, check, moved, undone).effects).toEqual([timer]);
    expect(play(free, there, check, accepted, written, missed).effects).toEqual([{ type: "DiscardPrepared" }, timer]);
    expect(play(free, moving, retry).types).toEqual(["FindSpot"]);
  });

  it("is given up at the deadline, and the actor told", () => {
    const { state } = play(free, moving);
    const step = stepJoin(state, retry, { occupant: () => free, deadlineAtMs }, deadlineAtMs);
    expect(step.effects[0]).toEqual({ type: "Refuse", refusal: { reason: "it moves", reply: undefined } });
  });
});

describe("what stands in the journal's way (J5)", () => {
  const rows: readonly [keyof typeof OCCUPANT, JournalOccupant, string][] = [
    ["none", free, "WritePrepared"],
    ["prepared", { type: "prepared", operation }, "DiscardRecord"],
    ["committed:told", { type: "committed", operation, told: "told" }, "MarkDelivered"],
    ["committed:untold", { type: "committed", operation, told: "untold" }, "FailCheck"],
  ];
  it.each(rows)("%s", (_, occupant, effect) => {
    expect(play(occupant, there, check, accepted).types).toEqual([effect]);
    expect(rows).toHaveLength(Object.keys(OCCUPANT).length);
    const local = { WritePrepared: "WritePlace", FailCheck: "Refuse" }[effect] ?? effect;
    expect(play(occupant, here, accepted).types[0]).toBe(local);
  });

  it("is cleared first; if it cannot be, nothing is replaced", () => {
    const occupant: JournalOccupant = { type: "prepared", operation };
    expect(play(occupant, there, check, accepted, cleared).types).toEqual(["WritePrepared"]);
    expect(play(occupant, here, accepted, cleared).types).toEqual(["WritePlace"]);
    const stuck: JoinInput<string> = { type: "JournalCleared", outcome: { type: "failed", reason: "inDoubt" } };
    expect(play(occupant, there, check, accepted, stuck).types).toEqual(["FailCheck"]);
    expect(play(occupant, here, accepted, stuck).types).toEqual(["Refuse", "GiveBackHold", "Settle"]);
  });
});

it("J1: whatever comes, the actor is told at most once here, and the join settles once", () => {
  const inputs = [
    accepted,
    rejected,
    here,
    there,
    written,
    unwritten,
    cleared,
    undone,
    gone,
    check,
    moved,
    moving,
    missed,
    retry,
  ];
  const occupants = fc.constantFrom<JournalOccupant>(free, { type: "prepared", operation });
  fc.assert(
    fc.property(occupants, fc.array(fc.constantFrom(...inputs), { maxLength: 20 }), (occupant, sequence) => {
      let state: JoinState<string> = startJoin<string>().state;
      const seen: string[] = [];
      let now = deadlineAtMs - 5;
      for (const input of sequence) {
        const step = stepJoin(state, input, { occupant: () => occupant, deadlineAtMs }, now++);
        ({ state } = step);
        seen.push(...step.effects.map(({ type }) => type));
      }
      const count = (type: string): number => seen.filter((each) => each === type).length;
      expect(count("Refuse") + count("Deliver")).toBeLessThanOrEqual(1);
      expect(count("Settle")).toBe(state.type === "ended" ? 1 : 0);
      const isHeld = ["admitting", "clearingHere", "placing"].includes(state.type);
      expect(count("HoldIngress")).toBe(count("GiveBackHold") + (isHeld ? 1 : 0));
    }),
  );
});
