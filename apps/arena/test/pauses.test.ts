import { describe, expect, test } from "vitest";
import { Histogram } from "../src/histogram.ts";
import { Pauses } from "../src/pauses.ts";

describe("Histogram", () => {
  test("nothing gives zeros", () => {
    expect([new Histogram().percentile(0.5), new Histogram().max]).toEqual([0, 0]);
  });

  test("one value is every percentile, to the width of a bucket", () => {
    const histogram = new Histogram();
    histogram.add(3.7);
    for (const fraction of [0.01, 0.5, 0.99]) expect(histogram.percentile(fraction)).toBeCloseTo(3.7, 1);
    expect(histogram.max).toBe(3.7);
  });

  test("percentiles of 1 to 1000 are right to a percent, and never above the greatest", () => {
    const histogram = new Histogram();
    for (let value = 1_000; value >= 1; value--) histogram.add(value);
    for (const fraction of [0.1, 0.5, 0.9, 0.99, 1]) {
      const exact = fraction * 1_000;
      expect(Math.abs(histogram.percentile(fraction) - exact) / exact).toBeLessThan(0.011);
    }
    expect(histogram.percentile(1)).toBeLessThanOrEqual(1_000);
  });

  test("values outside of its range stay at its ends", () => {
    const histogram = new Histogram();
    histogram.add(-1);
    histogram.add(1e12);
    expect(histogram.count).toBe(2);
    expect(histogram.max).toBe(1e12);
  });
});

describe("Pauses", () => {
  test("both ends of a move are joined, whichever comes first", () => {
    const pauses = new Pauses();
    pauses.paused("a", 100);
    pauses.opened("b", 203);
    expect(pauses.moves).toBe(0);
    pauses.opened("a", 101);
    pauses.paused("b", 200);
    expect(pauses.moves).toBe(2);
    expect(pauses.pauseMs.max).toBe(3);
    expect(pauses.pauseMs.p50).toBeCloseTo(1, 1);
  });

  test("a move that came to nothing, and an end told twice, count for nothing", () => {
    const pauses = new Pauses();
    pauses.paused("a", 100);
    pauses.abandoned("a");
    pauses.opened("a", 200);
    expect(pauses.moves).toBe(0);
    pauses.paused("b", 1);
    pauses.opened("b", 2);
    pauses.opened("b", 2);
    expect(pauses.moves).toBe(1);
  });

  test("the steps of a move are listed in the order they are reached", () => {
    const pauses = new Pauses();
    pauses.timed({ committed: 3, captured: 1 });
    expect(pauses.steps.map((step) => step.name)).toEqual(["captured", "committed"]);
  });
});
