import { describe, expect, it } from "vitest";
import { pairedRatios, quantile, summarize } from "../src/statistics.ts";

describe("quantile", () => {
  it("is the sample in that place", () => {
    expect(quantile([1, 2, 3, 4, 5], 0)).toBe(1);
    expect(quantile([1, 2, 3, 4, 5], 0.5)).toBe(3);
    expect(quantile([1, 2, 3, 4, 5], 0.75)).toBe(4);
    expect(quantile([1, 2, 3, 4, 5], 1)).toBe(5);
  });

  it("lies in proportion between two samples when its place does", () => {
    expect(quantile([10, 20], 0.5)).toBe(15);
    expect(quantile([0, 100, 200, 300], 0.25)).toBe(75);
  });

  it("is the only sample there is, and needs one", () => {
    expect(quantile([7], 0.3)).toBe(7);
    expect(() => quantile([], 0.5)).toThrow(RangeError);
  });
});

describe("summarize", () => {
  it("orders by number, not by text, and leaves its input alone", () => {
    const samples = [100, 9, 20, 1000, 8];
    expect(summarize(samples)).toEqual({ count: 5, min: 8, p25: 9, median: 20, p75: 100, max: 1000 });
    expect(samples).toEqual([100, 9, 20, 1000, 8]);
  });

  it("does not let one outlier move the median", () => {
    expect(summarize([5, 5, 5, 5, 5_000_000]).median).toBe(5);
  });
});

describe("pairedRatios", () => {
  it("compares what was measured in the same round, so that a slow machine drops out", () => {
    // The machine was ten times as slow in the second round and a hundred times in the third.
    expect(pairedRatios([10, 100, 1000], [20, 200, 2000])).toMatchObject({ min: 2, median: 2, max: 2 });
  });

  it("is above 1 when the other one takes longer", () => {
    expect(pairedRatios([1, 1, 1], [3, 4, 5]).median).toBe(4);
  });

  it("refuses samples that are not pairs", () => {
    expect(() => pairedRatios([1], [1, 2])).toThrow(RangeError);
  });
});
