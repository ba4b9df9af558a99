import { describe, expect, it } from "vitest";
import { Holes } from "../../src/sessions/holes.ts";
import { Timers } from "./timers.ts";

const LIFE_MS = 1_000;

function setup() {
  const clock = new Timers();
  const sent: number[] = [];
  const state = { room: Number.POSITIVE_INFINITY, sealed: false };
  const holes: Holes = new Holes({
    clock,
    lifeMs: LIFE_MS,
    isSealed: () => state.sealed,
    send: (sequence) => {
      if (state.room-- <= 0) {
        holes.fillLater(sequence);
        return false;
      }
      sent.push(Number(sequence));
      return true;
    },
  });
  return { clock, sent, state, holes };
}

describe("markers for the places of what was not run", () => {
  it("N5: every place is filled once, in order", () => {
    const { clock, sent, holes } = setup();
    for (const sequence of [3n, 1n, 2n, 7n]) holes.fill(sequence);
    clock.pass(0);
    expect(sent).toEqual([1, 2, 3, 7]);
    expect(clock.due).toEqual([]);
  });

  it("N5: what finds no room is sent later, with one timer and without crowding", () => {
    const { clock, sent, state, holes } = setup();
    state.room = 2;
    for (let sequence = 1n; sequence <= 5n; sequence++) holes.fill(sequence);
    clock.pass(0);
    expect(sent).toEqual([1, 2]);
    expect(clock.due).toHaveLength(1);
    state.room = Number.POSITIVE_INFINITY;
    clock.pass(100);
    expect(sent).toEqual([1, 2, 3, 4, 5]);
  });

  it("N5: a marker that is refused is sent again, for as long as a receiver would wait for it", () => {
    const { clock, sent, holes } = setup();
    holes.fill(1n);
    clock.pass(0);
    for (let tries = 0; tries < 15; tries++) {
      expect(holes.has(1n)).toBe(true);
      holes.fillLater(1n);
      clock.pass(100);
    }
    expect(sent.length).toBe(LIFE_MS / 100);
    clock.pass(LIFE_MS);
    holes.flush();
    expect(holes.has(1n)).toBe(false);
  });

  it("S17: behind a seal nothing is sent, and all of it once the seal is gone", () => {
    const { clock, sent, state, holes } = setup();
    state.sealed = true;
    holes.fill(1n);
    clock.pass(500);
    expect(sent).toEqual([]);
    state.sealed = false;
    holes.flush();
    expect(sent).toEqual([1]);
  });

  it("leaves no timer behind", () => {
    const { clock, sent, holes } = setup();
    holes.fill(1n);
    holes.end();
    holes.fill(2n);
    expect(clock.due).toEqual([]);
    clock.pass(1_000);
    expect(sent).toEqual([]);
  });
});
